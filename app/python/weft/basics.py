"""tf.cast, tf.shape, tf.size, tf.rank, tf.to_float and the like, which also take sparse tensors; placeholders whose shape may be None."""

from . import dtypes, engine, ops, records
from .dispatchable import takes_ragged
from .exports import export
from .sparse_tensor import SparseTensor, SparseTensorValue
from .tensor_shape import TensorShape

_SPARSE = (SparseTensor, SparseTensorValue)


@export("shape")
def shape(input, name=None, out_type=dtypes.int32):
    """The dimensions of a tensor as a tensor."""
    if not isinstance(input, _SPARSE):
        return records.function("shape")(input, name, out_type)
    with ops.name_scope(name, "Shape", [input.dense_shape]):
        return engine.raw_ops.Cast(x=input.dense_shape, DstT=out_type)


@export("size")
@takes_ragged("size")
def size(input, name=None, out_type=dtypes.int32):
    """The number of elements of a tensor; for a sparse tensor the implicit zeros count too."""
    if not isinstance(input, _SPARSE):
        return records.function("size")(input, name, out_type)
    with ops.name_scope(name, "Size", [input.dense_shape]) as scope:
        return engine.raw_ops.Prod(input=cast(input.dense_shape, out_type), axis=0, name=scope)


@export("rank")
@takes_ragged("rank")
def rank(input, name=None):
    """The number of dimensions of a tensor."""
    if not isinstance(input, _SPARSE):
        return records.function("rank")(input, name)
    with ops.name_scope(name, "Rank", [input.dense_shape]) as scope:
        return engine.raw_ops.Size(input=input.dense_shape, name=scope)


@export("placeholder_with_default")
def placeholder_with_default(input, shape, name=None):
    """A tensor with a default value that may be fed; `shape` None accepts any shape."""
    return records.function("placeholder_with_default")(input, TensorShape(None) if shape is None else shape, name)


@export("ensure_shape")
def ensure_shape(x, shape, name=None):
    """`x`, which must have `shape`; None accepts any shape."""
    return records.function("ensure_shape")(x, TensorShape(None) if shape is None else shape, name)


@export("cast")
@takes_ragged("cast")
def cast(x, dtype, name=None):
    """`x` converted to `dtype`; returned unchanged if it already has that type."""
    base = dtypes.as_dtype(dtype).base_dtype
    if (isinstance(x, ops.Tensor) or getattr(x, "_resource", False)) and x.dtype.base_dtype is base:
        return x
    if isinstance(x, (SparseTensor, ops.IndexedSlices)):
        with ops.name_scope(name, "Cast", [x.values]) as scope:
            values = cast(x.values, base, scope)
        return SparseTensor(x.indices, values, x.dense_shape) if isinstance(x, SparseTensor) else ops.IndexedSlices(values, x.indices, x.dense_shape)
    return records.function("cast")(x, base, name)


def _to(function_name, dtype, scope):
    def convert(x, name=scope):
        return cast(x, dtype, name) if isinstance(x, SparseTensor) else records.function(function_name)(x, name)

    convert.__name__ = function_name
    convert.__doc__ = "`x` with elements of the type %s." % dtype.name
    return export(function_name)(convert)


to_float = _to("to_float", dtypes.float32, "ToFloat")
to_double = _to("to_double", dtypes.float64, "ToDouble")
to_int32 = _to("to_int32", dtypes.int32, "ToInt32")
to_int64 = _to("to_int64", dtypes.int64, "ToInt64")
to_bfloat16 = _to("to_bfloat16", dtypes.bfloat16, "ToBFloat16")
to_complex64 = _to("to_complex64", dtypes.complex64, "ToComplex64")
to_complex128 = _to("to_complex128", dtypes.complex128, "ToComplex128")
