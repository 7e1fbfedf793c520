"""Branches and loops in meta graphs: the collections cond_context and while_context. Without them, imported loops cannot be differentiated."""

from .. import _weft, protos
from .names import prepend_scope, strip_scope

COLLECTIONS = {"cond_context": "CondContextDef", "while_context": "WhileContextDef"}
_ONE_NAME = ("context_name", "pred_name", "pivot_name", "pivot_for_pred_name", "pivot_for_body_name", "maximum_iterations_name")
_LISTS = ("loop_exit_names", "loop_enter_names")


def _rename(message, change):
    """Replaces every name in a CondContextDef or WhileContextDef by change(name), in nested contexts too."""
    fields = message.DESCRIPTOR.fields_by_name
    for field in _ONE_NAME:
        if field in fields and getattr(message, field):
            setattr(message, field, change(getattr(message, field)))
    for field in _LISTS:
        if field in fields:
            names = getattr(message, field)
            names[:] = [change(name) for name in names]
    values = message.values_def
    values.values[:] = [change(name) for name in values.values]
    external = {change(outside): change(inside) for outside, inside in values.external_values.items()}
    values.external_values.clear()
    values.external_values.update(external)
    for nested in message.nested_contexts:
        _rename(getattr(nested, nested.WhichOneof("ctxt")), change)
    return message


def of_graph(graph, key):
    """Messages of the graph's outermost branches or loops in their current state: gradients add values to them."""
    collection = graph._core.collection(key) or {}
    return [protos.message(COLLECTIONS[key]).FromString(data) for data in collection.get("bytes", ())]


def export(graph, key, target, scope=None):
    """Adds the messages of contexts below `scope` to a CollectionDef, with the scope removed from names; returns whether there are any."""
    found = [m for m in of_graph(graph, key) if not scope or m.context_name.startswith(scope)]
    for message in found:
        target.bytes_list.value.append(_rename(message, lambda name: strip_scope(name, scope)).SerializeToString(deterministic=True))
    return bool(found)


def restore(graph, key, definition, scope=None):
    """Registers the imported branches and loops below `scope` with the graph."""
    messages = [protos.message(COLLECTIONS[key]).FromString(data) for data in definition.bytes_list.value]
    _weft.add_flow_contexts(graph._core, key, [_rename(m, lambda name: prepend_scope(name, scope)).SerializeToString() for m in messages])
