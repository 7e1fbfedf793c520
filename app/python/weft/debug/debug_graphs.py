"""tensorflow.python.debug.lib.debug_graphs: graphs of a run that is watched, with and without the nodes that watch it.

A watched tensor is copied by a node __copy_NODE_SLOT, whose output its readers get; nodes __dbg_NODE:SLOT_INDEX_OP look at the copy."""

from .. import protos
from ..op_def_registry import get_registered_ops
from ..platform import tf_logging

_COPY, _DEBUG = "__copy_", "__dbg_"


def parse_node_or_tensor_name(name):
    """(node, slot) of "node:slot"; (node, None) of a node's name."""
    node, colon, slot = name.rpartition(":")
    return (node, int(slot)) if colon and slot else (name, None)


def get_node_name(element_name):
    return parse_node_or_tensor_name(element_name)[0]


def get_output_slot(element_name):
    """The slot of a tensor's name; 0 for a node's name."""
    return parse_node_or_tensor_name(element_name)[1] or 0


def is_copy_node(node_name):
    return node_name.startswith(_COPY)


def is_debug_node(node_name):
    return node_name.startswith(_DEBUG)


def copy_node_name(node, slot):
    return "%s%s_%d" % (_COPY, node, slot)


def debug_node_name(node, slot, index, op):
    return "%s%s:%d_%d_%s" % (_DEBUG, node, slot, index, op)


def parse_debug_node_name(node_name):
    """(watched node, slot, index, debug op) of a debug node's name."""
    if not is_debug_node(node_name):
        raise ValueError("Invalid prefix in debug node name: '%s'" % node_name)
    words = node_name[len(_DEBUG):].rsplit("_", 2)
    if len(words) < 3:
        raise ValueError("Invalid debug node name: '%s'" % node_name)
    tensor, index, op = words[0], int(words[1]) if words[1].isdigit() else None, words[2]
    if index is None:
        raise ValueError("Invalid debug node name: '%s'" % node_name)
    if tensor.count(":") != 1:
        raise ValueError("Invalid tensor name in debug node name: '%s'" % node_name)
    node, _, slot = tensor.partition(":")
    return node, int(slot), index, op


class GraphTracingReachedDestination(Exception):
    """Ends a trace at the node that it looked for."""


class DFSGraphTracer:
    """Follows inputs backwards, depth first, through maps from a node to its inputs."""

    def __init__(self, input_lists, skip_node_names=None, destination_node_name=None):
        self._input_lists = input_lists
        self._skip = set(skip_node_names or ())
        self._destination = destination_node_name
        self._visited = set()
        self._inputs, self._depths, self._depth = [], [], 0

    def trace(self, graph_element_name):
        """Collects the inputs of a node, and theirs. Raises GraphTracingReachedDestination at the destination."""
        self._depth += 1
        node = get_node_name(graph_element_name)
        if node == self._destination:
            raise GraphTracingReachedDestination()
        # The depth is not restored here, which makes later siblings look deeper: find_some_path of TensorFlow's debugger counts in this way.
        if node in self._skip or node in self._visited:
            return
        self._visited.add(node)
        for inputs in self._input_lists:
            for name in inputs.get(node, ()):
                if get_node_name(name) not in self._visited:
                    self._inputs.append(name)
                    self._depths.append(self._depth)
                    self.trace(name)
        self._depth -= 1

    def inputs(self):
        return self._inputs

    def depth_list(self):
        return self._depths


def _infer_device_name(graph_def):
    """The device of the first node that has one."""
    for node in graph_def.node:
        if node.device:
            return node.device
    tf_logging.warn("Failed to infer device name from partition GraphDef: none of the nodes of the GraphDef has a non-empty device name.")
    return None


def _reference_outputs(node):
    """The reference outputs of a node, as inputs name them."""
    definition = get_registered_ops().get(node.op)
    outputs = definition.output_arg if definition is not None else ()
    return [node.name if i == 0 else "%s:%d" % (node.name, i) for i, output in enumerate(outputs) if output.is_ref]


class DebugGraph:
    """Who reads whom in a partition graph. Nodes that watch are left out: readers of a copy read what was copied."""

    def __init__(self, debug_graph_def, device_name=None):
        self.debug_graph_def = debug_graph_def
        self.device_name = device_name or _infer_device_name(debug_graph_def)
        self.node_attributes, self.node_inputs, self.node_ctrl_inputs, self.node_devices, self.node_op_types = {}, {}, {}, {}, {}
        self.node_recipients, self.node_ctrl_recipients, self.node_reversed_ref_inputs = {}, {}, {}
        self._references, self._original = set(), None
        senders, copied = set(), {}
        for node in debug_graph_def.node:
            if is_debug_node(node.name):
                continue
            if node.name in self.node_inputs or node.name in copied:
                raise ValueError("Duplicate node name on device %s: '%s'" % (self.device_name, node.name))
            inputs = [i for i in node.input if not i.startswith("^")]
            self.node_attributes[node.name] = node.attr
            self.node_devices[node.name] = {node.device or self.device_name}
            self.node_op_types[node.name] = node.op
            self._references.update(_reference_outputs(node))
            if is_copy_node(node.name):
                copied[node.name] = inputs[0]
                continue
            if node.op in ("_Send", "_Retval") and any(is_copy_node(i) for i in inputs):
                senders.add(node.name)
            self.node_inputs[node.name] = inputs
            self.node_ctrl_inputs[node.name] = [i[1:] for i in node.input if i.startswith("^") and not is_debug_node(i[1:])]
            self.node_recipients[node.name], self.node_ctrl_recipients[node.name] = [], []
        for inputs in self.node_inputs.values():
            inputs[:] = [copied.get(i, i) for i in inputs]
        for name, inputs in self.node_inputs.items():
            for source in map(get_node_name, inputs):
                self.node_recipients.setdefault(source, []).append(name)
                if source in self._references:
                    self.node_reversed_ref_inputs.setdefault(source, []).append(name)
        for name, inputs in self.node_ctrl_inputs.items():
            for source in inputs:
                if source not in senders:
                    self.node_ctrl_recipients.setdefault(source, []).append(name)

    @property
    def non_debug_graph_def(self):
        """The graph as it was before nodes were added that watch it."""
        if self._original is None:
            self._original = protos.GraphDef()
            for node in self.debug_graph_def.node:
                if is_copy_node(node.name) or is_debug_node(node.name):
                    continue
                made = self._original.node.add()
                made.CopyFrom(node)
                del made.input[:]
                made.input.extend(self.node_inputs[node.name])
                made.input.extend("^" + name for name in self.node_ctrl_inputs[node.name])
        return self._original


def reconstruct_non_debug_graph_def(debug_graph_def):
    """The graph without the nodes that watch it. Numbers of parallel iterations stay 1, as the debugger set them."""
    return DebugGraph(debug_graph_def).non_debug_graph_def
