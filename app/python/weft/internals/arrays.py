"""Helpers of tensorflow.python.ops.array_ops that have no public name."""

from .. import dtypes, engine, ops
from ..sparse_tensor import SparseTensor, SparseTensorValue


def shape_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    """tf.shape, as a constant if the shape is known and `optimize`."""
    with ops.name_scope(name, "Shape", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Cast(x=input.dense_shape, DstT=out_type)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().is_fully_defined():
            return ops.constant(input.get_shape().as_list(), out_type, name=name)
        return engine.raw_ops.Shape(input=input, out_type=out_type, name=name)


def size_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    """tf.size, as a constant if the shape is known and `optimize`."""
    with ops.name_scope(name, "Size", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Prod(input=engine.raw_ops.Cast(x=input.dense_shape, DstT=out_type), axis=0, name=name)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().is_fully_defined():
            return ops.constant(input.get_shape().num_elements(), out_type, name=name)
        return engine.raw_ops.Size(input=input, out_type=out_type, name=name)


def rank_internal(input, name=None, optimize=True):
    """tf.rank, as a constant if the rank is known and `optimize`."""
    with ops.name_scope(name, "Rank", [input]) as name:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return engine.raw_ops.Size(input=input.dense_shape, out_type=dtypes.int32, name=name)
        input = ops.convert_to_tensor(input)
        if optimize and input.get_shape().ndims is not None:
            return ops.constant(input.get_shape().ndims, dtypes.int32, name=name)
        return engine.raw_ops.Rank(input=input, name=name)
