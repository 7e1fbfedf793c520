"""TypeSpec and CompositeTensor: base classes of types made of tensors, those of TensorFlow and programs' own."""

import abc

import numpy as np

from . import dtypes, ops
from .exports import export
from .tensor_shape import TensorShape
from .util import nest


class CompositeTensor(metaclass=abc.ABCMeta):
    """A value made of tensors; its `_type_spec` decomposes and rebuilds it."""

    @property
    @abc.abstractmethod
    def _type_spec(self):
        """The TypeSpec of the value."""

    def _to_components(self):
        return self._type_spec._to_components(self)

    def _component_metadata(self):
        return self._type_spec

    @staticmethod
    def _from_components(components, metadata):
        return metadata._from_components(components)

    def _shape_invariant_to_type_spec(self, shape):
        raise NotImplementedError("%s._shape_invariant_to_type_spec" % type(self).__name__)

    @property
    def _is_graph_tensor(self):
        return any(hasattr(t, "graph") for t in nest.flatten(self._to_components(), expand_composites=True))

    def _consumers(self):
        return list(dict.fromkeys(op for part in self._to_components() if getattr(part, "graph", None) is not None for op in part.consumers()))


def _flat_specs(spec):
    return [flat for leaf in nest.flatten(spec) for flat in leaf._flat_tensor_specs]


