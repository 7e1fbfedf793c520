"""Converts between row splits, row numbers and row lengths."""

from .. import basics, dtypes, engine, ops
from ..conversion import constant_value
from ..exports import export
from ..ops import Tensor
from ..repeats import repeat_with_axis, to_integers


def lengths_to_splits(lengths):
    return engine.concat([[0], engine.cumsum(lengths)], axis=-1)


def repeat_ranges(params, splits, repeats):
    """Each range of `params` between two splits, repeated as `repeats` says."""
    if repeats.shape.ndims != 0:
        starts = repeat_with_axis(splits[:-1], repeats, 0)
        limits = repeat_with_axis(splits[1:], repeats, 0)
    else:
        often = repeat_with_axis(splits, repeats, 0)
        count = basics.shape(often, out_type=repeats.dtype)[0]
        starts = often[:count - repeats]
        limits = often[repeats:]
    one = engine.ones((), starts.dtype)
    places = engine.raw_ops.RaggedRange(starts=starts, limits=limits, deltas=one)
    return engine.gather(params, places.rt_dense_values)


def splits_match(lists, message="Inputs must have identical ragged splits"):
    """Assertions that all lists contain the same splits; ValueError if their lengths differ."""
    if any(len(splits) != len(lists[0]) for splits in lists):
        raise ValueError(message)
    return [engine.assert_equal(a, b, message=message) for splits in lists[1:] for a, b in zip(lists[0], splits)]


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits, name=None, out_type=None):
    """The row of each value."""
    with ops.name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as name:
        splits = ops.convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if splits.shape.as_list()[0] == 0:
            raise ValueError("Invalid row_splits: []")
        out_type = splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        lengths = splits[1:] - splits[:-1]
        count = basics.shape(splits, out_type=out_type)[-1] - 1
        return repeat_with_axis(engine.range(count), lengths, 0)


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None):
    """Row splits from the sorted row numbers of values."""
    if out_type is None:
        out_type = next((t.dtype for t in (segment_ids, num_segments) if isinstance(t, Tensor)), dtypes.int64)
    else:
        out_type = dtypes.as_dtype(out_type)
    with ops.name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]) as name:
        segment_ids = to_integers(segment_ids, "segment_ids")
        segment_ids.shape.assert_has_rank(1)
        if num_segments is not None:
            num_segments = to_integers(num_segments, "num_segments")
            num_segments.shape.assert_has_rank(0)
        lengths = engine.bincount(segment_ids, minlength=num_segments, maxlength=num_segments, dtype=out_type)
        splits = engine.concat([[0], engine.cumsum(lengths)], axis=0)
        known = None if num_segments is None else constant_value(num_segments)
        if known is not None:
            splits.set_shape([int(known) + 1])
        return splits
