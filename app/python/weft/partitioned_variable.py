"""Variables in slices: partitioning, PartitionedVariable, partitioners."""

from . import dtypes, engine, ops
from .exports import export, export_value
from .tensor_shape import TensorShape


class _PartitionInfo:
    """The slice of a variable that an initializer creates."""

    def __init__(self, full_shape, var_offset):
        self._full_shape, self._var_offset = full_shape, var_offset

    full_shape = property(lambda self: self._full_shape)
    var_offset = property(lambda self: self._var_offset)

    def single_offset(self, shape):
        i = self.single_slice_dim(shape)
        return self.var_offset[0 if i is None else i]

    def single_slice_dim(self, shape):
        if len(shape) != len(self.full_shape):
            raise ValueError("Expected equal length, but got shape={} with length {} and self.full_shape={} with length {}.".format(shape, len(shape), self.full_shape, len(self.full_shape)))
        found = None
        for i, (have, full) in enumerate(zip(shape, self.full_shape)):
            if have == full:
                continue
            if found is not None:
                raise ValueError("Cannot use single_slice_dim() with shape %s and self.full_shape %s since slice dim could be either dimension %s or %s." % (shape, self.full_shape, i, found))
            found = i
        return found


class PartitionedVariable:
    """A variable in slices; as a tensor it is their concatenation."""

    __array_priority__ = 100
    _is_variable = True

    def __init__(self, name, shape, dtype, variable_list, partitions):
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError("variable_list is not a list or tuple: %s" % variable_list)
        if len(shape) != len(partitions):
            raise ValueError("partitions is not the same length as shape: %s vs. %s" % (partitions, shape))
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtype
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._partitions = partitions
        self._as_tensor_value = None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    graph = property(lambda self: self._variable_list[0].graph)

    def get_shape(self):
        return self._shape

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        return len([p for p in self._partitions if p > 1] or [1]) and len(self._variable_list)

    def _partition_axes(self):
        axes = [i for i, p in enumerate(self._partitions) if p > 1]
        return axes or [0]

    def _concat(self):
        if len(self._variable_list) == 1:
            with ops.name_scope(None):
                return engine.identity(self._variable_list[0], name=self._name)
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError("Cannot concatenate along more than one dimension: %s.  Multi-axis partition concat is not supported" % str(axes))
        with ops.name_scope(self._name + "/ConcatPartitions/"):
            joined = engine.concat(self._variable_list, axes[0])
        with ops.name_scope(None):
            return engine.identity(joined, name=self._name)

    def as_tensor(self):
        with ops.control_dependencies(None):
            return self._concat()

    def assign(self, value, use_locking=False, name=None, read_value=True):
        axis = self._partition_axes()[0]
        parts = engine.split(value, [v.shape.as_list()[axis] for v in self._variable_list], axis)
        done = [v.assign(p, use_locking=use_locking, read_value=read_value) for v, p in zip(self._variable_list, parts)]
        return done if read_value else [d for d in done]

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other


def _partitioned_to_tensor(v, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" % (dtype.name, v.dtype.name))
    if as_ref:
        raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
    return v.as_tensor()


ops.register_tensor_conversion_function(PartitionedVariable, _partitioned_to_tensor, 50)
export_value(PartitionedVariable, "PartitionedVariable")


def _call_partitioner(partitioner, shape, dtype):
    if not shape.is_fully_defined():
        raise ValueError("Shape of a new partitioned variable must be fully defined, but instead was %s." % (shape,))
    if shape.ndims < 1:
        raise ValueError("A partitioned Variable must have rank at least 1, shape: %s" % shape)
    partitions = partitioner(shape=shape, dtype=dtype)
    if not isinstance(partitions, (list, tuple)):
        raise ValueError("Partitioner must return a sequence, but saw: %s" % partitions)
    if len(partitions) != shape.ndims:
        raise ValueError("Partitioner returned a partition list that does not match the Variable's rank: %s vs. %s" % (partitions, shape))
    if any(p < 1 for p in partitions):
        raise ValueError("Partitioner returned zero partitions for some axes: %s" % partitions)
    if sum(p > 1 for p in partitions) > 1:
        raise ValueError("Can only slice a variable along one dimension: shape: %s, partitioning: %s" % (shape, partitions))
    return list(partitions)


def _slice_axis(shape, partitions):
    for i, p in enumerate(partitions):
        if p > 1:
            return i, p
    return 0, 1


def _slices(shape, partitions, axis):
    count = partitions[axis]
    size, extra = divmod(shape[axis], count)
    at = 0
    for i in range(count):
        n = size + (1 if i < extra else 0)
        offset, part = [0] * len(shape), list(shape)
        offset[axis], part[axis] = at, n
        at += n
        yield offset, part


# Partitioners.
@export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards, axis=0):
    """`num_shards` slices along `axis`."""

    def partitioner(shape, **unused):
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.dims[axis].value)
        return parts

    return partitioner


@export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    """Slices along `axis` of at most `max_shard_bytes` bytes."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape, dtype):
        import math

        if axis >= shape.ndims:
            raise ValueError("Cannot partition along axis %d when shape is only %s" % (axis, shape))
        element = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        parts = [1] * shape.ndims
        bytes_per_slice = 1
        for i, d in enumerate(shape.as_list()):
            if i != axis:
                bytes_per_slice *= d
        bytes_per_slice *= element
        if bytes_per_slice > max_shard_bytes:
            parts[axis] = shape.dims[axis].value
            return parts
        per_shard = max(1, max_shard_bytes // bytes_per_slice)
        wanted = int(math.ceil(shape.dims[axis].value * 1.0 / per_shard))
        if max_shards:
            wanted = min(max_shards, wanted)
        parts[axis] = wanted
        return parts

    return partitioner


@export("min_max_variable_partitioner")
def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    """At most `max_partitions` slices, none of them smaller than `min_slice_size` bytes."""

    def partitioner(shape, dtype):
        if axis >= shape.ndims:
            raise ValueError("Cannot partition variable along axis %d when shape is only %s" % (axis, shape))
        element = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        total = shape.num_elements() * element
        parts = [1] * shape.ndims
        parts[axis] = max(1, min(shape.dims[axis].value, max_partitions, int(total / min_slice_size) if total % min_slice_size == 0 else total // min_slice_size + 1))
        return parts

    return partitioner
