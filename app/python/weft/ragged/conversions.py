"""Conversion of dense and sparse tensors to ragged ones, and back."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, cond
from ..conversion import constant_value
from ..repeats import to_integers
from ..sparse_tensor import convert_to_tensor_or_sparse_tensor, SparseTensor, SparseTensorValue
from ..tensor_shape import TensorShape


def from_tensor(cls, tensor, lengths, padding, ragged_rank, name, row_splits_dtype):
    row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if lengths is not None and padding is not None:
        raise ValueError("Specify lengths or padding, but not both")
    if not isinstance(ragged_rank, int):
        raise TypeError("ragged_rank expected int, got %r" % ragged_rank)
    if ragged_rank <= 0:
        raise ValueError("ragged_rank must be greater than 0; got %s" % ragged_rank)
    with ops.name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        tensor.shape.with_rank_at_least(ragged_rank + 1)
        sizes = basics.shape(tensor, out_type=row_splits_dtype)
        columns = sizes[1]
        if ragged_rank > 1:
            flat = engine.reshape(tensor, engine.concat([ops.constant([-1], row_splits_dtype), sizes[ragged_rank:]], axis=0))
            values = cls.from_tensor(flat, lengths, padding, row_splits_dtype=row_splits_dtype)
            products = engine.cumprod(sizes)
            splits = [engine.range(0, products[d - 1] + 1) * sizes[d] for d in range(1, ragged_rank)]
            return cls.from_nested_row_splits(values, splits, validate=False)
        if padding is not None:
            lengths = _lengths_without(padding, tensor, columns, row_splits_dtype)
        if lengths is None:
            rows = sizes[0]
            count = rows * columns
            splits = engine.range(rows + 1) * columns
            values = engine.reshape(tensor, engine.concat([[count], sizes[2:]], axis=0))
            return cls.from_row_splits(values, splits, validate=False)
        if isinstance(lengths, (list, tuple)) and len(lengths) and not isinstance(lengths[0], (int, float)):
            tensor.shape.with_rank_at_least(len(lengths) + 1)
            ones = engine.ones([engine.reduce_sum(lengths[-1])], dtype=dtypes.bool_)
            mask = cls.from_nested_row_lengths(ones, lengths, validate=False).to_tensor(default_value=False)
            return cls.from_nested_row_lengths(engine.boolean_mask(tensor, mask), lengths, validate=False)
        lengths = to_integers(lengths, "lengths", row_splits_dtype)
        lengths.shape.assert_has_rank(1)
        lengths = engine.maximum(engine.minimum(lengths, columns), 0)
        limits = engine.cumsum(lengths)
        splits = engine.concat([engine.zeros([1], row_splits_dtype), limits], axis=0)
        values = engine.boolean_mask(tensor, engine.sequence_mask(lengths, maxlen=columns))
        return cls.from_row_splits(values, splits, validate=False)


def _lengths_without(padding, tensor, columns, row_splits_dtype):
    """The length of each row without its trailing padding."""
    padding = ops.convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    same = engine.equal(padding, tensor)
    rank = basics.rank(tensor)
    axes = engine.range(2, rank)
    empty = cond(rank > 2, lambda: engine.reduce_all(same, axis=axes), lambda: same)
    empty.set_shape([None, None])
    empty.set_shape(tensor.shape[:2])
    filled = basics.cast(engine.logical_not(empty), row_splits_dtype)
    return engine.reduce_max(filled * engine.expand_dims(engine.range(1, columns + 1), 0), axis=1)


def to_tensor(ragged, default_value, name):
    with ops.name_scope(name, "RaggedToTensor", [ragged, default_value]):
        if default_value is not None:
            default_value = ops.convert_to_tensor(default_value, name="default_value", dtype=ragged.dtype)
        values, kind = ragged.values, ragged.row_splits.dtype
        if isinstance(values, type(ragged)):
            values = values.to_tensor(default_value)
        rank = values.shape.ndims
        if default_value is not None:
            if rank is not None:
                default_value.shape.with_rank_at_most(rank - 1)
            if rank is None or default_value.shape.ndims is None or rank != default_value.shape.ndims + 1:
                default_value = engine.broadcast_to(default_value, basics.shape(values)[1:])
            default_value.shape.assert_is_compatible_with(values.shape[1:])
        lengths = [ragged.row_splits[1:] - ragged.row_splits[:-1]]
        rows = basics.shape(ragged.row_splits, out_type=kind)[0] - 1
        columns = engine.maximum(engine.reduce_max(lengths), 0)
        sizes = basics.shape(values, out_type=kind)
        inner = sizes[1:]
        count = sizes[0]
        if default_value is None:
            default_value = engine.zeros(inner, dtype=values.dtype)
        default_value.shape.assert_is_compatible_with(values.shape[1:])
        default_value.set_shape(values.shape[1:])
        starts = engine.expand_dims(ragged.row_splits[:-1], 1)
        limits = engine.expand_dims(ragged.row_splits[1:], 1)
        places = engine.expand_dims(engine.range(0, columns), 0)
        # The default value is appended to the values; empty positions point to it.
        with_default = engine.concat([values, engine.stack([default_value])], axis=0)
        places = starts + places
        there = places < limits
        nowhere = engine.fill(engine.stack([rows, columns]), count)
        made = engine.gather(with_default, engine.where(there, places, nowhere))
        known = constant_value(ragged.row_splits)
        if known is not None:  # TensorFlow gets these sizes from constants in the graph
            made.set_shape(TensorShape([len(known) - 1, int(np.max(np.diff(known), initial=0))]).concatenate(values.shape[1:]))
        return made


def from_sparse(cls, st_input, name, row_splits_dtype):
    row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if not isinstance(st_input, (SparseTensor, SparseTensorValue)):
        raise TypeError("Expected SparseTensor, got %s" % type(st_input).__name__)
    with ops.name_scope(name, "RaggedFromSparse", [st_input]):
        st_input = convert_to_tensor_or_sparse_tensor(st_input, name="st_input")
        by_shape, by_indices = st_input.dense_shape.shape, st_input.indices.shape
        if (by_shape.ndims is None or by_shape.as_list()[0] != 2) and (by_indices.ndims is None or by_indices.as_list()[1] != 2):
            raise ValueError("rank(st_input) must be 2")
        with ops.control_dependencies([_right_ragged(st_input.indices)]):
            ids = basics.cast(st_input.indices[:, 0], row_splits_dtype)
            count = basics.cast(st_input.dense_shape[0], row_splits_dtype)
            return cls.from_value_rowids(st_input.values, ids, count, validate=False)


def _right_ragged(indices):
    """Checks that the values of each row are contiguous from its start."""
    rows, columns = indices[:, :-1], indices[:, -1]
    begins = engine.reduce_any(engine.not_equal(rows[1:], rows[:-1]), axis=1)
    good = engine.where(begins, engine.equal(columns[1:], 0), engine.equal(columns[1:], columns[:-1] + 1))
    right = engine.logical_and(engine.reduce_all(engine.equal(columns[:1], 0)), engine.reduce_all(good))
    return Assert(right, ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices])


def to_sparse(ragged, name):
    with ops.name_scope(name, "RaggedToSparse", [ragged]):
        made = engine.raw_ops.RaggedTensorToSparse(rt_nested_splits=ragged.nested_row_splits, rt_dense_values=ragged.flat_values, name=name)
        return SparseTensor(made.sparse_indices, made.sparse_values, made.sparse_dense_shape)
