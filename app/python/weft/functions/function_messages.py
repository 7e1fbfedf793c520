"""Graphs as messages of functions, and messages of functions as graphs."""

from .. import errors, ops, protos
from ..importer import import_graph_def
from ..op_def_registry import get_registered_ops
from ..tensor_shape import TensorShape
from .func_graph import FunctionGraph


def _count(argument, attributes):
    """Number of tensors of an argument of an operation."""
    if argument.number_attr:
        return attributes[argument.number_attr].i
    if argument.type_list_attr:
        return len(attributes[argument.type_list_attr].list.type)
    if argument.type_attr or argument.type:
        return 1
    raise ValueError("Invalid arg_def:\n\n%s" % argument)


def _outputs(node, description):
    """Each output of a node as name in a function ("node:argument:index") and in a graph ("node:number")."""
    number = 0
    for argument in description.output_arg:
        for i in range(_count(argument, node.attr)):
            yield "%s:%s:%d" % (node.name, argument.name, i), "%s:%d" % (node.name, number)
            number += 1


def _arguments(tensors, to, names=None):
    taken = set()
    for i, tensor in enumerate(tensors):
        if names is None:
            base = tensor.name[:-2] if tensor.name.endswith(":0") else tensor.name.replace(":", "_o")
            name, tries = base, 0
            while name in taken:
                name, tries = "%s_U%d" % (base, tries), tries + 1
            taken.add(name)
        else:
            name = names[i]
        to.add(name=name, type=tensor.dtype.as_datatype_enum)


def graph_to_function_def(graph, operations, inputs, outputs, out_names=None):
    """The FunctionDef of operations of a graph, from some of its tensors to others."""
    if out_names is not None:
        if len(outputs) != len(out_names):
            raise errors.InvalidArgumentError(None, None, "output names must be either empty or equal in size to outputs. output names size = %d outputs size = %d" % (
                len(out_names), len(outputs)))
        if len(out_names) != len(set(out_names)):
            raise ValueError("Must not have duplicates in out_names: %s" % ", ".join(out_names))
    made = protos.FunctionDef()
    made.signature.name = "_"
    _arguments(inputs, made.signature.input_arg)
    _arguments(outputs, made.signature.output_arg, out_names)
    given = {t.op for t in inputs}
    inside = {t.name: argument.name for t, argument in zip(inputs, made.signature.input_arg)}
    for op in graph.get_operations():
        if op in given:
            inside[op.name] = op.name
        else:
            for nested, flat in _outputs(op.node_def, get_registered_ops()[op.type]):
                inside[flat] = nested
                if flat.endswith(":0"):
                    inside[op.name] = nested
    for op in operations:
        if op not in given:
            node = made.node_def.add()
            node.CopyFrom(op.node_def)
            for i, name in enumerate(node.input):
                if not name.startswith("^"):
                    node.input[i] = inside[name]
            if op._is_stateful:
                made.signature.is_stateful = True
    for argument, tensor in zip(made.signature.output_arg, outputs):
        made.ret[argument.name] = inside[tensor.name]
    return made


def function_def_to_graph_def(fdef, input_shapes=None, copy_functions=True):
    """The GraphDef of a FunctionDef, and the names of its tensors there by those in the function."""
    outer = ops.get_default_graph()
    if input_shapes and len(input_shapes) != len(fdef.signature.input_arg):
        raise ValueError("Length of input_shapes must match the number of input_args. len(input_shapes): %d len(input_arg): %d" % (
            len(input_shapes), len(fdef.signature.input_arg)))
    made = protos.GraphDef()
    library = {f.signature.name: f for f in outer.as_graph_def().library.function}
    if copy_functions:
        made.library.function.extend(library.values())
    flat = {}
    for i, argument in enumerate(fdef.signature.input_arg):
        node = made.node.add(name=argument.name, op="Placeholder")
        node.attr["dtype"].type = argument.type
        if input_shapes and input_shapes[i] is not None:
            shape = input_shapes[i]
            node.attr["shape"].shape.CopyFrom(shape.as_proto() if isinstance(shape, TensorShape) else shape)
        flat[argument.name] = argument.name + ":0"
        flat["^" + argument.name] = "^" + argument.name
    made.node.extend(fdef.node_def)
    for node in fdef.node_def:
        called = library.get(node.op)
        if called is not None and not copy_functions and called not in made.library.function:
            made.library.function.add().CopyFrom(called)
        description = called.signature if called is not None else get_registered_ops()[node.op]
        for attribute in description.attr:
            value = node.attr[attribute.name]
            for function in [value.func] if attribute.type == "func" else value.list.func if attribute.type == "list(func)" else []:
                if function.name not in library:
                    raise ValueError("%s function not found." % function.name)
        flat.update(_outputs(node, description))
        flat["^" + node.name] = "^" + node.name
    for node in made.node:
        for i, name in enumerate(node.input):
            node.input[i] = flat[name]
    return made, flat


def function_def_to_graph(fdef, input_shapes=None, copy_functions=True):
    """The graph of a FunctionDef; its inputs are placeholders."""
    if input_shapes is None and "_input_shapes" in fdef.attr:
        input_shapes = fdef.attr["_input_shapes"].list.shape
    made, flat = function_def_to_graph_def(fdef, input_shapes, copy_functions)
    graph = FunctionGraph(fdef.signature.name)
    with graph.as_default():
        import_graph_def(made, name="")
        graph.inputs = [graph.get_tensor_by_name(flat[a.name]) for a in fdef.signature.input_arg]
        graph.outputs = [graph.get_tensor_by_name(flat[fdef.ret[a.name]]) for a in fdef.signature.output_arg]
    return graph
