"""Timelines of traced runs in Chrome's trace event format."""

import json

from .. import settings
from ..exports import export


@export("python.client.timeline.Timeline")
class Timeline:
    """The trace of one step: rows of threads by device, arrows for data."""

    def __init__(self, step_stats, graph=None):
        self._stats = step_stats
        self._graph = graph

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time="schedule"):
        """JSON text with `traceEvents`."""
        settings.unused("Timeline.generate_chrome_trace_format", "events are drawn when they ran", op_time=(op_time, "schedule", "all"))
        events, flows, at = [], {}, {}
        pid = 0
        for device in self._stats.dev_stats:
            pid += 1
            events.append({"args": {"name": device.device + " Compute"}, "name": "process_name", "ph": "M", "pid": pid})
            lanes = []  # the time when each lane becomes free
            for stats in sorted(device.node_stats, key=lambda s: s.all_start_micros):
                start, duration = stats.all_start_micros, max(1, stats.all_end_rel_micros)
                lane = next((i for i, free in enumerate(lanes) if free <= start), len(lanes))
                if lane == len(lanes):
                    lanes.append(0)
                lanes[lane] = start + duration
                name, op, inputs = _label(stats)
                args = {"name": name, "op": op}
                args.update({"input%d" % i: x for i, x in enumerate(inputs)})
                events.append({"args": args, "cat": "Op", "dur": duration, "name": op, "ph": "X", "pid": pid, "tid": lane, "ts": start})
                at[name] = (pid, lane, start, start + duration)
                flows[name] = inputs
                for output in stats.output if show_memory else ():
                    size = output.tensor_description.allocation_description.requested_bytes
                    events.append({"args": {"bytes": size}, "cat": "Memory", "name": name + ":%d" % output.slot, "ph": "C", "pid": pid, "ts": start + duration})
        if not events:
            # A step whose results are constants runs nothing; the file then only names the device.
            events.append({"args": {"name": "/job:localhost/replica:0/task:0/device:CPU:0 Compute"}, "name": "process_name", "ph": "M", "pid": 1})
        number = 0
        for name, inputs in flows.items() if show_dataflow else ():
            for source in inputs:
                if source not in at:
                    continue
                pid, lane, _, end = at[source]
                common = {"cat": "DataFlow", "id": number, "name": source}
                events.append(dict(common, ph="s", pid=pid, tid=lane, ts=end))
                pid, lane, start, _ = at[name]
                events.append(dict(common, ph="t", pid=pid, tid=lane, ts=start))
                number += 1
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))


def _label(stats):
    """(node, type of op, inputs) of a label "node = Op(input, input)"."""
    label = stats.timeline_label
    if " = " in label and label.endswith(")"):
        name, _, call = label.partition(" = ")
        op, _, inputs = call[:-1].partition("(")
        return name, op, [x.strip().lstrip("^").split(":")[0] for x in inputs.split(",") if x.strip()]
    name, _, op = stats.node_name.partition(":")
    return name, op or label or name, []


def nested(root):
    """A timeline of a tree of rows. Each row lasts as long as its total time and contains its children one after another."""
    events = [{"args": {"name": "total execution time"}, "name": "process_name", "ph": "M", "pid": 1}]
    todo = [(root, 0, 0)]
    while todo:
        row, depth, start = todo.pop()
        events.append({"args": {"name": row.name, "op": row.name}, "cat": "Op", "dur": row.total["exec_micros"], "name": row.name, "ph": "X", "pid": 1, "tid": depth, "ts": start})
        for child in row.children:
            todo.append((child, depth + 1, start))
            start += child.total["exec_micros"]
    return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "))
