"""Names of Python and NumPy that existed in the time of TensorFlow 1.x and have since been removed.

Programs of that time use np.float, collections.Iterable or time.clock. Objects that still exist under another name get their old one back; existing names
are not changed. `weft py` and `import tensorflow` do this; `import weft` alone does not.
"""

import builtins
import collections
import collections.abc
import fractions
import functools
import inspect
import math
import time

import numpy as np

from . import old_packages

_NUMPY = ("float", "int", "bool", "object", "str", "complex")
# Removed by NumPy 2: name and what it stood for.
_NUMPY_ALIASES = {"float_": "float64", "complex_": "complex128", "cfloat": "complex128", "singlecomplex": "complex64", "unicode_": "str_", "string_": "bytes_", "Inf": "inf",
                  "Infinity": "inf", "infty": "inf", "NaN": "nan", "product": "prod", "cumproduct": "cumprod", "sometrue": "any", "alltrue": "all", "row_stack": "vstack",
                  "trapz": "trapezoid", "round_": "round", "in1d": "isin"}
_ABSTRACT = ("Iterable", "Iterator", "Mapping", "MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Set", "Sized", "Container", "Callable", "Hashable",
             "Generator", "KeysView", "ItemsView", "ValuesView")
_ArgSpec = collections.namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])


def _getargspec(function):
    found = inspect.getfullargspec(function)
    if found.kwonlyargs or found.annotations:
        raise ValueError("Function has keyword-only parameters or annotations, use inspect.signature() API which can support them")
    return _ArgSpec(found.args, found.varargs, found.varkw, found.defaults)


def _ragged(make):
    """np.array with its old behaviour: rows of different lengths give an array of objects."""

    @functools.wraps(make)
    def array(*args, **kwargs):
        try:
            return make(*args, **kwargs)
        except ValueError as e:
            if "inhomogeneous" not in str(e) or len(args) > 1 or kwargs.get("dtype") is not None:
                raise
            return make(*args, **dict(kwargs, dtype=object))

    return array


def _of_ragged(measure):
    """np.ndim and similar with their old behaviour: of rows of different lengths they measure the array of objects."""

    @functools.wraps(measure)
    def measured(a, *args, **kwargs):
        try:
            return measure(a, *args, **kwargs)
        except ValueError as e:
            if "inhomogeneous" not in str(e):
                raise
            return measure(np.array(a, dtype=object), *args, **kwargs)

    return measured


_restored = False


def restore():
    """Adds the missing old names."""
    global _restored
    if _restored:
        return
    _restored = True
    names = vars(np)
    for name in _NUMPY:
        if name not in names:
            setattr(np, name, getattr(builtins, name))
    for name, now in _NUMPY_ALIASES.items():
        if name not in names and now in names:
            setattr(np, name, names[now])
    for name, what in (("long", int), ("unicode", str), ("asscalar", lambda a: a.item()), ("alen", lambda a: len(np.atleast_1d(a)))):
        if name not in names:
            setattr(np, name, what)
    try:
        np.array([[1], [1, 2]])
    except ValueError:
        np.array, np.asarray = _ragged(np.array), _ragged(np.asarray)
        np.ndim, np.shape, np.size = _of_ragged(np.ndim), _of_ragged(np.shape), _of_ragged(np.size)
    for name in _ABSTRACT:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(time, "clock"):
        time.clock = time.process_time
    if not hasattr(inspect, "getargspec"):
        inspect.getargspec = _getargspec
    if not hasattr(fractions, "gcd"):
        fractions.gcd = math.gcd
    old_packages.restore()
