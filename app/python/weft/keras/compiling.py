"""compile() of Keras models: the loss, target, sample weights and metrics of each output, and the total loss."""

import collections
import collections.abc

import numpy as np

from .. import basics, engine, ops
from ..data.sparse_functions import sparse_placeholder
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from . import backend, losses, metrics as metric_table
from .data_checks import is_tensor, unknown_keys
from .weighting import fit_weights, reduced, weighted


class TrainingOutput:
    """An output with its loss, target and weights."""

    def __init__(self, output, name, loss):
        self.output, self.name, self.loss, self.loss_weight = output, name, loss, 1.
        self.target = self.loss_metric = self.sample_weight = self.sample_weight_mode = None
        self.feedable, self.metrics, self.weighted_metrics = False, {}, {}

    skipped = property(lambda self: self.loss is None)
    shape = property(lambda self: backend.int_shape(self.output))
    loss_name = property(lambda self: self.name + "_loss")

    def make_target(self, target):
        """A placeholder for targets, unless the program has given a tensor."""
        if self.skipped:
            return
        self.feedable = target is None or backend.is_placeholder(target)
        if target is None:
            make = sparse_placeholder if isinstance(self.output, SparseTensor) else engine.placeholder
            target = make(self.output.dtype.base_dtype, [None] * len(self.shape) or None, name=self.name + "_target")
        self.target = target

    @property
    def target_shape(self):
        """The shape required of targets; None if the loss is the program's own."""
        if not self.feedable:
            return None
        function = self.loss.fn if isinstance(self.loss, losses.LossFunctionWrapper) else None
        if function is losses.sparse_categorical_crossentropy:
            return (self.shape[0], 1) + self.shape[2:] if backend.image_data_format() == "channels_first" else self.shape[:-1] + (1,)
        if not isinstance(self.loss, losses.Loss) or function is not None and function not in losses.BUILT_IN:
            return None
        return self.shape

    def fitted(self, values):
        """Classes of steps with a last dimension, as their placeholder has it."""
        function = self.loss.fn if isinstance(self.loss, losses.LossFunctionWrapper) else self.loss
        is_short = isinstance(values, np.ndarray) and values.ndim > 1 and values.ndim == len(self.shape) - 1
        return values[..., np.newaxis] if is_short and function is losses.sparse_categorical_crossentropy else values

    def weights_are_missing(self):
        return (self.sample_weight_mode is None) != (self.sample_weight is None)

    def make_weights(self):
        """Creates a placeholder for sample or step weights, if there are any."""
        if self.skipped or not self.feedable or self.sample_weight_mode is None:
            self.sample_weight = None
            return
        assert self.sample_weight_mode in ("temporal", "samplewise")
        first, shape = ([[1.]], [None, None]) if self.sample_weight_mode == "temporal" else ([1.], [None])
        self.sample_weight = basics.placeholder_with_default(ops.constant(first, dtype=backend.floatx()), shape=shape, name=self.name + "_sample_weights")

    def loss_of_batch(self):
        """The loss of this output for a batch."""
        return batch_loss(self.loss, self.target, self.output, self.sample_weight)

    def call_metrics(self, of_weighted):
        """Updates and results of the metrics, in the graph."""
        mask = getattr(self.output, "_keras_mask", None)
        for name, metric in (self.weighted_metrics if of_weighted else self.metrics).items():
            with ops.name_scope(name):
                weight = self.sample_weight if of_weighted else None
                if mask is not None:
                    weight = masked(weight, basics.cast(mask, self.output.dtype))
                metric(self.target, self.output, sample_weight=weight)


def batch_loss(loss, target, output, weight):
    """The loss of a batch from targets, outputs (with their mask) and sample weights."""
    mask = getattr(output, "_keras_mask", None)
    if mask is not None:
        weight = masked(weight, basics.cast(mask, output.dtype))
    if not hasattr(loss, "reduction"):
        return loss(target, output, sample_weight=weight)  # custom classes not derived from Loss do their own reduction
    each = ops.convert_to_tensor(loss.call(target, output))
    each = basics.cast(weighted(each, weight), each.dtype)
    return reduced(each, "sum_over_batch_size" if loss.reduction == "auto" else loss.reduction)


def masked(weight, mask):
    return mask if weight is None else fit_weights(mask, weight) * mask


# Losses.
def loss_object(loss):
    """A Loss from the value that compile() was given for one output."""
    if loss is None or isinstance(loss, losses.Loss):
        return loss
    if isinstance(loss, collections.abc.Mapping):
        loss = losses.loss_of(loss)
    if callable(loss) and not hasattr(loss, "__name__"):
        return loss
    function = losses.loss_of(loss)
    return losses.LossFunctionWrapper(function, name=function.__name__, reduction="sum_over_batch_size")


def _is_config(loss):
    return isinstance(loss, collections.abc.Mapping) and "class_name" in loss and "config" in loss


def loss_objects(loss, names):
    """A loss or None for each output, from one for all, a list, or a dict by output name."""
    if isinstance(loss, collections.abc.Mapping) and not _is_config(loss):
        unknown_keys("loss", loss, names)
        for name in names:
            if name not in loss:
                logging.warning("Output {0} missing from loss dictionary. We assume this was done on purpose. The fit and evaluate APIs will not be expecting any data to be "
                                "passed to {0}.".format(name))
        return [loss_object(loss.get(name)) for name in names]
    if isinstance(loss, collections.abc.Sequence) and not isinstance(loss, str):
        if len(loss) != len(names):
            raise ValueError("When passing a list as loss, it should have one entry per model outputs. The model has {} outputs, but you passed loss={}".format(len(names), loss))
        return [loss_object(one) for one in loss]
    return [loss_object(loss) for _ in names]


