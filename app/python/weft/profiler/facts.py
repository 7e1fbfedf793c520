"""What the profiler knows of the nodes of a graph: floating point operations, parameters, and the times of traced runs."""

import collections

import tensorflow as tf


def _count(shape):
    return shape.num_elements() if shape.is_fully_defined() else None


def _elementwise(per_element):
    return lambda op: _times(_count(op.outputs[0].shape), per_element)


def _of_input(per_element, less=0):
    return lambda op: _times(_count(op.inputs[0].shape), per_element, -less)


def _times(count, factor, plus=0):
    return None if count is None else count * factor + plus


def _reduction(each=1, at_end=0):
    def flops(op):
        inputs, outputs = _count(op.inputs[0].shape), _count(op.outputs[0].shape)
        return None if inputs is None or outputs is None else inputs * each + outputs * (at_end - each)

    return flops


def _product(values):
    result = 1
    for v in values:
        result *= v
    return result


def _matmul(op):
    a, out = op.inputs[0].shape, _count(op.outputs[0].shape)
    if out is None or not a.is_fully_defined():
        return None
    return out * int(a[0] if op.get_attr("transpose_a") else a[1]) * 2


def _convolution(dims):
    def flops(op):
        kernel, out = op.inputs[1].shape, _count(op.outputs[0].shape)
        return None if out is None or not kernel.is_fully_defined() else _product(kernel.as_list()[:dims]) * out * 2

    return flops


def _pool(source, factor):
    def flops(op):
        shape = op.outputs[0].shape if source is None else op.inputs[source].shape
        return _times(_count(shape), _product(op.get_attr("ksize")) * factor)

    return flops


def _max_pool_grad(op):
    out = _count(op.inputs[1].shape)
    return None if out is None else _product(op.get_attr("ksize")) * out + out


def _convolution_backward(image, kernel):
    def flops(op):
        x = op.outputs[0].shape if image is None else op.inputs[image].shape
        k = op.outputs[0].shape if kernel is None else op.inputs[kernel].shape
        if not x.is_fully_defined() or not k.is_fully_defined():
            return None
        strides = op.get_attr("strides")
        return int(2 * _count(x) * _count(k) / (x.as_list()[-1] * strides[1] * strides[2]))

    return flops


def _add_n(op):
    return _times(_count(op.inputs[0].shape), len(op.inputs) - 1)


_FLOPS = {"Rsqrt": _of_input(2), "L2Loss": _of_input(3, 1), "Softmax": _of_input(5), "RsqrtGrad": _elementwise(4), "SquaredDifference": _elementwise(2),
          "Mean": _reduction(1, 1), "AddN": _add_n, "MatMul": _matmul, "Conv2D": _convolution(3), "DepthwiseConv2dNative": _convolution(2),
          "Dilation2D": _convolution(2), "BiasAdd": _of_input(1), "AvgPool": _pool(None, 1), "MaxPool": _pool(None, 1),
          "AvgPoolGrad": _pool(1, 2), "MaxPoolGrad": _max_pool_grad, "Conv2DBackpropInput": _convolution_backward(None, 1),
          "Conv2DBackpropFilter": _convolution_backward(0, None)}
_FLOPS.update({op: _of_input(1) for op in ("Reciprocal", "Square", "Log", "Neg", "AssignSub", "AssignAdd")})
_FLOPS.update({op: _elementwise(1) for op in ("Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Pow", "GreaterEqual", "Greater", "LessEqual", "Less",
                                              "Equal", "NotEqual")})
_FLOPS.update({op: _reduction() for op in ("Sum", "ArgMax", "ArgMin", "BiasAddGrad")})


def flops_of(op):
    """Floating point operations of one execution, as far as static shapes tell; else 0."""
    rule = _FLOPS.get(op.type)
    if rule is None:
        return 0
    try:
        return rule(op) or 0
    except (ValueError, IndexError, TypeError):
        return 0


class Execution:
    """What a traced run says of a node."""

    def __init__(self):
        self.runs = self.micros = self.cpu = self.accelerator = self.bytes = self.peak = self.residual = self.output = 0
        self.devices = []
        self.spans = []  # (device, start, end) in microseconds


def executions_of(run_metadata):
    """Node's name -> Execution of one step."""
    found = collections.defaultdict(Execution)
    for device in run_metadata.step_stats.dev_stats if run_metadata is not None else ():
        name = device.device
        if "stream:" in name and not name.endswith("stream:all") or "memcpy" in name:
            continue
        for stats in device.node_stats:
            e = found[stats.node_name.split(":")[0]]
            micros = max(stats.op_end_rel_micros - stats.op_start_rel_micros, stats.all_end_rel_micros)
            e.runs += 1
            e.micros += micros
            if "stream:" in name or "gpu" in name.lower():
                e.accelerator += micros
            else:
                e.cpu += micros
            for memory in stats.memory:
                e.bytes += memory.total_bytes
                e.peak += memory.peak_bytes
                e.residual += memory.live_bytes
            for output in stats.output:
                e.output += output.tensor_description.allocation_description.requested_bytes
            if not stats.memory:
                e.bytes += sum(o.tensor_description.allocation_description.requested_bytes for o in stats.output)
            if name not in e.devices:
                e.devices.append(name)
            e.spans.append((name, stats.all_start_micros, stats.all_start_micros + stats.all_end_rel_micros))
    return found


class NodeFacts:
    """A node of the graph with what is known of it."""

    def __init__(self, op, trainable, log=None):
        self.name, self.op = op.name, op
        self.inputs = [x.op.name for x in op.inputs]
        self.types = {op.type} | ({op.device} if op.device else set())
        self.parameters = 0
        if op.type in ("Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable"):
            shape = tf.TensorShape(op.get_attr("shape"))
            self.parameters = _count(shape) or 0
            self.shape = shape
        if op.name in trainable:
            self.types.add("_trainable_variables")
        self.flops = flops_of(op)
        if log is not None:
            self.flops = log.float_ops or self.flops
            self.types |= set(log.types)
        self.steps = {}  # step -> Execution

    def execution(self, step):
        """Of one step, or the mean of all with -1."""
        if step >= 0 or len(self.steps) <= 1:
            return self.steps.get(step) if step >= 0 else next(iter(self.steps.values()), None)
        mean = Execution()
        for e in self.steps.values():
            for field in ("runs", "micros", "cpu", "accelerator", "bytes", "peak", "residual", "output"):
                setattr(mean, field, getattr(mean, field) + getattr(e, field))
            mean.devices += [d for d in e.devices if d not in mean.devices]
        for field in ("runs", "micros", "cpu", "accelerator", "bytes", "peak", "residual", "output"):
            setattr(mean, field, getattr(mean, field) // len(self.steps))
        return mean


def nodes_of(graph, op_log=None):
    """Name -> NodeFacts of a whole graph."""
    with graph.as_default():
        trainable = {v.op.name for v in tf.trainable_variables()}
    logs = {entry.name: entry for entry in op_log.log_entries} if op_log is not None else {}
    return {op.name: NodeFacts(op, trainable, logs.get(op.name)) for op in graph.get_operations()}
