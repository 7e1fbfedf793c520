"""TensorShape and Dimension: static shapes."""

from .exports import export


@export("Dimension", "compat.v1.Dimension")
class Dimension:
    """One dimension, whose size may be unknown."""

    __slots__ = ("_value",)

    def __init__(self, value):
        if isinstance(value, Dimension):
            self._value = value._value
        elif value is None:
            self._value = None
        else:
            if isinstance(value, str):
                value = int(value)
            as_int = value.__index__() if hasattr(value, "__index__") else int(value)
            if as_int != value:
                raise ValueError("Ambiguous dimension: %s" % (value,))
            if as_int < 0:
                raise ValueError("Dimension %d must be >= 0" % as_int)
            self._value = as_int

    value = property(lambda self: self._value)

    def __repr__(self):
        return "Dimension(%s)" % repr(self._value)

    def __str__(self):
        return "?" if self._value is None else str(self._value)

    def __eq__(self, other):
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other._value is None:
            return None
        return self._value == other._value

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is None or equal is NotImplemented else not equal

    def __hash__(self):
        return hash(self._value)

    def __int__(self):
        return self._value

    __long__ = __int__

    def __index__(self):
        return self._value

    def __bool__(self):
        return bool(self._value)

    def is_compatible_with(self, other):
        other = as_dimension(other)
        return self._value is None or other._value is None or self._value == other._value

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Dimensions %s and %s are not compatible" % (self, other))

    def merge_with(self, other):
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    def _with(self, other, compute):
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other._value is None:
            return Dimension(None)
        return Dimension(compute(self._value, other._value))

    def _compare(self, other, compute):
        other = as_dimension(other)
        if self._value is None or other._value is None:
            return None
        return compute(self._value, other._value)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other):
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        return self._with(other, lambda a, b: a // b)

    def __rfloordiv__(self, other):
        return self._with(other, lambda a, b: b // a)

    __div__ = __floordiv__

    def __truediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: 'Dimension' and '%s', please use // instead" % type(other).__name__)

    def __rtruediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: '%s' and 'Dimension', please use // instead" % type(other).__name__)

    def __mod__(self, other):
        return self._with(other, lambda a, b: a % b)

    def __rmod__(self, other):
        return self._with(other, lambda a, b: b % a)

    def __lt__(self, other):
        return self._compare(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compare(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compare(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compare(other, lambda a, b: a >= b)

    def __reduce__(self):
        return Dimension, (self._value,)


def as_dimension(value):
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension):
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape, index):
    return Dimension(None) if shape.rank is None else shape.dims[index]


def _value(d):
    """An int, or None for an unknown dimension."""
    if d is None or type(d) is int and d >= 0:
        return d
    return Dimension(d)._value


@export("TensorShape")
class TensorShape:
    """A shape whose rank and dimensions may be unknown."""

    __slots__ = ("_values", "__weakref__")

    def __init__(self, dims=None):
        if dims is None:
            self._values = None
        elif isinstance(dims, TensorShape):
            self._values = dims._values
        elif hasattr(dims, "dim") and hasattr(dims, "unknown_rank"):  # TensorShapeProto
            self._values = None if dims.unknown_rank else tuple(None if d.size == -1 else d.size for d in dims.dim)
        elif isinstance(dims, (str, bytes)):
            raise TypeError("A string has ambiguous TensorShape, please wrap in a list or convert to an int: %s" % dims)
        else:
            try:
                items = iter(dims)
            except TypeError:
                self._values = (_value(dims),)
            else:
                if getattr(dims, "size", 0) > 254:  # an array instead of a list of sizes: nobody writes so many by hand
                    raise ValueError("a shape of %d dimensions: a tensor has at most 254" % dims.size)
                self._values = tuple([_value(d) for d in items])

    @classmethod
    def _of(cls, values):
        s = object.__new__(cls)
        s._values = values
        return s

    @property
    def dims(self):
        return None if self._values is None else [Dimension(v) for v in self._values]

    @property
    def _dims(self):
        return self.dims

    @property
    def ndims(self):
        return None if self._values is None else len(self._values)

    rank = ndims

    def __len__(self):
        if self._values is None:
            raise ValueError("Cannot take the length of Shape with unknown rank.")
        return len(self._values)

    def __bool__(self):
        return self._values is not None

    def __iter__(self):
        if self._values is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter([Dimension(v) for v in self._values])

    def __getitem__(self, key):
        if self._values is not None:
            if isinstance(key, slice):
                return TensorShape._of(self._values[key])
            return Dimension(self._values[key])
        if isinstance(key, slice):
            start = key.start if key.start is not None else 0
            if key.step is not None:
                raise ValueError("Steps are not yet handled")
            if key.stop is None:
                return unknown_shape()
            if start < 0 or key.stop < 0:
                return unknown_shape()
            return unknown_shape(key.stop - start)
        return Dimension(None)

    def __repr__(self):
        return "TensorShape(%r)" % (None if self._values is None else self.dims,)

    def __str__(self):
        if self._values is None:
            return "<unknown>"
        if len(self._values) == 1:
            return "(%s,)" % ("?" if self._values[0] is None else self._values[0])
        return "(%s)" % ", ".join("?" if v is None else str(v) for v in self._values)

    def num_elements(self):
        if not self.is_fully_defined():
            return None
        n = 1
        for v in self._values:
            n *= v
        return n

    def merge_with(self, other):
        other = as_shape(other)
        if self._values is None:
            return other
        if other._values is None:
            return self
        try:
            self.assert_same_rank(other)
            return TensorShape([a.merge_with(b) for a, b in zip(self.dims, other.dims)])
        except ValueError:
            raise ValueError("Shapes %s and %s are not compatible" % (self, other))

    def concatenate(self, other):
        other = as_shape(other)
        if self._values is None or other._values is None:
            return unknown_shape()
        return TensorShape._of(self._values + other._values)

    def __add__(self, other):
        return self.concatenate(other)

    def __radd__(self, other):
        return as_shape(other).concatenate(self)

    def assert_same_rank(self, other):
        other = as_shape(other)
        if self._values is not None and other._values is not None and len(self._values) != len(other._values):
            raise ValueError("Shapes %s and %s must have the same rank" % (self, other))

    def assert_has_rank(self, rank):
        if self.rank not in (None, rank):
            raise ValueError("Shape %s must have rank %d" % (self, rank))

    def with_rank(self, rank):
        try:
            return self.merge_with(unknown_shape(rank))
        except ValueError:
            raise ValueError("Shape %s must have rank %d" % (self, rank))

    def with_rank_at_least(self, rank):
        if self.rank is not None and self.rank < rank:
            raise ValueError("Shape %s must have rank at least %d" % (self, rank))
        return self

    def with_rank_at_most(self, rank):
        if self.rank is not None and self.rank > rank:
            raise ValueError("Shape %s must have rank at most %d" % (self, rank))
        return self

    def is_compatible_with(self, other):
        other = as_shape(other)
        if self._values is None or other._values is None:
            return True
        return len(self._values) == len(other._values) and all(a is None or b is None or a == b for a, b in zip(self._values, other._values))

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Shapes %s and %s are incompatible" % (self, other))

    def most_specific_compatible_shape(self, other):
        other = as_shape(other)
        if self._values is None or other._values is None or len(self._values) != len(other._values):
            return unknown_shape()
        return TensorShape._of(tuple(a if a is not None and a == b else None for a, b in zip(self._values, other._values)))

    def is_fully_defined(self):
        return self._values is not None and None not in self._values

    def assert_is_fully_defined(self):
        if not self.is_fully_defined():
            raise ValueError("Shape %s is not fully defined" % self)

    def as_list(self):
        if self._values is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._values)

    def as_proto(self):
        from .protos import TensorShapeProto

        if self._values is None:
            return TensorShapeProto(unknown_rank=True)
        return TensorShapeProto(dim=[TensorShapeProto.Dim(size=-1 if v is None else v) for v in self._values])

    def _is(self, other):
        """Whether two dimensions are known to be equal. An unknown dimension equals only itself, as in TensorFlow."""
        if self._values is None or self._values is other._values:
            return self._values is other._values
        return self._values == other._values and None not in self._values

    def __eq__(self, other):
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        return self._is(other)

    def __ne__(self, other):
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._values is None or other._values is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self._is(other)

    def __hash__(self):
        return hash(self._values)

    def __reduce__(self):
        return TensorShape, (None if self._values is None else list(self._values),)


def as_shape(shape):
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(ndims=None, **kwargs):
    if "rank" in kwargs:
        ndims = kwargs["rank"]
    return TensorShape(None) if ndims is None else TensorShape._of((None,) * ndims)


def scalar():
    return TensorShape._of(())


def vector(length):
    return TensorShape([length])


def matrix(rows, cols):
    return TensorShape([rows, cols])


def to_list(shape):
    """A shape for the engine: None, or a list with -1 for unknown dimensions."""
    values = as_shape(shape)._values
    return None if values is None else [-1 if v is None else v for v in values]
