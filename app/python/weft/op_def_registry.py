"""tensorflow.python.framework.op_def_registry: the OpDefs of the ops that the engine has."""

import collections.abc

from . import op_calls, protos
from .graph_access import op_def, register_op


def get(name):
    """The OpDef of a registered op, or None."""
    return op_def(name)


def _arguments(definition):
    return [(a.name, a.type, a.type_attr, a.type_list_attr, a.number_attr, a.is_ref) for args in (definition.input_arg, definition.output_arg) for a in args]


def register_op_list(op_list):
    """Registers the OpDefs of a library of the program: graphs may contain these ops, with outputs of unknown shapes. Running one is an error, because it has no kernel."""
    if not isinstance(op_list, protos.OpList):
        raise TypeError("%s is %s, not an op_def_pb2.OpList" % (op_list, type(op_list)))
    for definition in op_list.op:
        known = op_def(definition.name)
        if known is None:
            made = protos.OpDef()
            made.CopyFrom(definition)
            register_op(made)
            op_calls.learn(definition.name)
        elif _arguments(known) != _arguments(definition):
            raise ValueError("Registered op_def for %s (%s) not equal to op_def to register (%s)" % (definition.name, known, definition))


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
