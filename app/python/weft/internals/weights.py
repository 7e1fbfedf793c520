"""tensorflow.python.ops.weights_broadcast_ops: weights that have the size of the values, or 1, in each dimension."""

from .. import basics, engine, ops
from ..control_flow import Assert, cond, no_op
from ..conversion import constant_value

_ASSERT_BROADCASTABLE_ERROR_PREFIX = "weights can not be broadcast to values."


def _fits(weights_shape, values_shape):
    with ops.name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        column = engine.expand_dims(values_shape, -1)
        valid = engine.concat((column, engine.ones_like(column)), axis=1)
        invalid = engine.sets.difference(engine.expand_dims(weights_shape, -1), valid)
        return engine.equal(0, basics.size(invalid.values, name="num_invalid_dims"), name=scope)


def _is_valid(weights_rank, weights_shape, values_rank, values_shape):
    with ops.name_scope(None, "has_valid_nonscalar_shape", (weights_rank, weights_shape, values_rank, values_shape)) as scope:
        same = engine.equal(values_rank, weights_rank, name="is_same_rank")
        return cond(same, lambda: _fits(weights_shape, values_shape), lambda: same, name=scope)


def _described(tensor, name):
    with ops.name_scope(None, name, (tensor,)) as scope:
        tensor = ops.convert_to_tensor(tensor, name=scope)
        return tensor, basics.shape(tensor, name="shape"), basics.rank(tensor, name="rank")


def assert_broadcastable(weights, values):
    """An operation that fails unless `weights` is a scalar, or has the rank of `values` and in each dimension its size or 1."""
    prefix = _ASSERT_BROADCASTABLE_ERROR_PREFIX
    with ops.name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        weights, weights_shape, weights_rank = _described(weights, "weights")
        values, values_shape, values_rank = _described(values, "values")
        ranks = constant_value(weights_rank), constant_value(values_rank)
        if None not in ranks:
            if ranks[0] == 0:
                return no_op(name="static_scalar_check_success")
            if ranks[0] != ranks[1]:
                raise ValueError("%s values.rank=%s. weights.rank=%s. values.shape=%s. weights.shape=%s." % (prefix, ranks[1], ranks[0], values.shape, weights.shape))
            sizes = constant_value(weights_shape), constant_value(values_shape)
            if sizes[0] is not None and sizes[1] is not None:
                for i, (w, v) in enumerate(zip(*sizes)):
                    if w not in (1, v):
                        raise ValueError("%s Mismatch at dim %s. values.shape=%s weights.shape=%s." % (prefix, i, sizes[1], sizes[0]))
                return no_op(name="static_dims_check_success")
        is_scalar = engine.equal(0, weights_rank, name="is_scalar")
        data = (prefix, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape, "is_scalar=", is_scalar)
        valid = cond(is_scalar, lambda: is_scalar, lambda: _is_valid(weights_rank, weights_shape, values_rank, values_shape), name="is_valid_shape")
        return Assert(valid, data, name=scope)


def broadcast_weights(weights, values):
    """The weights with the shape of the values."""
    with ops.name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = ops.convert_to_tensor(values, name="values")
        weights = ops.convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        sizes = weights.get_shape(), values.get_shape()
        if all(s.is_fully_defined() for s in sizes) and sizes[0].is_compatible_with(sizes[1]):
            return weights
        with ops.control_dependencies((assert_broadcastable(weights, values),)):
            return engine.multiply(weights, engine.ones_like(values), name=scope)
