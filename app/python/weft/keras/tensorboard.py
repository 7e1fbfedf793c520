"""tf.keras.callbacks.TensorBoard of TensorFlow 1: one event file for training and validation, histograms during validation."""

import os

import numpy as np

from .. import basics, dtypes, engine, ops, settings
from ..contrib import projector
from ..exports import export
from ..graph_elements import IndexedSlices
from ..platform import tf_logging as logging
from ..protos import Summary, message
from ..summaries import ops as summary
from ..summaries.writer import FileWriter
from ..training.saver import Saver
from ..variables import Variable, assign
from . import backend, data_checks
from .callbacks import Callback

_NO_METRICS = ("batch", "size", "num_steps")


def as_images(weight):
    """A weight as grey images [count, height, width, 1], or None if it has too many dimensions. Kernels of convolutions with one filter each are images of their own."""
    image = engine.squeeze(weight)
    sizes = image.shape.as_list()
    if len(sizes) == 1:
        return engine.reshape(image, [1, sizes[0], 1, 1])
    if len(sizes) == 2:
        image, sizes = (engine.transpose(image), sizes[::-1]) if sizes[0] > sizes[1] else (image, sizes)
        return engine.reshape(image, [1] + sizes + [1])
    if len(sizes) == 3:
        if backend.image_data_format() == "channels_last":
            image, sizes = engine.transpose(image, perm=[2, 0, 1]), [sizes[2], sizes[0], sizes[1]]
        return engine.reshape(image, sizes + [1])
    return image if len(sizes) == 4 and sizes[-1] in (1, 3, 4) else None


def metric_logs(logs, prefix):
    """The losses and metrics among logs, under longer names."""
    return {prefix + name: value.item() if isinstance(value, np.ndarray) else value for name, value in (logs or {}).items() if name not in _NO_METRICS}


def number(tag, value):
    """A Summary with one number."""
    return Summary(value=[Summary.Value(tag=tag, simple_value=float(value))])


