"""tensorflow.python.ops.control_flow_util: which version of control flow new branches and loops take, and what Switch, Merge, Enter and Exit nodes belong to.

The module object itself is tensorflow.python.ops.control_flow_util, because programs set ENABLE_CONTROL_FLOW_V2 in it."""

import os
import sys

from .exports import export_value

ENABLE_CONTROL_FLOW_V2 = any(os.environ.get(v, "0") != "0" for v in ("TF_ENABLE_CONTROL_FLOW_V2", "TF_ENABLE_COND_V2", "TF_ENABLE_WHILE_V2", "TF_ENABLE_TENSOR_ARRAY_V2"))
cond_v2 = while_v2 = None  # functions/flow_v2.py sets these


def enable_control_flow_v2():
    global ENABLE_CONTROL_FLOW_V2
    ENABLE_CONTROL_FLOW_V2 = True


def EnableControlFlowV2(graph):
    """Whether branches and loops of `graph` are made as If and While; the graph of a function keeps Switch and Merge, which compute the same."""
    return ENABLE_CONTROL_FLOW_V2 and not graph._eager


def IsSwitch(op):
    return op.type in ("Switch", "RefSwitch")


def IsMerge(op):
    return op.type in ("Merge", "RefMerge")


def IsLoopEnter(op):
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op):
    return op.type in ("Exit", "RefExit")


def IsCondSwitch(op):
    """Whether the Switch belongs to a branch: all consumers of its outputs lie in branches."""
    if not IsSwitch(op) or not op.outputs:
        return False
    for output in op.outputs:
        for consumer in output.consumers():
            context = consumer._get_control_flow_context()
            if IsLoopEnter(consumer):
                context = context.outer_context
            if context is None or not context.IsCondContext():
                return False
    return True


def IsCondMerge(op):
    """Whether the Merge joins branches: all its inputs come from branches."""
    if not IsMerge(op) or not op.inputs:
        return False
    contexts = [GetOutputContext(i.op) for i in op.inputs]
    return all(c is not None and c.IsCondContext() for c in contexts)


def _in_loop(op):
    context = op._get_control_flow_context()
    return context is not None and context.IsWhileContext()


def IsLoopSwitch(op):
    return IsSwitch(op) and _in_loop(op) and not IsCondSwitch(op)


def IsLoopMerge(op):
    return IsMerge(op) and _in_loop(op) and not IsCondMerge(op)


def IsLoopConstantEnter(op):
    return IsLoopEnter(op) and op.get_attr("is_constant")


def GetLoopConstantEnter(value):
    """The constant Enter that a value comes from, or None."""
    op = value.op
    while op.type in ("Switch", "RefSwitch", "Identity", "RefIdentity"):
        op = op.inputs[0].op
    return op if IsLoopConstantEnter(op) else None


def GetOutputContext(op):
    """The context of an operation's outputs: for an Exit the one around its loop."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and IsLoopExit(op) else context


def _first(context, wanted):
    while context is not None and not wanted(context):
        context = context.outer_context
    return context


def GetContainingWhileContext(ctxt, stop_ctxt=None):
    """The innermost loop that is or contains `ctxt`; the search ends at `stop_ctxt`."""
    return _first(ctxt, lambda c: c.IsWhileContext() or c == stop_ctxt)


def GetContainingCondContext(ctxt):
    """The innermost branch that is or contains `ctxt`."""
    return _first(ctxt, lambda c: c.IsCondContext())


def GetContainingXLAContext(ctxt):
    """The innermost XLA context around `ctxt`: None, as there are none here."""
    return _first(ctxt, lambda c: c.IsXLAContext())


def IsInWhileLoop(op):
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def IsInCond(op):
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def IsInXLAContext(op):
    """Whether the operation is marked to be compiled."""
    try:
        return bool(op.get_attr("_XlaCompile"))
    except ValueError:
        return GetContainingXLAContext(op._get_control_flow_context()) is not None


def InXlaContext(graph):
    return GetContainingXLAContext(graph._get_control_flow_context()) is not None


def GraphOrParentsInXlaContext(graph):
    while graph is not None:
        if InXlaContext(graph):
            return True
        graph = getattr(graph, "outer_graph", None)
    return False


def IsContainingContext(ctxt, maybe_containing_ctxt):
    """Whether the second context is the first one or contains it."""
    return maybe_containing_ctxt is None or _first(ctxt, lambda c: c == maybe_containing_ctxt) is not None


def OpInContext(op, ctxt):
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def TensorInContext(tensor, ctxt):
    return OpInContext(tensor.op, ctxt)


def GetWhileContext(op):
    """The loop that an operation belongs to, or None."""
    return GetContainingWhileContext(op._get_control_flow_context())


export_value(sys.modules[__name__], "python.ops.control_flow_util")
