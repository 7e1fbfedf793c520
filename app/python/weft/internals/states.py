"""tensorflow.python.ops.state_ops and inplace_ops: reference variables as operations, and copies with rows changed."""

from .. import basics, dtypes, engine, ops
from ..tensor_shape import unknown_shape


def variable_op(shape, dtype, name="Variable", set_shape=True, container="", shared_name=""):
    """A reference variable, as an operation of TensorFlow 0.x."""
    made = engine.raw_ops.Variable(shape=shape if set_shape else unknown_shape(), dtype=dtype, name=name, container=container, shared_name=shared_name)
    if set_shape:
        made.set_shape(shape)
    return made


def variable_op_v2(shape, dtype, name="Variable", container="", shared_name=""):
    """A reference variable as an operation."""
    return engine.raw_ops.VariableV2(shape=shape, dtype=dtype, name=name, container=container, shared_name=shared_name)


def init_variable(v, init, name="init"):
    """An operation that assigns `init`, a value or an initializer."""
    with ops.name_scope(None, v.op.name + "/", [v, init]):
        with ops.name_scope(name) as scope, ops.colocate_with(v):
            if callable(init):
                assert v.get_shape().is_fully_defined(), "Variable shape unknown."
                value = ops.convert_to_tensor(init(v.get_shape().as_list(), v.dtype.base_dtype), name="value")
            else:
                value = ops.convert_to_tensor(init, name="init")
            return engine.raw_ops.Assign(ref=v, value=value, name=scope)


def _changed(op, x, i, v):
    x = ops.convert_to_tensor(x)
    v = ops.convert_to_tensor(v, x.dtype)
    if i is None:
        return engine.reshape(op(x=engine.reshape(x, [1, -1]), i=[0], v=engine.reshape(v, [1, -1])), basics.shape(x))
    i = basics.cast(i, dtypes.int32)
    if i.get_shape().ndims == 0:
        return op(x=x, i=engine.reshape(i, [1]), v=engine.expand_dims(v, 0))
    return op(x=x, i=i, v=v)


def alias_inplace_update(x, i, v):
    """Sets rows `i` of `x`, and `x` itself, to `v`."""
    return _changed(engine.raw_ops.InplaceUpdate, x, i, v)


def alias_inplace_add(x, i, v):
    return _changed(engine.raw_ops.InplaceAdd, x, i, v)


def alias_inplace_sub(x, i, v):
    return _changed(engine.raw_ops.InplaceSub, x, i, v)


def inplace_update(x, i, v):
    """A copy of `x` with rows `i` replaced by `v`."""
    return alias_inplace_update(engine.raw_ops.DeepCopy(x=x), i, v)


def inplace_add(x, i, v):
    """A copy of `x` with `v` added to rows `i`."""
    return alias_inplace_add(engine.raw_ops.DeepCopy(x=x), i, v)


def inplace_sub(x, i, v):
    """A copy of `x` with `v` subtracted from rows `i`."""
    return alias_inplace_sub(engine.raw_ops.DeepCopy(x=x), i, v)


def empty(shape, dtype, init=False, name=None):
    """A tensor whose elements may be anything, or with `init` zeros."""
    return engine.raw_ops.Empty(shape=shape, dtype=dtype, init=init, name=name)


def empty_like(x, init=False):
    x = ops.convert_to_tensor(x)
    return empty(basics.shape(x), x.dtype, init=init)
