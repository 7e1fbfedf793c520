"""tensorflow.python.ops.control_flow_util: in which loops and branches operations are. There is no XLA here, so nothing is compiled by it."""

_SWITCHES, _MERGES = ("Switch", "RefSwitch"), ("Merge", "RefMerge")


def _contexts(ctxt, stop_ctxt=None):
    """The context and those around it, from the inside; up to `stop_ctxt`."""
    while ctxt is not None and ctxt != stop_ctxt:
        yield ctxt
        ctxt = ctxt.outer_context


def GetContainingWhileContext(ctxt, stop_ctxt=None):
    """The innermost loop that a context is, or is in; None if there is none below `stop_ctxt`."""
    return next((c for c in _contexts(ctxt, stop_ctxt) if c.IsWhileContext()), None)


def GetContainingCondContext(ctxt):
    """The innermost branch that a context is, or is in."""
    return next((c for c in _contexts(ctxt) if c.IsCondContext()), None)


def GetContainingXLAContext(ctxt):
    """The part compiled by XLA that a context is in: None."""
    return next((c for c in _contexts(ctxt) if c.IsXLAContext()), None)


def IsContainingContext(ctxt, maybe_containing_ctxt):
    """Whether the second context is the first one or around it."""
    return any(c == maybe_containing_ctxt for c in _contexts(ctxt))


def IsInXLAContext(op):
    return GetContainingXLAContext(op._get_control_flow_context()) is not None


def InXlaContext(graph):
    return GetContainingXLAContext(graph._get_control_flow_context()) is not None


GraphOrParentsInXlaContext = InXlaContext


def IsInWhileLoop(op):
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def IsInCond(op):
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def GetWhileContext(op):
    """The innermost loop that an operation is in."""
    return GetContainingWhileContext(op._get_control_flow_context())


def IsSwitch(op):
    return op.type in _SWITCHES


def IsMerge(op):
    return op.type in _MERGES


def IsLoopEnter(op):
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op):
    return op.type in ("Exit", "RefExit")


def IsLoopConstantEnter(op):
    return IsLoopEnter(op) and op.get_attr("is_constant")


def IsLoopSwitch(op):
    return IsSwitch(op) and not IsCondSwitch(op)


def IsCondSwitch(op):
    """Whether a Switch belongs to a cond and not to a loop, whose switches take their predicate from a LoopCond."""
    return IsSwitch(op) and op.inputs[1].op.type != "LoopCond"


def IsLoopMerge(op):
    """Whether a Merge belongs to a loop: its second input is a NextIteration, or the first one an Enter."""
    return IsMerge(op) and any(i.op.type in ("NextIteration", "RefNextIteration", "Enter", "RefEnter") for i in op.inputs)


def IsCondMerge(op):
    return IsMerge(op) and not IsLoopMerge(op)
