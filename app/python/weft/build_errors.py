"""Python exceptions for the engine's errors."""

from . import errors
from .exports import export_value


class OperatorNotAllowedInGraphError(TypeError):
    """Python code needed the value of a symbolic tensor, as in `if tensor:`."""


export_value(OperatorNotAllowedInGraphError, "errors.OperatorNotAllowedInGraphError")

_BUILD_ERRORS = {3: ValueError, 5: ValueError, 6: ValueError, 9: ValueError, 11: ValueError, 12: NotImplementedError}
_KINDS = {"TypeError": TypeError, "ValueError": ValueError, "RuntimeError": RuntimeError, "LookupError": LookupError, "KeyError": KeyError,
          "NotImplementedError": NotImplementedError, "AttributeError": AttributeError, "IndexError": IndexError, "AssertionError": AssertionError}


def raise_error(code, message, node, kind, graph):
    """Raises what TensorFlow raises for an error of the engine: a Python class while a graph is built, an OpError when it runs."""
    if kind in _KINDS:
        raise _KINDS[kind](message)
    if kind == "build" and graph is not None and getattr(graph, "_eager", False):
        raise errors.make(code, message, None, None)
    if kind == "build" and code in _BUILD_ERRORS:
        raise _BUILD_ERRORS[code](message)
    op = None
    if node and graph is not None:
        found = graph._core.find(node)
        if found >= 0:
            op = graph._core.operation(found)
    if op is not None and "[[node" not in message and "{{node" not in message:
        message += "\n\t [[node %s (defined at %s:%s) ]]" % ((op.name,) + (op._line or ("unknown", 0))[:2])
    raise errors.make(code, message, op.node_def if op is not None else None, op)
