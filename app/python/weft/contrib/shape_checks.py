"""tf.contrib.framework: shape checks of tensors, static where possible, else in each run."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert
from ..exports import export
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape


def _compatible(expected, actual):
    """Every size is the expected one, or the expected one is unknown (-1)."""
    with ops.name_scope("shape_tensor_equal", values=[expected, actual]) as scope:
        unknown = engine.equal(expected, -1)
        equal = engine.equal(expected, actual, "equal")
        return engine.reduce_all(engine.logical_or(unknown, equal, name="exclude_partial_shape"), name=scope)


def _is_shape(expected, tensor, actual):
    with ops.name_scope("is_shape", values=[tensor]) as scope:
        size = basics.size(expected)
        with ops.name_scope("is_rank", values=[tensor]) as inner:
            same_rank = engine.equal(ops.convert_to_tensor(size, name="expected"), basics.rank(tensor, name="actual"), name=inner)
        return engine.logical_and(same_rank, _compatible(expected, actual), name=scope)


def _assertion(expected, tensor):
    with ops.name_scope("assert_shape", values=[tensor]) as scope:
        actual = basics.shape(tensor, name="actual")
        if isinstance(expected, TensorShape) and not expected.is_fully_defined():
            expected = [d if d else -1 for d in expected.as_list()]
        return Assert(_is_shape(expected, tensor, actual), ["Wrong shape for %s [expected] [actual]." % tensor.name, expected, actual], name=scope)


@export("contrib.framework.with_shape")
def with_shape(expected_shape, tensor):
    """`tensor`, checked to have the shape."""
    if isinstance(tensor, SparseTensor):
        raise ValueError("SparseTensor not supported.")
    dynamic = isinstance(expected_shape, ops.Tensor)
    if dynamic:
        if expected_shape.dtype.base_dtype != dtypes.int32:
            raise ValueError("Invalid dtype %s for shape %s expected of tensor %s." % (expected_shape.dtype, expected_shape, tensor.name))
    else:
        given = np.asarray(expected_shape if len(expected_shape) else np.zeros([0], np.int32))
        if given.ndim > 1:
            raise ValueError("Invalid rank %s for shape %s expected of tensor %s." % (given.ndim, given, tensor.name))
        if given.dtype not in (np.int32, np.int64):
            raise ValueError("Invalid dtype %s for shape %s expected of tensor %s." % (given.dtype, given, tensor.name))
        expected_shape = given.astype(np.int32)
    actual = tensor.get_shape()
    if dynamic or not actual.is_fully_defined():
        with ops.name_scope("%s/" % tensor.op.name, values=[tensor]):
            if not dynamic and len(expected_shape) < 1:
                return engine.reshape(tensor, [])
            with ops.control_dependencies([_assertion(expected_shape, tensor)]):
                result = engine.identity(tensor)
            if not dynamic:
                result.set_shape([int(d) for d in expected_shape])
            return result
    if not actual.is_compatible_with([int(d) for d in expected_shape]):
        raise ValueError("Invalid shape for tensor %s, expected %s, got %s." % (tensor.name, expected_shape, actual))
    return tensor


@export("contrib.framework.with_same_shape")
def with_same_shape(expected_tensor, tensor):
    """`tensor`, checked to have the shape of `expected_tensor`."""
    with ops.name_scope("%s/" % tensor.op.name, values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        return with_shape(shape.as_list() if shape.is_fully_defined() else basics.shape(expected_tensor, name="expected_shape"), tensor)
