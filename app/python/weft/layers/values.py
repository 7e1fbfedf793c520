"""The session that holds the values of layers' variables: tf.keras.backend.get_session and related functions."""

import weakref

import numpy as np

from .. import _weft, context, engine, ops
from ..exports import export
from ..session import Session
from ..variables import is_variable_initialized

_session = None
_started = weakref.WeakKeyDictionary()  # session -> ids of the variables that it has initialized


def _mark(name):
    return export("keras.backend." + name)


@_mark("get_session")
def get_session(op_input_list=()):
    """The default session, else the session of the layers. Initializes variables of layers that are not initialized."""
    global _session
    session, graph = ops.get_default_session(), ops.get_default_graph()
    of_eager = getattr(getattr(graph, "outer_graph", None), "_eager", False)  # Keras's own graph, of which the program knows no session
    if session is None or of_eager and session.graph is not graph:
        if _session is None or _session.graph is not graph or getattr(_session, "_closed", False):
            _session = Session()
        session = _session
    _initialize(session)
    return session


@_mark("set_session")
def set_session(session):
    """Sets the session for layers and models."""
    global _session
    _session = session


def _is_eager(x):
    """Whether it is a variable or tensor that has its value without a session."""
    return getattr(x, "_eager", False) is True or getattr(x, "_is_eager", False) is True


def _eager_value(x):
    with context.eager_graph().as_default():
        return x.numpy()


def track(variable):
    """Makes get_session() initialize the variable."""
    if getattr(variable, "_eager", False):
        return
    graph = variable.graph
    graph.__dict__.setdefault("_layer_variables", []).append(variable)


def _initialize(session):
    if not _initializes:
        return
    done = _started.setdefault(session, set())
    fresh = list({id(v): v for v in session.graph.__dict__.get("_layer_variables", ()) if id(v) not in done}.values())
    if not fresh:
        return
    with session.graph.as_default():
        known = session.run([is_variable_initialized(v) for v in fresh])
        missing = [v for v, ready in zip(fresh, known) if not ready]
        if missing:
            session.run([v.initializer for v in missing])
    done.update(id(v) for v in fresh)


_initializes = True


@_mark("manual_variable_initialization")
def manual_variable_initialization(value):
    """True: the program initializes the variables of layers itself."""
    global _initializes
    _initializes = not value


@_mark("get_value")
def get_value(x):
    """The value of a tensor or variable; anything else as it is."""
    if not hasattr(x, "graph"):
        return x
    if _is_eager(x):
        return _eager_value(x)
    if ops.get_default_graph()._eager:
        with x.graph.as_default():
            return get_session().run(x, held_values(x.graph))
    return get_session().run(x)


def held_values(graph):
    """What to feed for the values that a graph has captured from eager execution."""
    return {here: _weft.eager_value(t) for t, here in getattr(graph, "held", {}).values()}


def _assignment(variable):
    """(placeholder, operation) that assigns a variable; created once."""
    holder = variable.__dict__.get("_keras_assign")
    if holder is None:
        with variable.graph.as_default(), ops.name_scope(None), ops.control_dependencies(None):
            feed = engine.placeholder(variable.dtype.base_dtype, shape=variable.shape)
            holder = variable._keras_assign = (feed, variable.assign(feed))
    return holder


@_mark("set_value")
def set_value(x, value):
    """Sets the value of a variable."""
    batch_set_value([(x, value)])


@_mark("batch_get_value")
def batch_get_value(tensors):
    tensors = list(tensors)
    if any(_is_eager(t) for t in tensors):
        return [get_value(t) for t in tensors]
    return get_session().run(tensors) if tensors else []


@_mark("batch_set_value")
def batch_set_value(tuples):
    """Sets the values of variables in one step."""
    tuples = list(tuples)
    for x, value in tuples:
        if _is_eager(x):
            with context.eager_graph().as_default():
                x.assign(np.asarray(value, dtype=x.dtype.as_numpy_dtype))
    given = [(_assignment(x), value) for x, value in tuples if not _is_eager(x)]
    if given:
        get_session().run([assign for (_, assign), _ in given], {feed: value for (feed, _), value in given})


def forget_session():
    global _session
    _session = None
