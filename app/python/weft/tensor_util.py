"""Conversion of arrays to TensorProtos and back."""

import numpy as np

from . import constants, dtypes
from .constant_values import constant_value, constant_value_as_shape  # noqa: F401 (re-exported)
from .exports import export
from .public_names import as_bytes
from .tensor_shape import TensorShape

_FIELD = {dtypes.float32: "float_val", dtypes.float64: "double_val", dtypes.int32: "int_val", dtypes.uint8: "int_val", dtypes.int16: "int_val", dtypes.int8: "int_val",
          dtypes.uint16: "int_val", dtypes.int64: "int64_val", dtypes.bool_: "bool_val", dtypes.string: "string_val", dtypes.uint32: "uint32_val", dtypes.uint64: "uint64_val"}
_AS_BYTES = {dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint16, dtypes.quint16, dtypes.qint32,
             dtypes.uint16, dtypes.uint32, dtypes.uint64}  # written as one text of bytes


@export("make_tensor_proto", "contrib.util.make_tensor_proto")
def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """A TensorProto of a Python value or array."""
    from .protos import TensorProto

    if isinstance(values, TensorProto):
        return values
    whole = np.asarray(constants.array(values, dtype, shape, verify_shape))
    kind = dtypes.as_dtype(dtype).base_dtype if dtype is not None else dtypes.as_dtype(whole.dtype)
    proto = TensorProto(dtype=kind._number, tensor_shape=TensorShape(whole.shape).as_proto())
    given = whole.ravel() if shape is None else np.asarray(constants.array(values, dtype)).ravel()
    if given.size == whole.size > 1 and kind in _AS_BYTES:
        proto.tensor_content = whole.tobytes()
        return proto
    given = given if given.size else whole.ravel()  # fewer values than elements: the last one counts for the rest
    if kind is dtypes.string:
        proto.string_val.extend([as_bytes(v) for v in given.tolist()])
    elif kind.is_quantized:
        proto.int_val.extend([item[0] for item in given.tolist()])
    elif kind is dtypes.bfloat16:
        proto.half_val.extend((given.astype(np.float32).view(np.uint32) >> 16).tolist() if given.dtype.kind == "f" else given.view(np.uint16).tolist())
    elif kind is dtypes.float16:
        proto.half_val.extend(given.astype(np.float16).view(np.uint16).tolist())
    elif kind.is_complex:
        parts = [part for v in given.tolist() for part in (v.real, v.imag)]
        (proto.scomplex_val if kind is dtypes.complex64 else proto.dcomplex_val).extend(parts)
    else:
        getattr(proto, _FIELD[kind]).extend(given.tolist())
    return proto


def ShapeEquals(tensor_proto, shape):
    """Whether the sizes of a TensorProto's dimensions are those of a list or TensorShapeProto, as far as both go."""
    from .protos import TensorProto, TensorShapeProto

    if not isinstance(tensor_proto, TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if isinstance(shape, TensorShapeProto):
        shape = [d.size for d in shape.dim]
    elif not isinstance(shape, (list, tuple)):
        raise TypeError("shape is not a list or tuple")
    return all(d.size == size for d, size in zip(tensor_proto.tensor_shape.dim, shape))


@export("make_ndarray", "contrib.util.make_ndarray")
def MakeNdarray(tensor):
    """The array of a TensorProto."""
    shape = [d.size for d in tensor.tensor_shape.dim]
    count = int(np.prod(shape, dtype=np.int64))
    kind = dtypes.as_dtype(tensor.dtype).base_dtype
    numpy = kind.as_numpy_dtype
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype=numpy).copy().reshape(shape)
    if kind is dtypes.string:
        values = list(tensor.string_val)
        values += [values[-1] if values else b""] * (count - len(values))
        return np.array(values, dtype=np.object_).reshape(shape)
    if kind in (dtypes.float16, dtypes.bfloat16):
        values = np.array(list(tensor.half_val), dtype=np.uint16)
        values = values.view(np.float16) if kind is dtypes.float16 else values.astype(np.uint32) << 16
        values = values if kind is dtypes.float16 else values.view(np.float32)
        values = list(values)
    elif kind in (dtypes.complex64, dtypes.complex128):
        parts = list(tensor.scomplex_val if kind is dtypes.complex64 else tensor.dcomplex_val)
        values = [complex(a, b) for a, b in zip(parts[::2], parts[1::2])]
    else:
        field = _FIELD.get(kind, "int_val")
        values = list(getattr(tensor, field))
    if len(values) < count:
        values += [values[-1] if values else 0] * (count - len(values))
    if kind.is_quantized:
        return np.array(values, dtype=np.dtype(numpy)[0]).view(numpy).reshape(shape)
    return np.array(values, dtype=numpy).reshape(shape)
