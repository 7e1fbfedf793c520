"""The public functions for the default graph and session."""

from . import context
from .exports import export
from .graph_elements import _as_graph_element, Operation, Tensor

get_default_graph = export("get_default_graph")(context.get_default_graph)
reset_default_graph = export("reset_default_graph")(context.reset_default_graph)
get_default_session = export("get_default_session")(context.get_default_session)
_default_graph_stack, _default_session_stack = context.graphs, context.sessions
_eval_using_default_session, _run_using_default_session = context.eval_using_default_session, context.run_using_default_session


def default_session(session):
    """Context manager that makes a session the default."""
    return context.sessions.get_controller(session)


def _get_graph_from_inputs(values, graph=None):
    """The graph of the first tensor among `values`; ValueError if they belong to several graphs."""
    first = None
    if graph is None and get_default_graph().building_function:
        return get_default_graph()
    for value in values:
        element = value if isinstance(value, (Tensor, Operation)) else _as_graph_element(value)
        if element is None:
            continue
        if graph is None:
            graph, first = element.graph, element
        elif element.graph is not graph:
            if first is not None:
                raise ValueError("%s must be from the same graph as %s." % (element, first))
            raise ValueError("%s is not from the passed-in graph." % element)
    return graph or get_default_graph()
