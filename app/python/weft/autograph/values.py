"""What variables of a converted function may hold: nothing yet, tensors, and everything else."""

import numpy as np

from .. import ops
from ..ops import IndexedSlices, Tensor
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray


class Undefined:
    """The value of a variable that has none yet."""

    def __init__(self, symbol_name):
        self.symbol_name = symbol_name

    def read(self):
        raise UnboundLocalError("'%s' is used before assignment" % self.symbol_name)

    def __repr__(self):
        return self.symbol_name

    def __getattribute__(self, name):
        try:
            return object.__getattribute__(self, name)
        except AttributeError:
            return self


class UndefinedReturnValue:
    """What a function returns where no return statement ran yet."""


def is_undefined(value):
    return type(value) is Undefined


def is_undefined_return(value):
    return isinstance(value, UndefinedReturnValue)


def retval(value):
    """What the function returns: None if no return statement ran."""
    return None if is_undefined_return(value) else value


def value_of(read, name):
    """The value of a variable; an Undefined where it has none."""
    try:
        return read()
    except (NameError, AttributeError):
        return Undefined(name)


def is_symbolic(x):
    """Whether x is a tensor of a graph, whose value is not known."""
    return isinstance(x, Tensor) and not getattr(x, "_is_eager", False)


def may_be_tensor(v):
    """Whether a branch or loop can hand the value on as a tensor."""
    return isinstance(v, (Tensor, TensorArray, IndexedSlices, SparseTensor, bool, int, float, complex, str, bytes, np.ndarray, np.generic)) or \
        getattr(v, "_is_variable", False) or hasattr(v, "_type_spec")


def tensor_of(v):
    """The value as a branch or loop hands it on."""
    return v if isinstance(v, (TensorArray, IndexedSlices, SparseTensor)) else ops.convert_to_tensor(v)
