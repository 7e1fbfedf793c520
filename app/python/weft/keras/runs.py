"""One call of fit(), evaluate() or predict(): where the batches come from, callbacks and output."""

import random

from .. import context
from ..data.iterators import make_initializable_iterator
from ..errors import OutOfRangeError
from ..platform import tf_logging as logging
from ..ragged.tensor import RaggedTensor
from ..ragged.values import RaggedTensorValue
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..util import nest
from . import backend, data_checks, progress
from .data_checks import is_iterator, is_sequence


class Spec:
    """The shape and type of an element of a data set."""

    def __init__(self, tensor):
        self.shape, self.dtype = tensor.shape, tensor.dtype


class Step:
    """A function of arrays whose result is always a list."""

    def __init__(self, function):
        self._function = function

    def __call__(self, values):
        return list(self._function(values))


# Data sets.
def refuse_iterators(x):
    if is_iterator(x):
        raise ValueError("For performance reasons Keras `fit`, `evaluate` and`predict` accept tf.data `Datasets` as input but not iterators that have been manually generated from "
                         "Datasets by users. Please directly pass in the original `Dataset` object instead of passing in `iter(dataset)`.")


def initialized(data):
    iterator = make_initializable_iterator(data)
    restart(iterator)
    return iterator


def restart(iterator):
    backend.get_session().run(iterator.initializer)


def next_tensors(x):
    """(inputs, targets, weights) that a data set or an iterator gives, as tensors."""
    element = (x if is_iterator(x) else initialized(x)).get_next()
    if not isinstance(element, (list, tuple)):
        return element, None, None
    if len(element) not in (2, 3):
        raise ValueError("Please provide model inputs as a list or tuple of 2 or 3 elements: (input, target) or (input, target, sample_weights) Received %s" % (element,))
    return tuple(element) + (None,) * (3 - len(element))


def first_part(data):
    """The inputs in an element of a data set: as tensors, or as descriptions if its elements have values at once."""
    if not data_checks.is_eager_data_set(data):
        return next_tensors(data)[0]
    spec = data.element_spec
    return spec[0] if isinstance(spec, (tuple, list)) else spec


def split(x, y, weights, share):
    """(training data, validation data): the last part is for validation."""
    if data_checks.has_tensors(x):
        raise ValueError("If your data is in the form of symbolic tensors, you cannot use `validation_split`.")
    cut = int(x[0].shape[0] * (1. - share))
    parts = [[data_checks.slices(a, rows) if a else a for a in (x, y, weights)] for rows in (slice(0, cut), slice(cut, None))]
    return tuple(parts[0]), tuple(parts[1])


def _warn_of_end(what, steps_name, count):
    logging.warning("Your %s ran out of data; interrupting training. Make sure that your %s can generate at least `%s * epochs` batches (in this case, %d batches). You may need to "
                    "use the repeat() function when building your dataset." % (what, what, steps_name, count))


class Run:
    """One call of fit(), evaluate() or predict(): common parts of both loops."""

    def __init__(self, model, mode, epochs, verbose, callbacks, use_steps, params, do_validation):
        self.model, self.mode, self.epochs = model, mode, epochs
        self.callbacks = progress.configured(callbacks, model, mode, dict(params, epochs=epochs, verbose=0, do_validation=do_validation))
        self.bar = progress.ProgbarLogger("steps" if use_steps else "samples", model.metrics_names[1:])
        self.bar.params = self.callbacks.params
        self.bar.params["verbose"] = verbose

    def begin(self):
        self.callbacks.model.stop_training = False
        getattr(self.callbacks, "on_%s_begin" % self.mode)()
        self.bar.on_train_begin()

    def begin_epoch(self, epoch):
        self.model.reset_metrics()
        logs = {}
        if self.mode == "train":
            self.callbacks.on_epoch_begin(epoch, logs)
        self.bar.on_epoch_begin(epoch, logs)
        return logs

    def begin_batch(self, number, size):
        logs = {"batch": number, "size": size}
        self.callbacks.on_batch(self.mode, "begin", number, logs)
        self.bar.on_batch_begin(number, logs)
        return logs

    def end_batch(self, number, logs, values):
        self.log(logs, values)
        self.callbacks.on_batch(self.mode, "end", number, logs)
        self.bar.on_batch_end(number, logs)
        return self.callbacks.model.stop_training

    def log(self, logs, values, prefix=""):
        if self.mode == "predict":
            logs["outputs"] = values
        else:
            logs.update((prefix + name, v) for name, v in zip(self.model.metrics_names, values))

    def end_epoch(self, epoch, logs):
        if self.mode == "train":
            self.callbacks.on_epoch_end(epoch, logs)
        self.bar.on_epoch_end(epoch, logs)

    def end(self):
        getattr(self.callbacks, "on_%s_end" % self.mode)()

    def ran_out(self, data_set, step, steps, steps_name, total):
        """Handles the end of data within an epoch; returns the number of steps per epoch from now on."""
        if data_set and not steps:
            if step > 0:
                total.steps = steps = step
                if self.mode == "train":
                    self.bar.params["steps"] = self.bar.progbar.target = step
            return steps
        self.callbacks.model.stop_training = True
        _warn_of_end("dataset" if data_set else "dataset iterator", steps_name, (steps or 0) * self.epochs)
        return steps


class EagerBatches:
    """The batches of a data set whose elements have values, as arrays."""

    def __init__(self, data):
        self._data = data
        self.restart()

    def restart(self):
        with context.eager_graph().as_default():
            self._iterator = iter(self._data)

    def __next__(self):
        with context.eager_graph().as_default():
            return nest.map_structure(value_of, next(self._iterator))


def value_of(x):
    """The array of a tensor that has a value; the values of a sparse or ragged tensor."""
    if isinstance(x, SparseTensor):
        return SparseTensorValue(*map(value_of, (x.indices, x.values, x.dense_shape)))
    if isinstance(x, RaggedTensor):
        return RaggedTensorValue(value_of(x.values), value_of(x.row_splits))
    return x.numpy() if getattr(x, "_is_eager", False) else x


def feeds_of(model, mode, x, y, weights):
    """(feeds of a step, sample weights), from arrays or from the iterator of a data set."""
    if is_iterator(x):
        x, y, weights = model._standardize_user_data(x, extract_tensors_from_dataset=True)
    return model._values(mode, x, y, weights), weights


def stream(data, shuffle, workers):
    """Batches of a generator; those of a Sequence repeat endlessly."""
    if not is_sequence(data):
        for batch in data:
            if batch is not None:
                yield batch
        return
    order = list(range(len(data)))
    while True:
        if shuffle and workers > 0:
            random.shuffle(order)
        for i in order:
            yield data[i]
        if workers > 0:
            data.on_epoch_end()


def array_batches(data, batch_size, epochs):
    count = int(nest.flatten(data)[0].shape[0])
    for _ in range(epochs):
        for first in range(0, count, batch_size):
            yield nest.pack_sequence_as(data, data_checks.slices(nest.flatten(data), slice(first, min(count, first + batch_size))))


def next_batch(source):
    try:
        batch = next(source)
    except (StopIteration, OutOfRangeError):
        return None
    if not isinstance(batch, tuple):
        batch = (batch,)
    if len(batch) not in (1, 2, 3):
        raise ValueError("Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or (input, target) or (input, target, sample_weights). Received {}".format(batch))
    return batch
