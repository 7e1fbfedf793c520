"""Reshapes sample weights to the shape of values, for Keras's losses and metrics."""

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, cond
from ..distribute import contexts


class ReductionV2:
    """How the losses of a batch become one."""

    AUTO, NONE, SUM, SUM_OVER_BATCH_SIZE = "auto", "none", "sum", "sum_over_batch_size"

    @classmethod
    def all(cls):
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key):
        if key not in cls.all():
            raise ValueError("Invalid Reduction Key %s." % key)


def fit_weights(values, weights):
    """Adds a last dimension to the weights, or removes it, if their rank differs by one from that of the values."""
    weights = ops.convert_to_tensor(weights)
    rank, own = values.shape.ndims, weights.shape.ndims
    if own == 0:
        return weights
    if rank is not None and own is not None:
        return engine.squeeze(weights, [-1]) if own - rank == 1 else engine.expand_dims(weights, -1) if rank - own == 1 else weights
    more = basics.rank(weights) - basics.rank(values)
    widened = lambda: cond(engine.equal(more, -1), lambda: engine.expand_dims(weights, -1), lambda: weights)  # noqa: E731
    fitted = lambda: cond(engine.equal(more, 1), lambda: engine.squeeze(weights, [-1]), widened)  # noqa: E731
    return cond(engine.equal(basics.rank(weights), 0), lambda: weights, fitted)


def match_ranks(y_pred, y_true):
    """Removes a last dimension of size 1 that only predictions or targets have; sparse targets stay unchanged."""
    rank, own = y_pred.shape.ndims, y_true.shape.ndims
    if rank is None or own is None:
        return y_pred, y_true
    if rank - own == 1 and y_pred.shape.as_list()[-1] == 1:
        return engine.squeeze(y_pred, [-1]), y_true
    if own - rank == 1:
        return y_pred, engine.squeeze(y_true, [-1])
    return y_pred, y_true


def spread(weights, values):
    """Broadcasts weights to the values' shape: a number, or weights of the same rank whose sizes are 1 or those of the values."""
    own, shape = weights.shape, values.shape
    if own.is_fully_defined() and shape.is_fully_defined() and own.as_list() == shape.as_list():
        return weights
    if own.ndims is not None and shape.ndims is not None and own.ndims:
        if own.ndims != shape.ndims:
            raise ValueError("weights can not be broadcast to values. values.rank=%s. weights.rank=%s. values.shape=%s. weights.shape=%s." % (shape.ndims, own.ndims, shape, own))
        sizes = list(zip(own.as_list(), shape.as_list()))
        if own.is_fully_defined() and shape.is_fully_defined():
            for i, (a, b) in enumerate(sizes):
                if a not in (1, b):
                    raise ValueError("weights can not be broadcast to values. Mismatch at dim %s. values.shape=%s weights.shape=%s." % (i, shape.as_list(), own.as_list()))
    checks = []
    if own.ndims != 0 and not all(a == 1 for a in (own.as_list() if own.ndims is not None else [None])):
        given, wanted = basics.shape(weights), basics.shape(values)
        valid = engine.reduce_all(engine.logical_or(engine.equal(given, wanted), engine.equal(given, 1))) if own.ndims is not None and own.ndims == shape.ndims else engine.logical_or(
            engine.equal(basics.rank(weights), 0), engine.equal(basics.rank(weights), basics.rank(values)))
        checks = [Assert(valid, ["weights can not be broadcast to values.", "weights.shape=", given, "values.shape=", wanted])]
    with ops.control_dependencies(checks):
        return engine.multiply(weights, engine.ones_like(values))


def weighted(values, weights=None):
    """Losses as float32, times their weights."""
    values = basics.cast(values, dtypes.float32)
    weights = basics.cast(1.0 if weights is None else weights, dtypes.float32)
    if weights.shape.ndims == 0:
        return engine.multiply(values, weights)
    return engine.multiply(values, spread(fit_weights(values, weights), values))


def reduced(values, reduction=ReductionV2.SUM_OVER_BATCH_SIZE):
    """The sum, the mean over all values, or the values."""
    if reduction == "none":
        return values
    total = engine.reduce_sum(values)
    if reduction == "sum":
        return total
    return engine.div_no_nan(total, basics.cast(basics.size(values), total.dtype))


reduce_weighted_loss = reduced


def compute_weighted_loss(losses, sample_weight=None, reduction=ReductionV2.SUM_OVER_BATCH_SIZE, name=None):
    """The losses times their weights, reduced; of the losses' type."""
    ReductionV2.validate(reduction)
    with ops.name_scope(name or "weighted_loss"):
        losses = ops.convert_to_tensor(losses)
        return basics.cast(reduced(weighted(losses, sample_weight), "sum_over_batch_size" if reduction == "auto" else reduction), losses.dtype)


def scale_loss_for_distribution(loss_value):
    """The replica's share of a mean over all replicas."""
    replicas = contexts.get_strategy().num_replicas_in_sync
    return loss_value * (1. / replicas) if replicas > 1 else loss_value
