"""The structure of a data set's elements: tuples and dicts of tensors, sparse tensors and data sets, each leaf described by a spec."""

import collections.abc

from .. import dtypes, engine, ops
from ..exports import export
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..tensor_shape import TensorShape, as_shape


# Nested values. Lists are not structures here: they become tensors.
def is_nested(value):
    return isinstance(value, (tuple, collections.abc.Mapping)) and not isinstance(value, SparseTensorValue)


def _children(value):
    return [value[k] for k in sorted(value)] if isinstance(value, collections.abc.Mapping) else list(value)


def _like(value, children):
    if isinstance(value, collections.abc.Mapping):
        found = dict(zip(sorted(value), children))
        return type(value)((k, found[k]) for k in value) if type(value) is not dict else {k: found[k] for k in value}
    return type(value)(*children) if hasattr(value, "_fields") else tuple(children)


def flatten(value):
    """The leaves; those of a dict sorted by key."""
    return [leaf for child in _children(value) for leaf in flatten(child)] if is_nested(value) else [value]


def flatten_up_to(shallow, value):
    """The parts of `value` at the positions of the leaves of `shallow`."""
    if not is_nested(shallow):
        return [value]
    if not (is_nested(value) or isinstance(value, list)):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: %s." % type(value))
    if len(value) != len(shallow):
        raise ValueError("The two structures don't have the same sequence length. Input structure has length %s, while shallow structure has length %s." %
                         (len(value), len(shallow)))
    if isinstance(shallow, collections.abc.Mapping):
        if not isinstance(value, collections.abc.Mapping) or set(shallow) != set(value):
            raise ValueError("The two structures don't have the same keys. Input structure has keys %s, while shallow structure has keys %s." % (list(value), list(shallow)))
    return [leaf for s, v in zip(_children(shallow), _children(value)) for leaf in flatten_up_to(s, v)]


def pack(structure, leaves):
    """A structure like `structure` with the given leaves."""
    leaves = list(leaves)

    def take(s):
        return _like(s, [take(c) for c in _children(s)]) if is_nested(s) else leaves.pop(0)

    return take(structure)


def map_structure(function, *structures):
    return pack(structures[0], [function(*leaves) for leaves in zip(*[flatten(s) for s in structures])])


def map_up_to(shallow, function, *values):
    return pack(shallow, [function(*leaves) for leaves in zip(*[flatten_up_to(shallow, v) for v in values])])


def assert_same_structure(a, b):
    """TypeError or ValueError if the two have different nesting."""
    if is_nested(a) != is_nested(b):
        raise ValueError("The two structures don't have the same nested structure.\n\nFirst structure: %s\n\nSecond structure: %s" % (a, b))
    if not is_nested(a):
        return
    if isinstance(a, collections.abc.Mapping) != isinstance(b, collections.abc.Mapping):
        raise TypeError("The two structures don't have the same sequence type. First structure has type %s, while second structure has type %s." % (type(a), type(b)))
    if len(a) != len(b):
        raise ValueError("The two structures don't have the same number of elements. First structure: %s\n\nSecond structure: %s" % (a, b))
    if isinstance(a, collections.abc.Mapping) and set(a) != set(b):
        raise ValueError("The two dictionaries don't have the same set of keys. First structure has keys %s, while second structure has keys %s." % (list(a), list(b)))
    for x, y in zip(_children(a), _children(b)):
        assert_same_structure(x, y)


# Specs.
@export("TensorSpec")
class TensorSpec:
    """The shape and type of a tensor."""

    def __init__(self, shape, dtype=None, name=None):
        self.shape, self.dtype, self.name = as_shape(shape), dtypes.as_dtype(dtype or dtypes.float32), name

    value_type = ops.Tensor
    flat_specs = property(lambda self: [self])
    legacy_types = property(lambda self: self.dtype)
    legacy_shapes = property(lambda self: self.shape)
    legacy_classes = property(lambda self: ops.Tensor)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    @classmethod
    def from_spec(cls, spec, name=None):
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, other):
        return self.dtype.is_compatible_with(other.dtype) and self.shape.is_compatible_with(other.shape)

    def tensors(self, value):
        return [ops.convert_to_tensor(value, self.dtype)]

    def batched_tensors(self, value):
        if self.shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return self.tensors(value)

    def value(self, tensors):
        tensors[0].set_shape(self.shape)
        return tensors[0]

    def batch(self, size):
        return TensorSpec(TensorShape([size]).concatenate(self.shape), self.dtype)

    def unbatch(self):
        if self.shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return TensorSpec(self.shape[1:], self.dtype)

    def __eq__(self, other):
        return type(other) is TensorSpec and self.dtype == other.dtype and repr(self.shape) == repr(other.shape) and self.name == other.name

    __hash__ = object.__hash__

    def __repr__(self):
        return "TensorSpec(shape={}, dtype={}, name={})".format(self.shape, repr(self.dtype), repr(self.name))


