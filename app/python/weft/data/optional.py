"""Values that may be missing: results of an iterator that raises no error at its end."""

from .. import engine, ops
from ..exports import export
from . import structure
from .structure import flat


@export("data.experimental.Optional")
class Optional:
    """A value, or none."""

    def __init__(self, variant_tensor, value_structure):
        self._variant_tensor, self.value_structure = variant_tensor, value_structure

    @staticmethod
    def from_value(value):
        spec = structure.spec_of(value)
        return Optional(engine.raw_ops.OptionalFromValue(components=structure.to_tensors(spec, value)), spec)

    @staticmethod
    def none_from_structure(value_structure):
        return Optional(engine.raw_ops.OptionalNone(), value_structure)

    def has_value(self, name=None):
        """A bool tensor."""
        return engine.raw_ops.OptionalHasValue(optional=self._variant_tensor, name=name)

    def get_value(self, name=None):
        """The value; InvalidArgumentError if there is none."""
        with ops.name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            return structure.from_tensors(self.value_structure, engine.raw_ops.OptionalGetValue(optional=self._variant_tensor, name=scope, **flat(self.value_structure)))


@export("data.experimental.get_next_as_optional", "contrib.data.get_next_as_optional")
def get_next_as_optional(iterator):
    """The iterator's next value, or none at the end."""
    return Optional(engine.raw_ops.IteratorGetNextAsOptional(iterator=iterator._iterator_resource, **flat(iterator.element_spec)), iterator.element_spec)
