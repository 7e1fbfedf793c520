"""Element types, with TensorFlow's numbers and names."""

import numpy as np

from .exports import export, export_value

_by_number = {}
_NUMPY = {}


@export("DType", "dtypes.DType")
class DType:
    """An element type: tf.float32 and so on. Reference types are the base type + 100."""

    __slots__ = ("_number", "_name", "_numpy", "__weakref__")

    def __new__(cls, number, name=None, numpy=None):
        if number in _by_number:
            return _by_number[number]
        if name is None:
            raise TypeError("type_enum is not a valid types_pb2.DataType")
        return object.__new__(cls)

    def __init__(self, number, name=None, numpy=None):
        if name is None:
            return
        self._number = number
        self._name = name
        self._numpy = numpy
        _by_number[number] = self

    name = property(lambda self: self._name)
    as_datatype_enum = property(lambda self: self._number)
    is_numpy_compatible = property(lambda self: self._number % 100 not in (20, 21))
    _is_ref_dtype = property(lambda self: self._number > 100)

    @property
    def base_dtype(self):
        return _by_number[self._number - 100] if self._number > 100 else self

    @property
    def _as_ref(self):
        return self if self._number > 100 else _by_number[self._number + 100]

    @property
    def real_dtype(self):
        base = self.base_dtype
        return float32 if base is complex64 else float64 if base is complex128 else self

    @property
    def as_numpy_dtype(self):
        return self._numpy

    @property
    def is_bool(self):
        return self.base_dtype is bool_

    @property
    def is_integer(self):
        return self._number % 100 in (3, 4, 5, 6, 9, 17, 22, 23)

    @property
    def is_floating(self):
        return self._number % 100 in (1, 2, 14, 19)

    @property
    def is_complex(self):
        return self._number % 100 in (8, 18)

    @property
    def is_quantized(self):
        return self._number % 100 in (11, 12, 13, 15, 16)

    @property
    def is_unsigned(self):
        return self._number % 100 in (4, 17, 22, 23)

    def _limit(self, which):
        if self.is_quantized or self.base_dtype in (bool_, string, complex64, complex128):
            raise TypeError("Cannot find %s value of %s." % ("minimum" if which == "min" else "maximum", self))
        if self.base_dtype is bfloat16:
            return float.fromhex("-0x1.FEp127" if which == "min" else "0x1.FEp127")
        info = np.finfo if self.is_floating else np.iinfo
        try:
            return getattr(info(self.as_numpy_dtype), which)
        except ValueError:
            raise TypeError("Cannot find %s value of %s." % ("minimum" if which == "min" else "maximum", self))

    min = property(lambda self: self._limit("min"))
    max = property(lambda self: self._limit("max"))

    @property
    def limits(self, clip_negative=True):
        return (0 if clip_negative else self.min, self.max)

    @property
    def size(self):
        return 1 if self._numpy in (None, np.object_) else np.dtype(self._numpy).itemsize

    def is_compatible_with(self, other):
        other = as_dtype(other)
        return self._number in (other._number, other.base_dtype._number)

    def __eq__(self, other):
        if other is self:
            return True
        if other is None:
            return False
        try:
            return self._number == as_dtype(other)._number
        except TypeError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return self._number

    def __int__(self):
        return self._number

    def __str__(self):
        return "<dtype: %r>" % self._name

    def __repr__(self):
        return "tf." + self._name

    def __reduce__(self):
        return as_dtype, (self._name,)


_TABLE = [
    (1, "float32", np.float32), (2, "float64", np.float64), (3, "int32", np.int32), (4, "uint8", np.uint8), (5, "int16", np.int16),
    (6, "int8", np.int8), (7, "string", np.object_), (8, "complex64", np.complex64), (9, "int64", np.int64), (10, "bool", np.bool_),
    (11, "qint8", np.dtype([("qint8", np.int8)])), (12, "quint8", np.dtype([("quint8", np.uint8)])), (13, "qint32", np.dtype([("qint32", np.int32)])),
    (14, "bfloat16", np.dtype([("bfloat16", np.uint16)])), (15, "qint16", np.dtype([("qint16", np.int16)])), (16, "quint16", np.dtype([("quint16", np.uint16)])),
    (17, "uint16", np.uint16), (18, "complex128", np.complex128), (19, "float16", np.float16), (20, "resource", np.object_), (21, "variant", np.object_),
    (22, "uint32", np.uint32), (23, "uint64", np.uint64),
]
_by_name = {}
for _n, _text, _np in _TABLE:
    _t = DType(_n, _text, _np)
    _r = DType(_n + 100, _text + "_ref", _np)
    _by_name[_text] = _t
    _by_name[_text + "_ref"] = _r
    globals()["bool_" if _text == "bool" else _text] = _t
    globals()[_text + "_ref"] = _r
    for _path in (_text, "dtypes." + _text):
        export_value(_t, _path)
for _alias, _text in (("half", "float16"), ("float", "float32"), ("double", "float64")):
    _by_name[_alias] = _by_name[_text]
    _by_name[_alias + "_ref"] = _by_name[_text + "_ref"]
half, double, half_ref, double_ref = (_by_name[_text] for _text in ("half", "double", "half_ref", "double_ref"))
export_value(half, "half")
export_value(double, "double")
for _n in (11, 12, 13, 15, 16):
    export_value(_by_number[_n], _by_number[_n].name)

_from_numpy = {np.dtype(t).num: _by_number[n] for n, _, t in _TABLE if n < 11 or n in (17, 18, 19, 22, 23)}
_from_numpy[np.dtype(np.longlong).num] = _by_name["int64"]
_from_numpy[np.dtype(np.ulonglong).num] = _by_name["uint64"]
_from_numpy[np.dtype("S").num] = _from_numpy[np.dtype("U").num] = _by_name["string"]
_from_python = {float: _by_name["float32"], bool: _by_name["bool"], str: _by_name["string"], bytes: _by_name["string"]}


@export("as_dtype", "dtypes.as_dtype")
def as_dtype(value):
    """The DType of a DType, its name or number, a NumPy or Python type. TypeError for others."""
    if type(value) is DType:
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) in _by_number:
        return _by_number[int(value)]
    if isinstance(value, str) and value in _by_name:
        return _by_name[value]
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in _from_python:
        return _from_python[value]
    if value is not None and value is not int and not isinstance(value, (int, list, tuple, dict)):
        try:
            d = np.dtype(value)
        except TypeError:
            d = None
        if d is not None:
            if d.names and len(d.names) == 1 and d.names[0] in _by_name:
                return _by_name[d.names[0]]
            if d.num in _from_numpy:
                return _from_numpy[d.num]
    raise TypeError("Cannot convert value %r to a TensorFlow DType." % (value,))


_TYPE_TO_STRING = {number: dtype.name for number, dtype in _by_number.items()}


def enum_of(value):
    return as_dtype(value)._number


QUANTIZED_DTYPES = frozenset(_by_number[n] for n in (11, 12, 13, 15, 16)) | frozenset(_by_number[n + 100] for n in (11, 12, 13, 15, 16))
export_value(QUANTIZED_DTYPES, "QUANTIZED_DTYPES", "dtypes.QUANTIZED_DTYPES")
