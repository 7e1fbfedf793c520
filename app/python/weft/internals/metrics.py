"""tensorflow.python.ops.metrics_impl and confusion_matrix: building blocks of custom metrics."""

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..variable_base import Variable, VariableAggregation, VariableSynchronization
from ..variables import assign_add


def metric_variable(shape, dtype, validate_shape=True, name=None):
    """A variable of zeros in the collections of local and metric variables."""
    return Variable(lambda: engine.zeros(shape, dtype), trainable=False, collections=["local_variables", "metric_variables"], validate_shape=validate_shape,
                    synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.SUM, name=name)


def _streaming_confusion_matrix(labels, predictions, num_classes, weights=None):
    """(the confusion matrix so far, the operation that adds a batch to it)"""
    total = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
    predictions, labels, num_classes = basics.cast(predictions, dtypes.int64), basics.cast(labels, dtypes.int64), basics.cast(num_classes, dtypes.int64)
    if predictions.get_shape().ndims > 1:
        predictions = engine.reshape(predictions, [-1])
    if labels.get_shape().ndims > 1:
        labels = engine.reshape(labels, [-1])
    if weights is not None and weights.get_shape().ndims > 1:
        weights = engine.reshape(weights, [-1])
    current = engine.math.confusion_matrix(labels, predictions, num_classes, weights=weights, dtype=dtypes.float64)
    return total, assign_add(total, current)


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """Both, without the last dimension of the one that has one too many (and it is 1)."""
    with ops.name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = ops.convert_to_tensor(predictions), ops.convert_to_tensor(labels)
        known = [x.get_shape().ndims for x in (predictions, labels)]
        if None not in known:
            difference = known[0] - known[1]
            if difference == expected_rank_diff + 1:
                predictions = engine.squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = engine.squeeze(labels, [-1])
            return labels, predictions
        difference = basics.rank(predictions) - basics.rank(labels)
        if known[0] is None or predictions.get_shape()[-1].is_compatible_with(1):
            whole = predictions
            predictions = cond(engine.equal(expected_rank_diff + 1, difference), lambda: engine.squeeze(whole, [-1]), lambda: whole)
        if known[1] is None or labels.get_shape()[-1].is_compatible_with(1):
            all_labels = labels
            labels = cond(engine.equal(expected_rank_diff - 1, difference), lambda: engine.squeeze(all_labels, [-1]), lambda: all_labels)
        return labels, predictions
