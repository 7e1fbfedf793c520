"""Training, testing and prediction loops of Keras models: over arrays and data sets, and over batches from generators."""

import math

import numpy as np

from ..errors import OutOfRangeError
from ..util import nest
from . import data_checks, progress
from .aggregators import MetricsAggregator, OutputsAggregator
from .data_checks import is_data_set, is_eager_data_set, is_sequence
from .runs import array_batches, EagerBatches, feeds_of, initialized, next_batch, restart, Run, stream


def over_arrays(model, mode, x, y, weights, batch_size, epochs=1, verbose=0, callbacks=None, validation=None, shuffle=False, initial_epoch=0, steps_per_epoch=None,
                validation_steps=None, validation_freq=1, steps_name="steps", in_fit=False):
    """Epochs over arrays, tensors or a data set. `validation`: (inputs, targets, weights); `in_fit`: validation within fit(), whose inputs are feeds."""
    iterator, restarts, data_set = None, False, is_data_set(x)
    if data_set:
        restarts, steps_per_epoch = steps_per_epoch is None, data_checks.steps_of_data_set(x, steps_per_epoch, steps_name)
        iterator = x = initialized(x)
    use_steps = data_set or steps_per_epoch is not None
    feeds, weights = (x, weights) if in_fit else feeds_of(model, mode, x, y, weights)
    if data_set or steps_per_epoch:
        count = steps_per_epoch
    else:
        data_checks.check_steps(feeds, steps_per_epoch, "steps_per_epoch")
        count = int(feeds[0].shape[0])
    step = model._execution(mode, weights)
    validation_iterator = None
    eager_validation = validation is not None and is_eager_data_set(validation[0])
    if eager_validation:
        validation_count = validation_steps
    elif validation is not None and is_data_set(validation[0]):
        validation_steps = data_checks.steps_of_data_set(validation[0], validation_steps, "validation_steps")
        validation_iterator = initialized(validation[0])
        feeds_of_validation, weights_of_validation = feeds_of(model, "test", validation_iterator, None, None)
        validation = (feeds_of_validation, None, weights_of_validation)
        validation_count = validation_steps
    else:
        validation_count = nest.flatten(validation[0])[0].shape[0] if validation and validation[0] else None
    if mode == "train" and verbose:
        print("Train on %s %s" % (count, "steps" if data_set else "samples") + (", validate on %s %s" % (validation_count, "steps" if data_set else "samples")
                                                                               if validation_count else ""))
    run = Run(model, mode, epochs, verbose, callbacks, use_steps, {"batch_size": batch_size, "steps": steps_per_epoch, "samples": count}, validation is not None)
    samples = None if use_steps else count
    total = OutputsAggregator(use_steps, samples, count) if mode == "predict" else MetricsAggregator(use_steps, samples, count)
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
                    total.create(values)
                total.aggregate(values)
                number += 1
                if run.end_batch(number - 1, batch_logs, values):
                    break
        else:
            _array_epoch(run, step, feeds, count, batch_size, shuffle, total)
        total.finalize()
        values = total.results
        run.log(logs, values)
        results = values[0] if len(values) == 1 else values
        if validation is not None and data_checks.validates_after(validation_freq, epoch) and not run.callbacks.model.stop_training:
            if eager_validation:
                found = over_batches(model, "test", validation[0], validation_steps, 1, verbose, run.callbacks, steps_name="validation_steps")
            else:  # TensorFlow also shuffles here. It affects losses that are means over batches, and NumPy's random state.
                found = over_arrays(model, "test", *validation, batch_size, steps_per_epoch=validation_steps, callbacks=run.callbacks, shuffle=True, steps_name="validation_steps",
                                    in_fit=validation_iterator is not None)
            run.log(logs, found if isinstance(found, list) else [found], "val_")
            if validation_iterator is not None and epoch < epochs - 1:
                restart(validation_iterator)
        run.end_epoch(epoch, logs)
        if restarts and epoch < epochs - 1:
            restart(iterator)
    run.end()
    return model.history if mode == "train" else results


def _array_epoch(run, step, feeds, count, batch_size, shuffle, total):
    order = np.arange(count)
    if shuffle == "batch":
        order = data_checks.batch_shuffle(order, batch_size)
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
            total.create(values)
        total.aggregate(values, first, last)
        if run.end_batch(number, logs, values):
            break


