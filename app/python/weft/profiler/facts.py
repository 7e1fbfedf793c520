"""The profiler's data about graph nodes: floating-point operations, parameters, and times of traced runs."""

import collections

from ..tensor_shape import TensorShape
from ..variables import trainable_variables


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


class _Ran:
    """An operation whose tensors have the shapes of a run where static shapes are unknown."""

    def __init__(self, op, shapes):
        def shaped(tensor):
            return _Shape(tensor.shape if tensor.shape.is_fully_defined() else shapes.get(tensor.name, tensor.shape))

        self.inputs, self.outputs, self.get_attr = [shaped(x) for x in op.inputs], [shaped(x) for x in op.outputs], op.get_attr


_Shape = collections.namedtuple("_Shape", ["shape"])


def flops_of(op, shapes=None):
    """Floating point operations of one execution, from static shapes or those of a run (tensor name -> shape); 0 if unknown."""
    rule = _FLOPS.get(op.type)
    if rule is None:
        return 0
    try:
        return rule(_Ran(op, shapes or {})) or 0
    except (ValueError, IndexError, TypeError):
        return 0


class Execution:
    """The executions of a node in one step."""

    def __init__(self):
        self.runs = self.micros = self.cpu = self.accelerator = self.bytes = self.peak = self.residual = self.output = 0
        self.devices = []
        self.spans = []   # (device, start, end) in microseconds
        self.memory = []  # (end of the execution, temporary bytes, persistent bytes, bytes of the outputs)


def canonical(device):
    """A device name in the form of profiles: lower case after the task."""
    task, mark, rest = device.partition("/device:")
    return task + mark + rest.lower()


def shapes_of(run_metadata):
    """Tensor name -> its shape in a traced run."""
    found = {}
    for device in run_metadata.step_stats.dev_stats if run_metadata is not None else ():
        for stats in device.node_stats:
            for output in stats.output:
                if not output.tensor_description.shape.unknown_rank:
                    found["%s:%d" % (stats.node_name.split(":")[0], output.slot)] = TensorShape(output.tensor_description.shape)
    return found


def executions_of(run_metadata):
    """Node name -> Execution, for one step."""
    found = collections.defaultdict(Execution)
    for device in run_metadata.step_stats.dev_stats if run_metadata is not None else ():
        name = canonical(device.device)
        if "stream:" in name and not name.endswith("stream:all") or "memcpy" in name:
            continue
        for stats in device.node_stats:
            e = found[stats.node_name.split(":")[0]]
            micros = max(stats.op_end_rel_micros - stats.op_start_rel_micros, stats.all_end_rel_micros, 1)  # at least 1, because no execution takes no time
            # A GPU's own track has when the host queued the work, its stream has the work: the latter is time of the accelerator, as in TensorFlow.
            on_stream = "stream:" in name
            e.runs += not on_stream
            e.micros += micros
            if on_stream:
                e.accelerator += micros
            else:
                e.cpu += micros
            outputs = {o.slot: o.tensor_description.allocation_description.requested_bytes for o in stats.output}
            e.memory.append((stats.all_start_micros + micros, stats.memory_stats.temp_memory_size, stats.memory_stats.persistent_memory_size, outputs))
            for memory in stats.memory:
                e.bytes += memory.total_bytes
                e.peak += memory.peak_bytes
                e.residual += memory.live_bytes
            e.output += sum(outputs.values())
            if not stats.memory:
                e.bytes += sum(outputs.values())
            if name not in e.devices:
                e.devices.append(name)
            e.spans.append((name, stats.all_start_micros, stats.all_start_micros + micros))
    return found


class NodeFacts:
    """A node of the graph with its profile data."""

    def __init__(self, op, trainable, log=None):
        self.name, self.op = op.name, op
        self.inputs = [x.op.name for x in op.inputs] + [c.name for c in op.control_inputs]
        self.source_outputs = [x.value_index for x in op.inputs] + [-1] * len(op.control_inputs)
        self.input_shapes = [x.shape for x in op.inputs]
        self.trainable, self.given_types = op.name in trainable, set()
        self.shape, self.parameters = None, 0
        if "shape" in op.node_def.attr:  # of a variable or a placeholder: the number of elements to train or feed
            shape = TensorShape(op.node_def.attr["shape"].shape)
            if shape.ndims is not None and shape.is_fully_defined():
                self.shape, self.parameters = shape.as_list() or [1], _count(shape)
        self.flops = flops_of(op)
        if log is not None:
            self.flops = log.float_ops or self.flops
            self.given_types = set(log.types)
        self._logged = log is not None and log.float_ops > 0
        self.steps = {}  # step -> Execution

    def ran(self, step, execution, shapes):
        """Adds an execution; shapes of the run fill in for unknown static shapes."""
        self.steps[step] = execution
        self.input_shapes = [s if s.is_fully_defined() else shapes.get(x.name, s) for x, s in zip(self.op.inputs, self.input_shapes)]
        if not self.flops and not self._logged:
            self.flops = flops_of(self.op, shapes)

    @property
    def types(self):
        """The strings that account_type_regexes match: the op type, the devices (or the requested one), types from the op log."""
        devices = {d for e in self.steps.values() for d in e.devices} or ({canonical(self.op.device)} if self.op.device else set())
        return {self.op.type} | devices | self.given_types | ({"_trainable_variables"} if self.trainable else set())

    def execution(self, step):
        """The execution of one step, or the mean of all for -1."""
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
    """Name -> NodeFacts for a whole graph."""
    with graph.as_default():
        trainable = {v.op.name for v in trainable_variables()}
    logs = {entry.name: entry for entry in op_log.log_entries} if op_log is not None else {}
    return {op.name: NodeFacts(op, trainable, logs.get(op.name)) for op in graph.get_operations()}
