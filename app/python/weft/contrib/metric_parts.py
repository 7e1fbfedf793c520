"""Shared parts of the metrics of tf.contrib.metrics: variables, shape matching, counts at thresholds."""

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..internals.weights import broadcast_weights
from ..ops import GraphKeys
from ..variable_base import Variable
from ..variables import assign_add

EPSILON = 1e-7


def metric_variable(shape, dtype, validate_shape=True, name=None):
    """A local variable, initially zero, for counts."""
    return Variable(lambda: engine.zeros(shape, dtype), trainable=False, collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES], validate_shape=validate_shape, name=name)


def collected(value, update, metrics_collections, updates_collections):
    """Adds the value and the update to the collections; returns (value, update)."""
    if metrics_collections:
        ops.add_to_collections(metrics_collections, value)
    if updates_collections:
        ops.add_to_collections(updates_collections, update)
    return value, update


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """(Labels, predictions), without a last dimension of size 1 that only one of them has."""
    with ops.name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = ops.convert_to_tensor(predictions), ops.convert_to_tensor(labels)
        p, n = predictions.get_shape(), labels.get_shape()
        if p.ndims is not None and n.ndims is not None:
            difference = p.ndims - n.ndims
            if difference == expected_rank_diff + 1:
                predictions = engine.squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = engine.squeeze(labels, [-1])
            return labels, predictions
        difference = basics.rank(predictions) - basics.rank(labels)

        def squeezed(x, shape, when):
            if shape.ndims is not None and not shape[-1:].is_compatible_with([1]):
                return x
            return cond(engine.equal(when, difference), lambda: engine.squeeze(x, [-1]), lambda: x)

        predictions = squeezed(predictions, p, expected_rank_diff + 1)
        return squeezed(labels, n, expected_rank_diff - 1), predictions


def _weights_of_unknown_rank(weights, predictions):
    rank = basics.rank(weights)
    difference = rank - basics.rank(predictions)
    shape = weights.get_shape()

    def squeezed():
        return weights if shape.ndims is not None and not shape[-1:].is_compatible_with([1]) else engine.squeeze(weights, [-1])

    def expanded():
        return cond(engine.equal(difference, -1), lambda: engine.expand_dims(weights, [-1]), lambda: weights)

    return cond(engine.equal(rank, 0), lambda: weights, lambda: cond(engine.equal(difference, 1), squeezed, expanded))


def fitting(predictions, labels, weights):
    """(Predictions, labels, weights) of the same rank; weights may be one number."""
    predictions = ops.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    if weights is None:
        return predictions, labels, None
    weights = ops.convert_to_tensor(weights)
    have, want = weights.get_shape().ndims, predictions.get_shape().ndims
    if have == 0:
        return predictions, labels, weights
    if have is None or want is None:
        weights = _weights_of_unknown_rank(weights, predictions)
    elif have - want == 1:
        weights = engine.squeeze(weights, [-1])
    elif want - have == 1:
        weights = engine.expand_dims(weights, [-1])
    return predictions, labels, weights


def thresholds_between(count):
    """`count` thresholds from slightly below 0 to slightly above 1."""
    return [0.0 - EPSILON] + [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)] + [1.0 + EPSILON]


def counts_at_thresholds(predictions, labels, thresholds, weights=None, includes=("tp", "fn", "tn", "fp"), check=False):
    """Counts of true and false positives and negatives at each threshold: (variables, their updates), by tp, fn, tn, fp. `check`: predictions outside [0, 1] are an error."""
    if check:
        checks = [engine.assert_greater_equal(predictions, basics.cast(0.0, predictions.dtype), message="predictions must be in [0, 1]"),
                  engine.assert_less_equal(predictions, basics.cast(1.0, predictions.dtype), message="predictions must be in [0, 1]")]
        with ops.control_dependencies(checks):
            predictions, labels, weights = fitting(basics.cast(predictions, dtypes.float32), basics.cast(labels, dtypes.bool_), weights)
    else:
        predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    count = len(thresholds)
    column = engine.reshape(predictions, [-1, 1])
    row = engine.reshape(basics.cast(labels, dtypes.bool_), [1, -1])
    many = column.get_shape().as_list()[0]
    if many is None:
        many = basics.shape(column)[0]
    tiled = engine.tile(engine.expand_dims(ops.constant(thresholds), [1]), engine.stack([1, many]))
    says_yes = engine.greater(engine.tile(engine.transpose(column), [count, 1]), tiled)
    says_no = engine.logical_not(says_yes) if "fn" in includes or "tn" in includes else None
    is_yes = engine.tile(row, [count, 1])
    is_no = engine.logical_not(is_yes) if "fp" in includes or "tn" in includes else None
    tiled_weights = None
    if weights is not None:
        weights = broadcast_weights(basics.cast(weights, dtypes.float32), predictions)
        tiled_weights = engine.tile(engine.reshape(weights, [1, -1]), [count, 1])
        tiled.get_shape().assert_is_compatible_with(tiled_weights.get_shape())
    values, updates = {}, {}
    for key, name, label, said in (("tp", "true_positives", is_yes, says_yes), ("fn", "false_negatives", is_yes, says_no), ("tn", "true_negatives", is_no, says_no),
                                   ("fp", "false_positives", is_no, says_yes)):
        if key in includes:
            values[key] = metric_variable([count], dtypes.float32, name=name)
            hits = basics.cast(engine.logical_and(label, said), dtypes.float32)
            if tiled_weights is not None:
                hits *= tiled_weights
            updates[key] = assign_add(values[key], engine.reduce_sum(hits, 1))
    return values, updates
