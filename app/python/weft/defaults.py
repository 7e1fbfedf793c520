"""The default graph and the default session."""

import threading

from .exports import export
from .graph_elements import Operation, Tensor
from .graph_object import Graph


# Default graph and session.
class _DefaultStack(threading.local):
    def __init__(self):
        super().__init__()
        self.stack = []
        self._enforce_nesting = True

    def get_default(self):
        return self.stack[-1] if self.stack else None

    @property
    def enforce_nesting(self):
        return self._enforce_nesting

    def get_controller(self, default):
        return _Default(self, default)


class _Default:
    """Makes something the default one inside a `with`."""

    __slots__ = ("_owner", "_item")

    def __init__(self, owner, item):
        self._owner, self._item = owner, item

    def __enter__(self):
        self._owner.stack.append(self._item)
        return self._item

    def __exit__(self, *unused):
        stack = self._owner.stack
        if stack:
            if self._owner._enforce_nesting:
                if stack[-1] is not self._item:
                    raise AssertionError("Nesting violated for default stack of %s objects" % type(self._item))
                stack.pop()
            else:
                stack.remove(self._item)


_default_graph_stack = _DefaultStack()
_default_session_stack = _DefaultStack()
_global_graph = None


@export("get_default_graph")
def get_default_graph():
    """The graph that new operations join."""
    global _global_graph
    stack = _default_graph_stack.stack
    if stack:
        return stack[-1]
    if _global_graph is None:
        _global_graph = Graph()
    return _global_graph


@export("reset_default_graph")
def reset_default_graph():
    """Begins anew with an empty global default graph."""
    global _global_graph
    if _default_graph_stack.stack:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and create a new graph.")
    _global_graph = Graph()


@export("get_default_session")
def get_default_session():
    return _default_session_stack.get_default()


def default_session(session):
    return _default_session_stack.get_controller(session)


def _eval_using_default_session(tensors, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is registered. Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to evaluate tensor: the tensor's graph is different from the session's graph. Pass an explicit session to `eval(session=sess)`.")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to evaluate tensor: the tensor's graph is different from the session's graph.")
    return session.run(tensors, feed_dict)


def _run_using_default_session(operation, feed_dict, graph, session=None):
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot execute operation using `run()`: No default session is registered. Use `with sess.as_default():` or pass an explicit session to `run(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to execute operation: the operation's graph is different from the session's graph. Pass an explicit session to run(session=sess).")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to execute operation: the operation's graph is different from the session's graph.")
    session.run(operation, feed_dict)


def _as_graph_element(obj):
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


def _get_graph_from_inputs(values, graph=None):
    """The graph of the first tensor among `values`; ValueError if they lie in several."""
    first = None
    if graph is None and get_default_graph().building_function:
        return get_default_graph()
    for value in values:
        element = value if isinstance(value, (Tensor, Operation)) else _as_graph_element(value)
        if element is None:
            continue
        if graph is None:
            graph, first = element.graph, element
        elif element.graph is not graph:
            if first is not None:
                raise ValueError("%s must be from the same graph as %s." % (element, first))
            raise ValueError("%s is not from the passed-in graph." % element)
    return graph or get_default_graph()
