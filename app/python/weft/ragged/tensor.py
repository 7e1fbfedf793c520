"""tf.RaggedTensor: rows of different lengths, as one tensor of values and a vector of row splits."""

import numpy as np

from .. import basics, dtypes, engine, ops, session
from ..control_flow import with_dependencies
from ..conversion import constant_value
from ..exports import export
from ..ops import Tensor
from ..repeats import positive_axis
from ..tensor_shape import TensorShape
from . import conversions
from .segments import row_splits_to_segment_ids
from .values import RaggedTensorValue

_INTEGERS = (dtypes.int32, dtypes.int64)


def is_ragged(value):
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def _increasing(tensor, message):
    return engine.assert_non_negative(tensor[1:] - tensor[:-1], message=message)


def _zero(tensor, message):
    return engine.assert_equal(tensor, ops.constant(0, dtype=tensor.dtype), message=message)


def _rows(tensor, out_type=dtypes.int32):
    return tensor.nrows(out_type=out_type) if isinstance(tensor, RaggedTensor) else basics.shape(tensor, out_type=out_type)[0]


def _must_be_bool(validate):
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


def _after(checks, values, partition):
    """The partition, after checks of it and of the rank of the values."""
    if not isinstance(values, RaggedTensor):
        checks.append(engine.assert_rank_at_least(values, 1))
    return with_dependencies(checks, partition)


