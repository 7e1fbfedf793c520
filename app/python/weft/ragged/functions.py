"""gather, concat, stack, tile, mask and where for ragged tensors."""

from .. import basics, dtypes, engine, ops, repeats
from ..control_flow import Assert, with_dependencies
from ..exports import export
from ..ops import Tensor
from ..repeats import positive_axis, repeat_with_axis
from .factory import map_flat_values
from .segments import lengths_to_splits, splits_match
from .tiles import expand_dims, tile
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes


def gather(params, indices, validate_indices=None, name=None, axis=0, batch_dims=0):
    axis = batch_dims if axis is None else axis
    if not isinstance(axis, int) or axis != 0:
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with ops.name_scope(name, "RaggedGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        if is_ragged(indices):
            return indices.with_values(gather(params, indices.values))
        if not is_ragged(params):
            return engine.gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("indices.shape.ndims must be known statically")
        splits = params.nested_row_splits
        made = engine.raw_ops.RaggedGather(params_nested_splits=splits, params_dense_values=params.flat_values, indices=indices,
                                           OUTPUT_RAGGED_RANK=indices.shape.ndims + len(splits) - 1)
        return RaggedTensor.from_nested_row_splits(made.output_dense_values, made.output_nested_splits, validate=False)


def gather_nd(params, indices, name=None, batch_dims=0):
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if not (is_ragged(params) or is_ragged(indices)):
        return engine.gather_nd(params, indices, name)
    with ops.name_scope(name, "RaggedGatherNd", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("indices.rank be statically known.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if is_ragged(indices) and rank == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        size = indices.shape.as_list()[-1]
        if size is None:
            raise ValueError("indices.shape[-1] must be statically known.")
        if rank > 2:
            dense = not is_ragged(indices)
            if dense:
                indices = RaggedTensor.from_tensor(indices, ragged_rank=rank - 2, row_splits_dtype=params.row_splits.dtype)
            made = indices.with_flat_values(gather_nd(params, indices.flat_values))
            return made.to_tensor() if dense and is_ragged(made) and made.ragged_rank == rank - 2 else made
        if size == 0:
            count = params.ragged_rank + basics.rank(params.flat_values)
            for _ in range(rank - 1):
                params = expand_dims(params, axis=0)
            return tile(params, engine.concat([basics.shape(indices)[:-1], engine.ones([count], dtypes.int32)], axis=0))
        if size == 1:
            return gather(params, engine.reshape(indices, [-1]))
        indices = basics.cast(indices, params.row_splits.dtype)
        places = engine.gather(params.row_splits, indices[..., 0])
        places += indices[..., 1]
        inner = params.values
        for dim in range(2, size):
            if not is_ragged(inner):
                places = engine.expand_dims(places, axis=1)
                return engine.gather_nd(inner, engine.concat([places, indices[..., dim:]], axis=1))
            places = engine.gather(inner.row_starts(), places)
            places += indices[..., dim]
            inner = inner.values
        return gather(inner, places)


def batch_gather(params, indices, name=None):
    if not (is_ragged(params) or is_ragged(indices)):
        return repeats.batch_gather(params, indices, name)
    with ops.name_scope(name, "RaggedBatchGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if is_ragged(indices) and rank > 2:
            if not is_ragged(params):
                raise ValueError("batch shape from indices does not match params shape")
            with ops.control_dependencies([engine.assert_equal(params.row_splits, indices.row_splits)]):
                return RaggedTensor.from_row_splits(batch_gather(params.values, indices.values), indices.row_splits, validate=False)
        if is_ragged(indices):
            if not is_ragged(params):
                if params.shape.ndims is not None and params.shape.ndims < 2:
                    raise ValueError("batch shape from indices does not match params shape")
                params = RaggedTensor.from_tensor(params, ragged_rank=1, row_splits_dtype=indices.row_splits.dtype)
            counts, starts = indices.row_lengths(), params.row_starts()
            offsets = repeat_with_axis(starts, counts, 0)
            places = basics.cast(indices.values, offsets.dtype) + offsets
            return RaggedTensor.from_row_splits(gather(params.values, places), indices.row_splits, validate=False)
        if rank == 1:
            return gather(params, indices)
        if rank == 2:
            offsets = engine.expand_dims(params.row_starts(), 1)
            return gather(params.values, basics.cast(indices, offsets.dtype) + offsets)
        raise ValueError("batch shape from indices does not match params shape")


def concat(values, axis, name=None):
    values = values if isinstance(values, (list, tuple)) else [values]
    with ops.name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, False)


@export("ragged.stack")
def stack(values, axis=0, name=None):
    """Stacks tensors, ragged or not, along a new dimension."""
    values = values if isinstance(values, (list, tuple)) else [values]
    with ops.name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, True)


def _joined(inputs, axis, stacked):
    if not inputs:
        raise ValueError("rt_inputs may not be empty.")
    inputs = [convert_to_tensor_or_ragged_tensor(v, name="rt_input") for v in inputs]
    kind, inputs = match_row_splits_dtypes(*inputs, return_dtype=True)
    inputs = list(inputs)
    if len(inputs) == 1:
        return expand_dims(inputs[0], axis=axis) if stacked else inputs[0]
    rank = None
    for t in inputs:
        if rank is None:
            rank = t.shape.ndims
        else:
            t.shape.assert_has_rank(rank)
    out_rank = rank if rank is None or not stacked else rank + 1
    axis = positive_axis(axis, out_rank)
    if not any(is_ragged(t) for t in inputs) and rank is not None and axis in (out_rank - 1, rank - 1):
        return engine.stack(inputs, axis) if stacked else engine.concat(inputs, axis)
    inputs = [t if is_ragged(t) else RaggedTensor.from_tensor(t, ragged_rank=1, row_splits_dtype=kind) for t in inputs]
    depth = max(t.ragged_rank for t in inputs)
    inputs = [_deeper(t, depth, kind) for t in inputs]
    if axis == 0:
        return _joined_rows(inputs, stacked)
    if axis == 1:
        return _joined_columns(inputs, stacked)
    splits = [[t.row_splits] for t in inputs]
    with ops.control_dependencies(splits_match(splits)):
        return RaggedTensor.from_row_splits(_joined([t.values for t in inputs], axis - 1, stacked), splits[0][0], validate=False)


def _deeper(value, ragged_rank, kind):
    """The value with at least that many ragged dimensions."""
    if ragged_rank > 0:
        if not is_ragged(value):
            value = RaggedTensor.from_tensor(value, row_splits_dtype=kind)
        if value.ragged_rank < ragged_rank:
            value = value.with_values(_deeper(value.values, ragged_rank - 1, kind))
    return value


def _joined_splits(parts):
    pieces, offset = [parts[0]], parts[0][-1]
    for splits in parts[1:]:
        pieces.append(splits[1:] + offset)
        offset += splits[-1]
    return engine.concat(pieces, axis=0)


def _joined_rows(inputs, stacked):
    flat = engine.concat([t.flat_values for t in inputs], axis=0)
    nested = [t.nested_row_splits for t in inputs]
    splits = [_joined_splits([n[dim] for n in nested]) for dim in range(len(nested[0]))]
    if stacked:
        splits.insert(0, lengths_to_splits(engine.stack([t.nrows() for t in inputs])))
    return RaggedTensor.from_nested_row_splits(flat, splits, validate=False)


def _joined_columns(inputs, stacked):
    count, rows = len(inputs), inputs[0].nrows()
    checks = [engine.assert_equal(t.nrows(), rows, message="Input tensors have incompatible shapes.") for t in inputs[1:]]
    with ops.control_dependencies(checks):
        together = _joined_rows(inputs, False)
        # Interleave: row i of each input, one after another.
        places = engine.reshape(engine.range(rows * count), [count, -1])
        order = engine.reshape(engine.transpose(places), [-1])
        mixed = gather(together, order)
        splits = engine.range(0, rows * count + 1, count) if stacked else mixed.row_splits[::count]
        for t in inputs:
            if t.shape.as_list()[0] is not None:
                splits.set_shape([t.shape.as_list()[0] + 1])
        return RaggedTensor.from_row_splits(mixed if stacked else mixed.values, splits, validate=False)


def squeeze(input, axis=None, name=None):
    with ops.name_scope(name, "RaggedSqueeze", [input]):
        input = convert_to_tensor_or_ragged_tensor(input)
        if isinstance(input, Tensor):
            return engine.squeeze(input, axis, name)
        if axis is None:
            raise ValueError("Ragged.squeeze must have an axis argument.")
        if isinstance(axis, int):
            axis = [axis]
        elif not isinstance(axis, (list, tuple)) or not all(isinstance(d, int) for d in axis):
            raise TypeError("Axis must be a list or tuple of integers.")
        axis = [positive_axis(d, input.shape.ndims) for d in axis]
        dense = [d - input.ragged_rank for d in axis if d > input.ragged_rank]
        ragged = [d for d in axis if d <= input.ragged_rank]
        one, checks = ops.constant(1, dtype=input.row_splits.dtype), []
        for i, lengths in enumerate(input.nested_row_lengths()):
            if i + 1 in ragged:
                checks.append(Assert(engine.reduce_all(engine.equal(lengths, one)), ["the given axis (axis = %d) is not squeezable!" % (i + 1)]))
        if 0 in ragged:
            two = ops.constant(2, dtype=dtypes.int32)
            checks.append(Assert(engine.equal(basics.size(input.row_splits), two), ["the given axis (axis = 0) is not squeezable!"]))
        made = with_dependencies(checks, input.flat_values)
        if dense:
            made = engine.squeeze(made, dense)
        splits = [s for i, s in enumerate(input.nested_row_splits) if i + 1 not in ragged]
        if splits and 0 in ragged:
            splits.pop(0)
        made = RaggedTensor.from_nested_row_splits(made, splits)
        return engine.squeeze(made, [0], name) if set(range(input.ragged_rank + 1)) <= set(ragged) else made


def where(condition, x=None, y=None, name=None):
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    with ops.name_scope("RaggedWhere", name, [condition, x, y]):
        condition = convert_to_tensor_or_ragged_tensor(condition, name="condition")
        if x is None:
            return _places(condition)
        x = convert_to_tensor_or_ragged_tensor(x, name="x")
        y = convert_to_tensor_or_ragged_tensor(y, name="y")
        condition, x, y = match_row_splits_dtypes(condition, x, y)
        ragged = [is_ragged(t) for t in (condition, x, y)]
        if not any(ragged):
            return engine.where(condition, x, y)
        if all(ragged):
            return map_flat_values(engine.where, condition, x, y)
        if ragged[0]:
            raise ValueError("Input shapes do not match.")
        condition.shape.assert_has_rank(1)
        both = concat([x, y], axis=0)
        of_x, of_y = (t.nrows(out_type=both.row_splits.dtype) if is_ragged(t) else basics.shape(t, out_type=both.row_splits.dtype)[0] for t in (x, y))
        return gather(both, engine.where(condition, engine.range(of_x), of_x + engine.range(of_y)))


def _places(condition):
    """The coordinates of true elements."""
    if not is_ragged(condition):
        return engine.where(condition)
    inner = _places(condition.values)
    condition = condition.with_row_splits_dtype(inner.dtype)
    first = inner[:, 0]
    rows = engine.gather(condition.value_rowids(), first)
    columns = first - engine.gather(condition.row_splits, rows)
    return engine.concat([engine.expand_dims(rows, 1), engine.expand_dims(columns, 1), inner[:, 1:]], axis=1)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    with ops.name_scope(name, "RaggedOneHot", [indices]):
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        if axis is not None:
            axis = positive_axis(axis, indices.shape.ndims)
            if axis < indices.ragged_rank:
                raise ValueError("axis may not be less than indices.ragged_rank.")
        return indices.with_flat_values(engine.one_hot(indices.flat_values, depth, on_value, off_value, -1 if axis is None else axis, dtype, name))


def size(input, name=None, out_type=dtypes.int32):
    return basics.size(input.flat_values if is_ragged(input) else input, out_type=out_type, name=name)


def rank(input, name=None):
    with ops.name_scope(name, "RaggedRank", [input]) as name:
        return input.ragged_rank + basics.rank(input.flat_values) if is_ragged(input) else basics.rank(input, name)
