"""Reductions over the rows of ragged tensors (sum, product, mean …), and over segments of them."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..conversion import constant_value
from ..ops import Tensor
from ..repeats import positive_axis
from .factory import map_flat_values, ragged_range
from .segments import row_splits_to_segment_ids
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes


def _by_segment(segment_op, data, segment_ids, num_segments, separator=None, name=None):
    if not (is_ragged(data) or is_ragged(segment_ids)):
        more = () if separator is None else (separator,)
        return segment_op(data, segment_ids, num_segments, *more, name=name)
    with ops.name_scope(name, "RaggedSegment", [data, segment_ids, num_segments]) as name:
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        segment_ids = convert_to_tensor_or_ragged_tensor(segment_ids, name="segment_ids")
        data, segment_ids = match_row_splits_dtypes(data, segment_ids)
        if segment_ids.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("segment_ids must have dtype int32 or int64.")
        if is_ragged(segment_ids):
            if not is_ragged(data):
                raise ValueError("segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and data is not.")
            check = engine.assert_equal(segment_ids.row_splits, data.row_splits, message="segment_ids.shape must be a prefix of data.shape")
            with ops.control_dependencies([check]):
                return _by_segment(segment_op, data.values, segment_ids.values, num_segments, separator)
        lengths = data.row_splits[1:] - data.row_splits[:-1]
        out_lengths = engine.maximum(engine.unsorted_segment_max(lengths, segment_ids, num_segments), 0)
        splits = engine.concat([engine.zeros([1], out_lengths.dtype), engine.cumsum(out_lengths)], axis=0)
        starts = engine.gather(splits, segment_ids)
        places = ragged_range(starts, starts + lengths).values
        return RaggedTensor.from_row_splits(_by_segment(segment_op, data.values, places, splits[-1], separator), splits, validate=False)


def _segment_function(op_name, scope):
    def function(data, segment_ids, num_segments, name=None):
        return _by_segment(getattr(engine, op_name), data, segment_ids, num_segments, name=name or scope)

    function.__name__ = function.__qualname__ = op_name[len("unsorted_"):]
    return function


segment_sum = _segment_function("unsorted_segment_sum", "RaggedSegmentSum")
segment_prod = _segment_function("unsorted_segment_prod", "RaggedSegmentProd")
segment_min = _segment_function("unsorted_segment_min", "RaggedSegmentMin")
segment_max = _segment_function("unsorted_segment_max", "RaggedSegmentMax")


def _segment_share(leaf, scope, divisor):
    def function(data, segment_ids, num_segments, name=None):
        with ops.name_scope(name, scope, [data, segment_ids, num_segments]):
            total = segment_sum(data, segment_ids, num_segments)
            count = segment_sum(_ones(data), segment_ids, num_segments)
            return total.with_flat_values(total.flat_values / divisor(count.flat_values)) if is_ragged(total) else total / divisor(count)

    function.__name__ = function.__qualname__ = leaf
    return function


def _ones(data):
    return RaggedTensor.from_nested_row_splits(engine.ones_like(data.flat_values), data.nested_row_splits, validate=False)


segment_mean = _segment_share("segment_mean", "RaggedSegmentMean", lambda count: count)
segment_sqrt_n = _segment_share("segment_sqrt_n", "RaggedSegmentSqrtN", lambda count: engine.sqrt(count))


def reduce_ragged(reduce_op, segment_op, input, axis, keepdims, separator=None, name=None):
    more = {} if separator is None else {"separator": separator}
    if not is_ragged(input):
        return reduce_op(input, axis, name=name, **more)
    if keepdims:
        raise ValueError("keepdims=True is not supported for RaggedTensors.")
    if isinstance(axis, Tensor):
        axis = constant_value(axis)
        if axis is None:
            raise ValueError("axis must be known at graph construction time.")
        if isinstance(axis, (np.ndarray, np.generic)):
            axis = axis.tolist()
    if axis is None:
        return reduce_op(input.flat_values, None, name=name)
    with ops.name_scope(name, "RaggedReduce", [input, axis]):
        if isinstance(axis, (tuple, list)):
            if not axis:
                return input
            if len(axis) > 1:
                axis = sorted(positive_axis(a, input.shape.ndims) for a in axis)
                inner = reduce_ragged(reduce_op, segment_op, input, axis[-1], keepdims, separator)
                return reduce_ragged(reduce_op, segment_op, inner, axis[:-1], keepdims, separator)
            axis = axis[0]
        input = convert_to_tensor_or_ragged_tensor(input, name="rt_input")
        axis = positive_axis(axis, input.shape.ndims)
        if axis == 0:
            lengths = input.row_splits[1:] - input.row_splits[:-1]
            count = engine.maximum(engine.reduce_max(lengths), 0)
            return _by_segment(segment_op, input.values, ragged_range(lengths).values, count, separator)
        if axis == 1:
            count = basics.shape(input.row_splits)[0] - 1
            return _by_segment(segment_op, input.values, row_splits_to_segment_ids(input.row_splits), count, separator)
        return input.with_values(reduce_ragged(reduce_op, segment_op, input.values, axis - 1, keepdims, separator))


def _reduction(leaf, segment, scope):
    def function(input_tensor, axis=None, keepdims=None, name=None):
        return reduce_ragged(_dense(leaf), getattr(engine, segment), input_tensor, axis, keepdims, name=name or scope)

    function.__name__ = function.__qualname__ = leaf
    return function


def _dense(leaf):
    """tf.reduce_X without the deprecated parameters."""
    reduce = getattr(engine, leaf)
    return lambda input, axis, name: reduce(input, axis, name=name)


reduce_sum = _reduction("reduce_sum", "unsorted_segment_sum", "RaggedReduceSum")
reduce_prod = _reduction("reduce_prod", "unsorted_segment_prod", "RaggedReduceProd")
reduce_min = _reduction("reduce_min", "unsorted_segment_min", "RaggedReduceMin")
reduce_max = _reduction("reduce_max", "unsorted_segment_max", "RaggedReduceMax")


def reduce_mean(input_tensor, axis=None, keepdims=None, name=None):
    with ops.name_scope(name, "RaggedReduceMean", [input_tensor, axis]):
        total = reduce_sum(input_tensor, axis, keepdims)
        count = reduce_sum(_ones(input_tensor) if is_ragged(input_tensor) else engine.ones_like(input_tensor), axis, keepdims)
        if is_ragged(total):
            return RaggedTensor.from_nested_row_splits(total.flat_values / count.flat_values, total.nested_row_splits, validate=False)
        return total / count


def _cast(input, dtype):
    return map_flat_values(basics.cast, input, dtype)


def reduce_all(input_tensor, axis=None, keepdims=None, name=None):
    with ops.name_scope(name, "RaggedReduceAll", [input_tensor, axis]):
        return _cast(reduce_prod(_cast(input_tensor, dtypes.int32), axis, keepdims), dtypes.bool_)


def reduce_any(input_tensor, axis=None, keepdims=None, name=None):
    with ops.name_scope(name, "RaggedReduceAny", [input_tensor, axis]):
        return _cast(reduce_sum(_cast(input_tensor, dtypes.int32), axis, keepdims), dtypes.bool_)


def reduce_join(inputs, axis=None, keepdims=None, separator="", name=None):
    return reduce_ragged(engine.strings.reduce_join, engine.strings.unsorted_segment_join, inputs, axis, keepdims, separator, name or "RaggedSegmentJoin")
