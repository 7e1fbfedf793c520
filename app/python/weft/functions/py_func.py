"""Python functions called by steps: tf.py_func and tf.numpy_function."""

import threading

import numpy as np

from .. import _weft, engine, ops
from ..exports import export
from ..util import nest


class _Registry:
    """Functions by the token in their nodes. The functions of a graph live as long as the graph."""

    def __init__(self):
        self._lock = threading.Lock()
        self._next = 0
        self._functions = {}

    def insert(self, function, graph):
        with self._lock:
            token = "pyfunc_%d" % self._next
            self._next += 1
        import weakref

        self._functions[token] = function
        weakref.finalize(graph, self._functions.pop, token, None)
        return token

    def __call__(self, token, arguments):
        function = self._functions.get(token)
        if function is None:
            raise ValueError("callback %s is not found" % token)
        result = function(*arguments)
        if isinstance(result, bytes):
            result = [result]
        if isinstance(result, (list, tuple)):
            return [convert(x) for x in result]
        return [] if result is None else [convert(result)]


def convert(value, dtype=None):
    """A value as an array for the engine; strings become objects."""
    result = np.asarray(value, dtype=dtype, order="C")
    if result.dtype.char == "S" and result is not value:
        return np.asarray(value, order="C", dtype=object)
    if result.dtype.char == "U" and result is not value:
        kept = np.asarray(value, order="C", dtype=object)  # NumPy's string types have dropped trailing NULs
        return np.reshape(np.array([x.encode("utf8") if isinstance(x, str) else x for x in kept.ravel()] + [None], dtype=object)[:-1], kept.shape)
    return result.astype(np.bytes_) if result.dtype.char == "U" else result


functions = _Registry()
_weft.set_python_caller(functions)


def call(func, inp, Tout, stateful=True, name=None):
    if not callable(func):
        raise ValueError("Expected func to be callable, got func of type {}".format(type(func)))
    several = isinstance(Tout, (list, tuple))
    if ops.executing_eagerly():  # what the function returns says the types
        result = [x if x is None else ops.convert_to_tensor(x) for x in nest.flatten(func(*[ops.convert_to_tensor(x).numpy() for x in inp]))]
        return result[0] if len(result) == 1 else result
    graph = ops.get_default_graph()
    while graph.building_function:
        graph = graph.outer_graph
    token = functions.insert(func, graph)
    op = engine.raw_ops.PyFunc if stateful else engine.raw_ops.PyFuncStateless
    result = op(input=list(inp), token=token, Tout=list(Tout) if several else [Tout], name=name)
    return result if several else result[0]


@export("py_func")
def py_func(func, inp, Tout, stateful=True, name=None):
    """Calls `func` with the tensors' values as arrays in each step. `stateful=False`: the result depends only on these, so that calls may be omitted."""
    return call(func, inp, Tout, stateful, name)


@export("numpy_function")
def numpy_function(func, inp, Tout, name=None):
    """As py_func; always stateful."""
    return call(func, inp, Tout, True, name)


ops.NotDifferentiable("PyFunc")
ops.NotDifferentiable("PyFuncStateless")
