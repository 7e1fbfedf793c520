"""tensorflow.python.framework.op_def_registry: the OpDefs of the ops that the engine has."""

import collections.abc

from .graph_access import op_def


def get(name):
    """The OpDef of a registered op, or None."""
    return op_def(name)


class _Registered(collections.abc.Mapping):
    def __getitem__(self, name):
        found = op_def(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self):
        from . import _weft

        return iter(_weft.op_names())

    def __len__(self):
        from . import _weft

        return len(_weft.op_names())


def get_registered_ops():
    """All OpDefs by name, created on access."""
    return _Registered()
