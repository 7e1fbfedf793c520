"""tensorflow.python.ops.ragged.ragged_…_ops: functions of these modules, for ragged and dense arguments."""

from .. import basics, dtypes, engine, ops
from ..tensor_shape import TensorShape
from . import functions, reductions
from .broadcasting import RaggedTensorDynamicShape, broadcast_dynamic_shape, broadcast_to  # noqa: F401 (re-exported)
from .defaults import batch_gather_with_default  # noqa: F401 (re-exported)
from .factory import _default_inner_shape_for_pylist, _find_scalar_and_max_depth, constant_value, ragged_range as range  # noqa: F401 (re-exported)
from .functions import batch_gather, concat, rank, squeeze, where  # noqa: F401 (re-exported)
from .reductions import (reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum, segment_max, segment_mean, segment_min, segment_prod, segment_sqrt_n,
                         segment_sum, reduce_join)  # noqa: F401 (re-exported)
from .segments import lengths_to_splits, repeat_ranges, splits_match  # noqa: F401 (re-exported)
from .mapping import map_fn  # noqa: F401 (re-exported)
from .spec import RaggedTensorSpec, RaggedTensorType  # noqa: F401 (re-exported)
from .slices import getitem as ragged_tensor_getitem  # noqa: F401 (re-exported)
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes  # noqa: F401 (re-exported)
from .tiles import expand_dims, tile  # noqa: F401 (re-exported)
from ..repeats import positive_axis as get_positive_axis, repeat_with_axis, to_integers  # noqa: F401 (re-exported)


def gather(params, indices, validate_indices=None, axis=0, batch_dims=0, name=None):
    return functions.gather(params, indices, validate_indices=validate_indices, axis=axis, batch_dims=batch_dims, name=name)


def gather_nd(params, indices, batch_dims=0, name=None):
    return functions.gather_nd(params, indices, batch_dims=batch_dims, name=name)


def ragged_one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    return functions.one_hot(indices, depth, on_value, off_value, axis, dtype, name)


def size(input, out_type=dtypes.int32, name=None):
    """The number of values."""
    return functions.size(input, name=name, out_type=out_type)


def ragged_reduce_aggregate(reduce_op, unsorted_segment_op, rt_input, axis, keepdims, separator=None, name=None):
    return reductions.reduce_ragged(reduce_op, unsorted_segment_op, rt_input, axis, keepdims, separator, name)


def from_tensor(tensor, lengths=None, padding=None, ragged_rank=1, row_splits_dtype=dtypes.int64, name=None):
    """A tensor converted to a ragged one; ragged tensors unchanged."""
    return tensor if is_ragged(tensor) else RaggedTensor.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)


def to_tensor(rt_input, default_value=None, name=None):
    """A ragged tensor padded to a dense one; dense tensors unchanged."""
    return rt_input.to_tensor(default_value, name) if is_ragged(rt_input) else rt_input


def ragged_to_dense(rt_input, default_value=None, shape=None):
    """A ragged tensor as a dense one of this shape; sizes that are None are those of the longest rows."""
    kind = rt_input.row_splits.dtype
    if shape is None or isinstance(shape, TensorShape) and shape.ndims is None:
        shape = ops.constant(-1, dtype=kind)
    elif isinstance(shape, ops.Tensor):
        shape = basics.cast(shape, kind)
    else:
        shape = ops.constant([-1 if d is None else d for d in TensorShape(shape).as_list()], dtype=kind)
    if default_value is None:
        default_value = engine.zeros((), rt_input.dtype)
    splits = list(rt_input.nested_row_splits)
    return engine.raw_ops.RaggedTensorToTensor(shape=shape, values=rt_input.flat_values, default_value=default_value, row_partition_types=["ROW_SPLITS"] * len(splits),
                                               row_partition_tensors=splits)


def to_sparse(rt_input, name=None):
    return rt_input.to_sparse(name)


def from_sparse(st_input, name=None):
    return RaggedTensor.from_sparse(st_input, name)


def assert_splits_match(nested_splits_lists):
    """Assertions that all splits are equal."""
    return splits_match(nested_splits_lists, "Inputs must have identical ragged splits")


def convert_to_int_tensor(tensor, name, dtype=dtypes.int32):
    """Converts to an integer tensor. TypeError for other types."""
    tensor = ops.convert_to_tensor(tensor, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError("%s must be an integer tensor; dtype=%s" % (name, tensor.dtype))
    return basics.cast(tensor, dtype)


repeat = repeat_with_axis


def auto_cast_partition_dtype():
    """Whether row splits of different types are cast to one: never."""
    return False
