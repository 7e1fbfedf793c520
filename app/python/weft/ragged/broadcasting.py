"""Shapes with ragged dimensions, known at run time, and broadcasting of values to them."""

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert
from ..conversion import constant_value
from ..repeats import to_integers
from .segments import lengths_to_splits, repeat_ranges
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged
from .tiles import tile


class RaggedTensorDynamicShape:
    """The sizes of the partitioned dimensions (a number, or a vector of row lengths), followed by those of the inner dimensions."""

    def __init__(self, partitioned_dim_sizes, inner_dim_sizes, dim_size_dtype=None):
        if not isinstance(partitioned_dim_sizes, (list, tuple)):
            raise AssertionError("partitioned_dim_sizes: expected a list or tuple, got %r" % (partitioned_dim_sizes,))
        with ops.name_scope(None, "RaggedTensorDynamicShape", (partitioned_dim_sizes, inner_dim_sizes)):
            outer = tuple(ops.convert_to_tensor(s, name="partitioned_dimension_size_%d" % i) for i, s in enumerate(partitioned_dim_sizes))
            inner = ops.convert_to_tensor(inner_dim_sizes, name="inner_dim_sizes")
            for axis, size in enumerate(outer):
                if size.shape.ndims is None:
                    raise ValueError("rank of partitioned_dim_sizes[%d] is unknown" % axis)
                size.shape.with_rank_at_most(1)
            if outer and outer[0].shape.ndims == 1:
                raise ValueError("outermost partitioned dimension must be uniform")
            if outer and outer[-1].shape.ndims == 0:
                raise ValueError("innermost partitioned dimension must be ragged")
            inner.shape.assert_has_rank(1)
            if dim_size_dtype is None:
                kinds = {s.dtype for s in outer if s.shape.ndims == 1}
                if len(kinds) > 1:
                    raise ValueError("partitioned_dim_sizes must have matching dtypes")
                dim_size_dtype = kinds.pop() if kinds else dtypes.int64
            self._outer = tuple(basics.cast(s, dim_size_dtype) for s in outer)
            self._inner = basics.cast(inner, dim_size_dtype)

    def __repr__(self):
        return "RaggedTensorDynamicShape(partitioned_dim_sizes=%r, inner_dim_sizes=%r)" % (self._outer, self._inner)

    @staticmethod
    def from_dim_sizes(dim_sizes):
        """The shape with these sizes: a number for a uniform dimension, a vector for a ragged one."""
        with ops.name_scope(None, "RaggedTensorDynamicShapeFromDimensionSizes", [dim_sizes]):
            sizes = tuple(ops.convert_to_tensor(s, preferred_dtype=dtypes.int64, name="dim_sizes") for s in dim_sizes)
            if any(s.shape.ndims not in (0, 1) for s in sizes):
                raise ValueError("Each dim_size must be a scalar or a vector")
            ragged = [i + 1 for i, s in enumerate(sizes) if s.shape.ndims == 1]
            split = ragged[-1] if ragged else 0
            return RaggedTensorDynamicShape(sizes[:split], sizes[split:])

    @classmethod
    def from_tensor(cls, rt_input, dim_size_dtype=None):
        with ops.name_scope(None, "RaggedTensorDynamicShapeFromTensor", [rt_input]):
            value = convert_to_tensor_or_ragged_tensor(rt_input)
            if not is_ragged(value):
                return cls([], basics.shape(value))
            outer = (value.nrows(),) + value.nested_row_lengths()
            return cls(outer, basics.shape(value.flat_values)[1:], dim_size_dtype=dim_size_dtype)

    def with_dim_size_dtype(self, dtype):
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("dtype must be int32 or int64")
        if self.dim_size_dtype == dtype:
            return self
        return RaggedTensorDynamicShape([basics.cast(s, dtype) for s in self._outer], basics.cast(self._inner, dtype))

    partitioned_dim_sizes = property(lambda self: self._outer)
    inner_dim_sizes = property(lambda self: self._inner)
    num_partitioned_dimensions = property(lambda self: len(self._outer))
    num_inner_dimensions = property(lambda self: self._inner.shape.as_list()[0])
    dim_size_dtype = property(lambda self: self._inner.dtype)

    @property
    def rank(self):
        return None if self.num_inner_dimensions is None else len(self._outer) + self.num_inner_dimensions

    def dimension_size(self, axis):
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        return self._outer[axis] if axis < len(self._outer) else self._inner[axis - len(self._outer)]

    def is_ragged(self, axis):
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        if axis < 0:
            raise ValueError("Negative axis values are not supported")
        if self.rank is not None and axis >= self.rank:
            raise ValueError("Expected axis=%s < rank=%s" % (axis, self.rank))
        return 0 < axis < len(self._outer) and self._outer[axis].shape.ndims == 1

    def broadcast_to_rank(self, rank):
        if self.rank is None:
            raise ValueError("Unable to broadcast: self.rank is unknown")
        more = rank - self.rank
        if more < 0:
            raise ValueError("Unable to broadcast: rank=%d must be greater than self.rank=%d." % (rank, self.rank))
        if more == 0:
            return self
        if self._outer:
            return RaggedTensorDynamicShape((1,) * more + self._outer, self._inner)
        return RaggedTensorDynamicShape([], engine.concat([engine.ones([more], self.dim_size_dtype), self._inner], axis=0))

    def broadcast_dimension(self, axis, lengths):
        lengths = to_integers(lengths, "lengths", self.dim_size_dtype)
        if lengths.shape.ndims is None:
            raise ValueError("lengths must have a known rank.")
        if lengths.shape.ndims > 1:
            raise ValueError("lengths must be a scalar or vector")
        scalar = lengths.shape.ndims == 0
        if self.is_ragged(axis):
            good = engine.equal(lengths, 1) if scalar else engine.reduce_all(engine.equal(lengths, self.dimension_size(axis)))
        else:
            own = self.dimension_size(axis)
            good = engine.equal(lengths, 1) | engine.equal(own, 1) | engine.equal(own, lengths) if scalar else engine.equal(own, 1)
        said = ["Unable to broadcast: dimension size mismatch in dimension", axis, "lengths=", lengths, "dim_size=", self.dimension_size(axis)]
        with ops.control_dependencies([Assert(good, data=said, summarize=10)]):
            if axis < len(self._outer):
                return RaggedTensorDynamicShape(self._outer, engine.identity(self._inner)) if self.is_ragged(axis) else self._uniform_outer(axis, lengths)
            place = axis - len(self._outer)
            if scalar:
                own = self.dimension_size(axis)
                size = engine.where(engine.equal(own, 1), lengths, own)
                return RaggedTensorDynamicShape(self._outer, engine.concat([self._inner[:place], [size], self._inner[place + 1:]], axis=0))
            if axis == 0:
                raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
            outer = self._outer + tuple(self._inner[i] for i in range(place)) + (lengths,)
            return RaggedTensorDynamicShape(outer, self._inner[place + 1:])

    def num_slices_in_dimension(self, axis):
        """The number of slices across a dimension in the whole value."""
        if axis < 0:
            return ops.constant(1, dtype=self.dim_size_dtype)
        if self.is_ragged(axis):
            return engine.reduce_sum(self._outer[axis])
        return self.dimension_size(axis) * self.num_slices_in_dimension(axis - 1)

    def _uniform_outer(self, axis, lengths):
        own, outer = self.dimension_size(axis), list(self._outer[:axis])
        if lengths.shape.ndims == 0:
            lengths = engine.where(engine.equal(own, 1), lengths, own)
            repeats = engine.where(engine.equal(own, 1), lengths, 1)
            splits = engine.stack([0, self.num_slices_in_dimension(axis)])
        else:
            splits = engine.range(basics.size(lengths, out_type=self.dim_size_dtype) + 1)
            repeats = lengths
        outer.append(lengths)
        for size in self._outer[axis + 1:]:
            if size.shape.ndims == 0:
                outer.append(size)
                splits *= size
            else:
                outer.append(repeat_ranges(size, splits, repeats))
                splits = engine.gather(lengths_to_splits(size), splits)
        return RaggedTensorDynamicShape(outer, self._inner)


