"""The structure of a data set's elements: tuples and dicts of tensors, sparse tensors and data sets, each leaf described by a spec."""

import collections.abc

import numpy as np

from .. import dtypes, engine, ops
from ..exports import export
from ..ragged.spec import RaggedTensorSpec
from ..ragged.tensor import convert_to_tensor_or_ragged_tensor
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..tensor_array import TensorArray
from ..tensor_shape import TensorShape, as_shape
from ..tensor_spec import TensorSpec
from ..type_spec import BatchableTypeSpec, CompositeTensor, known_type_spec, register_type_spec_from_value_converter, TypeSpec


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


def assert_shallow_structure(shallow_tree, input_tree, check_types=True):
    """TypeError or ValueError unless `shallow_tree` has the nesting of `input_tree` down to its own leaves."""
    if not is_nested(shallow_tree):
        return
    if not is_nested(input_tree):
        raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: %s." % type(input_tree))
    if check_types and type(input_tree) is not type(shallow_tree) and not (_is_mapping(input_tree) and _is_mapping(shallow_tree)):
        raise TypeError("The two structures don't have the same sequence type. Input structure has type %s, while shallow structure has type %s." %
                        (type(input_tree), type(shallow_tree)))
    if len(input_tree) != len(shallow_tree):
        raise ValueError("The two structures don't have the same sequence length. Input structure has length %s, while shallow structure has length %s." %
                         (len(input_tree), len(shallow_tree)))
    if check_types and _is_mapping(shallow_tree) and set(shallow_tree) != set(input_tree):
        raise ValueError("The two structures don't have the same keys. Input structure has keys %s, while shallow structure has keys %s." %
                         (list(input_tree), list(shallow_tree)))
    for shallow, value in zip(_children(shallow_tree), _children(input_tree)):
        assert_shallow_structure(shallow, value, check_types)


def _up_to(shallow, value):
    return [leaf for s, v in zip(_children(shallow), _children(value)) for leaf in _up_to(s, v)] if is_nested(shallow) else [value]


def flatten_up_to(shallow_tree, input_tree, check_types=True):
    """The parts of `input_tree` at the positions of the leaves of `shallow_tree`."""
    assert_shallow_structure(shallow_tree, input_tree, check_types)
    return _up_to(shallow_tree, input_tree)


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


def _is_mapping(value):
    return isinstance(value, collections.abc.Mapping)


def _difference(a, b, check_types):
    """None, or an error that tells how the nesting of two values differs."""
    if is_nested(a) != is_nested(b):
        return ValueError, "Substructure %s is a sequence, while substructure %s is not." % ((a, b) if is_nested(a) else (b, a))
    if not is_nested(a):
        return None
    if check_types and type(a) is not type(b) and not (_is_mapping(a) and _is_mapping(b)):
        return TypeError, "The two structures don't have the same sequence type. First structure has type %s, while second structure has type %s." % (type(a), type(b))
    if len(a) != len(b):
        return ValueError, "The two structures don't have the same number of elements. First structure: %s. Second structure: %s." % (a, b)
    if check_types and _is_mapping(a) and set(a) != set(b):
        return ValueError, "The two dictionaries don't have the same set of keys. First structure has keys %s, while second structure has keys %s." % (list(a), list(b))
    return next((d for x, y in zip(_children(a), _children(b)) if (d := _difference(x, y, check_types))), None)


def assert_same_structure(nest1, nest2, check_types=True):
    """TypeError or ValueError if the two have different nesting."""
    found = _difference(nest1, nest2, check_types)
    if found:
        raise found[0]("The two structures don't have the same nested structure.\n\nFirst structure: %s\n\nSecond structure: %s\n\nMore specifically: %s" % (nest1, nest2, found[1]))


