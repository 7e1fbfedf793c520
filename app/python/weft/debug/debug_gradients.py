"""tensorflow.python.debug.lib.debug_gradients: the tensors that tf.gradients makes for given tensors.

A GradientsDebugger puts an identity operation behind a tensor. When tf.gradients passes that operation, its gradient function tells the debugger which tensor is the
gradient. The operation's name holds the debugger's id and the tensor's name: NODE_SLOT/gradient_debug_ID."""

import re
import uuid

from .. import engine
from ..ops import RegisterGradient, Tensor
from ..variable_base import Variable
from . import debug_graphs
from .debug_data import WatchKeyDoesNotExistInDebugDumpDirError

_TAG = "gradient_debug_"

_gradient_debuggers = {}


def _operation_name(tensor, debugger):
    node, slot = debug_graphs.parse_node_or_tensor_name(tensor.name)
    return "%s_%d/%s%s" % (node, slot, _TAG, debugger)


def _parse_operation_name(name):
    """(id of the debugger, name of the tensor)"""
    tensor, _, last = name.rpartition("/")
    node, _, slot = tensor.rpartition("_")
    return last[len(_TAG):].partition("_")[0], "%s:%d" % (node, int(slot))


class GradientsDebugger:
    """Collects gradients by the names of their tensors: always if it is the only debugger, else while it is entered as a context."""

    def __init__(self, y_tensor=None):
        self._uuid = uuid.uuid4().hex
        _gradient_debuggers[self._uuid] = self
        self._gradient_tensors = {}
        self.y_tensor = y_tensor
        self.graph = None if y_tensor is None else y_tensor.graph
        self._entered = False

    def __enter__(self):
        self._entered = True
        return self

    def __exit__(self, *error):
        self._entered = False

    def identify_gradient(self, input_tensor):
        """A copy of a tensor whose gradient this debugger will know. A second one of the same tensor is a ValueError."""
        name = _operation_name(input_tensor, self._uuid)
        reference = input_tensor.dtype != input_tensor.dtype.base_dtype
        copy = (engine.raw_ops.DebugGradientRefIdentity if reference else engine.raw_ops.DebugGradientIdentity)(input=input_tensor, name=name)
        if copy.op.name != name:
            raise ValueError("The graph already contains an op named %s" % name)
        return copy

    def watch_gradients_by_tensors(self, graph, tensors):
        """Watches tensors or variables that operations of the graph read already."""
        names = [re.escape(tensor.name) + "$" for tensor in (tensors if isinstance(tensors, list) else [tensors])]
        return self.watch_gradients_by_tensor_names(graph, "(%s)" % "|".join(names))

    def watch_gradients_by_tensor_names(self, graph, tensor_name_regex):
        """Watches the tensors whose names match: their readers read a copy instead. Call it before tf.gradients."""
        pattern = re.compile(tensor_name_regex)
        with graph.as_default():
            for tensor in [t for op in graph.get_operations() for t in op.outputs if pattern.match(t.name)]:
                copy = self.identify_gradient(tensor)
                for reader in list(tensor.consumers()):
                    for i, read in enumerate(list(reader.inputs)) if reader != copy.op else ():
                        if read is tensor:
                            reader._update_input(i, copy)
        return self

    def register_gradient_tensor(self, x_tensor_name, gradient_tensor):
        if len(_gradient_debuggers) > 1 and not self._entered:
            return
        if self.graph is None:
            self.graph = gradient_tensor.graph
        elif self.graph != gradient_tensor.graph:
            raise ValueError("The graph of the value (%s) is not the same as the graph %s" % (gradient_tensor.graph, self.graph))
        self._gradient_tensors[x_tensor_name] = gradient_tensor

    def gradient_tensor(self, x_tensor):
        """The gradient of a tensor, variable or name."""
        if not isinstance(x_tensor, (Tensor, Variable, str)):
            raise TypeError("x_tensor must be a str or tf.Tensor or tf.Variable, but instead has type %s" % type(x_tensor))
        name = x_tensor if isinstance(x_tensor, str) else x_tensor.name
        if name not in self._gradient_tensors:
            raise LookupError("This GradientsDebugger has not received any gradient tensor for x-tensor %s" % name)
        return self._gradient_tensors[name]

    def gradient_tensors(self):
        return self._gradient_tensors


def clear_gradient_debuggers():
    _gradient_debuggers.clear()


@RegisterGradient("DebugGradientIdentity")
def _identify_gradient_grad(op, dy):
    debugger, tensor = _parse_operation_name(op.name)
    _gradient_debuggers[debugger].register_gradient_tensor(tensor, dy)
    return dy


@RegisterGradient("DebugGradientRefIdentity")
def _identify_gradient_grad_ref(op, dy):
    return _identify_gradient_grad(op, dy)


def gradient_values_from_dump(grad_debugger, x_tensor, dump):
    """The dumped values of the gradient of a tensor; none if the run did not compute it."""
    if dump.python_graph and grad_debugger.graph and dump.python_graph != grad_debugger.graph:
        raise ValueError("This GradientsDebugger instance has a graph (%s) that differs from the graph of the DebugDumpDir object (%s)." % (grad_debugger.graph, dump.python_graph))
    node, slot = debug_graphs.parse_node_or_tensor_name(grad_debugger.gradient_tensor(x_tensor).name)
    try:
        return dump.get_tensors(node, slot, "DebugIdentity")
    except WatchKeyDoesNotExistInDebugDumpDirError:
        return []
