"""Operators of EagerTensors: the usual cases call their op at once."""

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


for _method, _op in (("add", "AddV2"), ("sub", "Sub"), ("mul", "Mul"), ("floordiv", "FloorDiv"), ("mod", "FloorMod"), ("pow", "Pow")):
    _operator(_method, _op, _method)
del _method, _op
