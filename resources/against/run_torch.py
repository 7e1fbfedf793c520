"""A step on PyTorch: the graph translated to its ops and compiled by torch.compile; loops whose course is known before the step are unrolled."""
import runner

(torch,) = runner.need("torch")
import graph
import numpy as np
import static_ops
import torch_ops
from runner import CannotCarry
from torch.fx.experimental.proxy_tensor import make_fx


class TorchStep(graph.Step):
    """An evaluation. In `objects`, a stack is a list, a tensor array a list with a place for each element."""

    def compute(self, node, inputs):
        op = node.op
        if op in _OBJECTS:
            return _OBJECTS[op](self, node, *inputs)
        try:
            if op in graph.UPDATES:
                return self._update(node, inputs)
            if op in torch_ops.DRAWS:
                found = torch_ops.DRAWS[op](node, inputs[0])
            elif op in torch_ops.BINARY:
                found = self._binary(node, *inputs)
            elif op in torch_ops.TENSOR_OPS:
                found = torch_ops.TENSOR_OPS[op](node, *[torch_ops.tensor(x) for x in inputs])
            elif op in torch_ops.OTHER_OPS:
                found = torch_ops.OTHER_OPS[op](node, *inputs)
            else:
                raise CannotCarry("%s is not translated to PyTorch" % node)
        except (NotImplementedError, TypeError, RuntimeError, IndexError) as error:
            raise CannotCarry("%s is not translated to PyTorch as it stands here: %s" % (node, str(error).splitlines()[0])) from error
        return found if isinstance(found, tuple) else (found,)

    def _binary(self, node, a, b):
        function = torch_ops.BINARY[node.op]
        if isinstance(a, np.ndarray) and a.ndim == 0 and not isinstance(b, np.ndarray) and node.op not in ("Pow", "LogicalAnd", "FloorDiv", "Sub", "RealDiv"):
            return function(b, a.item()) if node.op in ("Add", "AddV2", "Mul") else function(torch_ops.tensor(a), b)
        if isinstance(b, np.ndarray) and b.ndim == 0 and not isinstance(a, np.ndarray) and node.op != "LogicalAnd":
            return function(a, b.item())
        return function(torch_ops.tensor(a), torch_ops.tensor(b))

    def _update(self, node, inputs):
        if node.op not in torch_ops.UPDATES:
            raise CannotCarry("%s is not translated to PyTorch" % node)
        # Numbers of an optimizer stay numbers.
        numbers = [x.item() if isinstance(x, np.ndarray) and x.ndim == 0 and k > 1 else torch_ops.tensor(x) for k, x in enumerate(inputs)]
        new = torch_ops.UPDATES[node.op](node, *numbers)
        for which, value in zip(node.inputs[1:], new[1:]):  # slots
            self.state[self.values[which].name] = value
        return new

    def loop(self, loop):
        count, ends = self.known_course(loop)
        if count is None:
            raise CannotCarry("the loop %s ends when a computed value says so; only loops with a known number of iterations are unrolled for PyTorch" % loop.name)
        for enter in loop.enters:
            self.values[enter.name, 0] = self.read(self.values[enter.inputs[0]])
        current = {m: self.values[enter, 0] for m, (enter, _) in loop.next.items()}
        for _ in range(count):
            for node in loop.nodes:
                if node.op in ("Enter", "Exit", "NextIteration", "LoopCond"):
                    continue
                if node.op == "Merge":
                    self.values[node.name, 0] = current[node.name]
                elif node.op == "Switch":
                    self.values[node.name, 0] = self.values[node.name, 1] = self.values[node.inputs[0]]
                else:
                    self.evaluate(node)
            current = {m: self.values[self.graph.nodes[back].inputs[0]] for m, (_, back) in loop.next.items()}
        for leave in loop.exits:
            self.values[leave.name, 0] = current[loop.variable[leave.inputs[0][0]]]


_FLOW = np.zeros((), np.float32)


def _stack(step, node, *_):
    step.objects[node.name] = []
    return (graph.Handle(node.name),)


def _push(step, node, stack, value):
    step.objects[stack.name].append(value)
    return (value,)


def _tensor_array(step, node, size):
    if not isinstance(size, np.ndarray):
        raise CannotCarry("%s has a size that is not known before the step" % node)
    step.objects[node.name] = [None] * int(size)
    return graph.Handle(node.name, int(size), static_ops.DTYPES[node.attrs["dtype"]], shape=node.attrs.get("element_shape")), _FLOW


