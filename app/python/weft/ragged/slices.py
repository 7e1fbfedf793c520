"""ragged[key]"""

from .. import basics, engine, ops
from ..control_flow import cond
from ..ops import Tensor
from .factory import ragged_range
from .functions import gather
from .tensor import RaggedTensor, is_ragged

_EVERYTHING = slice(None, None, None)


def getitem(self, key):
    tensors = [self] + list(_tensors_in(key))
    with ops.name_scope(None, "RaggedGetItem", tensors):
        return _rows(self, list(key) if isinstance(key, (list, tuple)) else [key])


def _tensors_in(key):
    if isinstance(key, Tensor):
        yield key
    parts = key if isinstance(key, (list, tuple)) else (key.start, key.stop, key.step) if isinstance(key, slice) else ()
    for part in parts:
        yield from _tensors_in(part)


def _is_all(key):
    return key.start is None and key.stop is None and key.step is None


def _rows(ragged, keys):
    if not keys:
        return ragged
    key, inner = keys[0], keys[1:]
    if key is Ellipsis:
        return _rows(ragged, _without_ellipsis(keys, ragged.shape.ndims))
    if key is None:
        part = _rows(ragged, inner)
        count = basics.shape(part.row_splits, out_type=part.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(part, engine.stack([0, count - 1]), validate=False)
    if isinstance(key, slice):
        return _inner(_some_rows(ragged, key), inner)
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    if ops.executing_eagerly() and _is_behind(key, starts):
        raise IndexError("Row key %s out of bounds" % key)  # ends a for loop over the rows
    return ragged.values[starts[key]:limits[key]].__getitem__(inner)


def _is_behind(key, starts):
    try:
        return int(key) >= len(starts)
    except (TypeError, ValueError):  # no number: taking the row refuses it
        return False


def _some_rows(ragged, key):
    if _is_all(key):
        return ragged
    starts, limits = ragged.row_splits[:-1][key], ragged.row_splits[1:][key]
    zero = engine.zeros([1], ragged.row_splits.dtype)
    if key.step is not None and key.step != 1:
        return _of_ranges(starts, limits, 1, ragged.values)
    # An empty slice has no first start: the zero replaces it.
    splits = engine.concat([zero[basics.size(starts):], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor.from_row_splits(ragged.values[first:last], splits - first, validate=False)


def _inner(ragged, keys):
    """Applies the keys after the first one."""
    if not keys:
        return ragged
    if isinstance(ragged, Tensor):
        return ragged.__getitem__([_EVERYTHING] + keys)
    key = keys[0]
    if key is Ellipsis:
        return _inner(ragged, _without_ellipsis(keys, ragged.values.shape.ndims))
    if key is None:
        part = _inner(ragged, keys[1:])
        count = basics.shape(part.row_splits, out_type=part.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(part, engine.range(count), validate=False)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if _is_all(key):
        return ragged.with_values(_inner(ragged.values, keys[1:]))
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    if key.start is not None and not _is_zero(key.start):
        starts = _moved(key.start, ragged.row_splits[:-1], ragged.row_splits[1:])
    if key.stop is not None and not _is_zero(key.stop):
        limits = _moved(key.stop, ragged.row_splits[:-1], ragged.row_splits[1:])
    part = _of_ranges(starts, limits, key.step, ragged.values)
    return part.with_values(_inner(part.values, keys[1:]))


def _is_zero(value):
    return isinstance(value, int) and value == 0


def _without_ellipsis(keys, left):
    if left is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(1 for k in keys if k is not None)
    if count > left + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == left + 1 else [_EVERYTHING] + keys


def _of_ranges(starts, limits, step, values):
    step = ops.convert_to_tensor(1 if step is None else step, name="step")
    if not step.dtype.is_integer:
        raise TypeError("slice strides must be integers or None")
    places = ragged_range(starts, limits, basics.cast(step, starts.dtype), row_splits_dtype=starts.dtype)
    return places.with_values(gather(values, places.values) if is_ragged(values) else engine.gather(values, places.values))


def _moved(offset, starts, limits):
    """Positions `offset` from the starts of rows, or from their ends if negative."""

    def from_start(offset):
        return engine.minimum(starts + offset, limits)

    def from_end(offset):
        return engine.maximum(limits + offset, starts)

    if isinstance(offset, Tensor):
        offset = basics.cast(offset, starts.dtype)
        return cond(offset >= 0, lambda: from_start(offset), lambda: from_end(offset))
    if not isinstance(offset, int):
        raise TypeError("slice offsets must be integers or None")
    return from_start(offset) if offset > 0 else from_end(offset)


RaggedTensor.__getitem__ = getitem
