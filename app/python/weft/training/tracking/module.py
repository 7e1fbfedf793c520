"""tf.Module: a named container of variables and other modules."""

import re

from ... import ops
from ...exports import export
from ...util import nest
from ...util.tf_decorator import make_decorator
from ...variable_base import Variable
from .base import AutoTrackable

_IGNORED = frozenset(("_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names", "_self_update_uid"))


def camel_to_snake(value):
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", value).lower()


def valid_identifier(name):
    return bool(re.match(r"^[a-zA-Z_]([a-zA-Z0-9_])*$", name))


@export("Module")
class Module(AutoTrackable):
    """A container of variables, modules and structures of them in attributes; `name_scope` is the scope of its operations."""

    _TF_MODULE_IGNORED_PROPERTIES = _IGNORED

    def __init__(self, name=None):
        if name is None:
            name = camel_to_snake(type(self).__name__)
        elif not valid_identifier(name):
            raise ValueError("%r is not a valid module name. Module names must be valid Python identifiers (e.g. a valid class name)." % name)
        self._name = name
        with ops.name_scope(name) as scope:
            self._scope_name = scope

    name = property(lambda self: self._name)

    @property
    def name_scope(self):
        """Context manager for the scope that the module opened when it was created."""
        return ops.name_scope(self._scope_name)

    @property
    def variables(self):
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self):
        return tuple(self._flatten(predicate=lambda v: _is_variable(v) and getattr(v, "trainable", False)))

    @property
    def submodules(self):
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(self, recursive=True, predicate=None, attribute_traversal_key=None, with_path=False):
        """Values of attributes, sorted by name; those of submodules come after the module's own."""
        return _flat(self, recursive, predicate or (lambda _: True), attribute_traversal_key, with_path, (), {id(self)})

    @classmethod
    def with_name_scope(cls, method):
        """Decorator: runs the method in the module's name scope."""

        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return make_decorator(method, scoped)


def _is_variable(obj):
    return isinstance(obj, Variable)


def _is_module(obj):
    return isinstance(obj, Module)


def _flat(module, recursive, predicate, key, with_path, path, seen):
    below = []
    ignored = module._TF_MODULE_IGNORED_PROPERTIES
    for name in sorted(vars(module), key=key):
        if name in ignored:
            continue
        for leaf_path, leaf in nest.flatten_with_tuple_paths(vars(module)[name]):
            whole = path + (name,) + leaf_path
            if not with_path:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            if predicate(leaf):
                yield (whole, leaf) if with_path else leaf
            if recursive and _is_module(leaf):
                below.append((whole, leaf))
    for whole, leaf in below:
        for found in _flat(leaf, recursive, predicate, key, with_path, whole, seen):
            yield found