# Generators.
def _on_batch(model, mode, class_weight, of_data_set):
    if of_data_set:
        return lambda *batch: model._on_batch_of_data_set(mode, class_weight, *batch)
    if mode == "train":
        return lambda *batch: model.train_on_batch(*batch, class_weight=class_weight, reset_metrics=False)
    if mode == "test":
        return lambda *batch: model.test_on_batch(*batch, reset_metrics=False)
    return lambda x, *rest: model.predict_on_batch(x)


def _steps(data, steps, steps_name, batch_size, mode):
    """The steps of each epoch over a generator, a Sequence, arrays or an eager data set; None: to the end of the data set."""
    if is_eager_data_set(data):
        return data_checks.steps_of_data_set(data, steps, steps_name)
    if not data_checks.is_generator(data):
        if batch_size is None:
            raise ValueError("When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use `batch_size` instead.")
        return int(math.ceil(int(nest.flatten(data)[0].shape[0]) / batch_size))
    steps = len(data) if is_sequence(data) and steps is None else steps
    if steps is None:
        raise ValueError("Please specify the number of steps via the `%s` argument." % ("steps_per_epoch" if mode == "train" else "steps"))
    return steps


def over_batches(model, mode, data, steps, epochs=1, verbose=0, callbacks=None, validation=None, validation_steps=None, validation_freq=1, class_weight=None, shuffle=False,
                 initial_epoch=0, batch_size=None, steps_name="steps", workers=1):
    """Epochs over batches of a generator, a Sequence or an eager data set; for validation also over arrays."""
    of_data_set = is_eager_data_set(data)
    if is_data_set(data) and not of_data_set:
        return over_arrays(model, mode, model._standardize_user_data(data)[0], None, None, None, epochs, verbose, callbacks, steps_per_epoch=steps, steps_name=steps_name)
    if isinstance(data, tuple):
        data = tuple(one for one in data if not all(e is None for e in nest.flatten(one)))
    restarts, steps = of_data_set and steps is None, _steps(data, steps, steps_name, batch_size, mode)
    if data_checks.is_generator(validation) and not is_sequence(validation) and not validation_steps:
        raise ValueError("Please specify the `validation_steps` argument.")
    on_batch = _on_batch(model, mode, class_weight, of_data_set)
    if of_data_set:
        source = EagerBatches(data)
    else:
        source = stream(data, shuffle, workers) if data_checks.is_generator(data) else array_batches(data, batch_size, epochs - initial_epoch)
    first = nest.flatten(data)[0] if not of_data_set and not data_checks.is_generator(data) else data
    samples, use_steps = (int(first.shape[0]), False) if hasattr(first, "shape") else (steps, True)
    params = {"batch_size": batch_size, "steps": steps, "samples": samples}
    run = Run(model, mode, epochs, verbose, callbacks, use_steps, params, validation is not None)
    total = OutputsAggregator(True, steps=steps) if mode == "predict" else MetricsAggregator(True, steps=steps)
    run.begin()
    results = None
    for epoch in range(initial_epoch, epochs):
        if run.callbacks.model.stop_training:
            break
        logs, number = run.begin_epoch(epoch), 0
        while steps is None or number < steps:
            batch = next_batch(source)
            if batch is None:
                steps = run.ran_out(of_data_set, number, steps, steps_name, total)
                break
            batch_size = int(nest.flatten(batch)[0].shape[0])
            batch_logs = run.begin_batch(number, batch_size)
            deferred = not model._is_compiled
            values = on_batch(*batch)
            values = values if isinstance(values, list) else [values]
            if number == 0:
                total.create(values)
                if deferred and mode != "predict":
                    progress.set_parameters(run.callbacks, model, dict(params, batch_size=batch_size, epochs=epochs, verbose=verbose, do_validation=validation is not None), mode)
                    run.bar.params = run.callbacks.params
            total.aggregate(values)
            number += 1
            if run.end_batch(number - 1, batch_logs, values):
                break
        total.finalize()
        values = total.results
        run.log(logs, values)
        results = values[0] if len(values) == 1 else values
        if validation is not None and data_checks.validates_after(validation_freq, epoch) and not run.callbacks.model.stop_training:
            found = over_batches(model, "test", validation, validation_steps, 1, verbose, run.callbacks, batch_size=batch_size, steps_name="validation_steps")
            run.log(logs, found if isinstance(found, list) else [found], "val_")
        run.end_epoch(epoch, logs)
        if restarts and epoch < epochs - 1:
            source.restart()
    run.end()
    return model.history if mode == "train" else results
