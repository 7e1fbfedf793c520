"""Steps of Keras models that run eagerly (compile(run_eagerly=True)): each calls the model on the values of a batch."""

import numpy as np

from .. import basics, context, dtypes, engine, ops
from ..eager.tape import GradientTape
from ..platform import tf_logging as logging
from ..util import nest
from . import backend
from .compiling import batch_loss, masked

_NO_LOSS = "The model cannot be run because it has no loss to optimize."


def runs_eagerly(model):
    """Whether compile() asked for eager steps, or a layer can run only so; ValueError where that is impossible."""
    with ops.init_scope():
        eager = ops.executing_eagerly()
    if model.dynamic:
        start = "Your model contains layers that can only be successfully run in eager execution (layers constructed with `dynamic=True`). "
        if not eager:
            raise ValueError(start + "You must enable eager execution with `tf.enable_eager_execution()`.")
        if model._run_eagerly is False:
            raise ValueError(start + "You cannot set `run_eagerly=False`.")
        return True
    if model._run_eagerly is True and not eager:
        raise ValueError("You can only set `run_eagerly=True` if eager execution is enabled.")
    return bool(model._run_eagerly)


def _value(x):
    return x.numpy() if hasattr(x, "numpy") else x


def _tensor(x, dtype=None):
    """A value of a batch as a tensor; numbers with a point get Keras's type, or that of `dtype`."""
    if x is None or nest._is_composite(x):
        return x
    x = ops.convert_to_tensor(x)
    if dtype is not None and x.dtype != dtype and x.dtype.is_floating and dtype.is_floating:
        return basics.cast(x, dtype)
    return x


class EagerStep:
    """A training, test or prediction step of a model, for lists of inputs, targets and sample weights."""

    def __init__(self, model, mode):
        self._model, self._mode = model, mode

    def __call__(self, feeds):
        model = self._model
        count, targets = len(model._feed_inputs), len(model._fed)
        inputs, given, weights = feeds[:count], feeds[count:count + targets], feeds[count + targets:]
        with context.eager_graph().as_default(), backend.learning_phase_scope(1 if self._mode == "train" else 0):
            inputs = [_tensor(x, t.dtype.base_dtype) for x, t in zip(inputs, model._feed_inputs)]
            if self._mode == "predict":
                return [_value(t) for t in self._outputs(inputs)]
            return [np.asarray(_value(x)) if np.ndim(_value(x)) else _value(x) for x in self._losses(inputs, given, weights)]

    def _outputs(self, inputs):
        model = self._model
        given = nest.pack_sequence_as(model._structure_in, inputs) if nest.is_sequence(model._structure_in) else inputs[0]
        return nest.flatten(model(given, **({"training": self._mode == "train"} if "training" in model._arguments else {})))

    def _losses(self, inputs, targets, weights):
        """Total loss, losses of the outputs, metrics."""
        model, training = self._model, self._mode == "train"
        now = model._trainable_state()
        if training:
            model._set_trainable_state(model._compiled_trainable_state)
        with GradientTape() as tape:
            outputs = self._outputs(inputs)
            batch = self._batch(outputs, targets, weights)
            total, of_outputs = self._total(batch)
        if training:
            self._apply(tape, total)
            model._set_trainable_state(now)
        return [total] + of_outputs + self._metrics(batch)

    def _batch(self, outputs, targets, weights):
        """(endpoint, output, target, sample weight) for each output that has a loss."""
        targets = iter(targets)
        weights = iter(weights)
        batch = []
        for endpoint, output in zip(self._model._training_endpoints, outputs):
            if not endpoint.skipped:
                target = next(targets, None)
                batch.append((endpoint, output, _tensor(target, output.dtype.base_dtype), _tensor(next(weights, None), dtypes.as_dtype(backend.floatx()))))
        return batch

    def _total(self, batch):
        model, total, of_outputs = self._model, 0., []
        with ops.name_scope("loss"):
            for endpoint, output, target, weight in batch:
                with ops.name_scope(endpoint.loss_name):
                    value = batch_loss(endpoint.loss, target, output, weight)
                if endpoint.loss_metric is not None:
                    of_outputs.append(endpoint.loss_metric(value))
                total = total + endpoint.loss_weight * value
            added = model.losses
            if added:
                total = total + engine.add_n(added)
            elif not batch:
                raise ValueError(_NO_LOSS)
        return total, of_outputs

    def _apply(self, tape, total):
        model = self._model
        if not model.trainable_weights:
            logging.warning("The list of trainable weights is empty. Make sure that you are not setting model.trainable to False before compiling the model.")
            return
        if hasattr(model, "_backwards"):
            model._backwards(tape, total)
            return
        weights = model.trainable_weights
        model.optimizer.apply_gradients(list(zip(tape.gradient(total, weights), weights)))

    def _metrics(self, batch):
        results = []
        for endpoint, output, target, weight in batch:
            mask = getattr(output, "_keras_mask", None)
            mask = None if mask is None else basics.cast(mask, output.dtype)
            for table, own in ((endpoint.metrics, None), (endpoint.weighted_metrics, weight)):
                for metric in table.values():
                    results.append((metric, metric(target, output, sample_weight=own if mask is None else masked(own, mask))))
        order = {id(m): value for m, value in results}
        model = self._model
        return [order[id(m)] for m in model._compile_metric_functions] + [m.result() for m in model._added_metrics()]