# Specs.
@export("SparseTensorSpec")
class SparseTensorSpec(BatchableTypeSpec):
    """The type of a sparse tensor; data sets store it as one variant."""

    __slots__ = ("_shape", "_dtype")

    def __init__(self, shape=None, dtype=dtypes.float32):
        self._shape, self._dtype = as_shape(shape), dtypes.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    value_type = property(lambda self: SparseTensor)
    _flat_tensor_specs = property(lambda self: [TensorSpec(None, dtypes.variant)])

    @property
    def _component_specs(self):
        rank = self._shape.ndims
        return [TensorSpec([None, rank], dtypes.int64), TensorSpec([None], self._dtype), TensorSpec([rank], dtypes.int64)]

    @classmethod
    def from_value(cls, value):
        if isinstance(value, SparseTensorValue) and isinstance(value.values, np.ndarray):
            return cls(value.dense_shape, value.values.dtype)
        if isinstance(value, (SparseTensor, SparseTensorValue)):
            value = SparseTensor.from_value(value)
            return cls(value.shape, value.dtype)
        raise TypeError("Expected SparseTensor or SparseTensorValue")

    def _serialize(self):
        return self._shape, self._dtype

    def _to_components(self, value):
        if isinstance(value, SparseTensorValue):
            value = SparseTensor.from_value(value)
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components):
        return SparseTensorValue(*components) if all(isinstance(t, np.ndarray) for t in components) else SparseTensor(*components)

    def _to_tensor_list(self, value):
        value = SparseTensor.from_value(value)
        return [engine.raw_ops.SerializeSparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def _to_batched_tensor_list(self, value):
        if self._shape.merge_with(ops.constant_value_as_shape(value.dense_shape)).ndims == 0:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        return [engine.raw_ops.SerializeManySparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def _from_compatible_tensor_list(self, tensor_list):
        indices, values, shape = engine.raw_ops.DeserializeSparse(serialized_sparse=tensor_list[0], dtype=self._dtype)
        indices.set_shape([None, self._shape.ndims])
        shape.set_shape([self._shape.ndims])
        return SparseTensor(indices, values, shape)

    def _batch(self, batch_size):
        return SparseTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self):
        if self._shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return SparseTensorSpec(self._shape[1:], self._dtype)

    def _to_legacy_output_types(self):
        return self._dtype

    def _to_legacy_output_shapes(self):
        return self._shape

    def _to_legacy_output_classes(self):
        return SparseTensor


class OwnTypeSpec(TypeSpec):
    """A type that stands for itself as type, shape and class of an element."""

    __slots__ = ()

    def _to_legacy_output_types(self):
        return self

    _to_legacy_output_shapes = _to_legacy_output_classes = _to_legacy_output_types


@export("data.DatasetSpec", "data.experimental.DatasetStructure")
class DatasetSpec(OwnTypeSpec, BatchableTypeSpec):
    """The type of a data set that is an element of another one, or of a tensor of such data sets."""

    __slots__ = ("_element_spec", "_dataset_shape")

    def __init__(self, element_spec, dataset_shape=()):
        self._element_spec, self._dataset_shape = element_spec, as_shape(dataset_shape)

    element_spec = property(lambda self: self._element_spec)
    value_type = property(lambda self: dataset_class)
    _component_specs = property(lambda self: TensorSpec(self._dataset_shape, dtypes.variant))

    @staticmethod
    def from_value(value):
        return DatasetSpec(value.element_spec)

    def _serialize(self):
        return self._element_spec, self._dataset_shape

    def _to_components(self, value):
        return value._variant_tensor

    def _from_components(self, components):
        return dataset_class._of_variant(components, self._element_spec) if self._dataset_shape.ndims == 0 else _NestedVariant(components, self._element_spec, self._dataset_shape)

    def _to_tensor_list(self, value):
        return [ops.convert_to_tensor(value._variant_tensor)]

    def _to_batched_tensor_list(self, value):
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return self._to_tensor_list(value)

    def _batch(self, batch_size):
        return DatasetSpec(self._element_spec, TensorShape([batch_size]).concatenate(self._dataset_shape))

    def _unbatch(self):
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])


class _NestedVariant(CompositeTensor):
    """Several data sets in one tensor."""

    def __init__(self, variant_tensor, element_spec, dataset_shape):
        self._variant_tensor, self._element_spec, self._dataset_shape = variant_tensor, element_spec, dataset_shape

    _type_spec = property(lambda self: DatasetSpec(self._element_spec, self._dataset_shape))


dataset_class = None  # the class Dataset; dataset.py sets it
CompositeTensor.register(SparseTensor)
register_type_spec_from_value_converter(SparseTensor, SparseTensorSpec.from_value)
SparseTensor._type_spec = property(SparseTensorSpec.from_value)
register_type_spec_from_value_converter(SparseTensorValue, SparseTensorSpec.from_value)


def type_spec_from_value(element, use_fallback=True):
    """The specs of a value's leaves, with the same nesting. `use_fallback`: other values have the type of the tensors that they can be converted to."""
    spec = known_type_spec(element)
    if spec is not None:
        return spec
    if is_nested(element):
        return _like(element, [type_spec_from_value(c) for c in _children(element)])
    if use_fallback:
        try:
            return type_spec_from_value(ops.convert_to_tensor(element), False)
        except (ValueError, TypeError):
            pass
    raise TypeError("Could not build a TypeSpec for %r with type %s" % (element, type(element).__name__))


