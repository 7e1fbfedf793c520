"""Records calls of layers, so that a model can be built from its inputs and outputs.

The output tensor of a recorded call has `_keras_history`: the layer, the number of its call, and the index among the outputs. Operations between calls become layers
when a later call needs them."""

import collections
import sys

from .. import engine, ops
from ..layers import base
from ..sparse_tensor import SparseTensor
from ..util import nest


class KerasHistory(collections.namedtuple("KerasHistory", ["layer", "node_index", "tensor_index"])):
    """Where a tensor comes from; `node` is the call."""


class Node:
    """One call of a layer."""

    def __init__(self, layer, inputs, outputs, arguments, gives=True):
        self.layer, self.input_tensors, self.output_tensors, self.arguments = layer, inputs, outputs, arguments
        layer._inbound_nodes.append(self)
        if not gives:  # the node of a model's inputs and outputs: its layers have already set the histories
            return
        for i, t in enumerate(nest.flatten(outputs)):
            t._keras_history = KerasHistory(layer, len(layer._inbound_nodes) - 1, i)
            t._keras_history.node = self

    outbound_layer = property(lambda self: self.layer)

    def before(self):
        """The nodes that produce the inputs."""
        return [t._keras_history.node for t in self.given()]

    def given(self):
        """The inputs, and the arguments that are derived from Keras inputs."""
        found = nest.flatten(self.input_tensors) if self.input_tensors is not None else []
        return [t for t in found if hasattr(t, "_keras_history")] + [t for t in nest.flatten(self.arguments[1]) if isinstance(t, ops.Tensor) and hasattr(t, "_keras_history")]


def _derived(tensor, known):
    """Whether a tensor is computed from a Keras input. Each tensor is looked at once: it has a history afterwards, or is marked as checked."""
    if hasattr(tensor, "_keras_history") or hasattr(tensor, "_keras_history_checked"):
        return hasattr(tensor, "_keras_history")
    todo, order = [tensor.op], []
    while todo:
        op = todo.pop()
        if op.name in known:
            continue
        known[op.name] = False
        order.append(op)
        todo += [t.op for t in op.inputs if not hasattr(t, "_keras_history") and not hasattr(t, "_keras_history_checked")]
    changed = True
    while changed:
        changed = False
        for op in reversed(order):
            if not known[op.name] and any(hasattr(t, "_keras_history") or known.get(t.op.name) for t in op.inputs):
                known[op.name] = changed = True
    for op in order:
        for t in op.outputs if not known[op.name] else ():
            t._keras_history_checked = True
    return known[tensor.op.name]


def prepare(inputs):
    """Whether to record a layer's call with `inputs`. Gives histories to the operations between these and Keras inputs."""
    flat = nest.flatten(inputs)
    if flat and all(hasattr(t, "_keras_history") for t in flat):
        return True
    if not flat or not all(isinstance(t, (ops.Tensor, SparseTensor)) for t in flat):
        return False
    if not any(isinstance(t, ops.Tensor) for t in flat) or not getattr(flat[0].graph, "_has_keras_inputs", False):
        return False
    known = {}
    if not all(isinstance(t, ops.Tensor) and _derived(t, known) for t in flat):
        return False
    for t in flat:
        remember(t, known)
    return True


def remember(tensor, known):
    """Gives a history to a tensor that is derived from Keras inputs."""
    if hasattr(tensor, "_keras_history"):
        return
    op = tensor.op
    from_keras = [_derived(t, known) for t in op.inputs]
    inputs = [t for t, d in zip(op.inputs, from_keras) if d]
    for t in inputs:
        remember(t, known)
    Node(_operation_layer()(op, from_keras), inputs[0] if len(inputs) == 1 else inputs, op.outputs[0] if len(op.outputs) == 1 else list(op.outputs), ((), {}))


_made = []


def _operation_layer():
    if _made:
        return _made[0]
    from .operation_layer import TensorFlowOpLayer

    _made.append(TensorFlowOpLayer.of_op)
    return _made[0]


def record(layer, inputs, outputs, args, kwargs):
    """Records a call; returns the outputs, copied where an output is an input."""
    given = {id(t) for t in nest.flatten(inputs)}
    outputs = nest.map_structure(lambda t: engine.identity(t) if id(t) in given else t, outputs)
    kwargs = dict(zip(layer._arguments[1:], args), **kwargs)
    for t in nest.flatten(kwargs):
        known = {}
        if isinstance(t, ops.Tensor) and t.graph is _graph_of(outputs) and not hasattr(t, "_keras_history_checked") and _derived(t, known):
            remember(t, known)
    Node(layer, inputs, outputs, ((), kwargs))
    return outputs


def _graph_of(outputs):
    return getattr(nest.flatten(outputs)[0], "graph", None)


def network(inputs, outputs):
    """The nodes between tensors in call order, and the layers in a model's order."""
    order, places, finished, open_nodes = [], {}, set(), set()

    def visit(tensor):
        if not hasattr(tensor, "_keras_history"):
            known = {}
            if not isinstance(tensor, ops.Tensor) or not _derived(tensor, known):
                raise ValueError("Output tensors to a Model must be the output of a TensorFlow `Layer` (thus holding past layer metadata). Found: " + str(tensor))
            remember(tensor, known)
        node = tensor._keras_history.node
        if id(node) in open_nodes:
            raise ValueError("The tensor " + str(tensor) + " is part of a cycle.")
        if id(node) in finished:
            return
        places.setdefault(id(node.layer), len(places))
        open_nodes.add(id(node))
        if not any(t is tensor for t in inputs):
            for t in nest.flatten(node.input_tensors) if node.input_tensors is not None else ():
                visit(t)
            for t in node.given():
                visit(t)
        finished.add(id(node))
        open_nodes.discard(id(node))
        order.append(node)

    for t in outputs:
        visit(t)
    given = {id(t._keras_history.node) for t in inputs}
    depths, layer_depths, layers = {}, {}, {}
    for node in reversed(order):
        depth = max(depths.setdefault(id(node), 0), layer_depths.get(id(node.layer), 0))
        depths[id(node)] = layer_depths[id(node.layer)] = depth
        layers[id(node.layer)] = node.layer
        if id(node) not in given:
            for before in node.before():
                depths[id(before)] = max(depths.get(id(before), 0), depth + 1)
        elif node.input_tensors is not None:
            continue
    for t in inputs:
        layer = t._keras_history.layer
        if id(layer) not in layers:
            layers[id(layer)], layer_depths[id(layer)], places[id(layer)] = layer, 0, -1
    reached = {id(t) for t in inputs}
    calls = sorted([n for n in order if id(n) not in given], key=lambda n: -depths[id(n)])
    for node in calls:
        for t in nest.flatten(node.input_tensors) if node.input_tensors is not None else ():
            if id(t) not in reached:
                raise ValueError("Graph disconnected: cannot obtain value for tensor " + str(t) + ' at layer "' + node.layer.name +
                                 '". The following previous layers were accessed without issue: []')
        if node.input_tensors is None:
            raise ValueError("Graph disconnected: cannot obtain value for tensor " + str(nest.flatten(node.output_tensors)[0]) + ' at layer "' + node.layer.name +
                             '". The following previous layers were accessed without issue: []')
        reached.update(id(t) for t in nest.flatten(node.output_tensors))
    return calls, sorted(layers.values(), key=lambda l: (-layer_depths[id(l)], places[id(l)]))


base.call_recorder = sys.modules[__name__]