def broadcast_dynamic_shape(x, y):
    """The shape of two values broadcast to each other."""
    if x.rank is None or y.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(x.rank, y.rank)
    x, y = x.broadcast_to_rank(rank), y.broadcast_to_rank(rank)
    for axis in range(rank):
        x = x.broadcast_dimension(axis, y.dimension_size(axis))
        y = y.broadcast_dimension(axis, x.dimension_size(axis))
    return x


def broadcast_outer(value, shape):
    """The value broadcast in the partitioned dimensions of the shape; the following op broadcasts the inner ones."""
    value = convert_to_tensor_or_ragged_tensor(value)
    if shape.num_partitioned_dimensions == 0:
        if is_ragged(value):
            raise ValueError("Incompatible with shape: ragged rank mismatch")
        return value
    if is_ragged(value) and value.row_splits.dtype != shape.dim_size_dtype:
        raise ValueError("rt_input and dst_shape have different row_split dtypes; use RaggedTensor.with_row_splits_dtype() or "
                         "RaggedTensorDynamicShape.with_dim_size_dtype() to convert to a compatible dtype.")
    if value.shape.ndims is None or shape.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if value.shape.ndims > shape.rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    if is_ragged(value) and value.ragged_rank >= shape.num_partitioned_dimensions:
        raise ValueError("Incompatible with shape: ragged rank mismatch")
    own = RaggedTensorDynamicShape.from_tensor(value).broadcast_to_rank(shape.rank)
    value = _with_depth(value, shape)
    multiples = [1] * shape.rank
    for axis in range(shape.num_partitioned_dimensions):
        if not own.is_ragged(axis) and not shape.is_ragged(axis):
            have, want = own.dimension_size(axis), shape.dimension_size(axis)
            if constant_value(have) in (1, None) and constant_value(want) != 1:
                multiples[axis] = engine.where(engine.equal(have, 1), want, 1)
    if not all(isinstance(m, int) for m in multiples):
        value = tile(value, engine.stack(multiples, axis=0))
    for axis in range(shape.num_partitioned_dimensions):
        if not own.is_ragged(axis) and shape.is_ragged(axis):
            value = _tiled(value, axis, shape.dimension_size(axis), shape.dim_size_dtype)
    return value