def _gradient_array(step, node, handle, flow):
    name = handle.name + "@" + node.attrs["source"]
    step.objects.setdefault(name, [None] * handle.size)
    return graph.Handle(name, handle.size, handle.dtype, source=handle, shape=handle.shape), _FLOW


def _position(node, index):
    if not isinstance(index, np.ndarray):
        raise CannotCarry("%s uses a position that is not known before the step" % node)
    return index


def _write(step, node, handle, index, value, flow):
    held, i = step.objects[handle.name], int(_position(node, index))
    # Gradients of several reads of one element add up.
    held[i] = held[i] + value if handle.source and held[i] is not None else value
    return (_FLOW,)


def _element(step, node, handle, i):
    found = step.objects[handle.name][i]
    if found is None:
        if handle.source is not None:  # no gradient came for it
            like = next((x for x in step.objects[handle.name] + step.objects[handle.source.name] if x is not None), None)
            if like is not None:
                return torch.zeros_like(torch_ops.tensor(like))
        if handle.shape is not None and all(d >= 0 for d in handle.shape):
            return torch.zeros(handle.shape, dtype=torch.from_numpy(np.zeros(1, handle.dtype)).dtype)
        raise CannotCarry("%s reads an element that nobody wrote" % node)
    return torch_ops.tensor(found)


def _scatter(step, node, handle, indices, value, flow):
    for k, i in enumerate(_position(node, indices).tolist()):
        _write(step, node, handle, np.array(i), torch_ops.tensor(value)[k], flow)
    return (_FLOW,)


_OBJECTS = {
    "StackV2": _stack, "StackPushV2": _push, "StackPopV2": lambda s, n, h: (s.objects[h.name].pop(),), "TensorArrayV3": _tensor_array,
    "TensorArrayGradV3": _gradient_array, "TensorArrayWriteV3": _write, "TensorArrayScatterV3": _scatter,
    "TensorArrayReadV3": lambda s, n, h, i, f: (_element(s, n, h, int(_position(n, i))),),
    "TensorArrayGatherV3": lambda s, n, h, i, f: (torch.stack([_element(s, n, h, k) for k in _position(n, i).tolist()]),),
    "TensorArraySizeV3": lambda s, n, h, f: (np.array(h.size, np.int32),),
}


def prepare(job):
    torch.set_num_threads(job.threads)
    torch.set_grad_enabled(False)
    translated = graph.Graph(job)
    names = list(job.arrays("variables.npz"))
    state = [torch.from_numpy(np.array(value)) for value in job.arrays("variables.npz").values()]
    feeds = [np.array(value) for value in job.feeds.values()]
    drawn = job.arrays("draws.npz")
    drawable = [n for n in job.fields["draws"] if translated.nodes[n.rsplit(":", 1)[0]].op in torch_ops.DRAWS]
    fixed = {n: drawn["0/" + n] for n in job.fields["draws"] if n not in drawable}

    def evaluation(given):
        """A compiled step that gets the values of these random ops; others are drawn."""
        def evaluate(variables, fed, draws):
            step = TorchStep(translated, dict(zip(names, variables)), dict(zip(job.feeds, fed)), dict(zip(given, draws)))
            values = [torch_ops.tensor(v).clone() for v in step.run(job.fetches)]
            for name, variable in zip(names, variables):
                if step.state[name] is not variable:
                    variable.copy_(step.state[name])
            return values

        example = [v.clone() for v in state], [torch.from_numpy(f.copy()) for f in feeds], [torch.from_numpy(np.array(drawn["0/" + n])) for n in given]
        return torch.compile(make_fx(evaluate)(*example), dynamic=False)

    with_draws = evaluation(job.fields["draws"])
    without = evaluation(list(fixed)) if drawable else with_draws
    at = {"step": 0}

    def take(function, draws):
        return [v.numpy() for v in function(state, [torch.from_numpy(f) for f in feeds], [torch.from_numpy(np.array(d)) for d in draws])]

    def compared():
        at["step"] += 1
        return take(with_draws, [drawn["%d/%s" % (at["step"] - 1, n)] for n in job.fields["draws"]])

    return compared, lambda: take(without, fixed.values())


runner.serve("torch " + torch.__version__.split("+")[0], prepare, ["PyTorch: by torch.compile; random numbers by its own generator while steps are measured"])
