"""Matrices from vectors, and permuted axes, for tensorflow.python.ops.distributions.util."""

import numpy as np

from .. import assertions, basics, dtypes, engine, ops
from ..conversion import constant_value
from .util import prefer_static_rank


def matrix_diag_transform(matrix, transform=None, name=None):
    """The matrix with `transform` applied to its diagonal."""
    with ops.name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        return matrix if transform is None else engine.matrix_set_diag(matrix, transform(engine.matrix_diag_part(matrix)))


def rotate_transpose(x, shift, name="rotate_transpose"):
    """`x` with its axes moved `shift` places to the right; the last ones come first."""
    with ops.name_scope(name, values=[x, shift]):
        x, shift = ops.convert_to_tensor(x, name="x"), ops.convert_to_tensor(shift, name="shift")
        assertions.assert_integer(shift)
        places, rank = constant_value(shift), x.get_shape().ndims
        if rank is not None and places is not None:
            if rank < 2:
                return x
            places = np.sign(places) * (abs(places) % rank)
            return x if places == 0 else engine.transpose(x, perm=np.roll(np.arange(rank), places))
        rank = basics.rank(x)
        first = engine.where_v2(engine.less(shift, 0), engine.floormod(-shift, rank), rank - engine.floormod(shift, rank))
        return engine.transpose(x, perm=engine.concat([engine.range(first, rank), engine.range(0, first)], 0))


def fill_triangular(x, upper=False, name=None):
    """A triangular matrix with the elements of the last axis, from the bottom right (lower) or the top left (upper) on, clockwise."""
    with ops.name_scope(name, "fill_triangular", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        known = x.shape.with_rank_at_least(1)
        count = None if known.ndims is None else known.as_list()[-1]
        if count is not None:
            n = np.sqrt(0.25 + 2. * count) - 0.5
            if n != np.floor(n):
                raise ValueError("Input right-most shape (%s) does not correspond to a triangular matrix." % count)
            n = int(n)
            shape = x.shape[:-1].concatenate([n, n])
        else:
            count = basics.shape(x)[-1]
            n = basics.cast(engine.sqrt(0.25 + basics.cast(2 * count, dtype=dtypes.float32)), dtype=dtypes.int32)
            shape = known[:-1].concatenate([None, None])
        last = prefer_static_rank(x) - 1
        parts = [x, engine.reverse(x[..., n:], axis=[last])] if upper else [x[..., n:], engine.reverse(x, axis=[last])]
        sizes = shape.as_list() if shape.is_fully_defined() else engine.concat([basics.shape(x)[:-1], [n, n]], axis=0)
        x = engine.matrix_band_part(engine.reshape(engine.concat(parts, axis=-1), sizes), num_lower=0 if upper else -1, num_upper=-1 if upper else 0)
        x.set_shape(shape)
        return x


def fill_triangular_inverse(x, upper=False, name=None):
    """The vector that fill_triangular makes `x` of."""
    with ops.name_scope(name, "fill_triangular_inverse", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        known = x.shape.with_rank_at_least(2)
        n = None if known.ndims is None else known.as_list()[-1]
        if n is not None:
            m = n * (n + 1) // 2
            shape = x.shape[:-2].concatenate([m])
        else:
            n = basics.shape(x)[-1]
            m = (n * (n + 1)) // 2
            shape = known[:-2].concatenate([None])
        rank = prefer_static_rank(x)
        if upper:
            first, rest = x[..., 0, :], x[..., 1:, :]
        else:
            first, rest = engine.reverse(x[..., -1, :], axis=[rank - 2]), x[..., :-1, :]
        both = rest + engine.reverse(engine.reverse(rest, axis=[rank - 1]), axis=[rank - 2])
        end = engine.reshape(both, engine.concat([basics.shape(x)[:-2], [n * (n - 1)]], axis=0))
        y = engine.concat([first, end[..., :m - n]], axis=-1)
        y.set_shape(shape)
        return y


def tridiag(below=None, diag=None, above=None, name=None):
    """A matrix with up to three diagonals."""
    def padded(x):
        zero = engine.zeros(engine.concat([basics.shape(x)[:-1], [1]], axis=0), dtype=x.dtype)
        return engine.matrix_diag(engine.concat([zero, x, zero], axis=-1))

    with ops.name_scope(name, "tridiag", [below, diag, above]):
        parts = [None if below is None else padded(ops.convert_to_tensor(below, name="below"))[..., :-1, 1:],
                 None if diag is None else engine.matrix_diag(ops.convert_to_tensor(diag, name="diag")),
                 None if above is None else padded(ops.convert_to_tensor(above, name="above"))[..., 1:, :-1]]
        parts = [p for p in parts if p is not None]
        if not parts:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        total = parts[0]
        for part in parts[1:]:
            total += part
        return total


def pad(x, axis, front=False, back=False, value=0, count=1, name=None):
    """`x` with `count` elements `value` before, or after, or both, along one axis."""
    with ops.name_scope(name, "pad", [x, value, count]):
        x = ops.convert_to_tensor(x, name="x")
        value, count = ops.convert_to_tensor(value, dtype=x.dtype, name="value"), ops.convert_to_tensor(count, name="count")
        if not count.dtype.is_integer:
            raise TypeError("`count.dtype` (`%s`) must be `int`-like." % count.dtype.name)
        if not front and not back:
            raise ValueError("At least one of `front`, `back` must be `True`.")
        rank = x.shape.ndims if x.shape.ndims is not None else basics.rank(x, name="ndims")
        axis = ops.convert_to_tensor(axis, name="axis")
        place, shape = constant_value(axis), None
        if place is not None:
            place = int(place)
            if x.shape.ndims is not None:
                place = place if place >= 0 else rank + place
                added, old = constant_value(count), x.shape.as_list()[place]
                size = None if added is None or old is None else old + int(added) * (int(front) + int(back))
                shape = x.shape[:place].concatenate([size]).concatenate(x.shape[place + 1:])
            axis = place if place >= 0 else rank + place
        else:
            axis = engine.where_v2(axis < 0, rank + axis, axis)
        places = engine.stack([axis if front else -1, axis if back else -1])
        x = engine.pad(x, paddings=engine.one_hot(indices=places, depth=rank, axis=0, on_value=count, dtype=dtypes.int32), constant_values=value)
        if shape is not None:
            x.set_shape(shape)
        return x