def normalize_element(element):
    """The element with arrays, lists and numbers converted to tensors."""
    leaves = []
    with ops.name_scope("normalize_element"):
        for i, leaf in enumerate(flatten(element)):
            try:
                spec = type_spec_from_value(leaf, use_fallback=False)
            except TypeError:
                spec = None
            if isinstance(spec, SparseTensorSpec):
                leaf = SparseTensor.from_value(leaf)
            elif isinstance(spec, RaggedTensorSpec):
                leaf = convert_to_tensor_or_ragged_tensor(leaf, name="component_%d" % i)
            elif not isinstance(leaf, (TensorArray, CompositeTensor)) and not isinstance(spec, DatasetSpec):
                leaf = ops.convert_to_tensor(leaf, name="component_%d" % i)
            leaves.append(leaf)
    return pack(element, leaves)


def convert_legacy_structure(output_types, output_shapes, output_classes):
    """Specs from the separate types, shapes and classes that older programs pass."""

    def one(dtype, shape, kind):
        if isinstance(kind, TypeSpec):
            return kind
        if issubclass(kind, SparseTensor):
            return SparseTensorSpec(shape, dtype)
        if issubclass(kind, ops.Tensor):
            return TensorSpec(shape, dtype)
        raise TypeError("Could not build a structure for output class %r" % (kind,))

    return pack(output_classes, [one(*leaf) for leaf in zip(flatten(output_types), flatten(output_shapes), flatten(output_classes))])


def legacy_types(spec):
    return map_structure(lambda s: s._to_legacy_output_types(), spec)


def legacy_shapes(spec):
    return map_structure(lambda s: s._to_legacy_output_shapes(), spec)


def legacy_classes(spec):
    return map_structure(lambda s: s._to_legacy_output_classes(), spec)


def get_flat_tensor_specs(element_spec):
    """The specs of the tensors that an element consists of."""
    return [flat for leaf in flatten(element_spec) for flat in leaf._flat_tensor_specs]


def get_flat_tensor_shapes(element_spec):
    return [s.shape for s in get_flat_tensor_specs(element_spec)]


def get_flat_tensor_types(element_spec):
    return [s.dtype for s in get_flat_tensor_specs(element_spec)]


def flat(spec):
    """The attributes output_shapes and output_types of data set ops."""
    return {"output_shapes": get_flat_tensor_shapes(spec), "output_types": get_flat_tensor_types(spec)}


def to_tensor_list(element_spec, element):
    """The tensors of an element."""
    assert_same_structure(element_spec, element)
    return [t for s, v in zip(flatten(element_spec), flatten(element)) for t in s._to_tensor_list(v)]


def to_batched_tensor_list(element_spec, element):
    """The tensors of an element whose rows are elements; each has at least one dimension."""
    assert_same_structure(element_spec, element)
    return [t for s, v in zip(flatten(element_spec), flatten(element)) for t in s._to_batched_tensor_list(v)]


def _from_list(make, spec, tensors):
    tensors, leaves = list(tensors), flatten(spec)
    counts = [len(leaf._flat_tensor_specs) for leaf in leaves]
    if sum(counts) != len(tensors):
        raise ValueError("Expected %d tensors but got %d." % (sum(counts), len(tensors)))
    values = []
    for leaf, count in zip(leaves, counts):
        mine, tensors = tensors[:count], tensors[count:]
        values.append(make(leaf, mine))
    return pack(spec, values)


def from_compatible_tensor_list(element_spec, tensor_list):
    """The element of these tensors."""
    return _from_list(lambda leaf, tensors: leaf._from_compatible_tensor_list(tensors), element_spec, tensor_list)


def from_tensor_list(element_spec, tensor_list):
    """The element of these tensors; ValueError if they do not fit the spec."""
    return _from_list(lambda leaf, tensors: leaf._from_tensor_list(tensors), element_spec, tensor_list)


def are_compatible(spec1, spec2):
    """Whether two specs have the same nesting and their leaves are compatible."""
    try:
        assert_same_structure(spec1, spec2)
    except (TypeError, ValueError):
        return False
    return all(a.is_compatible_with(b) and b.is_compatible_with(a) for a, b in zip(flatten(spec1), flatten(spec2)))


def _TensorStructure(dtype, shape):
    return TensorSpec(shape, dtype)


def _SparseTensorStructure(dtype, shape):
    return SparseTensorSpec(shape, dtype)


def _RaggedTensorStructure(dtype, shape, ragged_rank):
    return RaggedTensorSpec(shape, dtype, ragged_rank)
