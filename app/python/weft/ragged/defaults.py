"""batch_gather with a value for indices that are out of range."""

from .. import basics, engine, ops
from .broadcasting import broadcast_to, RaggedTensorDynamicShape
from .functions import batch_gather, concat, where
from .tensor import convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes
from .tiles import expand_dims


def _pad_shape(params, indices, kind):
    """The shape of the default values: one for each row of `params`."""
    batches = indices.shape.ndims - 1
    shape = RaggedTensorDynamicShape.from_tensor(params, dim_size_dtype=kind)
    outer = shape.partitioned_dim_sizes
    if params.shape.ndims == indices.shape.ndims:
        if shape.num_inner_dimensions == 0:
            return RaggedTensorDynamicShape(outer[:-1] + (engine.ones_like(outer[-1]),), [])
        return RaggedTensorDynamicShape(outer, engine.concat([shape.inner_dim_sizes[:-1], [1]], axis=0))
    below = shape.num_partitioned_dimensions - batches - 1
    if batches == 0:
        return RaggedTensorDynamicShape((ops.constant(1, dtype=kind),) + (ops.constant([1], dtype=kind),) * below, shape.inner_dim_sizes)
    return RaggedTensorDynamicShape(outer[:batches] + (engine.ones_like(outer[batches]),) * (below + 1), shape.inner_dim_sizes)


def batch_gather_with_default(params, indices, default_value="", name=None):
    """As batch_gather(); indices that are out of range give `default_value`, a scalar or a vector."""
    with ops.name_scope(name, "RaggedBatchGatherWithDefault"):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        default_value = convert_to_tensor_or_ragged_tensor(default_value, name="default_value")
        kind, (params, indices, default_value) = match_row_splits_dtypes(params, indices, default_value, return_dtype=True)
        if default_value.shape.ndims not in (0, 1):
            raise ValueError('"default_value" must be a scalar or vector')
        if indices.shape.ndims is None:
            raise ValueError("Indices must have a known rank.")
        if params.shape.ndims is None:
            raise ValueError("Params must have a known rank.")
        batches = indices.shape.ndims - 1
        if params.shape.ndims < indices.shape.ndims:
            raise ValueError("params must have at least as many dimensions as indices: %d, %d" % (params.shape.ndims, indices.shape.ndims))
        # The default value becomes element 0 of each row, and the others move up by one.
        if is_ragged(params):
            limits = basics.cast(expand_dims(params.row_lengths(axis=batches), axis=-1), indices.dtype)
            pad = broadcast_to(default_value, _pad_shape(params, indices, kind))
        else:
            sizes = basics.shape(params)
            limits = basics.cast(sizes[batches], indices.dtype)
            pad = engine.broadcast_to(default_value, engine.concat([sizes[:batches], [1], sizes[batches + 1:]], 0))
        padded = concat([basics.cast(pad, params.dtype), params], axis=batches)
        outside = engine.logical_or(engine.less(indices, 0), engine.greater_equal(indices, limits))
        return batch_gather(padded, where(outside, engine.zeros_like(indices), indices + 1), name=name)