@export("SparseTensorSpec")
class SparseTensorSpec:
    """A sparse tensor; data sets store it as one variant."""

    def __init__(self, shape=None, dtype=None):
        self.shape, self.dtype = as_shape(shape), dtypes.as_dtype(dtype or dtypes.float32)

    value_type = SparseTensor
    flat_specs = property(lambda self: [TensorSpec(None, dtypes.variant)])
    legacy_types = property(lambda self: self.dtype)
    legacy_shapes = property(lambda self: self.shape)
    legacy_classes = property(lambda self: SparseTensor)

    def is_compatible_with(self, other):
        return isinstance(other, (SparseTensorSpec, SparseTensor)) and self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def tensors(self, value):
        value = SparseTensor.from_value(value)
        return [engine.raw_ops.SerializeSparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def batched_tensors(self, value):
        if self.shape.ndims is not None and self.shape.ndims < 1:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        return [engine.raw_ops.SerializeManySparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def value(self, tensors):
        indices, values, shape = engine.raw_ops.DeserializeSparse(serialized_sparse=tensors[0], dtype=self.dtype)
        indices.set_shape([None, self.shape.ndims])
        shape.set_shape([self.shape.ndims])
        return SparseTensor(indices, values, shape)

    def batch(self, size):
        return SparseTensorSpec(TensorShape([size]).concatenate(self.shape), self.dtype)

    def unbatch(self):
        if self.shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return SparseTensorSpec(self.shape[1:], self.dtype)

    def __repr__(self):
        return "SparseTensorSpec(%s, %r)" % (self.shape, self.dtype)


@export("data.DatasetSpec", "data.experimental.DatasetStructure")
class DatasetSpec:
    """A data set as an element of another one."""

    def __init__(self, element_spec, dataset_shape=()):
        self.element_spec, self.shape = element_spec, as_shape(dataset_shape)
        self.dtype = dtypes.variant

    flat_specs = property(lambda self: [TensorSpec(self.shape, dtypes.variant)])
    legacy_types = legacy_shapes = legacy_classes = property(lambda self: self)

    def is_compatible_with(self, other):
        return isinstance(other, DatasetSpec)

    def tensors(self, value):
        return [ops.convert_to_tensor(value._variant_tensor)]

    batched_tensors = tensors

    def value(self, tensors):
        return dataset_class(tensors[0], self.element_spec)

    def batch(self, size):
        return DatasetSpec(self.element_spec, TensorShape([size]).concatenate(self.shape))

    def unbatch(self):
        if self.shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return DatasetSpec(self.element_spec, self.shape[1:])

    def __repr__(self):
        return "DatasetSpec(%r, %s)" % (self.element_spec, self.shape)


dataset_class = None  # the class Dataset; dataset.py sets it
_SPECS = (TensorSpec, SparseTensorSpec, DatasetSpec)


def spec_of(value):
    """The specs of a value's leaves, with the same nesting. Other values are converted to tensors first."""
    if isinstance(value, ops.Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype)
    if isinstance(value, SparseTensor):
        return SparseTensorSpec(value.shape, value.dtype)
    if isinstance(value, SparseTensorValue):
        return SparseTensorSpec(value.dense_shape, value.values.dtype)
    if isinstance(value, dataset_class):
        return DatasetSpec(value.element_spec)
    if is_nested(value):
        return _like(value, [spec_of(c) for c in _children(value)])
    try:
        return spec_of(ops.convert_to_tensor(value))
    except (ValueError, TypeError):
        raise TypeError("Could not build a TypeSpec for %r with type %s" % (value, type(value).__name__))


def normalized(element):
    """The element with arrays, lists and numbers converted to tensors."""
    leaves = []
    with ops.name_scope("normalize_element"):
        for i, leaf in enumerate(flatten(element)):
            if isinstance(leaf, (SparseTensor, SparseTensorValue)):
                leaves.append(leaf if isinstance(leaf, SparseTensor) else SparseTensor.from_value(leaf))
            elif isinstance(leaf, dataset_class):
                leaves.append(leaf)
            else:
                leaves.append(ops.convert_to_tensor(leaf, name="component_%d" % i))
    return pack(element, leaves)


def from_legacy(types, shapes, classes):
    """Specs from the separate types, shapes and classes that older programs pass."""

    def one(dtype, shape, kind):
        if isinstance(kind, _SPECS):
            return kind
        if isinstance(dtype, _SPECS):
            return dtype
        if issubclass(kind, SparseTensor):
            return SparseTensorSpec(shape, dtype)
        if issubclass(kind, ops.Tensor):
            return TensorSpec(shape, dtype)
        raise TypeError("Could not build a structure for output class %r" % (kind,))

    return pack(classes, [one(*leaf) for leaf in zip(flatten(types), flatten(shapes), flatten(classes))])


def flat_specs(spec):
    return [flat for leaf in flatten(spec) for flat in leaf.flat_specs]


def flat_shapes(spec):
    return [s.shape for s in flat_specs(spec)]


def flat_types(spec):
    return [s.dtype for s in flat_specs(spec)]


def flat(spec):
    """The attributes output_shapes and output_types of data set ops."""
    return {"output_shapes": flat_shapes(spec), "output_types": flat_types(spec)}


def to_tensors(spec, value, batched=False):
    assert_same_structure(spec, value)
    return [t for s, v in zip(flatten(spec), flatten(value)) for t in (s.batched_tensors(v) if batched else s.tensors(v))]


def from_tensors(spec, tensors):
    tensors = list(tensors)
    leaves = flatten(spec)
    if len(leaves) != len(tensors):
        raise ValueError("Expected %d tensors but got %d." % (len(leaves), len(tensors)))
    return pack(spec, [s.value([t]) for s, t in zip(leaves, tensors)])
