"""Converts AttrValue protos of operations to the engine's values."""

from . import constants
from .tensor_shape import TensorShape
from .tensor_util import MakeNdarray

ATTR_KINDS = {"s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape", "tensor": "tensor", "func": "func"}


def from_attr_value(value):
    """An AttrValue as a value of the engine."""
    kind = value.WhichOneof("value")
    if kind == "type":
        return value.type
    if kind == "shape":
        return TensorShape(value.shape)
    if kind == "tensor":
        return constants.value(MakeNdarray(value.tensor), value.tensor.dtype)
    if kind == "func":
        return value.func.name
    if kind == "list":
        for field in ("s", "i", "f", "b", "type"):
            items = list(getattr(value.list, field))
            if items:
                return items
        if value.list.shape:
            return [TensorShape(s) for s in value.list.shape]
        if value.list.tensor:
            return [constants.value(MakeNdarray(t), t.dtype) for t in value.list.tensor]
        if value.list.func:
            return [f.name for f in value.list.func]
        return []
    return getattr(value, kind) if kind else None