@export("keras.callbacks.TensorBoard")
class TensorBoard(Callback):
    """Writes losses and metrics of epochs or batches as summaries, the graph, histograms of weights, gradients and outputs, and embeddings."""

    def __init__(self, log_dir="./logs", histogram_freq=0, batch_size=32, write_graph=True, write_grads=False, write_images=False, embeddings_freq=0, embeddings_layer_names=None,
                 embeddings_metadata=None, embeddings_data=None, update_freq="epoch", profile_batch=2):
        settings.unused("keras.callbacks.TensorBoard", "batches are not profiled", profile_batch=(profile_batch, 0, 2))
        self.log_dir, self.histogram_freq, self.batch_size = log_dir, histogram_freq, batch_size
        if histogram_freq and ops.executing_eagerly():
            logging.warning(UserWarning("Weight and gradient histograms not supported for eagerexecution, setting `histogram_freq` to `0`."))
            self.histogram_freq = 0
        self.write_graph, self.write_grads, self.write_images = write_graph, write_grads, write_images
        self.embeddings_freq, self.embeddings_layer_names = embeddings_freq, embeddings_layer_names
        self.embeddings_metadata, self.embeddings_data = embeddings_metadata, embeddings_data
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.merged = None
        self._samples_seen = self._samples_seen_at_last_write = self._total_batches_seen = self._total_val_batches_seen = 0

    def set_model(self, model):
        self.model = model
        self._init_writer(model)
        if self.histogram_freq:
            self._make_histograms()
            self.merged = summary.merge_all()
        if self.embeddings_freq and self.embeddings_data is not None:
            self._prepare_embeddings()

    def _init_writer(self, model):
        self.writer = FileWriter(self.log_dir, backend.get_session().graph if self.write_graph and not model.run_eagerly else None)

    def _make_histograms(self):
        """Summaries of each layer's weights, gradients and outputs; created once."""
        if self.merged is not None:
            return
        for layer in self.model.layers:
            for weight in layer.weights:
                name = weight.name.replace(":", "_")
                summary.histogram(name, weight)
                image = as_images(weight) if self.write_images else None
                if image is not None:
                    summary.image(name, image)
            for weight in layer.trainable_weights if self.write_grads else ():
                found = [g.values if isinstance(g, IndexedSlices) else g for g in self.model.optimizer.get_gradients(self.model.total_loss, [weight])]
                summary.histogram(weight.name.replace(":", "_") + "_grad", found)
            if hasattr(layer, "output"):
                several = isinstance(layer.output, list)
                for i, output in enumerate(layer.output if several else [layer.output]):
                    summary.histogram("%s_out%s" % (layer.name, "_%d" % i if several else ""), output)

    # Embeddings.
    def _prepare_embeddings(self):
        self.embeddings_data = data_checks.arrays_by_name(self.embeddings_data, self.model.input_names)
        names = self.embeddings_layer_names or [layer.name for layer in self.model.layers if type(layer).__name__ == "Embedding"]
        self.assign_embeddings, made = [], {}
        self.batch_id, self.step = engine.placeholder(dtypes.int32), engine.placeholder(dtypes.int32)
        for layer in self.model.layers:
            if layer.name not in names:
                continue
            size = int(np.prod(layer.output.shape.as_list()[1:]))
            variable = made[layer.name] = Variable(engine.zeros((self.embeddings_data[0].shape[0], size)), name=layer.name + "_embedding")
            rows = engine.reshape(layer.output, engine.stack([self.step, size]))
            self.assign_embeddings.append(assign(variable[self.batch_id:self.batch_id + self.step], basics.cast(rows, variable.dtype.base_dtype)))
        self.saver = Saver(list(made.values()))
        backend.get_session().run([v.initializer for v in made.values()])
        table = {name: self.embeddings_metadata for name in made} if isinstance(self.embeddings_metadata, str) else self.embeddings_metadata or {}
        config = message("ProjectorConfig")()
        for name, variable in made.items():
            one = config.embeddings.add(tensor_name=variable.name)
            if name in table:
                one.metadata_path = table[name]
        projector.visualize_embeddings(self.writer, config)

    def _save_embeddings(self, epoch):
        session, data = backend.get_session(), self.embeddings_data
        inputs, phase = self.model._feed_inputs, backend.learning_phase()
        for first in range(0, data[0].shape[0], self.batch_size):
            rows = slice(first, min(first + self.batch_size, data[0].shape[0]))
            feeds = {t: d[rows] for t, d in zip(inputs, data)}
            feeds.update({self.batch_id: first, self.step: rows.stop - rows.start})
            if not isinstance(phase, int):
                feeds[phase] = False
            session.run(self.assign_embeddings, feed_dict=feeds)
        self.saver.save(session, os.path.join(self.log_dir, "keras_embedding.ckpt"), epoch)

    # Events.
    def _write_custom_summaries(self, step, logs=None):
        for name, value in (logs or {}).items():
            self.writer.add_summary(number(name, value), step)
        self.writer.flush()

    def _add_histograms(self, written):
        self.writer.add_summary(written, self._total_val_batches_seen)
        self._total_val_batches_seen += 1

    def on_batch_end(self, batch, logs=None):
        self._samples_seen += (logs or {}).get("size", 1)
        if self.update_freq != "epoch" and self._samples_seen - self._samples_seen_at_last_write >= self.update_freq:
            self._write_custom_summaries(self._total_batches_seen, metric_logs(logs, "batch_"))
            self._samples_seen_at_last_write = self._samples_seen
        self._total_batches_seen += 1

    def on_epoch_begin(self, epoch, logs=None):
        """Makes the validation after this epoch compute the histograms, too."""
        if self.histogram_freq and epoch % self.histogram_freq == 0 and self.merged is not None:
            self.model._make_test_function()
            self.model.test_function.fetch_callbacks[self.merged] = self._add_histograms

    def on_epoch_end(self, epoch, logs=None):
        self._write_custom_summaries(epoch if self.update_freq == "epoch" else self._samples_seen, metric_logs(logs, "epoch_"))
        if self.histogram_freq and self.merged is not None:
            self.model.test_function.fetch_callbacks.pop(self.merged, None)
        if self.embeddings_freq and self.embeddings_data is None:
            raise ValueError("To visualize embeddings, embeddings_data must be provided.")
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            self._save_embeddings(epoch)

    def on_train_end(self, logs=None):
        self.writer.close()
