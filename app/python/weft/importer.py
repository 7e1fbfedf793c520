"""tf.import_graph_def: imports the nodes of a GraphDef into the current graph."""

import re

from . import _weft, errors, ops, protos, settings
from .exports import export
from .graph_access import op_def
from .ops import Operation, Tensor
from .public_names import as_text


def _base(name):
    return name[1:] if name.startswith("^") else name.partition(":")[0]


def _canonical(name):
    """ "a" as an input means "a:0"."""
    return name if name.startswith("^") or ":" in name else name + ":0"


def _tensor(value, graph):
    if isinstance(value, (Tensor, Operation)):
        return value
    if hasattr(value, "_as_graph_element"):
        return value._as_graph_element()
    return ops.convert_to_tensor(value)


@export("import_graph_def", "graph_util.import_graph_def")
def import_graph_def(graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None):
    """Imports the nodes below the scope `name` (default "import"); tensors of `input_map` replace inputs. Returns the
    `return_elements`, or None."""
    settings.unused("import_graph_def", "TensorFlow does not read it either", op_dict=(op_dict, None))
    if type(graph_def).__name__ != "GraphDef":
        if not hasattr(graph_def, "SerializeToString"):
            raise TypeError("graph_def must be a GraphDef proto.")
        graph_def = protos.GraphDef.FromString(graph_def.SerializeToString())
    if input_map is None:
        input_map = {}
    elif not isinstance(input_map, dict) or not all(isinstance(k, (str, bytes)) for k in input_map):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    else:
        input_map = {as_text(k): v for k, v in input_map.items()}
    if return_elements is not None:
        return_elements = list(return_elements)
        if not all(isinstance(e, (str, bytes)) for e in return_elements):
            raise TypeError("return_elements must be a list of strings.")
        return_elements = [as_text(e) for e in return_elements]
    # TensorFlow changes the program's message as well: what tools then see of a loaded model are whole nodes.
    _add_defaults(graph_def)
    if producer_op_list is not None:
        _drop_defaults(graph_def, producer_op_list)
    copy = protos.GraphDef()
    copy.CopyFrom(graph_def)
    known = {node.name for node in copy.node}
    used = {_canonical(i) for node in copy.node for i in node.input}
    unused = [k for k in input_map if _canonical(k) not in used and _base(k) not in known]
    graph = ops.get_default_graph()
    given = {key: value if isinstance(value, (Tensor, Operation)) else None for key, value in input_map.items()}
    if None in given.values() and name == "":
        raise ValueError("tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try calling tf.convert_to_tensor() on "
                         "`input_map` values before calling tf.import_graph_def().")
    with ops.name_scope(name, "import", list(input_map.values())) as scope:
        prefix = scope[:-1] if scope else ""
        if None in given.values():
            with ops.name_scope("_inputs"):
                given = {key: _tensor(value, graph) for key, value in input_map.items()}
    inputs = {_canonical(key): value for key, value in given.items()}
    mapped = _renamed(copy, inputs)
    stubs = _stubs(copy, known, {key: value for key, value in mapped.items() if key not in {_canonical(k) for k in unused}})
    for node in copy.node:
        if "_output_shapes" in node.attr:
            del node.attr["_output_shapes"]
        if prefix and "_class" in node.attr:
            groups = node.attr["_class"].list.s
            for i, group in enumerate(groups):
                if group.startswith(b"loc:@") and group[5:].decode() in known:
                    groups[i] = b"loc:@" + prefix.encode() + b"/" + group[5:]
    for element in return_elements or ():
        if ":" in element and not re.fullmatch(r"[^:]+:\d+", element):
            raise ValueError("Cannot convert %r to a tensor name." % element)
        if _base(element) not in known:
            kind = "tensor" if ":" in element else "node"
            raise ValueError("Requested return %s '%s' not found in graph def" % (kind, element))
    if not copy.node:  # functions only: without nodes it would not be recognised as a GraphDef
        copy.node.add(name="functions_alone", op="NoOp")
        stubs = set(stubs) | {"functions_alone"}
    with ops.name_scope(None):
        try:
            numbers = _weft.import_nodes(graph._core, copy.SerializeToString(), prefix, mapped, stubs)
        except errors.InvalidArgumentError as e:
            raise ValueError(str(e)) from None
    _surround(graph, sorted(numbers.values()))
    if unused:
        raise ValueError("Attempted to map inputs that were not found in graph_def: [%s]" % ", ".join(unused))
    if return_elements is None:
        return None
    return [_found(graph, element, numbers, inputs) for element in return_elements]