@export("RaggedTensor")
class RaggedTensor:
    """Rows of `values` (a tensor, or again a ragged tensor), split at `row_splits`."""

    __array_priority__ = 100

    def __init__(self, values, row_splits, cached_row_lengths=None, cached_value_rowids=None, cached_nrows=None, internal=False):
        if not internal:
            raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead (e.g., RaggedTensor.from_row_lengths())")
        if not isinstance(row_splits, Tensor):
            raise TypeError("Row-partitioning argument must be a Tensor, got %r" % row_splits)
        if not isinstance(values, (RaggedTensor, Tensor)):
            raise TypeError("values must be a Tensor or RaggedTensor, got %r" % values)
        if row_splits.dtype not in _INTEGERS:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        if isinstance(values, RaggedTensor):
            assert row_splits.dtype == values.row_splits.dtype
        for cached in (cached_row_lengths, cached_value_rowids, cached_nrows):
            if cached is not None and not isinstance(cached, Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if cached is not None and cached.dtype not in _INTEGERS:
                raise TypeError("Cached value must be int32 or int64.")
        self._values, self._row_splits = values, row_splits
        self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows = cached_row_lengths, cached_value_rowids, cached_nrows

    # Constructors from values and one of five row partitions.
    @classmethod
    def _converted(cls, values, partition, name):
        if isinstance(values, RaggedTensor):
            if isinstance(partition, Tensor):
                if partition.dtype not in _INTEGERS:
                    raise ValueError("%s must have dtype int32 or int64" % name)
                if values.row_splits.dtype != partition.dtype:
                    raise ValueError("dtype mismatch: %s (%s) vs values.row_splits (%s)" % (name, partition.dtype, values.row_splits.dtype))
            else:
                partition = ops.convert_to_tensor(partition, values.row_splits.dtype, name=name)
            return values, partition
        values = ops.convert_to_tensor(values, name="values")
        as_it_is = isinstance(partition, np.ndarray) and partition.dtype == np.int32
        partition = ops.convert_to_tensor(partition, preferred_dtype=None if as_it_is else dtypes.int64, name=name)
        if partition.dtype not in _INTEGERS:
            raise ValueError("%s must have dtype int32 or int64" % name)
        return values, partition

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        _must_be_bool(validate)
        with ops.name_scope(name, "RaggedFromValueRowIds", [values, value_rowids, nrows]):
            values, value_rowids = cls._converted(values, value_rowids, "value_rowids")
            known_ids, known = constant_value(value_rowids), None
            if nrows is None:
                if known_ids is None:
                    nrows = engine.concat([value_rowids[-1:], [-1]], axis=0)[0] + 1
                else:
                    known = int(known_ids[-1]) + 1 if known_ids.size > 0 else 0
                    nrows = ops.convert_to_tensor(known, value_rowids.dtype, name="nrows")
            else:
                nrows = ops.convert_to_tensor(nrows, value_rowids.dtype, "nrows")
                known = constant_value(nrows)
                if known is not None:
                    if known < 0:
                        raise ValueError("Expected nrows >= 0; got %d" % known)
                    if known_ids is not None and known_ids.size > 0 and not known >= known_ids[-1] + 1:
                        raise ValueError("Expected nrows >= value_rowids[-1] + 1; got nrows=%d, value_rowids[-1]=%d" % (known, known_ids[-1]))
            value_rowids.shape.assert_has_rank(1)
            nrows.shape.assert_has_rank(0)
            values.shape[:1].assert_is_compatible_with(value_rowids.shape)
            if validate:
                said = "Arguments to from_value_rowids do not form a valid RaggedTensor"
                have, ids = _rows(values), _rows(value_rowids)
                value_rowids = _after([engine.assert_rank(value_rowids, 1, message=said), engine.assert_rank(nrows, 0, message=said), engine.assert_equal(have, ids, message=said),
                                       engine.assert_non_negative(value_rowids[:1], message=said), _increasing(value_rowids, said),
                                       engine.assert_less(value_rowids[-1:], nrows, message=said)], values, value_rowids)
            small_ids, small_count = basics.cast(value_rowids, dtypes.int32), basics.cast(nrows, dtypes.int32)
            lengths = engine.bincount(small_ids, minlength=small_count, maxlength=small_count, dtype=value_rowids.dtype)
            splits = engine.concat([[0], engine.cumsum(lengths)], axis=0)
            if known is not None:
                lengths.set_shape([int(known)])
                splits.set_shape([int(known) + 1])
            return cls(values, splits, lengths, value_rowids, nrows, internal=True)

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        _must_be_bool(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        with ops.name_scope(name, "RaggedFromRowSplits", [values, row_splits]):
            values, row_splits = cls._converted(values, row_splits, "row_splits")
            row_splits.shape.assert_has_rank(1)
            if validate:
                said = "Arguments to from_row_splits do not form a valid RaggedTensor"
                count = _rows(values, row_splits.dtype)
                row_splits = _after([engine.assert_rank(row_splits, 1, message=said), _zero(row_splits[0], said), _increasing(row_splits, said),
                                     engine.assert_equal(row_splits[-1], count, message=said)], values, row_splits)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        _must_be_bool(validate)
        with ops.name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
            values, row_lengths = cls._converted(values, row_lengths, "row_lengths")
            row_lengths.shape.assert_has_rank(1)
            if validate:
                said = "Arguments to from_row_lengths do not form a valid RaggedTensor"
                total, count = engine.reduce_sum(row_lengths), _rows(values, row_lengths.dtype)
                row_lengths = _after([engine.assert_rank(row_lengths, 1, message=said), engine.assert_non_negative(row_lengths, message=said),
                                      engine.assert_equal(total, count, message=said)], values, row_lengths)
            limits = engine.cumsum(row_lengths)
            return cls(values, engine.concat([[0], limits], axis=0), cached_row_lengths=row_lengths, internal=True)

    @classmethod
    def from_row_starts(cls, values, row_starts, name=None, validate=True):
        _must_be_bool(validate)
        with ops.name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
            values, row_starts = cls._converted(values, row_starts, "row_starts")
            row_starts.shape.assert_has_rank(1)
            count = _rows(values, row_starts.dtype)
            if validate:
                said = "Arguments to from_row_starts do not form a valid RaggedTensor"
                row_starts = _after([engine.assert_rank(row_starts, 1, message=said), _zero(row_starts[:1], said), _increasing(row_starts, said),
                                     engine.assert_less_equal(row_starts[-1:], count, message=said)], values, row_starts)
            return cls(values, engine.concat([row_starts, [count]], axis=0), internal=True)

    @classmethod
    def from_row_limits(cls, values, row_limits, name=None, validate=True):
        _must_be_bool(validate)
        with ops.name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
            values, row_limits = cls._converted(values, row_limits, "row_limits")
            row_limits.shape.assert_has_rank(1)
            if validate:
                said = "Arguments to from_row_limits do not form a valid RaggedTensor"
                count = _rows(values, row_limits.dtype)
                row_limits = _after([engine.assert_rank(row_limits, 1, message=said), engine.assert_non_negative(row_limits[:1], message=said), _increasing(row_limits, said),
                                     engine.assert_equal(row_limits[-1:], count, message=said)], values, row_limits)
            zero = engine.zeros([1], row_limits.dtype)
            return cls(values, engine.concat([zero, row_limits], axis=0), internal=True)

    # Constructors with several ragged dimensions.
    @classmethod
    def _nested(cls, factory, what, scope, flat_values, nested, more, name, validate):
        _must_be_bool(validate)
        if isinstance(nested, Tensor):
            raise TypeError("%s must be a list of Tensors" % what)
        if isinstance(more, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        if more is not None and len(more) != len(nested):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        with ops.name_scope(name, scope, [flat_values] + list(nested) + list(more or [])):
            made = flat_values
            for i in reversed(range(len(nested))):
                made = factory(made, nested[i], validate=validate) if more is None else factory(made, nested[i], more[i], validate=validate)
            return made

    @classmethod
    def from_nested_value_rowids(cls, flat_values, nested_value_rowids, nested_nrows=None, name=None, validate=True):
        return cls._nested(cls.from_value_rowids, "nested_value_rowids", "RaggedFromNestedValueRowIds", flat_values, nested_value_rowids, nested_nrows, name, validate)

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True):
        return cls._nested(cls.from_row_splits, "nested_row_splits", "RaggedFromNestedRowSplits", flat_values, nested_row_splits, None, name, validate)

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True):
        return cls._nested(cls.from_row_lengths, "nested_row_lengths", "RaggedFromNestedRowlengths", flat_values, nested_row_lengths, None, name, validate)

    # Conversion from and to other tensors.
    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=dtypes.int64):
        return conversions.from_tensor(cls, tensor, lengths, padding, ragged_rank, name, row_splits_dtype)

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=dtypes.int64):
        return conversions.from_sparse(cls, st_input, name, row_splits_dtype)

    def to_tensor(self, default_value=None, name=None):
        """Rows padded to the length of the longest one."""
        return conversions.to_tensor(self, default_value, name)

    def to_sparse(self, name=None):
        return conversions.to_sparse(self, name)

    def to_list(self):
        """The rows as lists, while execution is eager."""
        if getattr(self._row_splits, "_is_eager", False):
            value = self.flat_values.numpy()
            for splits in reversed(self.nested_row_splits):
                value = RaggedTensorValue(value, splits.numpy())
            return value.to_list()
        raise ValueError("RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the RaggedTensor first and then use RaggedTensorValue.to_list().")

    # Components.
    dtype = property(lambda self: self._values.dtype)
    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._row_splits)
    op = property(lambda self: self.flat_values.op)
    graph = property(lambda self: self._row_splits.graph)
    ragged_rank = property(lambda self: len(self.nested_row_splits))

    @property
    def shape(self):
        count = self._row_splits.shape.dims[0].value if self._row_splits.shape.ndims is not None else None
        return TensorShape([None if count is None else count - 1, None]).concatenate(self._values.shape[1:])

    def get_shape(self):
        return self.shape

    @property
    def flat_values(self):
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def nested_row_splits(self):
        inner = self._values
        return (self._row_splits,) + (inner.nested_row_splits if isinstance(inner, RaggedTensor) else ())

    def _levels(self):
        level = self
        while isinstance(level, RaggedTensor):
            yield level
            level = level.values

    def value_rowids(self, name=None):
        if self._cached_value_rowids is not None:
            return self._cached_value_rowids
        with ops.name_scope(name, "RaggedValueRowIds", [self]):
            return row_splits_to_segment_ids(self.row_splits)

    def nested_value_rowids(self, name=None):
        with ops.name_scope(name, "RaggedNestedValueRowIds", [self]):
            return tuple(level.value_rowids() for level in self._levels())

    def nrows(self, out_type=None, name=None):
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._cached_nrows is not None:
            return basics.cast(self._cached_nrows, out_type)
        with ops.name_scope(name, "RaggedNRows", [self]):
            return basics.shape(self.row_splits, out_type=out_type)[0] - 1

    def row_starts(self, name=None):
        with ops.name_scope(name, "RaggedRowStarts", [self]):
            return self.row_splits[:-1]

    def row_limits(self, name=None):
        with ops.name_scope(name, "RaggedRowLimits", [self]):
            return self.row_splits[1:]

    def row_lengths(self, axis=1, name=None):
        if self._cached_row_lengths is not None:
            return self._cached_row_lengths
        with ops.name_scope(name, "RaggedRowLengths", [self]):
            axis = positive_axis(axis, self.shape.ndims)
            if axis == 0:
                return self.nrows()
            if axis == 1:
                return self.row_splits[1:] - self.row_splits[:-1]
            if isinstance(self.values, RaggedTensor):
                return self.with_values(self.values.row_lengths(axis - 1))
            sizes = basics.shape(self.values, out_type=self._row_splits.dtype)
            return self.with_values(engine.ones(sizes[:axis - 1], self._row_splits.dtype) * sizes[axis - 1])

    def nested_row_lengths(self, name=None):
        with ops.name_scope(name, "RaggedNestedRowLengths", [self]):
            return tuple(level.row_lengths() for level in self._levels())

    def bounding_shape(self, axis=None, name=None, out_type=None):
        """The sizes of the smallest dense tensor that can hold it."""
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with ops.name_scope(name, "RaggedBoundingBox", [self, axis]):
            nested, flat = self.nested_row_splits, self.flat_values
            if isinstance(axis, int) and axis == 0:
                return basics.shape(nested[0], out_type=out_type)[0] - 1
            if isinstance(axis, int) and axis == 1:
                return engine.maximum(engine.reduce_max(self.row_lengths()), 0)
            outer = basics.shape(self.row_splits, out_type=out_type)
            inner = basics.shape(flat, out_type=out_type)
            ragged = engine.stack([outer[0] - 1] + [engine.maximum(engine.reduce_max(s[1:] - s[:-1]), 0) for s in nested])
            sizes = engine.concat([ragged, inner[1:]], axis=0)
            return sizes if axis is None else engine.gather(sizes, axis)

    # Copies with one part changed.
    def with_values(self, new_values):
        new_values.shape.with_rank_at_least(1)
        self.values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor) and self._row_splits.dtype != new_values.row_splits.dtype:
            raise ValueError("self and new_values have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")
        return RaggedTensor(new_values, self._row_splits, self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows, internal=True)

    def with_flat_values(self, new_values):
        return self.with_values(new_values if isinstance(self._values, Tensor) else self.values.with_flat_values(new_values))

    def with_row_splits_dtype(self, dtype):
        dtype = dtypes.as_dtype(dtype)
        if dtype not in _INTEGERS:
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        splits, values = basics.cast(self._row_splits, dtype), self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        lengths, ids = (None if t is None else basics.cast(t, dtype) for t in (self._cached_row_lengths, self._cached_value_rowids))
        return RaggedTensor(values, splits, lengths, ids, self._cached_nrows, internal=True)

    def consumers(self):
        return [c for t in self.nested_row_splits + (self.flat_values,) for c in t.consumers()]

    def eval(self, feed_dict=None, session=None):
        return ops._eval_using_default_session(self, feed_dict, self.graph, session)

    def __repr__(self):
        if getattr(self._row_splits, "_is_eager", False):
            return "<tf.RaggedTensor %s>" % self.to_list()
        return "tf.RaggedTensor(values=%s, row_splits=%s)" % (self._values, self._row_splits)

    def __bool__(self):
        raise TypeError("RaggedTensor may not be used as a boolean.")


