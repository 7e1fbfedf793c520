"""Names of Python, NumPy, h5py and Pillow that existed in the time of TensorFlow 1.x and have since been removed.

Programs of that time use np.float, collections.Iterable or time.clock. Objects that still exist under another name get their old one back; existing names
are not changed. `weft py` and `import tensorflow` do this; `import weft` alone does not.
"""

import builtins
import collections
import collections.abc
import fractions
import functools
import importlib.abc
import importlib.util
import inspect
import math
import sys
import time

import numpy as np

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


class _Text(str):
    """A text that can be decoded, as the bytes that it once was."""

    __slots__ = ()

    def decode(self, encoding="utf-8", errors="strict"):
        return self.encode("utf-8", "surrogateescape").decode(encoding, errors)


def _decodable_attributes(h5py):
    """h5py 2 gave attributes with ASCII text as bytes, h5py 3 gives str; programs such as Keras 2.2 decode them."""
    if int(h5py.__version__.partition(".")[0]) < 3:
        return
    read = h5py.AttributeManager.__getitem__

    @functools.wraps(read)
    def item(self, name):
        value = read(self, name)
        if isinstance(value, np.ndarray) and value.dtype == object:
            value.flat = [_Text(v) if type(v) is str else v for v in value.flat]
        return _Text(value) if type(value) is str else value

    h5py.AttributeManager.__getitem__ = item


def _old_filters(image):
    """Pillow 10 removed the old names of its filters."""
    for name, now in (("ANTIALIAS", "LANCZOS"), ("LINEAR", "BILINEAR"), ("CUBIC", "BICUBIC")):
        if not hasattr(image, name) and hasattr(image, now):
            setattr(image, name, getattr(image, now))


_PACKAGES = {"h5py": _decodable_attributes, "PIL.Image": _old_filters}


class _WhenImported(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Calls a function with a module once a program has imported it."""

    def __init__(self, name, then):
        self._name, self._then, self._loader = name, then, None

    def find_spec(self, name, path=None, target=None):
        if name != self._name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            self._loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._then(module)


_restored = False


def restore():
    """Adds the missing old names."""
    global _restored
    if _restored:
        return
    _restored = True
    for name, mend in _PACKAGES.items():
        if name in sys.modules:
            mend(sys.modules[name])
        else:
            sys.meta_path.insert(0, _WhenImported(name, mend))
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
    for name in _ABSTRACT:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    if not hasattr(time, "clock"):
        time.clock = time.process_time
    if not hasattr(inspect, "getargspec"):
        inspect.getargspec = _getargspec
    if not hasattr(fractions, "gcd"):
        fractions.gcd = math.gcd
