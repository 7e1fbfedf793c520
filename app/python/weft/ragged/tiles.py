"""Ragged tensors expanded, tiled, masked, partitioned."""

from .. import basics, dtypes, engine, ops
from ..conversion import constant_value
from ..exports import export
from ..ordering import argsort
from ..repeats import positive_axis, to_integers
from .factory import map_flat_values
from .segments import lengths_to_splits, repeat_ranges, row_splits_to_segment_ids, splits_match
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes


def expand_dims(input, axis, name=None):
    with ops.name_scope(name, "RaggedExpandDims", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return engine.expand_dims(input, axis)
        axis = positive_axis(axis, None if input.shape.ndims is None else input.shape.ndims + 1)
        if axis == 0:
            values, splits = input, engine.stack([0, input.nrows()])
        elif axis == 1:
            values, splits = input, engine.range(input.nrows() + 1)
        else:
            values, splits = expand_dims(input.values, axis - 1), input.row_splits
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def tile(input, multiples, name=None):
    with ops.name_scope(name, "RaggedTile", [input, multiples]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return engine.tile(input, multiples, name)
        multiples = to_integers(multiples, "multiples", input.row_splits.dtype)
        multiples.shape.assert_has_rank(1)
        known = constant_value(multiples)
        return RaggedTensor.from_nested_row_splits(_tiled_values(input, multiples, known), _tiled_splits(input, multiples, known), validate=False)


def _tiled_values(input, multiples, known):
    depth, nested = input.ragged_rank, input.nested_row_splits
    places, before = engine.range(nested[-1][-1]), None
    for axis in range(depth, 0, -1):
        splits = nested[axis - 1]
        if before is not None:
            splits = engine.gather(before * multiples[axis + 1], splits)
        if known is None or known[axis] != 1:
            places = repeat_ranges(places, splits, multiples[axis])
        before = splits
    values = engine.gather(input.flat_values, places)
    return engine.tile(values, engine.concat([multiples[:1], multiples[depth + 1:]], axis=0))


def _tiled_splits(input, multiples, known):
    depth, nested = input.ragged_rank, input.nested_row_splits
    # seen[a][b]: row starts of dimension a, counted in rows of dimension b
    seen = [{i: nested[i]} for i in range(depth)]
    for a in range(depth):
        for b in range(a + 1, depth - 1):
            seen[a][b] = engine.gather(nested[b], seen[a][b - 1])
    made = []
    for axis in range(depth):
        lengths = (nested[axis][1:] - nested[axis][:-1]) * multiples[axis + 1]
        repeats = 1
        for d in range(axis - 1, -1, -1):
            if known is None or known[d + 1] != 1:
                lengths = repeat_ranges(lengths, seen[d][axis - 1] * repeats, multiples[d + 1])
            repeats *= multiples[d + 1]
        made.append(lengths_to_splits(engine.tile(lengths, multiples[:1])))
    return made


@export("ragged.boolean_mask")
def boolean_mask(data, mask, name=None):
    """The elements that the mask keeps, in their rows."""
    with ops.name_scope(name, "RaggedMask", [data, mask]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        mask = convert_to_tensor_or_ragged_tensor(mask, dtypes.bool_, name="mask")
        kind, (data, mask) = match_row_splits_dtypes(data, mask, return_dtype=True)
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if is_ragged(mask):
            return _masked_by_ragged(data, mask, kind)
        if is_ragged(data) and rank == 1:
            splits = lengths_to_splits(engine.boolean_mask(data.row_lengths(), mask))
            kept = engine.gather(mask, row_splits_to_segment_ids(data.row_splits))
            return RaggedTensor.from_row_splits(boolean_mask(data.values, kept), splits, validate=False)
        if is_ragged(data):
            mask = RaggedTensor.from_tensor(mask, ragged_rank=min(data.ragged_rank, rank - 1), row_splits_dtype=data.row_splits.dtype)
            return boolean_mask(data, mask)
        made = engine.boolean_mask(data, mask)
        if rank >= 2:
            lengths = engine.count_nonzero(mask, axis=-1, dtype=kind)
            made = RaggedTensor.from_row_lengths(made, engine.reshape(lengths, [-1]), validate=False)
        if rank > 2:
            sizes = basics.shape(mask, out_type=kind)
            counts = engine.cumprod(sizes) + 1
            for dim in range(rank - 3, -1, -1):
                each = sizes[dim + 1]
                made = RaggedTensor.from_row_splits(made, engine.range(counts[dim]) * each, validate=False)
        return made


def _masked_by_ragged(data, mask, kind):
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype)
    with ops.control_dependencies(splits_match([mask.nested_row_splits, data.nested_row_splits[:mask.ragged_rank]])):
        splits = []
        while is_ragged(mask):
            if mask.shape.ndims > 2:
                splits.append(mask.row_splits)
            else:
                counted = map_flat_values(basics.cast, mask, dtype=kind)
                from .reductions import reduce_sum

                splits.append(lengths_to_splits(reduce_sum(counted, axis=1)))
            mask, data = mask.values, data.values
        return RaggedTensor.from_nested_row_splits(boolean_mask(data, mask), splits, validate=False)


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data, partitions, num_partitions, name=None):
    """One row per partition, with the data that belong to it."""
    with ops.name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        kind = data.row_splits.dtype if is_ragged(data) else None
        partitions = convert_to_tensor_or_ragged_tensor(partitions, name="partitions", preferred_dtype=kind)
        num_partitions = ops.convert_to_tensor(num_partitions, name="num_partitions", preferred_dtype=partitions.dtype)
        if kind is not None:
            partitions = basics.cast(partitions, kind)
        num_partitions = basics.cast(num_partitions, partitions.dtype)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError("partitions must have known rank.")
        num_partitions.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        if rank == 0:
            return RaggedTensor.from_value_rowids(values=engine.stack([data]), value_rowids=engine.stack([partitions]), nrows=num_partitions, validate=False)
        if rank == 1:
            order = argsort(partitions, stable=True)
            ids, values = engine.gather(partitions, order), engine.gather(data, order)
            check = engine.assert_less(ids[-1:], num_partitions, message="partitions must be less than num_partitions")
            with ops.control_dependencies([check]):
                return RaggedTensor.from_value_rowids(values, ids, nrows=num_partitions, validate=False)
        if not is_ragged(data):
            data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype, ragged_rank=1)
        if not is_ragged(partitions):
            partitions = RaggedTensor.from_tensor(partitions, row_splits_dtype=partitions.dtype, ragged_rank=max(data.ragged_rank, rank - 1))
        check = engine.assert_equal(data.row_splits, partitions.row_splits, message="data and partitions have incompatible ragged shapes")
        with ops.control_dependencies([check]):
            return stack_dynamic_partitions(data.values, partitions.values, num_partitions)
