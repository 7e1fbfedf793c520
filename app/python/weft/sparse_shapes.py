"""tf.shape, tf.size, tf.rank, tf.to_float and kin, which take sparse tensors as well; placeholders whose shape may be None."""

import tensorflow as tf

from . import dtypes, records
from .exports import export
from .sparse_tensor import SparseTensor, SparseTensorValue
from .tensor_shape import TensorShape

_SPARSE = (SparseTensor, SparseTensorValue)


@export("shape")
def shape(input, name=None, out_type=dtypes.int32):
    """The dimensions of a tensor as a tensor."""
    if not isinstance(input, _SPARSE):
        return records.function("shape")(input, name, out_type)
    with tf.name_scope(name, "Shape", [input.dense_shape]):
        return tf.raw_ops.Cast(x=input.dense_shape, DstT=out_type)


@export("size")
def size(input, name=None, out_type=dtypes.int32):
    """The number of elements of a tensor, of a sparse one those that are zero included."""
    if not isinstance(input, _SPARSE):
        return records.function("size")(input, name, out_type)
    with tf.name_scope(name, "Size", [input.dense_shape]) as scope:
        return tf.reduce_prod(tf.cast(input.dense_shape, out_type), 0, name=scope)


@export("rank")
def rank(input, name=None):
    """The number of dimensions of a tensor."""
    if not isinstance(input, _SPARSE):
        return records.function("rank")(input, name)
    with tf.name_scope(name, "Rank", [input.dense_shape]) as scope:
        return size(tf.convert_to_tensor(input.dense_shape, name="input"), name=scope)


@export("placeholder_with_default")
def placeholder_with_default(input, shape, name=None):
    """A tensor that may be fed, with values of any shape if `shape` is None."""
    return records.function("placeholder_with_default")(input, TensorShape(None) if shape is None else shape, name)


def _to(function_name, dtype, scope):
    def convert(x, name=scope):
        return records.cast(x, dtype, name) if isinstance(x, SparseTensor) else records.function(function_name)(x, name)

    convert.__name__ = function_name
    convert.__doc__ = "`x` with elements of the type %s." % dtype.name
    return export(function_name)(convert)


for _name, _dtype, _scope in (("to_float", dtypes.float32, "ToFloat"), ("to_double", dtypes.float64, "ToDouble"), ("to_int32", dtypes.int32, "ToInt32"),
                              ("to_int64", dtypes.int64, "ToInt64"), ("to_bfloat16", dtypes.bfloat16, "ToBFloat16"),
                              ("to_complex64", dtypes.complex64, "ToComplex64"), ("to_complex128", dtypes.complex128, "ToComplex128")):
    _to(_name, _dtype, _scope)
del _name, _dtype, _scope
