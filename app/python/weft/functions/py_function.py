"""tf.py_function: a Python function called by steps with eager tensors, differentiated through the operations that it runs."""

from .. import dtypes, ops
from ..exports import export
from ..gradients import gradients
from ..variable_base import Variable
from .immediate import ImmediateGraph
from .py_func import call, convert

_calls = {}  # token -> (graph, arguments, results) of the last call, until its gradient is computed


class _Function:
    """Calls the Python function in a new graph."""

    def __init__(self, func, types, inputs):
        self._func, self._types, self._inputs = func, types, inputs
        self.token = None

    def _convert(self, value, dtype):
        if isinstance(value, Variable):
            raise RuntimeError("Attempting to return a variable from an eagerly executed py_func. Only numeric data structures like Tensors or NumPy arrays should be returned; to return "
                               "the value of a variable, make sure to obtain the Tensor backing it by calling `.read_value()` on the variable in question: %s" % value)
        return ops.convert_to_tensor(value, dtype=dtype)

    def __call__(self, *arrays):
        graph = ImmediateGraph()
        with graph.as_default():
            arguments = [graph.given(a, t) for a, t in zip(arrays, self._inputs)]
            result = self._func(*arguments)
            several = isinstance(result, (tuple, list))
            tensors = [] if result is None else [self._convert(x, t) for x, t in zip(result if several else [result], self._types)]
            values = graph.finish(tensors)
        before = _calls.pop(self.token, None)
        if before is not None:
            before[0].close()
        _calls[self.token] = (graph, arguments, tensors)
        return [convert(v) for v in values]


def _gradient(op, *grads):
    """Gradients of the last call's results with respect to its arguments; zero where there are none."""
    token = op.get_attr("token")
    token = token.decode() if isinstance(token, bytes) else token

    def differentiate(*arrays):
        if token not in _calls:
            raise RuntimeError("The gradient of a tf.py_function is computed once for each call, after it.")
        graph, arguments, tensors = _calls.pop(token)
        with graph.as_default():
            wanted = [a for a in arguments if a.dtype.is_floating or a.dtype.is_complex]
            found = dict(zip(wanted, gradients(tensors, wanted, grad_ys=[graph.given(a, t.dtype) for a, t in zip(arrays, tensors)]))) if tensors and wanted else {}
            results = [ops.convert_to_tensor(found[a]) if found.get(a) is not None else ops.constant(0, dtype=a.dtype) for a in arguments]
            values = graph.finish(results)
        graph.close()
        return [convert(v) for v in values]

    with ops.control_dependencies(op.outputs):
        return call(differentiate, [ops.convert_to_tensor(g) for g in grads], [t.dtype.base_dtype for t in op.inputs], True, None)


ops.RegisterGradient("EagerPyFunc")(_gradient)


@export("py_function")
def eager_py_func(func, inp, Tout, name=None):
    """Calls `func` in each step with eager tensors; operations that it builds run immediately. Each call can be differentiated once."""
    if not callable(func):
        raise ValueError("Expected func to be callable, got func of type {}".format(type(func)))
    several = isinstance(Tout, (list, tuple))
    types = [dtypes.as_dtype(t) for t in (Tout if several else [Tout])]
    inputs = [ops.convert_to_tensor(x) for x in inp]
    if ops.executing_eagerly():
        result = func(*inputs)
        if not types:
            return result if isinstance(result, (list, tuple)) else None
        found = [ops.convert_to_tensor(x, dtype=t) for x, t in zip(result if isinstance(result, (list, tuple)) else [result], types)]
        return found if several else found[0]
    function = _Function(func, types, [t.dtype.base_dtype for t in inputs])
    graph = ops.get_default_graph()
    with graph.gradient_override_map({"PyFunc": "EagerPyFunc"}):
        result = call(function, inputs, types, True, "EagerPyFunc" if name is None else name)
    made = result if isinstance(result, ops.Operation) else result[0].op
    token = made.get_attr("token")
    function.token = token.decode() if isinstance(token, bytes) else token
    return result if several else result[0]


def _internal_py_func(func, inp, Tout, stateful=None, eager=False, is_grad_func=False, name=None):
    """py_func() or, if `eager`, py_function()."""
    return eager_py_func(func, inp, Tout, name) if eager else call(func, inp, Tout, bool(stateful), name)
