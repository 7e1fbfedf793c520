"""Operators of EagerTensors: the usual cases call their op at once."""

import numpy as np

from .. import _weft, context
from .. import operators  # noqa: F401 (sets the operators of Tensor)
from ..ops import Tensor
from .tensor import EagerTensor

_SCALARS = (float, int)


def _operator(method, op, name):
    """Adds `method` and its reflection to EagerTensor. Everything but tensors and numbers goes the way of tensors in graphs."""
    caller, scalar, named = _weft.OpCaller(op), _weft.eager_scalar, name + "/"
    slow, slow_reflected = getattr(Tensor, "__%s__" % method), getattr(Tensor, "__r%s__" % method)
    default, is_text, adds = context.get_default_graph, _weft.eager_is_text, op == "AddV2"

    def left(x, y):
        kind = type(y)
        if kind is EagerTensor:
            if not adds or not is_text(x):
                return caller((x, y), (), named)
        elif kind in _SCALARS and default()._eager:
            y_tensor = scalar(y, x)
            if y_tensor is not None:
                return caller((x, y_tensor), (), named)
        return slow(x, y)

    def right(y, x):
        if type(x) in _SCALARS and default()._eager:
            x_tensor = scalar(x, y)
            if x_tensor is not None:
                return caller((x_tensor, y), (), named)
        return slow_reflected(y, x)

    setattr(EagerTensor, "__%s__" % method, left)
    setattr(EagerTensor, "__r%s__" % method, right)


_slice = _weft.OpCaller("StridedSlice")


def _vector(values):
    return _weft.eager_tensor(np.array(values, np.int32))


def _getitem(tensor, index):
    """tensor[index]; indices of ints and slices of ints need no closer look."""
    parts = index if type(index) is tuple else (index,)
    begin, end, strides, begins, ends, shrinks = [], [], [], 0, 0, 0
    for i, part in enumerate(parts):
        if type(part) is int:
            begin.append(part)
            end.append(part + 1)
            strides.append(1)
            shrinks |= 1 << i
        elif type(part) is slice and all(x is None or type(x) is int and -_MOST <= x < _MOST for x in (part.start, part.stop, part.step)):
            begin.append(part.start or 0)
            end.append(part.stop or 0)
            strides.append(1 if part.step is None else part.step)
            begins |= (part.start is None) << i
            ends |= (part.stop is None) << i
        else:
            return _slow_getitem(tensor, index)
        if not -_MOST <= begin[-1] < _MOST:
            return _slow_getitem(tensor, index)
    if not begin or not context.get_default_graph()._eager:
        return _slow_getitem(tensor, index)
    return _slice((tensor, _vector(begin), _vector(end), _vector(strides)), (begins, ends, 0, 0, shrinks), "strided_slice/")


_MOST = 2 ** 31 - 1
_slow_getitem = Tensor.__getitem__
EagerTensor.__getitem__ = _getitem
for _method, _op in (("add", "AddV2"), ("sub", "Sub"), ("mul", "Mul"), ("floordiv", "FloorDiv"), ("mod", "FloorMod"), ("pow", "Pow")):
    _operator(_method, _op, _method)
del _method, _op
