"""Makes an initial value that depends on other variables safe to compute."""

from .ops import GraphKeys


# Copies the expression of an initial value, with the variables in it replaced by their initialized_value().
def _has_cycle(op, state):
    stack = [(op, iter([i.op for i in op.inputs] + op.control_inputs))]
    state[op._node] = 1
    while stack:
        current, rest = stack[-1]
        for before in rest:
            seen = state.get(before._node, 0)
            if seen == 1:
                return True
            if seen == 0:
                state[before._node] = 1
                stack.append((before, iter([i.op for i in before.inputs] + before.control_inputs)))
                break
        else:
            state[current._node] = 2
            stack.pop()
    return False


def _guarded(name, value):
    if not value.op.inputs:
        op = value.op
        if op.type not in ("Variable", "VariableV2", "VarHandleOp"):
            return value
    if _has_cycle(value.op, {}):
        return value
    return _safe(name, value, {})


def _safe(name, tensor, cache):
    op = tensor.op
    made = cache.get(op._node)
    if made is None:
        made = cache[op._node] = _safe_op(name, op, cache)
    return made.outputs[tensor.value_index]


def _safe_op(name, op, cache):
    kind = op.type
    if kind in ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If"):
        return op
    if kind in ("Variable", "VariableV2", "VarHandleOp"):
        for collection in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
            for v in op.graph.get_collection(collection):
                if getattr(v, "name", None) in (op.name, op.name + ":0"):
                    return v.initialized_value().op
        return op
    inputs = list(op.inputs)
    made = [_safe(name, i, cache) for i in inputs]
    if all(a is b for a, b in zip(inputs, made)):
        return op
    attrs = op.node_def.attr
    new_name = (op.name + "_" + name).replace(":", "_")
    return op.graph.create_op("Switch" if kind == "RefSwitch" else kind, made, name=new_name, attrs=attrs)
