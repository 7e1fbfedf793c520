"""A profile as ProfileProto: nodes, executions with times and memory, and the lines that made the nodes."""

from .. import protos


class Strings:
    """Interns strings as numbers, as profiles and op logs store them."""

    def __init__(self):
        self._numbers = {}

    def __call__(self, text):
        return self._numbers.setdefault(text, len(self._numbers) + 1)

    def write(self, into):
        for text, number in self._numbers.items():
            into[number] = text


def trace_of(op, code, strings):
    """Fills a CodeDef with the stack trace of an operation."""
    for frame in getattr(op, "traceback", None) or []:
        code.traces.add(lineno=frame[1], file_id=strings(frame[0]), function_id=strings(frame[2]), line_id=strings(frame[3] or ""))


def _execution(made, e):
    made.run_count = e.runs
    made.all_start_micros = min((start for _, start, _ in e.spans), default=0)
    made.latest_end_micros = max((end for _, _, end in e.spans), default=0)
    made.devices.extend(e.devices)
    for device, start, end in e.spans:
        times = made.accelerator_execs if "stream:" in device else made.cpu_execs
        times[device].times.add(int64_values=[start, end - start])
    for end, temporary, persistent, outputs in e.memory:
        memory = made.memory_execs.add(memory_micros=end, host_temp_bytes=temporary, host_persistent_bytes=persistent, output_bytes=sum(outputs.values()),
                                       requested_bytes=e.bytes // max(1, e.runs), peak_bytes=e.peak // max(1, e.runs), residual_bytes=e.residual // max(1, e.runs))
        for slot, size in outputs.items():
            memory.output_memory[slot].bytes = size


def profile(nodes, steps):
    result, strings = protos.ProfileProto(has_trace=True), Strings()
    ids = {name: i for i, name in enumerate(nodes)}
    for name, node in nodes.items():
        made = result.nodes[ids[name]]
        made.name, made.op, made.id, made.float_ops = name, node.op.type, ids[name], node.flops
        made.op_types.extend(sorted(node.types))
        made.shape.extend(node.shape or ())
        devices = [d for e in node.steps.values() for d in e.devices]
        made.canonical_device = devices[0] if devices else ""
        made.host_device = made.canonical_device
        for key, value in node.op.node_def.attr.items():
            if not value.HasField("tensor"):  # values are not part of a profile
                made.attrs[key].CopyFrom(value)
        for i, (source, output) in enumerate(zip(node.inputs, node.source_outputs)):
            made.inputs[i] = ids[source]
            made.src_output_index[ids[source]] = output
        for i, tensor in enumerate(node.op.outputs):
            if tensor.shape.is_fully_defined():
                made.output_shapes[i].int64_values.extend(tensor.shape.as_list())
        trace_of(node.op, made.trace, strings)
        for step, e in node.steps.items():
            _execution(made.execs[step], e)
    result.steps.extend(steps)
    strings.write(result.id_to_string)
    return result
