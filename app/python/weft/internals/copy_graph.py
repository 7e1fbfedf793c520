"""tf.contrib.copy_graph: copies operations and variables from one graph to another."""

from .. import _weft
from ..exports import export
from ..ops import Operation, Tensor
from ..session import Session
from ..variable_base import Variable


def _new_name(name, scope):
    return scope + "/" + name if scope else name


def _collections(element, scope, kept=()):
    """The names of an element's collections, prefixed with the scope."""
    graph = element.graph
    return [key if not scope or key in kept else scope + "/" + str(key) for key in graph.get_all_collection_keys() if any(x is element for x in graph.get_collection(key))]


@export("contrib.copy_graph.copy_variable_to_graph")
def copy_variable_to_graph(org_instance, to_graph, scope=""):
    """Copies a variable to another graph, with the same initial value."""
    if not isinstance(org_instance, Variable):
        raise TypeError(str(org_instance) + " is not a Variable")
    collections = _collections(org_instance, scope, ("variables", "trainable_variables"))
    trainable = any(v is org_instance for v in org_instance.graph.get_collection("trainable_variables"))
    with org_instance.graph.as_default(), Session() as session:
        value = session.run(org_instance.initialized_value())
    with to_graph.as_default():
        return Variable(value, trainable, name=_new_name(org_instance.op.name, scope), collections=collections, validate_shape=False)


@export("contrib.copy_graph.copy_op_to_graph")
def copy_op_to_graph(org_instance, to_graph, variables, scope=""):
    """Copies an operation or tensor with everything it depends on, reusing existing copies. `variables`: variables copied before."""
    name = _new_name(org_instance.name, scope)
    copied = {v.name: v for v in variables}
    if name in copied:
        return to_graph.get_tensor_by_name(copied[name].name)
    try:
        return to_graph.as_graph_element(name, allow_tensor=True, allow_operation=True)
    except (KeyError, ValueError):
        pass
    if isinstance(org_instance, Tensor):
        made = copy_op_to_graph(org_instance.op, to_graph, variables, scope).outputs[org_instance.value_index]
        for key in _collections(org_instance, scope):
            to_graph.add_to_collection(key, made)
        return made
    if not isinstance(org_instance, Operation):
        raise TypeError("Could not copy instance: " + str(org_instance))
    controls = [copy_op_to_graph(x, to_graph, variables, scope) for x in org_instance.control_inputs]
    inputs = [copy_op_to_graph(x, to_graph, variables, scope) for x in org_instance.inputs]
    with to_graph.as_default(), to_graph.name_scope(scope + "/" if scope else None), to_graph.control_dependencies(None):
        made = _weft.copy_node(to_graph._core, org_instance.graph._core, org_instance._node, inputs)
    if controls:
        made._add_control_inputs(controls)
    return made


@export("contrib.copy_graph.get_copied_op")
def get_copied_op(org_instance, graph, scope=""):
    """The copy of an operation in a graph."""
    return graph.as_graph_element(_new_name(org_instance.name, scope), allow_tensor=True, allow_operation=True)
