"""tf.repeat, tf.batch_gather, and small helpers for shapes that several modules use."""

import numpy as np

from . import basics, dtypes, engine, ops
from .conversion import constant_value
from .dispatchable import takes_ragged
from .exports import export


def positive_axis(axis, ndims):
    """`axis` as a non-negative number."""
    if not isinstance(axis, int):
        raise TypeError("axis must be an int; got %s" % type(axis).__name__)
    if ndims is None:
        if axis < 0:
            raise ValueError("axis may only be negative if ndims is statically known.")
        return axis
    if not -ndims <= axis < ndims:
        raise ValueError("axis=%s out of bounds: expected %s<=axis<%s" % (axis, -ndims, ndims))
    return axis % ndims


def to_integers(value, name, dtype=dtypes.int32):
    """A tensor of integers, with a Cast node even if it already has the type."""
    value = ops.convert_to_tensor(value, name=name, preferred_dtype=dtype)
    if not value.dtype.is_integer:
        raise TypeError("%s must be an integer tensor; dtype=%s" % (name, value.dtype))
    return engine.raw_ops.Cast(x=value, DstT=dtype)


def _all_axes(x):
    if x.shape.ndims is not None:
        return ops.constant(np.arange(x.shape.ndims), dtype=dtypes.int32)
    return engine.raw_ops.Range(start=0, limit=basics.rank(x), delta=1)


def _at_least_a_vector(data):
    if data.shape.ndims is not None:
        return engine.stack([data]) if data.shape.ndims == 0 else data
    sizes, rank = basics.shape(data), basics.rank(data)
    return engine.reshape(data, engine.concat([[1], sizes], axis=0)[-rank:])


def _tile_axis(data, axis, multiple):
    if data.shape.ndims is not None:
        return engine.tile(data, [1] * axis + [multiple] + [1] * (data.shape.ndims - axis - 1))
    ones = engine.ones(basics.rank(data), dtypes.int32)
    return engine.tile(data, engine.concat([ones[:axis], [multiple], ones[axis + 1:]], axis=0))


def repeat_with_axis(data, repeats, axis, name=None):
    """Each slice along `axis`, repeated as `repeats` says."""
    if not isinstance(axis, int):
        raise TypeError("axis must be an int; got %s" % type(axis).__name__)
    with ops.name_scope(name, "Repeat", [data, repeats]):
        data = ops.convert_to_tensor(data, name="data")
        repeats = to_integers(repeats, "repeats")
        repeats.shape.with_rank_at_most(1)
        data = _at_least_a_vector(data)
        sizes = basics.shape(data)
        axis = positive_axis(axis, data.shape.ndims)

        def joined(tiled):
            return engine.reshape(tiled, engine.concat([sizes[:axis], [-1], sizes[axis + 1:]], axis=0))

        if repeats.shape.ndims == 1:
            data.shape.dims[axis].assert_is_compatible_with(repeats.shape[0])
        if repeats.shape.ndims == 0:
            return joined(_tile_axis(engine.expand_dims(data, axis + 1), axis + 1, repeats))
        if repeats.shape.ndims != axis + 1:
            own, rank = basics.shape(repeats), basics.rank(repeats)
            repeats = engine.broadcast_to(repeats, engine.concat([sizes[:axis + 1 - rank], own], axis=0))
            repeats.set_shape([None] * (axis + 1))
        most = engine.maximum(0, engine.raw_ops.Max(input=repeats, reduction_indices=_all_axes(repeats)))
        mask = engine.sequence_mask(repeats, most)
        wide = _tile_axis(engine.expand_dims(data, axis + 1), axis + 1, most)
        known = constant_value(repeats)
        if known is not None and data.shape.ndims is not None:  # TensorFlow gets this size from constants in the graph
            wide.set_shape(data.shape[:axis + 1].concatenate([int(max(0, np.max(known, initial=0)))]).concatenate(data.shape[axis + 1:]))
        kept = engine.boolean_mask(wide, mask)
        made = kept if axis == 0 else joined(kept)
        if data.shape.ndims is not None:
            size = 0 if repeats.shape[0] == 0 else None
            made.set_shape(data.shape[:axis].concatenate([size]).concatenate(data.shape[axis + 1:]))
        return made


@export("repeat")
def repeat(input, repeats, axis=None, name=None):
    """Each element (or slice along `axis`), repeated as `repeats` says."""
    if axis is None:
        input, axis = engine.reshape(input, [-1]), 0
    return repeat_with_axis(input, repeats, axis, name)


@export("batch_gather")
@takes_ragged("batch_gather")
def batch_gather(params, indices, name=None):
    """Gathers slices at `indices` along the last shared dimension, per batch."""
    with ops.name_scope(name, "BatchGather", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        shared = rank - 1
        if shared < 0:
            shared += rank
        if shared < 0 or shared >= rank:
            raise ValueError("batch_dims = %d must be less than rank(indices) = %d" % (shared, rank))
        if params.shape.ndims is not None and shared >= params.shape.ndims:
            raise ValueError("batch_dims = %d must be less than rank(params) = %d" % (shared, params.shape.ndims))
        index_sizes, sizes = basics.shape(indices), basics.shape(params)
        kind, places = indices.dtype.base_dtype, indices
        stride = engine.ones((), dtype=kind)
        cast_sizes = engine.raw_ops.Cast(x=sizes, DstT=kind)
        for dim in range(shared, 0, -1):  # indices count within a batch: add the offset of the batch
            count = cast_sizes[dim - 1]
            stride *= cast_sizes[dim]
            first, step = engine.zeros((), dtype=kind), engine.ones((), dtype=kind)
            offsets = engine.raw_ops.Range(start=first, limit=count, delta=step)
            offsets *= stride
            places += engine.reshape(offsets, engine.stack([1] * (dim - 1) + [count] + [1] * (rank - dim), axis=0))
        flat_places = engine.reshape(places, [-1])
        rest = sizes[shared + 1:]
        flat_size = engine.raw_ops.Prod(input=sizes[:shared + 1], reduction_indices=[0], keep_dims=False)
        flat = engine.reshape(params, engine.concat([[flat_size], rest], axis=0))
        made = engine.reshape(engine.gather(flat, flat_places), engine.concat([index_sizes, rest], axis=0))
        known = indices.shape[:shared].merge_with(params.shape[:shared])
        made.set_shape(known.concatenate(indices.shape[shared:]).concatenate(params.shape[shared + 1:]))
        return made
