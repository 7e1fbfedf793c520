"""Static evaluation of tensors while the graph is built."""

import numpy as np

from . import tensor_shape
from .exports import export_value
from .tensor_shape import TensorShape


def constant_value(tensor, partial=False):
    """The value of `tensor` as an array if it is known statically, else None. `partial`: a stack of which some parts are known is an array with None for the others."""
    if not getattr(tensor, "_is_tensor", False):
        return None if getattr(tensor, "_is_variable", False) else tensor
    value = tensor.graph._core.constant_value(tensor._node, tensor.value_index)
    if value is None:
        return _computed(tensor, partial)
    return np.asarray(value).view(tensor.dtype.as_numpy_dtype) if tensor.dtype.is_quantized else value


def _computed(tensor, partial):
    """What the engine does not compute while a graph is built, but TensorFlow does."""
    kind, inputs = tensor.op.type, tensor.op.inputs
    if kind == "Pack" and partial and tensor.op.get_attr("axis") == 0:
        parts = [constant_value(x, partial) for x in inputs]
        found = np.empty(len(parts), dtype=object)
        found[:] = parts
        return found
    if kind not in ("Cast", "Equal", "NotEqual", "ConcatV2"):
        return None
    values = [constant_value(x) for x in inputs]
    if any(v is None for v in values):
        return None
    if kind == "Cast":
        return np.asarray(values[0]).astype(tensor.dtype.as_numpy_dtype)
    if kind == "ConcatV2":
        return np.concatenate(values[:-1], axis=int(values[-1]))
    return np.equal(*values) if kind == "Equal" else np.not_equal(*values)


export_value(constant_value, "get_static_value", "contrib.util.constant_value")


def constant_value_as_shape(tensor):
    """The shape that a tensor of sizes stands for, as far as it is known; -1 is an unknown size, and the scalar -1 an unknown shape."""
    if not getattr(tensor, "_is_tensor", False):
        return TensorShape(None if tensor is None else [None if d == -1 else int(d) for d in np.ravel(tensor)])
    value = constant_value(tensor)
    if tensor.shape.ndims == 0:
        if value is None:
            raise ValueError("Received a scalar with unknown value as shape; require a statically known scalar with value '-1' to describe an unknown shape.")
        if value != -1:
            raise ValueError("Received a scalar value '%s' as shape; require a statically known scalar with value '-1' to describe an unknown shape." % value)
        return tensor_shape.unknown_shape()
    if value is not None:
        return TensorShape([None if d == -1 else int(d) for d in np.ravel(value)])
    return _shape_of_parts(tensor.op) or tensor_shape.unknown_shape(tensor.shape.as_list()[0] if tensor.shape.ndims == 1 else None)


def _shape_of_parts(op):
    if op.type == "Shape":
        return op.inputs[0].shape
    if op.type == "Pack":
        sizes = [constant_value(x) for x in op.inputs]
        return TensorShape([None if d is None or d < 0 else int(d) for d in sizes])
    if op.type == "ConcatV2":
        found = TensorShape([])
        for x in op.inputs[:-1]:
            found = found.concatenate(constant_value_as_shape(x))
        return found
    if op.type == "StridedSlice" and not any(op.get_attr(mask) for mask in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")):
        begin, end, stride = (constant_value(x) for x in op.inputs[1:4])
        if begin is not None and end is not None and stride is not None:
            whole = constant_value_as_shape(op.inputs[0])
            if whole.ndims is not None:
                return whole[None if op.get_attr("begin_mask") == 1 else begin[0]:None if op.get_attr("end_mask") == 1 else end[0]:stride[0]]
    return None
