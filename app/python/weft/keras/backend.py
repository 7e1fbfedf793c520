"""tf.keras.backend: the session that Keras uses, functions of tensors, names."""

import collections
import contextlib
import weakref

import numpy as np

from .. import basics, dtypes, engine, ops
from ..data.sparse_functions import sparse_placeholder
from ..exports import export, export_value
from ..gradients import gradients
from ..layers.base import forget_names, learning_phase as _layer_phase
from ..ops import Tensor
from ..session import Session
from ..sparse_tensor import SparseTensor
from ..variable_base import Variable
from ..variables import is_variable_initialized

def mark(function):
    """Decorator: the function is tf.keras.backend's of its name."""
    return export("keras.backend." + function.__name__)(function)


_session = None
_names = weakref.WeakKeyDictionary()  # graph -> counters of names
_started = weakref.WeakKeyDictionary()  # session -> ids of the variables that it has initialised


def _mark(name):
    return export("keras.backend." + name)


@_mark("get_session")
def get_session(op_input_list=()):
    """The default session, else Keras' own; variables of Keras that were not initialised are."""
    global _session
    session = ops.get_default_session()
    if session is None:
        if _session is None or _session.graph is not ops.get_default_graph() or getattr(_session, "_closed", False):
            _session = Session()
        session = _session
    _initialize(session)
    return session


@_mark("set_session")
def set_session(session):
    """Keras uses this session from now on."""
    global _session
    _session = session


def track(variable):
    """Keras initialises this variable when it first uses a session."""
    graph = variable.graph
    graph.__dict__.setdefault("_keras_variables", []).append(variable)


def _initialize(session):
    if not _initializes:
        return
    done = _started.setdefault(session, set())
    fresh = list({id(v): v for v in session.graph.__dict__.get("_keras_variables", ()) if id(v) not in done}.values())
    if not fresh:
        return
    with session.graph.as_default():
        known = session.run([is_variable_initialized(v) for v in fresh])
        missing = [v for v, ready in zip(fresh, known) if not ready]
        if missing:
            session.run([v.initializer for v in missing])
    done.update(id(v) for v in fresh)


@_mark("clear_session")
def clear_session():
    """Forgets the session and the default graph."""
    global _session
    ops.reset_default_graph()
    forget_names()
    _session = None
    _layer_phase()


@_mark("get_uid")
def get_uid(prefix=""):
    """1 for the first thing of that name in the graph, then 2 …"""
    counters = _names.setdefault(ops.get_default_graph(), collections.Counter())
    counters[prefix] += 1
    return counters[prefix]


@_mark("learning_phase")
def learning_phase():
    """1 while training, 0 otherwise: a tensor that is fed, or the number that was set."""
    return _layer_phase()


@_mark("set_learning_phase")
def set_learning_phase(value):
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    ops.get_default_graph()._learning_phase = value


def known_phase(graph):
    """The learning phase of a graph if somebody asked for it."""
    return getattr(graph, "_learning_phase", None)


@_mark("learning_phase_scope")
@contextlib.contextmanager
def learning_phase_scope(value):
    """The learning phase inside of a `with`."""
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    graph = ops.get_default_graph()
    before = known_phase(graph)
    graph._learning_phase = value
    try:
        yield
    finally:
        graph._learning_phase = before


@_mark("variable")
def variable(value, dtype=None, name=None, constraint=None):
    """A variable that Keras initialises."""
    made = Variable(value, dtype=dtypes.as_dtype(dtype or floatx()), name=name, constraint=constraint, use_resource=True)
    track(made)
    return made


@_mark("placeholder")
def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None):
    if not shape and ndim:
        shape = [None] * ndim
    return (sparse_placeholder if sparse else engine.placeholder)(dtype or floatx(), shape=shape, name=name)


_floatx = "float32"


@_mark("floatx")
def floatx():
    return _floatx


@_mark("set_floatx")
def set_floatx(value):
    global _floatx
    if value not in ("float16", "float32", "float64"):
        raise ValueError("Unknown floatx type: " + str(value))
    _floatx = value


_epsilon, _image_data_format = 1e-7, "channels_last"


@_mark("epsilon")
def epsilon():
    return _epsilon


@_mark("set_epsilon")
def set_epsilon(value):
    global _epsilon
    _epsilon = value


@_mark("image_data_format")
def image_data_format():
    return _image_data_format