@export("TypeSpec", "data.experimental.Structure")
class TypeSpec(metaclass=abc.ABCMeta):
    """The type of a value. Subclasses define value_type, _serialize(), _component_specs, _to_components(value) and _from_components(components)."""

    __slots__ = ()

    @property
    @abc.abstractmethod
    def value_type(self):
        """The class of the values."""

    @abc.abstractmethod
    def _to_components(self, value):
        """The components of a value, possibly nested."""

    @abc.abstractmethod
    def _from_components(self, components):
        """A value made of components."""

    @property
    @abc.abstractmethod
    def _component_specs(self):
        """The types of the components, with the same nesting."""

    @abc.abstractmethod
    def _serialize(self):
        """A tuple from which _deserialize() makes an equal type."""

    @classmethod
    def _deserialize(cls, serialization):
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value):
        """Whether a value, or a value of the given type, has this type."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and _compatible(self._serialize(), other._serialize())

    def most_specific_compatible_type(self, other):
        """The most specific type that both fit. ValueError if they differ in more than shapes."""
        if type(self) is not type(other):
            raise ValueError("No TypeSpec is compatible with both %s and %s" % (self, other))
        return self._deserialize(_merged(self._serialize(), other._serialize()))

    @property
    def _flat_tensor_specs(self):
        return _flat_specs(self._component_specs)

    def _to_tensor_list(self, value):
        return nest.flatten(self._to_components(value), expand_composites=True)

    def _from_tensor_list(self, tensor_list):
        wanted = self._flat_tensor_specs
        if len(wanted) != len(tensor_list):
            raise ValueError("Incompatible input: wrong number of tensors")
        for i, (tensor, spec) in enumerate(zip(tensor_list, wanted)):
            if not spec.is_compatible_with(type_spec_from_value(tensor)):
                raise ValueError("Incompatible input: tensor %d (%s) is incompatible with %s" % (i, tensor, spec))
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list):
        rest, parts = list(tensor_list), []
        for leaf in nest.flatten(self._component_specs):
            count = len(_flat_specs(leaf))
            mine, rest = rest[:count], rest[count:]
            parts.append(leaf._from_compatible_tensor_list(mine))
        return self._from_components(nest.pack_sequence_as(self._component_specs, parts) if nest.is_sequence(self._component_specs) else parts[0])

    def __eq__(self, other):
        return type(other) is type(self) and _key(self._serialize(), self) == _key(other._serialize(), other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((type(self), _key(self._serialize(), self)))

    def __reduce__(self):
        return type(self), self._serialize()

    def __repr__(self):
        return "%s%r" % (type(self).__name__, self._serialize())

    def _to_legacy_output_types(self):
        raise NotImplementedError("%s._to_legacy_output_types()" % type(self).__name__)

    def _to_legacy_output_shapes(self):
        raise NotImplementedError("%s._to_legacy_output_shapes()" % type(self).__name__)

    def _to_legacy_output_classes(self):
        return self.value_type


class BatchableTypeSpec(TypeSpec):
    """A type with batches: _batch(size), _unbatch()."""

    __slots__ = ()

    @abc.abstractmethod
    def _batch(self, batch_size):
        """The type of a batch."""

    @abc.abstractmethod
    def _unbatch(self):
        """The type of an element of a batch."""

    def _to_batched_tensor_list(self, value):
        found = self._to_tensor_list(value)
        if any(t.shape.ndims == 0 for t in found):
            raise ValueError("Value %s has insufficient rank for batching." % value)
        return found


def _compatible(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(_compatible(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return sorted(a) == sorted(b) and all(_compatible(a[k], b[k]) for k in a)
    return a.is_compatible_with(b) if isinstance(a, (TypeSpec, TensorShape, dtypes.DType)) else a == b


def _merged(a, b):
    different = ValueError("Types are not compatible: %r vs %r" % (a, b))
    if type(a) is not type(b):
        raise different
    if isinstance(a, tuple):
        if len(a) != len(b):
            raise different
        return tuple(_merged(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        if sorted(a) != sorted(b):
            raise different
        return {k: _merged(a[k], b[k]) for k in sorted(a)}
    if isinstance(a, TensorShape):
        return a.most_specific_compatible_shape(b)
    if isinstance(a, TypeSpec):
        return a.most_specific_compatible_type(b)
    if a != b:
        raise different
    return a


def _key(value, spec):
    """A hashable key of a serialized type, for comparison."""
    if value is None or isinstance(value, (int, float, bool, str, bytes, dtypes.DType, TypeSpec)):
        return value
    if isinstance(value, dict):
        return tuple((_key(k, spec), _key(value[k], spec)) for k in sorted(value))
    if isinstance(value, tuple):
        return tuple(_key(v, spec) for v in value)
    if isinstance(value, TensorShape):
        return (TensorShape, None if value.ndims is None else tuple(value.as_list()))
    if isinstance(value, np.ndarray):
        return (np.ndarray, value.shape, tuple(value.ravel().tolist()))
    raise ValueError("Unsupported value type %s returned by %s._serialize" % (type(value).__name__, type(spec).__name__))


_converters = []


def register_type_spec_from_value_converter(type_object, converter_fn, allow_subclass=False):
    """Registers converter_fn(value), which returns the type of values of the class."""
    _converters.append((type_object, converter_fn, allow_subclass))


def known_type_spec(value):
    """The type of a value; None if its class has no type of its own."""
    if hasattr(type(value), "_type_spec"):
        return value._type_spec
    if isinstance(value, list) and value:
        specs = [known_type_spec(v) for v in value]
        if isinstance(specs[0], BatchableTypeSpec):
            try:
                merged = specs[0]
                for spec in specs[1:]:
                    merged = merged.most_specific_compatible_type(spec)
                return merged._batch(len(specs))
            except (ValueError, TypeError):  # types that differ have no common one
                return None
    for kind, convert, derived in reversed(_converters):
        if type(value) is kind or derived and isinstance(value, kind):
            return convert(value)
    return None


def type_spec_from_value(value):
    """The type of a value, or of the tensor that it can be converted to. TypeError if there is none."""
    spec = known_type_spec(value)
    if spec is None:
        try:
            spec = known_type_spec(ops.convert_to_tensor(value))
        except (ValueError, TypeError):
            pass
    if spec is None:
        raise TypeError("Could not build a TypeSpec for %r with type %s" % (value, type(value).__name__))
    return spec


_type_spec_from_value = known_type_spec  # TensorFlow's name
