"""tf.ragged.constant, constant_value, placeholder, range, map_flat_values."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..dtypes import DType
from ..exports import export
from ..tensor_shape import TensorShape
from .segments import splits_match
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged
from .values import RaggedTensorValue


def _is_list(value):
    return isinstance(value, (list, tuple)) or np.ndim(value) != 0


def _find_scalar_and_max_depth(value):
    """(depth of the numbers in nested lists or None, depth of the lists)."""
    if not _is_list(value):
        return 0, 0
    if getattr(value, "nbytes", 0) >= 2 ** 31:
        raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
    of_numbers, deepest = None, 1
    for child in value:
        numbers, deep = _find_scalar_and_max_depth(child)
        if numbers is not None:
            if of_numbers is not None and of_numbers != numbers + 1:
                raise ValueError("all scalar values must have the same nesting depth")
            of_numbers = numbers + 1
        deepest = max(deepest, deep + 1)
    return of_numbers, deepest


def _inner_shape_of(item):
    if not _is_list(item):
        return ()
    return (len(item),) + _inner_shape_of(item[0]) if len(item) else (0,)


def _check_inner_shape(item, shape):
    if _is_list(item) != bool(shape) or shape and shape[0] != len(item):
        raise ValueError("inner values have inconsistent shape")
    if shape:
        for child in item:
            _check_inner_shape(child, shape[1:])


def _default_inner_shape_for_pylist(pylist, ragged_rank):
    flat = pylist
    for dim in range(ragged_rank):
        if not all(_is_list(v) for v in flat):
            raise ValueError("pylist has scalar values depth %d, but ragged_rank=%d requires scalar value depth greater than %d" % (dim + 1, ragged_rank, ragged_rank))
        flat = [item for v in flat for item in v]
    shape = _inner_shape_of(flat)
    _check_inner_shape(flat, shape)
    return shape[1:]


def _build(make_rows, make_values, pylist, dtype, ragged_rank, inner_shape):
    if is_ragged(pylist):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if not _is_list(pylist):
        if ragged_rank is not None and ragged_rank != 0:
            raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d" % (pylist, ragged_rank))
        if inner_shape:
            raise ValueError("Invalid pylist=%r: incompatible with dim(inner_shape)=%d" % (pylist, len(inner_shape)))
        return make_values(pylist, dtype, ())
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError("Invalid ragged_rank=%r: must be nonnegative" % ragged_rank)
    numbers, deepest = _find_scalar_and_max_depth(pylist)
    if numbers is not None and deepest > numbers:
        raise ValueError("Invalid pylist=%r: empty list nesting is greater than scalar value nesting" % (pylist,))
    if inner_shape is not None and ragged_rank is not None:
        wanted = ragged_rank + len(inner_shape) + 1
        if numbers is not None and wanted != numbers or numbers is None and wanted < deepest:
            raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d and dim(inner_shape)=%d" % (pylist, ragged_rank, len(inner_shape)))
    if ragged_rank == 0 or ragged_rank is None and (deepest < 2 or inner_shape is not None and deepest - len(inner_shape) < 2):
        return make_values(pylist, dtype, inner_shape)
    if inner_shape is None:
        inner_shape = () if ragged_rank is None else _default_inner_shape_for_pylist(pylist, ragged_rank)
    if ragged_rank is None:
        ragged_rank = max(1, (deepest - 1) if numbers is None else numbers - 1 - len(inner_shape))
    nested, values = [], pylist
    for _ in range(ragged_rank):
        nested.append(np.cumsum([0] + [len(row) for row in values]).tolist())
        values = [item for row in values for item in row]
    made = make_values(values, dtype=dtype, shape=(len(values),) + inner_shape, name="values")
    for splits in reversed(nested):
        made = make_rows(made, splits)
    return made


@export("ragged.constant")
def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=dtypes.int64):
    """A ragged tensor from nested lists."""

    def rows(values, splits):
        return RaggedTensor.from_row_splits(values, ops.constant(splits, dtype=row_splits_dtype), validate=False)

    with ops.name_scope(name, "RaggedConstant"):
        return _build(rows, ops.constant, pylist, dtype, ragged_rank, inner_shape)


@export("ragged.constant_value")
def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype="int64"):
    """As constant(), with NumPy arrays."""
    if isinstance(dtype, DType):
        dtype = dtype.as_numpy_dtype
    splits_dtype = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype

    def values(items, dtype, shape, name=None):
        return np.reshape(np.array(items, dtype=dtype), shape)

    return _build(lambda v, splits: RaggedTensorValue(v, np.array(splits, dtype=splits_dtype)), values, pylist, dtype, ragged_rank, inner_shape)


@export("ragged.placeholder")
def placeholder(dtype, ragged_rank, value_shape=None, name=None):
    """A placeholder for RaggedTensorValues."""
    if ragged_rank == 0:
        return engine.placeholder(dtype, value_shape, name)
    if ragged_rank > 254:
        raise ValueError("ragged_rank is %d, a tensor has at most 254 dimensions" % ragged_rank)
    with ops.name_scope(name, "RaggedPlaceholder", []):
        made = engine.placeholder(dtype, TensorShape([None]).concatenate(value_shape), "flat_values")
        for i in reversed(range(ragged_rank)):
            made = RaggedTensor(made, engine.placeholder(dtypes.int64, [None], "row_splits_%d" % i), internal=True)
        return made


_RANGE_TYPES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


@export("ragged.range")
def ragged_range(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=dtypes.int64):
    """A row of numbers for each (start, limit, delta)."""
    row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with ops.name_scope(name, "RaggedRange", [starts, limits, deltas]) as name:
        given = [ops.convert_to_tensor(v, dtype=dtype, name=n) for v, n in ((starts, "starts"), (limits, "limits"), (deltas, "deltas"))]
        if dtype is None:
            kind = max((t.dtype for t in given), key=_RANGE_TYPES.index)
            given = [basics.cast(t, kind) for t in given]
        made = engine.raw_ops.RaggedRange(starts=given[0], limits=given[1], deltas=given[2], Tsplits=row_splits_dtype, name=name)
        return RaggedTensor.from_row_splits(made.rt_dense_values, made.rt_nested_splits, validate=False)


def _flat(value, found):
    """Replaces ragged tensors by their flat values and appends their splits to `found`."""
    if is_ragged(value):
        value = convert_to_tensor_or_ragged_tensor(value)
        found.append(value.nested_row_splits)
        return value.flat_values
    if isinstance(value, (list, tuple)):
        return type(value)([_flat(v, found) for v in value])
    return {k: _flat(v, found) for k, v in value.items()} if isinstance(value, dict) else value


@export("ragged.map_flat_values")
def map_flat_values(op, *args, **kwargs):
    """Applies `op` to the flat values of ragged tensors and keeps the row structure."""
    found = []
    flat_args, flat_kwargs = _flat(args, found), _flat(kwargs, found)
    if not found:
        return op(*args, **kwargs)
    if len({splits[0].dtype for splits in found}) > 1:
        raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")
    with ops.control_dependencies(splits_match(found)):
        return RaggedTensor.from_nested_row_splits(op(*flat_args, **flat_kwargs), found[0], validate=False)