def share_losses(outputs, weights):
    """Sets the loss weight of each output."""
    if isinstance(weights, collections.abc.Mapping):
        unknown_keys("loss_weights", weights, [o.name for o in outputs])
        weights = [weights.get(o.name, 1.) for o in outputs]
    elif isinstance(weights, list):
        if len(weights) != len(outputs):
            raise ValueError("When passing a list as loss_weights, it should have one entry per model output. The model has " + str(len(outputs)) +
                             " outputs, but you passed loss_weights=" + str(weights))
    elif weights is not None:
        raise TypeError("Could not interpret loss_weights argument: " + str(weights) + " - expected a list of dicts.")
    for output, weight in zip(outputs, weights if weights is not None else [1.] * len(outputs)):
        output.loss_weight = weight


def set_weight_modes(outputs, mode):
    """Sets for each output whether it is weighted by step ("temporal") or by sample."""
    if isinstance(mode, collections.abc.Mapping):
        unknown_keys("sample_weight_mode", mode, [o.name for o in outputs])
        for o in outputs:
            if not o.skipped and o.feedable and o.name not in mode:
                raise ValueError("Output " + o.name + "missing from `_sample_weight_modes` dictionary")
        modes = [mode.get(o.name) for o in outputs]
    elif isinstance(mode, (list, tuple)):
        if len(mode) != len(outputs):
            raise ValueError("When passing a list as sample_weight_mode, it should have one entry per model output. The model has " + str(len(outputs)) +
                             " outputs, but you passed " + str(len(mode)) + "_sample_weight_modes.")
        modes = mode
    else:
        modes = [mode] * len(outputs)
    for o, m in zip(outputs, modes):
        if not o.skipped and o.feedable:
            o.sample_weight_mode = m


def target_tensors(given, outputs, names):
    """The program's target tensor, or None, for each output."""
    if given is None or isinstance(given, list) and not given:
        return [None] * len(outputs)
    if isinstance(given, list):
        if len(given) != len(outputs):
            raise ValueError("When passing a list as `target_tensors`, it should have one entry per model output. The model has %s outputs, but you passed target_tensors=%s" %
                             (len(outputs), given))
        return given
    if isinstance(given, dict):
        unknown = set(given).difference(names)
        if unknown:
            raise ValueError('Unknown entry in `target_tensors` dictionary: "{name}". Only expected the following keys: {keys}'.format(name=unknown, keys=str(names)))
        return [given.get(n) for n in names]
    if is_tensor(given):
        return [given]
    raise TypeError("Expected `target_tensors` to be a list or tuple or dict or a single tensor, but got:", given)


# Metrics.
def _list(x):
    return x if isinstance(x, list) else [x]


def _is_named(metric, *names):
    return isinstance(metric, str) and metric in names


def metric_name(metric, is_weighted):
    """The name of a metric's value, from a name, a function or a Metric."""
    found = "acc" if _is_named(metric, "accuracy", "acc") else "ce" if _is_named(metric, "crossentropy", "ce") else None
    if found is None:
        function = metric_table.metric_of(metric)
        found = function.name if hasattr(function, "name") else function.__name__
    return ("weighted_" if is_weighted else "") + found


def metric_function(metric, shape, loss):
    """The function for a metric's name: "accuracy" and "crossentropy" depend on the output and its loss."""
    if not _is_named(metric, "accuracy", "acc", "crossentropy", "ce"):
        return metric_table.metric_of(metric)
    function = loss.fn if isinstance(loss, losses.LossFunctionWrapper) else None
    kind = 0 if shape[-1] == 1 or function is losses.binary_crossentropy else 1 if function is losses.sparse_categorical_crossentropy else 2
    if metric in ("accuracy", "acc"):
        return (metric_table.binary_accuracy, metric_table.sparse_categorical_accuracy, metric_table.categorical_accuracy)[kind]
    return (losses.binary_crossentropy, losses.sparse_categorical_crossentropy, losses.categorical_crossentropy)[kind]


def _clone(metric):
    return type(metric).from_config(metric.get_config()) if isinstance(metric, metric_table.Metric) else metric


def metrics_by_output(given, outputs, is_weighted=False):
    """{name: Metric} for each output, from one list for all, a list of lists, or a dict by output name."""
    names = [o.name for o in outputs]
    if not given:
        return [{} for _ in names]
    if isinstance(given, list):
        if any(isinstance(m, list) for m in given):
            if len(given) != len(names):
                raise ValueError("When passing a list of lists as `metrics`, it should have one entry per model output. The model has " + str(len(names)) +
                                 " outputs, but you passed metrics=" + str(given))
            lists = [_list(m) for m in given]
        else:
            lists = [[_clone(m) for m in given] for _ in names] if len(names) > 1 else [given]
    elif isinstance(given, collections.abc.Mapping):
        unknown_keys("metrics", given, names)
        lists = [_list(given.get(name, [])) for name in names]
    else:
        raise TypeError("Type of `metrics` argument not understood. Expected a list or dictionary, found: " + str(given))
    made = []
    for output, mine in zip(outputs, lists):
        table = collections.OrderedDict()
        for metric in mine:
            name, function = metric_name(metric, is_weighted), metric_function(metric, output.shape, output.loss)
            table[name] = function if isinstance(function, metric_table.Metric) else metric_table.MeanOf(function, name=name)
        made.append(table)
    return made
