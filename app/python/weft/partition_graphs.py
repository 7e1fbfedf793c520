"""RunMetadata.partition_graphs: the nodes of a run, as one graph per device."""

from . import protos


def _needed(fetches, feeds):
    """The operations that a run executes: from its fetches back to its feeds."""
    todo, needed = list(fetches), []
    seen = set(todo)
    while todo:
        op = todo.pop()
        needed.append(op)
        for before in [x.op for x in op.inputs if x.name not in feeds] + list(op.control_inputs):
            if before not in seen:
                seen.add(before)
                todo.append(before)
    return sorted(needed, key=lambda op: op._id)


def graphs(graph, placements, plan):
    """The nodes as the program made them, with full device names, because rewritten plans cannot be shown as graphs: a GraphDef for each device, by name."""
    feeds = {feed.tensor.name for feed in plan.feeds}
    by_device = {}
    for op in _needed(plan.wanted, feeds):
        if all(x.name in feeds for x in op.outputs) and op.outputs:
            continue
        by_device.setdefault(placements.get(op.name, ""), []).append(op)
    found = []
    for device in sorted(by_device):
        made = protos.GraphDef()
        made.versions.CopyFrom(graph.graph_def_versions)
        for op in by_device[device]:
            node = made.node.add()
            node.CopyFrom(op.node_def)
            node.device = device
        found.append((device, made))
    return found
