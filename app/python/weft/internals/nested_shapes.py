"""Nested structures of shapes, whose elements may be tuples and lists themselves."""

from ..tensor_shape import Dimension, TensorShape
from ..util import nest


def map_structure_with_atomic(is_atomic_fn, map_fn, nested):
    """Applies map_fn() to the elements for which is_atomic_fn() is true."""
    if is_atomic_fn(nested):
        return map_fn(nested)
    if not nest.is_sequence(nested):
        raise ValueError("Received non-atomic and non-sequence element: {}".format(nested))
    return nest._like(nested, [map_structure_with_atomic(is_atomic_fn, map_fn, v) for v in nest._values(nested)])


def _is_dimension(value):
    return value is None or isinstance(value, (int, Dimension))


def _is_shape(value):
    return _is_dimension(value) or isinstance(value, TensorShape) or isinstance(value, (tuple, list)) and all(_is_dimension(v) for v in value)


def convert_shapes(input_shape, to_tuples=True):
    """Nested shapes, all as tuples or all as TensorShapes."""

    def convert(shape):
        shape = TensorShape(shape)
        return tuple(shape.as_list()) if to_tuples else shape

    return map_structure_with_atomic(_is_shape, convert, input_shape)