def _with_depth(value, shape):
    """The value with the rank of the shape and as many partitioned dimensions."""
    kind, inner = shape.dim_size_dtype, shape.num_inner_dimensions
    if shape.rank > value.shape.ndims:
        if value.shape.ndims < inner + 1:
            value = engine.reshape(value, engine.concat([[-1], shape.inner_dim_sizes], axis=0))
        for _ in range(shape.rank - value.shape.ndims):
            rows = value.nrows() if is_ragged(value) else basics.shape(value, out_type=kind)[0]
            value = RaggedTensor.from_row_lengths(value, [rows], validate=False)
    if not is_ragged(value):
        return RaggedTensor.from_tensor(value, ragged_rank=shape.num_partitioned_dimensions - 1, row_splits_dtype=kind)
    deeper = value.flat_values.shape.ndims - 1 - inner
    if deeper > 0:
        value = value.with_flat_values(RaggedTensor.from_tensor(value.flat_values, ragged_rank=deeper, row_splits_dtype=kind))
    return value


def _tiled(value, axis, repeats, kind):
    if not is_ragged(value):
        value = RaggedTensor.from_tensor(value, ragged_rank=1, row_splits_dtype=kind)
    if axis > 1:
        return value.with_values(_tiled(value.values, axis - 1, repeats, kind))
    nested, lengths = value.nested_row_splits, value.nested_row_lengths()
    splits, made = nested[0], [repeats]
    for i in range(1, len(lengths)):
        made.append(repeat_ranges(lengths[i], splits, repeats))
        splits = engine.gather(nested[i], splits)
    return RaggedTensor.from_nested_row_lengths(repeat_ranges(value.flat_values, splits, repeats), made, validate=False)


def broadcast_to(rt_input, shape, broadcast_inner_dimensions=True):
    """The value broadcast to a RaggedTensorDynamicShape. `broadcast_inner_dimensions`: otherwise only its partitioned dimensions are."""
    if not isinstance(shape, RaggedTensorDynamicShape):
        raise TypeError("shape must be a RaggedTensorDynamicShape")
    value = broadcast_outer(rt_input, shape)
    if not broadcast_inner_dimensions:
        return value
    if not is_ragged(value):
        return engine.broadcast_to(value, shape.inner_dim_sizes)
    rows = basics.shape(value.flat_values, out_type=shape.dim_size_dtype)[:1]
    return value.with_flat_values(engine.broadcast_to(value.flat_values, engine.concat([rows, shape.inner_dim_sizes], axis=0)))
