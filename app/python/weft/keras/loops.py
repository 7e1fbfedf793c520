"""Training, testing and prediction loops of Keras models: over arrays and data sets, and over batches from generators."""

import math
import random

import numpy as np

from ..data.iterators import make_initializable_iterator
from ..errors import OutOfRangeError
from ..platform import tf_logging as logging
from ..util import nest
from . import backend, data_checks, progress
from .data_checks import is_data_set, is_iterator, is_sequence

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


def _initialized(data):
    iterator = make_initializable_iterator(data)
    _restart(iterator)
    return iterator


def _restart(iterator):
    backend.get_session().run(iterator.initializer)


def next_tensors(x):
    """(inputs, targets, weights) that a data set or an iterator gives, as tensors."""
    element = (x if is_iterator(x) else _initialized(x)).get_next()
    if not isinstance(element, (list, tuple)):
        return element, None, None
    if len(element) not in (2, 3):
        raise ValueError("Please provide model inputs as a list or tuple of 2 or 3 elements: (input, target) or (input, target, sample_weights) Received %s" % (element,))
    return tuple(element) + (None,) * (3 - len(element))


_ORDERED = {"BatchDataset", "BatchDatasetV2", "ConcatenateDataset", "CacheDataset", "FilterDataset", "MapDataset", "PaddedBatchDataset", "PaddedBatchDatasetV2", "ParallelMapDataset",
            "PrefetchDataset", "RangeDataset", "RepeatDataset", "SkipDataset", "SparseTensorSliceDataset", "TakeDataset", "TensorDataset", "TensorSliceDataset", "WindowDataset",
            "ZipDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "TextLineDataset", "TFRecordDataset"}


def warn_unless_shuffled(data):
    """Warns if no transformation of the data set shuffles its elements."""
    todo = [data]
    while todo:
        one = todo.pop()
        if one._variant_tensor.op.type not in _ORDERED:
            return
        todo += one._inputs()
    logging.warning("Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input dataset.")


def split(x, y, weights, share):
    """(training data, validation data): the last part is for validation."""
    if data_checks.has_tensors(x):
        raise ValueError("If your data is in the form of symbolic tensors, you cannot use `validation_split`.")
    cut = int(x[0].shape[0] * (1. - share))
    parts = [[data_checks.slices(a, rows) if a else a for a in (x, y, weights)] for rows in (slice(0, cut), slice(cut, None))]
    return tuple(parts[0]), tuple(parts[1])


# Aggregation over batches.
class _Metrics:
    """The mean loss; metrics accumulate over batches themselves."""

    def __init__(self, count):
        self.count, self.results = count, []

    def start(self, values):
        self.results = [0.] * len(values)

    def add(self, values, first=None, last=None):
        self.results[0] += values[0] if first is None else values[0] * (last - first)
        self.results[1:] = values[1:]

    def finish(self):
        if not self.results:
            raise ValueError("Empty training data.")
        self.results[0] /= self.count
        return self.results


class _Outputs:
    """Collects the outputs of all batches."""

    def __init__(self, count, use_steps):
        self.count, self._use_steps, self.results = count, use_steps, None

    def start(self, values):
        self.results = [[] for _ in values] if self._use_steps else [np.empty((self.count,) + v.shape[1:], v.dtype) for v in values]

    def add(self, values, first=None, last=None):
        for i, v in enumerate(values):
            if self._use_steps:
                self.results[i].append(v)
            elif last - first == self.count:
                if self.count != v.shape[0]:
                    raise ValueError("Mismatch between expected batch size and model output batch size. Output shape = {}, expected output shape = shape {}".format(
                        v.shape, self.results[i].shape))
                self.results[i] = v
            else:
                self.results[i][first:last] = v

    def finish(self):
        if self._use_steps and self.results is not None:
            self.results = [parts[0] if len(parts) == 1 else np.concatenate(parts, axis=0) for parts in self.results]
        if self.results is None:
            raise ValueError("There are no samples to predict anything for.")
        return self.results


def _warn_of_end(what, steps_name, count):
    logging.warning("Your %s ran out of data; interrupting training. Make sure that your %s can generate at least `%s * epochs` batches (in this case, %d batches). You may need to "
                    "use the repeat() function when building your dataset.", what, what, steps_name, count)


class _Run:
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
                total.count = steps = step
                if self.mode == "train":
                    self.bar.params["steps"] = self.bar.progbar.target = step
            return steps
        self.callbacks.model.stop_training = True
        _warn_of_end("dataset" if data_set else "dataset iterator", steps_name, (steps or 0) * self.epochs)
        return steps


def _feeds(model, mode, x, y, weights):
    """(feeds of a step, sample weights), from arrays or from the iterator of a data set."""
    if is_iterator(x):
        x, y, weights = model._standardize_user_data(x, extract_tensors_from_dataset=True)
    return model._values(mode, x, y, weights), weights


def over_arrays(model, mode, x, y, weights, batch_size, epochs=1, verbose=0, callbacks=None, validation=None, shuffle=False, initial_epoch=0, steps_per_epoch=None,
                validation_steps=None, validation_freq=1, steps_name="steps", in_fit=False):
    """Epochs over arrays, tensors or a data set. `validation`: (inputs, targets, weights); `in_fit`: validation within fit(), whose inputs are feeds."""
    iterator, restarts, data_set = None, False, is_data_set(x)
    if data_set:
        if steps_per_epoch is None:
            restarts, steps_per_epoch = True, data_checks.steps_of_data_set(x, steps_name)
        iterator = x = _initialized(x)
    use_steps = data_set or steps_per_epoch is not None
    feeds, weights = (x, weights) if in_fit else _feeds(model, mode, x, y, weights)
    if data_set or steps_per_epoch:
        count = steps_per_epoch
    else:
        data_checks.check_steps(feeds, steps_per_epoch, "steps_per_epoch")
        count = int(feeds[0].shape[0])
    step = model._execution(mode, weights)
    validation_iterator = None
    if validation is not None and is_data_set(validation[0]):
        if validation_steps is None:
            validation_steps = data_checks.steps_of_data_set(validation[0], "validation_steps")
        validation_iterator = _initialized(validation[0])
        feeds_of_validation, weights_of_validation = _feeds(model, "test", validation_iterator, None, None)
        validation = (feeds_of_validation, None, weights_of_validation)
        validation_count = validation_steps
    else:
        validation_count = nest.flatten(validation[0])[0].shape[0] if validation and validation[0] else None
    if mode == "train" and verbose:
        print("Train on %s %s" % (count, "steps" if data_set else "samples") + (", validate on %s %s" % (validation_count, "steps" if data_set else "samples")
                                                                               if validation_count else ""))
    run = _Run(model, mode, epochs, verbose, callbacks, use_steps, {"batch_size": batch_size, "steps": steps_per_epoch, "samples": count}, validation is not None)
    total = _Outputs(count, use_steps) if mode == "predict" else _Metrics(count)
    run.begin()
    results = None
    for epoch in range(initial_epoch, epochs):
        if run.callbacks.model.stop_training:
            break
        logs = run.begin_epoch(epoch)
        if use_steps:
            number = 0
            while steps_per_epoch is None or number < steps_per_epoch:
                batch_logs = run.begin_batch(number, 1)
                try:
                    values = step(feeds)
                except OutOfRangeError:
                    steps_per_epoch = run.ran_out(data_set, number, steps_per_epoch, steps_name, total)
                    break
                if number == 0:
                    total.start(values)
                total.add(values)
                number += 1
                if run.end_batch(number - 1, batch_logs, values):
                    break
        else:
            _array_epoch(run, step, feeds, count, batch_size, shuffle, total)
        values = total.finish()
        run.log(logs, values)
        results = values[0] if len(values) == 1 else values
        if validation is not None and data_checks.validates_after(validation_freq, epoch) and not run.callbacks.model.stop_training:
            # TensorFlow also shuffles here. It affects losses that are means over batches, and NumPy's random state.
            found = over_arrays(model, "test", *validation, batch_size, steps_per_epoch=validation_steps, callbacks=run.callbacks, shuffle=True, steps_name="validation_steps",
                                in_fit=validation_iterator is not None)
            run.log(logs, found if isinstance(found, list) else [found], "val_")
            if validation_iterator is not None and epoch < epochs - 1:
                _restart(validation_iterator)
        run.end_epoch(epoch, logs)
        if restarts and epoch < epochs - 1:
            _restart(iterator)
    run.end()
    return model.history if mode == "train" else results


def _array_epoch(run, step, feeds, count, batch_size, shuffle, total):
    order = np.arange(count)
    if shuffle == "batch":
        full = count // batch_size
        rows = order[:full * batch_size].reshape(full, batch_size)
        np.random.shuffle(rows)
        order = np.append(rows.flatten(), order[full * batch_size:])
    elif shuffle:
        np.random.shuffle(order)
    phase = [feeds[-1]] if feeds and isinstance(feeds[-1], bool) else []
    arrays = feeds[:-1] if phase else feeds
    batches = int(np.ceil(count / float(batch_size)))
    for number in range(batches):
        first, last = number * batch_size, min(count, (number + 1) * batch_size)
        rows = order[first:last]
        try:
            batch = arrays if batches == 1 else data_checks.slices(arrays, rows)
        except TypeError:
            raise TypeError('TypeError while preparing batch. If using HDF5 input data, pass shuffle="batch".') from None
        logs = run.begin_batch(number, last - first)
        values = step(batch + phase)
        if number == 0:
            total.start(values)
        total.add(values, first, last)
        if run.end_batch(number, logs, values):
            break


# Generators.
def _stream(data, shuffle, workers):
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


def _array_batches(data, batch_size, epochs):
    count = int(nest.flatten(data)[0].shape[0])
    for _ in range(epochs):
        for first in range(0, count, batch_size):
            yield nest.pack_sequence_as(data, data_checks.slices(nest.flatten(data), slice(first, min(count, first + batch_size))))


def _next_batch(source):
    try:
        batch = next(source)
    except (StopIteration, OutOfRangeError):
        return None
    if not isinstance(batch, tuple):
        batch = (batch,)
    if len(batch) not in (1, 2, 3):
        raise ValueError("Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or (input, target) or (input, target, sample_weights). Received {}".format(batch))
    return batch


def _on_batch(model, mode, class_weight):
    if mode == "train":
        return lambda *batch: model.train_on_batch(*batch, class_weight=class_weight, reset_metrics=False)
    if mode == "test":
        return lambda *batch: model.test_on_batch(*batch, reset_metrics=False)
    return lambda x, *rest: model.predict_on_batch(x)


def over_batches(model, mode, data, steps, epochs=1, verbose=0, callbacks=None, validation=None, validation_steps=None, validation_freq=1, class_weight=None, shuffle=False,
                 initial_epoch=0, batch_size=None, steps_name="steps", workers=1):
    """Epochs over batches of a generator or Sequence; for validation also over arrays."""
    if is_data_set(data):
        return over_arrays(model, mode, model._standardize_user_data(data)[0], None, None, None, epochs, verbose, callbacks, steps_per_epoch=steps, steps_name=steps_name)
    if isinstance(data, tuple):
        data = tuple(one for one in data if not all(e is None for e in nest.flatten(one)))
    if data_checks.is_generator(data):
        if is_sequence(data) and steps is None:
            steps = len(data)
    else:
        count = int(nest.flatten(data)[0].shape[0])
        if batch_size is None:
            raise ValueError("When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use `batch_size` instead.")
        steps = int(math.ceil(count / batch_size))
    if steps is None:
        raise ValueError("Please specify the number of steps via the `%s` argument." % ("steps_per_epoch" if mode == "train" else "steps"))
    if data_checks.is_generator(validation) and not is_sequence(validation) and not validation_steps:
        raise ValueError("Please specify the `validation_steps` argument.")
    on_batch = _on_batch(model, mode, class_weight)
    source = _stream(data, shuffle, workers) if data_checks.is_generator(data) else _array_batches(data, batch_size, epochs - initial_epoch)
    first = nest.flatten(data)[0] if not data_checks.is_generator(data) else data
    samples, use_steps = (int(first.shape[0]), False) if hasattr(first, "shape") else (steps, True)
    params = {"batch_size": batch_size, "steps": steps, "samples": samples}
    run = _Run(model, mode, epochs, verbose, callbacks, use_steps, params, validation is not None)
    total = _Outputs(steps, True) if mode == "predict" else _Metrics(steps)
    run.begin()
    results = None
    for epoch in range(initial_epoch, epochs):
        if run.callbacks.model.stop_training:
            break
        logs, number = run.begin_epoch(epoch), 0
        while number < steps:
            batch = _next_batch(source)
            if batch is None:
                run.ran_out(False, number, steps, steps_name, total)
                break
            batch_size = int(nest.flatten(batch)[0].shape[0])
            batch_logs = run.begin_batch(number, batch_size)
            deferred = not model._is_compiled
            values = on_batch(*batch)
            values = values if isinstance(values, list) else [values]
            if number == 0:
                total.start(values)
                if deferred and mode != "predict":
                    progress.set_parameters(run.callbacks, model, dict(params, batch_size=batch_size, epochs=epochs, verbose=verbose, do_validation=validation is not None), mode)
                    run.bar.params = run.callbacks.params
            total.add(values)
            number += 1
            if run.end_batch(number - 1, batch_logs, values):
                break
        values = total.finish()
        run.log(logs, values)
        results = values[0] if len(values) == 1 else values
        if validation is not None and data_checks.validates_after(validation_freq, epoch) and not run.callbacks.model.stop_training:
            found = over_batches(model, "test", validation, validation_steps, 1, verbose, run.callbacks, batch_size=batch_size, steps_name="validation_steps")
            run.log(logs, found if isinstance(found, list) else [found], "val_")
        run.end_epoch(epoch, logs)
    run.end()
    return model.history if mode == "train" else results
