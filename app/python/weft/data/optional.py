"""Values that may be missing: results of an iterator that raises no error at its end."""

from .. import dtypes, engine, ops
from ..exports import export
from ..tensor_spec import TensorSpec
from ..type_spec import CompositeTensor
from . import structure
from .structure import flat, OwnTypeSpec


@export("OptionalSpec", "data.experimental.OptionalStructure")
class OptionalSpec(OwnTypeSpec):
    """The type of an Optional."""

    __slots__ = ("_value_structure",)

    def __init__(self, value_structure):
        self._value_structure = value_structure

    value_type = property(lambda self: Optional)
    _component_specs = property(lambda self: [TensorSpec((), dtypes.variant)])

    @staticmethod
    def from_value(value):
        return OptionalSpec(value.value_structure)

    def _serialize(self):
        return (self._value_structure,)

    def _to_components(self, value):
        return [value._variant_tensor]

    def _from_components(self, components):
        return Optional(components[0], self._value_structure)


@export("data.experimental.Optional")
class Optional(CompositeTensor):
    """A value, or none."""

    def __init__(self, variant_tensor, value_structure):
        self._variant_tensor, self._value_structure = variant_tensor, value_structure

    value_structure = property(lambda self: self._value_structure)
    _type_spec = property(lambda self: OptionalSpec(self._value_structure))

    @staticmethod
    def from_value(value):
        spec = structure.type_spec_from_value(value)
        return Optional(engine.raw_ops.OptionalFromValue(components=structure.to_tensor_list(spec, value)), spec)

    @staticmethod
    def none_from_structure(value_structure):
        return Optional(engine.raw_ops.OptionalNone(), value_structure)

    def has_value(self, name=None):
        """A bool tensor."""
        return engine.raw_ops.OptionalHasValue(optional=self._variant_tensor, name=name)

    def get_value(self, name=None):
        """The value; InvalidArgumentError if there is none."""
        with ops.name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            return structure.from_compatible_tensor_list(self.value_structure, engine.raw_ops.OptionalGetValue(optional=self._variant_tensor, name=scope, **flat(self.value_structure)))


@export("data.experimental.get_next_as_optional", "contrib.data.get_next_as_optional")
def get_next_as_optional(iterator):
    """The iterator's next value, or none at the end."""
    return Optional(engine.raw_ops.IteratorGetNextAsOptional(iterator=iterator._iterator_resource, **flat(iterator.element_spec)), iterator.element_spec)


_OptionalImpl = Optional  # TensorFlow's name of the class
