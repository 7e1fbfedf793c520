"""tf.graph_util: subgraphs, and conversion of variables to constants."""

from .. import protos
from ..exports import export
from ..platform import tf_logging as logging
from ..tensor_util import make_tensor_proto

_VARIABLE_OPS = {"Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub", "ScatterUpdate", "TruncatedNormal", "Variable", "VariableV2"}
_PASSES = {"Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration"}


def _node_of(name):
    return name[1:] if name.startswith("^") else name.split(":")[0]


@export("graph_util.must_run_on_cpu")
def must_run_on_cpu(node, pin_variables_on_cpu=False):
    """Whether a node has a kernel only on the CPU, because it holds strings, for example."""
    node = node if type(node).__name__ == "NodeDef" else node.node_def
    if pin_variables_on_cpu and node.op in _VARIABLE_OPS:
        return True
    if node.op == "Const":
        return node.attr["dtype"].type in (7, 3)  # string, int32
    if node.op in ("DynamicStitch", "ParallelDynamicStitch"):
        return node.attr["T"].type == 3
    return node.op == "Cast" and node.attr["SrcT"].type == 3


@export("graph_util.extract_sub_graph")
def extract_sub_graph(graph_def, dest_nodes):
    """The nodes that `dest_nodes` need, in the order of the graph."""
    if type(graph_def).__name__ != "GraphDef":
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {n.name: n for n in graph_def.node}
    for name in dest_nodes:
        assert name in nodes, "%s is not in graph" % name
    kept, todo = set(), list(dest_nodes)
    while todo:
        name = todo.pop()
        if name in kept:
            continue
        kept.add(name)
        node = nodes[name]
        todo.extend(_node_of(x) for x in node.input)
        if "_class" in node.attr:
            todo.extend(s.decode()[5:] for s in node.attr["_class"].list.s if s.startswith(b"loc:@"))
    part = protos.GraphDef(library=graph_def.library, versions=graph_def.versions)
    for node in graph_def.node:
        if node.name in kept:
            part.node.add().CopyFrom(node)
    return part


@export("graph_util.tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph, input_name):
    """The static shape of a tensor, or of a node's first output."""
    return graph.get_tensor_by_name(input_name if ":" in input_name else input_name + ":0").get_shape()


def _constant(node, name, dtype, value, shape=None):
    node.op, node.name = "Const", name
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(value, dtype=dtype.type, shape=shape))


def _resource_types(part, nodes):
    """Nodes that pass resources from variables to reads -> the variable's type."""
    types = {}
    for node in part.node:
        if node.op not in ("ReadVariableOp", "ResourceGather"):
            continue
        todo = [_node_of(node.input[0])]
        while todo:
            source = nodes[todo.pop()]
            if source.op == "VarHandleOp":
                continue
            if source.op not in _PASSES:
                raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
            if source.name not in types:
                types[source.name] = node.attr["dtype"]
                todo.append(_node_of(source.input[0]))
                if source.op == "Merge":
                    todo.append(_node_of(source.input[1]))
    return types


@export("graph_util.convert_variables_to_constants")
def convert_variables_to_constants(sess, input_graph_def, output_node_names, variable_names_whitelist=None, variable_names_blacklist=None):
    """The subgraph that the outputs need, with variables replaced by constants of their values."""
    part = extract_sub_graph(input_graph_def, output_node_names)
    nodes = {n.name: n for n in part.node}
    variables = {n.name for n in input_graph_def.node if n.op in ("Variable", "VariableV2", "VarHandleOp")}
    for name in sorted((set(variable_names_whitelist or ()) | set(variable_names_blacklist or ())) - {""}):
        if name not in variables:
            logging.warning("The graph has no variable '%s' to convert or leave.", name)
    fetches = {}
    for node in part.node:
        if node.name not in variables:
            continue
        if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
            continue
        if variable_names_blacklist is not None and node.name in variable_names_blacklist:
            continue
        fetches[node.name] = node.name + ("/Read/ReadVariableOp:0" if node.op == "VarHandleOp" else ":0")
    types = _resource_types(part, nodes)
    values = dict(zip(fetches, sess.run(list(fetches.values())))) if fetches else {}
    logging.info("Froze %d variables.", len(values))
    frozen = protos.GraphDef(library=part.library)
    for node in part.node:
        if node.name in values:
            value = values[node.name]
            _constant(frozen.node.add(), node.name, node.attr["dtype"], value, value.shape)
            continue
        if node.op == "ResourceGather":
            if node.attr["batch_dims"].i != 0:
                raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
            _constant(frozen.node.add(), node.name + "/axis", node.attr["Tindices"], 0)
        made = frozen.node.add()
        if node.name in types:
            made.CopyFrom(node)
            if "_output_shapes" in made.attr:
                del made.attr["_output_shapes"]
            made.device = ""
            made.attr["T"].CopyFrom(types[node.name])
        elif node.op == "ReadVariableOp":
            made.op, made.name = "Identity", node.name
            made.input.append(node.input[0])
            made.attr["T"].CopyFrom(node.attr["dtype"])
            if "_class" in node.attr:
                made.attr["_class"].CopyFrom(node.attr["_class"])
        elif node.op == "ResourceGather":
            made.op, made.name = "GatherV2", node.name
            made.input.extend([node.input[0], node.input[1], node.name + "/axis"])
            made.attr["Tparams"].CopyFrom(node.attr["dtype"])
            made.attr["Tindices"].CopyFrom(node.attr["Tindices"])
            made.attr["Taxis"].CopyFrom(node.attr["Tindices"])
            if "_class" in node.attr:
                made.attr["_class"].CopyFrom(node.attr["_class"])
        else:
            made.CopyFrom(node)
    logging.info("Converted %d variables to const ops.", len(values))
    return frozen


@export("graph_util.remove_training_nodes")
def remove_training_nodes(input_graph, protected_nodes=None):
    """The graph without CheckNumerics ops, and without identities that have no control edges."""
    protected = set(protected_nodes or ())
    removed = {n.name for n in input_graph.node if n.op == "CheckNumerics" and n.name not in protected}
    left = []
    for node in input_graph.node:
        if node.name not in removed:
            copy = protos.NodeDef()
            copy.CopyFrom(node)
            copy.input[:] = [x for x in node.input if x.lstrip("^") not in removed]
            left.append(copy)
    waited = {x[1:] for n in left for x in n.input if x.startswith("^")}
    splice = {n.name: n.input[0] for n in left
              if n.op == "Identity" and n.name not in protected and n.name not in waited and not any(x.startswith("^") for x in n.input)}
    output = protos.GraphDef()
    for node in left:
        if node.name in splice:
            continue
        copy = output.node.add()
        copy.CopyFrom(node)
        for i, name in enumerate(copy.input):
            while name.lstrip("^") in splice:
                name = splice[name.lstrip("^")]
            copy.input[i] = name
    return output