_known_defaults = {}


def _defaults(op):
    """The attributes of an op that have default values."""
    if op not in _known_defaults:
        definition = op_def(op)
        if definition is None:  # a program may register it later
            return ()
        _known_defaults[op] = [a for a in definition.attr if a.HasField("default_value") and a.default_value.WhichOneof("value") is not None]
    return _known_defaults[op]


def _add_defaults(graph_def):
    """Gives nodes the attributes that a model without default values leaves out."""
    for node in graph_def.node:
        for attr in _defaults(node.op):
            if attr.name not in node.attr:
                node.attr[attr.name].CopyFrom(attr.default_value)


def _drop_defaults(graph_def, producer_op_list):
    """Removes attributes that our ops lack, if they have the producer's default value."""
    producer = {op.name: {a.name: a for a in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        definition = op_def(node.op) if node.op in producer else None
        if definition is None:
            continue
        ours = {a.name for a in definition.attr}
        for key in [k for k in node.attr if k not in ours]:
            theirs = producer[node.op].get(key)
            if theirs is not None and theirs.HasField("default_value") and node.attr[key] == theirs.default_value:
                del node.attr[key]


def _surround(graph, nodes):
    """Applies the surrounding scopes (device, colocation, control dependencies, attributes, container, control flow) to imported nodes."""
    _weft.adopt_nodes(graph._core, nodes)
    if graph._container:
        for node in nodes:
            operation = graph._core.operation(node)
            if operation._is_stateful and "container" in graph._core.attr_names(node) and not operation.get_attr("container"):
                graph._core.set_attr_text(node, "container", graph._container)


def _renamed(graph_def, inputs):
    """The inputs under names that nodes may have: graphs exported from a scope read "$unbound_inputs_NAME"."""
    made = {_base(key): "unbound_inputs_%d_" % i for i, key in enumerate(inputs) if "$" in key}
    if not made:
        return inputs

    def valid(name):
        mark, base = "^" * name.startswith("^"), _base(name)
        return mark + made[base] + name[len(mark) + len(base):] if base in made else name

    for node in graph_def.node:
        node.input[:] = [valid(name) for name in node.input]
    return {valid(key): value for key, value in inputs.items()}


def _stubs(graph_def, known, inputs):
    """Adds placeholder nodes for inputs that only `input_map` provides; returns their names."""
    stubs = set()
    for key, value in inputs.items():
        name = _base(key)
        if name in known or name in stubs:
            continue
        stubs.add(name)
        if key.startswith("^"):
            graph_def.node.add(name=name, op="NoOp")
            continue
        node = graph_def.node.add(name=name, op="Placeholder")
        node.attr["dtype"].type = value.dtype.base_dtype.as_datatype_enum
        node.attr["shape"].shape.unknown_rank = True
    return stubs


def _found(graph, element, numbers, inputs):
    if _canonical(element) in inputs and ":" in element:
        return inputs[_canonical(element)]
    operation = graph._core.operation(numbers[_base(element)])
    if ":" not in element:
        return operation
    index = int(element.partition(":")[2])
    if index >= len(operation.outputs):
        raise ValueError("Invalid return output %d of node '%s', which has %d output(s)" % (index, _base(element), len(operation.outputs)))
    return operation.outputs[index]
