"""The current context: the default graph and session of a thread, the variable scope of a graph.

Shared by the modules that build graphs. It imports none of them; they set the hooks below when they are loaded."""

import threading

new_graph = None       # creates the global default graph (graph_object.Graph)
variable_state = None  # the variable scopes of a graph; None: of the default graph (variable_scope.py)
variable_of = None     # (graph, a serialised VariableDef) -> the variable, or None (variable_base.variable_from_def)


class DefaultStack(threading.local):
    """A stack of defaults set by nested `with` statements, innermost last; each thread has its own."""

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

    def is_cleared(self):
        return not self.stack

    def reset(self):
        self.stack[:] = []


class GraphStack(DefaultStack):
    """The stack of default graphs. An EagerGraph in it is a mode rather than a graph: it stays when the stack is cleared."""

    def is_cleared(self):
        return all(graph._eager for graph in self.stack)

    def reset(self):
        """Clears the stack and drops the global graph."""
        global _global_graph
        self.stack[:] = [graph for graph in self.stack if graph._eager]
        _global_graph = None


class _Default:
    """Context manager that makes an object the default."""

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


eager_by_default = False  # whether operations run at once outside of graphs
eager_keras_graph = None  # Keras's graph while execution is eager (eager/function.py)
made_keras_graph = lambda: None  # noqa: E731 (that graph if it has been made)
eager_graph = None        # the graph that stands for it (eager/mode.py)
made_eager_graph = lambda: None   # noqa: E731 (that graph if it has been made)
on_eager_reset = []       # called with that graph by reset_default_graph()
graphs = GraphStack()
sessions = DefaultStack()
_global_graph = None


def get_default_graph():
    """The graph that new operations are added to."""
    global _global_graph
    stack = graphs.stack
    if stack:
        return stack[-1]
    if eager_by_default:
        return eager_graph()
    if _global_graph is None:
        _global_graph = new_graph()
    return _global_graph


def keras_graph():
    """The graph in which Keras connects layers: the default one, or a graph of its own while execution is eager."""
    graph = get_default_graph()
    return graph if not graph._eager else eager_keras_graph()


def global_graph_was_used():
    return _global_graph is not None


def symbolic_graph():
    """The innermost graph whose operations do not run at once."""
    global _global_graph
    for graph in reversed(graphs.stack):
        if not getattr(graph, "_eager", False):
            return graph
    if _global_graph is None:
        _global_graph = new_graph()
    return _global_graph


def reset_default_graph():
    """Replaces the global default graph by an empty one."""
    global _global_graph
    if not graphs.is_cleared():
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and create a new graph.")
    _global_graph = new_graph()
    graph = made_eager_graph()
    if graph is not None:
        for forget in on_eager_reset:
            forget(graph)


def get_default_session():
    return sessions.get_default()


def get_variable_scope():
    """The current variable scope, which get_variable() uses."""
    return variable_state(None).scope


def eval_using_default_session(tensors, feed_dict, graph, session=None):
    """Tensor.eval()"""
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is registered. Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to evaluate tensor: the tensor's graph is different from the session's graph. Pass an explicit session to `eval(session=sess)`.")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to evaluate tensor: the tensor's graph is different from the session's graph.")
    return session.run(tensors, feed_dict)


def run_using_default_session(operation, feed_dict, graph, session=None):
    """Operation.run()"""
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("Cannot execute operation using `run()`: No default session is registered. Use `with sess.as_default():` or pass an explicit session to `run(session=sess)`")
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to execute operation: the operation's graph is different from the session's graph. Pass an explicit session to run(session=sess).")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to execute operation: the operation's graph is different from the session's graph.")
    session.run(operation, feed_dict)