@_mark("set_image_data_format")
def set_image_data_format(data_format):
    global _image_data_format
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Unknown data_format: " + str(data_format))
    _image_data_format = str(data_format)


@_mark("reset_uids")
def reset_uids():
    _names.pop(ops.get_default_graph(), None)
    forget_names()


_initializes = True


@_mark("manual_variable_initialization")
def manual_variable_initialization(value):
    """True: the program initialises the variables itself."""
    global _initializes
    _initializes = not value


@_mark("eval")
def eval_tensor(x):
    return get_session().run(ops.convert_to_tensor(x))


@_mark("get_value")
def get_value(x):
    return get_session().run(x)


def _assignment(variable):
    """(placeholder, operation) that gives a variable a value, made once."""
    holder = variable.__dict__.get("_keras_assign")
    if holder is None:
        with variable.graph.as_default(), ops.name_scope(None), ops.control_dependencies(None):
            feed = engine.placeholder(variable.dtype.base_dtype, shape=variable.shape)
            holder = variable._keras_assign = (feed, variable.assign(feed))
    return holder


@_mark("set_value")
def set_value(x, value):
    """Gives a variable a value in Keras' session."""
    batch_set_value([(x, value)])


@_mark("batch_get_value")
def batch_get_value(tensors):
    return get_session().run(list(tensors)) if tensors else []


@_mark("batch_set_value")
def batch_set_value(tuples):
    """Gives variables values, all in one step."""
    given = [(_assignment(x), value) for x, value in tuples]
    if given:
        get_session().run([assign for (_, assign), _ in given], {feed: value for (feed, _), value in given})


def is_placeholder(x):
    """Whether a tensor is there to be fed."""
    if isinstance(x, SparseTensor):
        return any(is_placeholder(t) for t in (x.indices, x.values, x.dense_shape))
    return isinstance(x, Tensor) and x.op.type == "Placeholder"


@_mark("int_shape")
def int_shape(x):
    try:
        return tuple(x.shape.as_list())
    except ValueError:
        return None


@export("keras.backend.cast")
def cast(x, dtype):
    return basics.cast(x, dtype)


@export("keras.backend.dtype")
def dtype(x):
    return x.dtype.base_dtype.name


def _alias(name, make):
    export_value(make, "keras.backend." + name)


for _name, _of in (("sum", lambda x, axis=None, keepdims=False: engine.reduce_sum(x, axis, keepdims)),
                   ("mean", lambda x, axis=None, keepdims=False: engine.reduce_mean(basics.cast(x, floatx()) if x.dtype.base_dtype == dtypes.bool_ else x, axis, keepdims)),
                   ("max", lambda x, axis=None, keepdims=False: engine.reduce_max(x, axis, keepdims)),
                   ("min", lambda x, axis=None, keepdims=False: engine.reduce_min(x, axis, keepdims)),
                   ("square", lambda x: engine.square(x)), ("sqrt", lambda x: engine.sqrt(engine.maximum(x, 0))), ("abs", lambda x: engine.abs(x)),
                   ("exp", lambda x: engine.exp(x)), ("log", lambda x: engine.log(x)),
                   ("relu", lambda x: engine.nn.relu(x)), ("softmax", lambda x, axis=-1: engine.nn.softmax(x, axis=axis)), ("sigmoid", lambda x: engine.nn.sigmoid(x)),
                   ("tanh", lambda x: engine.tanh(x)), ("clip", lambda x, low, high: engine.clip_by_value(x, low, high)),
                   ("concatenate", lambda tensors, axis=-1: engine.concat(tensors, axis)), ("reshape", lambda x, shape: engine.reshape(x, shape)),
                   ("expand_dims", lambda x, axis=-1: engine.expand_dims(x, axis)), ("flatten", lambda x: engine.reshape(x, [-1])),
                   ("argmax", lambda x, axis=-1: engine.argmax(x, axis)), ("equal", lambda x, y: engine.equal(x, y)), ("round", lambda x: engine.round(x)),
                   ("shape", lambda x: basics.shape(x)), ("zeros_like", lambda x: engine.zeros_like(x)), ("ones_like", lambda x: engine.ones_like(x)),
                   ("stop_gradient", lambda x: engine.stop_gradient(x)), ("gradients", lambda loss, variables: gradients(loss, variables)),
                   ("transpose", lambda x: engine.transpose(x)), ("ndim", lambda x: x.shape.ndims)):
    _alias(_name, _of)
del _name, _of
