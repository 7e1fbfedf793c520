"""Static evaluation of tensors while the graph is built."""

import numpy as np

from . import tensor_shape
from .exports import export_value
from .tensor_shape import TensorShape


def constant_value(tensor, partial=False):
    """The value of `tensor` as an array if it is known statically, else None."""
    if not getattr(tensor, "_is_tensor", False):
        return None if getattr(tensor, "_is_variable", False) else tensor
    value = tensor.graph._core.constant_value(tensor._node, tensor.value_index)
    return np.asarray(value).view(tensor.dtype.as_numpy_dtype) if value is not None and tensor.dtype.is_quantized else value


export_value(constant_value, "get_static_value", "contrib.util.constant_value")


def constant_value_as_shape(tensor):
    value = constant_value(tensor)
    if value is not None:
        return TensorShape([None if d == -1 else int(d) for d in np.ravel(value)])
    shape = tensor.shape
    return tensor_shape.unknown_shape(shape.as_list()[0] if shape.ndims == 1 else None)