RaggedTensor.__module__ = "tensorflow.python.ops.ragged.ragged_tensor"  # shown in messages


def match_row_splits_dtypes(*tensors, return_dtype=False):
    """The tensors with row splits of one type; `return_dtype`: (that type, the tensors)."""
    kinds = {t.row_splits.dtype for t in tensors if isinstance(t, RaggedTensor)}
    if len(kinds) > 1:
        raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")
    kind = kinds.pop() if kinds else dtypes.int64
    return (kind, tensors) if return_dtype else tensors


def convert_to_tensor_or_ragged_tensor(value, dtype=None, preferred_dtype=None, name=None):
    if isinstance(value, RaggedTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise ValueError("Tensor conversion requested dtype %s for RaggedTensor with dtype %s: %r" % (dtype.name, value.dtype.name, value))
        return value
    if isinstance(value, RaggedTensorValue):
        with ops.name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = ops.convert_to_tensor(value.flat_values, dtype=dtype, preferred_dtype=preferred_dtype, name="flat_values")
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return ops.convert_to_tensor(value, dtype=dtype, preferred_dtype=preferred_dtype, name=name)


def _refuse(value, dtype=None, name=None, as_ref=False):
    raise TypeError("Failed to convert object of type %s to Tensor. Contents: %s. Consider casting elements to a supported type." % (type(value), value))


def _value_of(parts):
    value = parts[-1]
    for splits in reversed(parts[:-1]):
        value = RaggedTensorValue(value, splits)
    return value


def _parts(ragged):
    return ragged.nested_row_splits + (ragged.flat_values,)


ops.register_tensor_conversion_function((RaggedTensor, RaggedTensorValue), _refuse, 50)
session.register_session_run_conversion_functions(RaggedTensor, lambda r: (_parts(r), _value_of), lambda key, value: list(zip(_parts(key), _parts(value))))
