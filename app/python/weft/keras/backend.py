"""tf.keras.backend: the session of Keras, tensor functions, names."""

import collections
import contextlib
import weakref

from .. import basics, context, dtypes, engine, ops
from ..data.sparse_functions import sparse_placeholder
from ..exports import export, export_value
from ..gradients import gradients
from ..layers.base import forget_names, learning_phase as _layer_phase
from ..layers.lookups import relu
from ..layers.float_type import floatx, set_floatx  # noqa: F401 (re-exported)
from ..layers.values import (batch_get_value, batch_set_value, forget_session, get_session, get_value, manual_variable_initialization, set_session, set_value,
                             track)  # noqa: F401 (re-exported)
from ..ops import Tensor
from ..sparse_tensor import SparseTensor
from ..variable_base import Variable


def mark(function):
    """Decorator: exports the function as tf.keras.backend.NAME."""
    return export("keras.backend." + function.__name__)(function)


_names = weakref.WeakKeyDictionary()  # graph -> name counters


def _mark(name):
    return export("keras.backend." + name)


@_mark("clear_session")
def clear_session():
    """Drops the session and the default graph."""
    ops.reset_default_graph()
    _names.clear()
    forget_names()
    forget_session()
    _layer_phase()


@_mark("get_uid")
def get_uid(prefix=""):
    """A counter per name and graph: 1, 2, …"""
    counters = _names.setdefault(ops.get_default_graph(), collections.Counter())
    counters[prefix] += 1
    return counters[prefix]


@_mark("learning_phase")
def learning_phase():
    """1 while training, 0 otherwise: a placeholder, or the number that was set."""
    return _layer_phase()


@_mark("set_learning_phase")
def set_learning_phase(value):
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    ops.get_default_graph()._learning_phase = value


def known_phase(graph):
    """The learning phase of a graph, if it has been created."""
    return getattr(graph, "_learning_phase", None)


@_mark("learning_phase_scope")
@contextlib.contextmanager
def learning_phase_scope(value):
    """Context manager: sets the learning phase."""
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
    """A variable that Keras initializes."""
    made = Variable(value, dtype=dtypes.as_dtype(dtype or floatx()), name=name, constraint=constraint, use_resource=True)
    track(made)
    return made


@_mark("placeholder")
def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None):
    if not shape and ndim:
        shape = [None] * ndim
    with context.keras_graph().as_default():
        return (sparse_placeholder if sparse else engine.placeholder)(dtype or floatx(), shape=shape, name=name)


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


@_mark("eval")
def eval_tensor(x):
    """The value of a tensor; sparse ones become dense."""
    return get_value(engine.sparse_tensor_to_dense(x) if isinstance(x, SparseTensor) else x)


def is_placeholder(x):
    """Whether a tensor is a placeholder."""
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


def _are_numbers(*values):
    return all(isinstance(v, (int, float)) for v in values)


def _alias(name, make):
    export_value(make, "keras.backend." + name)


for _name, _of in (("sum", lambda x, axis=None, keepdims=False: engine.reduce_sum(x, axis, keepdims)),
                   ("mean", lambda x, axis=None, keepdims=False: engine.reduce_mean(basics.cast(x, floatx()) if x.dtype.base_dtype == dtypes.bool_ else x, axis, keepdims)),
                   ("max", lambda x, axis=None, keepdims=False: engine.reduce_max(x, axis, keepdims)),
                   ("min", lambda x, axis=None, keepdims=False: engine.reduce_min(x, axis, keepdims)),
                   ("square", lambda x: engine.square(x)), ("sqrt", lambda x: engine.sqrt(engine.maximum(x, 0))), ("abs", lambda x: engine.abs(x)),
                   ("exp", lambda x: engine.exp(x)), ("log", lambda x: engine.log(x)),
                   ("relu", lambda x, alpha=0., max_value=None, threshold=0: relu(x, alpha=alpha, max_value=max_value, threshold=threshold)), ("softmax", lambda x, axis=-1: engine.nn.softmax(x, axis=axis)), ("sigmoid", lambda x: engine.nn.sigmoid(x)),
                   ("tanh", lambda x: engine.tanh(x)), ("clip", lambda x, min_value, max_value: engine.clip_by_value(x, min_value, max(min_value, max_value) if _are_numbers(min_value, max_value) else max_value)),
                   ("concatenate", lambda tensors, axis=-1: engine.concat(tensors, axis)), ("reshape", lambda x, shape: engine.reshape(x, shape)),
                   ("expand_dims", lambda x, axis=-1: engine.expand_dims(x, axis)), ("flatten", lambda x: engine.reshape(x, [-1])),
                   ("argmax", lambda x, axis=-1: engine.argmax(x, axis)), ("equal", lambda x, y: engine.equal(x, y)), ("round", lambda x: engine.round(x)),
                   ("shape", lambda x: basics.shape(x)), ("zeros_like", lambda x, dtype=None, name=None: engine.zeros_like(x, dtype=dtype, name=name)),
                   ("ones_like", lambda x, dtype=None, name=None: engine.ones_like(x, dtype=dtype, name=name)),
                   ("stop_gradient", lambda x: engine.stop_gradient(x)), ("gradients", lambda loss, variables: gradients(loss, variables)),
                   ("transpose", lambda x: engine.transpose(x)), ("ndim", lambda x: x.shape.ndims)):
    _of.__name__ = _name
    _alias(_name, _of)
del _name, _of
