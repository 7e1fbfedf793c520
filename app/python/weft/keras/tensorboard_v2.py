"""tf.compat.v2.keras.callbacks.TensorBoard: event files of training and of validation in folders of their own."""

import os

import numpy as np

from .. import context, engine, protos
from ..contrib import projector
from ..exports import export_value
from ..platform import tf_logging as logging
from ..summaries.writer import FileWriter
from ..tensor_util import make_tensor_proto
from . import backend, utility_names
from .callbacks import Callback
from .layers import Embedding
from .tensorboard import as_images, metric_logs, number

_OLD = {"write_grads": "`write_grads` will be ignored in TensorFlow 2.0 for the `TensorBoard` Callback.",
        "batch_size": "`batch_size` is no longer needed in the `TensorBoard` Callback and will be ignored in TensorFlow 2.0.",
        "embeddings_layer_names": "`embeddings_layer_names` is not supported in TensorFlow 2.0. Instead, all `Embedding` layers will be visualized.",
        "embeddings_data": "`embeddings_data` is not supported in TensorFlow 2.0. Instead, all `Embedding` variables will be visualized."}


def _text_value(tag, text, plugin):
    """A summary's value that a plugin of TensorBoard reads."""
    value = protos.Summary.Value(tag=tag, tensor=make_tensor_proto(text))
    value.metadata.plugin_data.plugin_name, value.metadata.plugin_data.content = plugin, b"1"
    return protos.Summary(value=[value])


class _Folder:
    """Where the configuration of the projector is written."""

    def __init__(self, logdir):
        self._logdir = logdir

    def get_logdir(self):
        return self._logdir


class TensorBoard(Callback):
    """Writes losses and metrics of epochs or batches, the graph and the model's configuration, histograms and images of weights, embeddings, and the trace of one training batch."""

    def __init__(self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False, update_freq="epoch", profile_batch=2, embeddings_freq=0, embeddings_metadata=None,
                 **kwargs):
        for name in _OLD:
            if kwargs.get(name):
                logging.warning(_OLD[name])
        unknown = set(kwargs) - set(_OLD)
        if unknown:
            raise ValueError("Unrecognized arguments in `TensorBoard` Callback: " + str(unknown))
        self.log_dir, self.histogram_freq, self.write_graph, self.write_images = log_dir, histogram_freq, write_graph, write_images
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq, self.embeddings_metadata = embeddings_freq, embeddings_metadata
        self._train_run_name, self._validation_run_name, self._writers = "train", "validation", {}
        self._profile_batch, self._trace = profile_batch, None  # the RunMetadata of a training batch, while it is traced
        self._batches_seen = 0

    # Writers, one for each of training and validation.
    def _get_writer(self, name):
        if name not in self._writers:
            self._writers[name] = FileWriter(os.path.join(self.log_dir, name), filename_suffix=".v2")
        return self._writers[name]

    def _close_writers(self):
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def set_model(self, model):
        self.model = model
        self._close_writers()
        if self.write_graph:
            writer = self._get_writer(self._train_run_name)
            if not model.run_eagerly:
                writer.add_graph(utility_names.get_graph(), 0)
            if model._is_graph_network or type(model).__name__ == "Sequential":
                self._write_model(writer)
        if self.embeddings_freq:
            self._configure_embeddings()

    def _write_model(self, writer):
        try:
            text = self.model.to_json()
        except Exception as e:
            logging.warning("Model failed to serialize as JSON. Ignoring... %s" % e)
            return
        writer.add_summary(_text_value("keras", text, "graph_keras_model"), 0)

    def _configure_embeddings(self):
        config = protos.message("ProjectorConfig")()
        names = self.embeddings_metadata
        names = {} if names is None else names if isinstance(names, str) else dict(names)
        for layer in self.model.layers:
            if isinstance(layer, Embedding):
                one = config.embeddings.add(tensor_name=layer.embeddings.name)
                path = names if isinstance(names, str) else names.pop(layer.name, None)
                if path is not None:
                    one.metadata_path = path
        if names and not isinstance(names, str):
            raise ValueError("Unrecognized `Embedding` layer names passed to `keras.callbacks.TensorBoard` `embeddings_metadata` argument: " + str(names.keys()))
        projector.visualize_embeddings(_Folder(self.log_dir), config)

    # Traces.
    def _begin_trace(self):
        self._trace = protos.RunMetadata()
        function = self.model.train_function
        if function is None:
            logging.warning("keras.callbacks.TensorBoard: profile_batch=%s: the model runs eagerly, so that its batches are not traced", self._profile_batch)
        else:
            function.traced_by = dict(options=protos.RunOptions(trace_level=protos.RunOptions.FULL_TRACE), run_metadata=self._trace)

    def _end_trace(self):
        if self.model.train_function is not None:
            self.model.train_function.traced_by = {}
        summary = _text_value("batch_%d" % self._batches_seen, self._trace.SerializeToString(), "graph_run_metadata")
        self._get_writer(self._train_run_name).add_summary(summary, self._batches_seen)
        self._trace = None

    # Events.
    def on_train_begin(self, logs=None):
        self._batches_seen = 0
        if self._profile_batch == 1:
            self._begin_trace()

    def on_train_batch_end(self, batch, logs=None):
        if self.update_freq == "epoch" and self._profile_batch is None:
            return
        if self.update_freq != "epoch" and batch % self.update_freq == 0:
            self._log_metrics(logs, "batch_", self._batches_seen)
        self._batches_seen += 1
        if self._trace is not None:
            self._end_trace()
        elif self._profile_batch is not None and self._batches_seen == self._profile_batch - 1:
            self._begin_trace()

    def on_epoch_end(self, epoch, logs=None):
        self._log_metrics(logs, "epoch_", epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._log_weights(epoch)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            self.model.save_weights(os.path.join(self.log_dir, "train", "keras_embedding.ckpt-{}".format(epoch)))

    def on_train_end(self, logs=None):
        if self._trace is not None:
            self._end_trace()
        self._close_writers()

    def _log_metrics(self, logs, prefix, step):
        for name, value in metric_logs(logs, "").items():
            is_validation = name.startswith("val_")
            writer = self._get_writer(self._validation_run_name if is_validation else self._train_run_name)
            writer.add_summary(number(prefix + name[4 * is_validation:], value), step)

    def _log_weights(self, epoch):
        writer = self._get_writer(self._train_run_name)
        for layer in self.model.layers:
            for weight in layer.weights:
                name, value = weight.name.replace(":", "_"), np.asarray(backend.get_value(weight))
                with context.eager_graph().as_default():
                    writer.add_summary(engine.raw_ops.HistogramSummary(tag=name, values=value).numpy(), epoch)
                    image = as_images(value) if self.write_images else None
                    if image is not None:
                        writer.add_summary(engine.raw_ops.ImageSummary(tag=name, tensor=image, max_images=3).numpy(), epoch)
        writer.flush()


export_value(TensorBoard, "compat.v2.keras.callbacks.TensorBoard")
