"""The default floating-point type of layers."""

import numpy as np

from .. import basics
from ..exports import export
from ..ops import Tensor
from ..sparse_tensor import SparseTensor
from ..variable_base import Variable

_floatx = "float32"


@export("keras.backend.floatx")
def floatx():
    return _floatx


@export("keras.backend.set_floatx")
def set_floatx(value):
    global _floatx
    if value not in ("float16", "float32", "float64"):
        raise ValueError("Unknown floatx type: " + str(value))
    _floatx = value


@export("keras.backend.cast_to_floatx")
def cast_to_floatx(x):
    return basics.cast(x, floatx()) if isinstance(x, (Tensor, Variable, SparseTensor)) else np.asarray(x, dtype=floatx())
