"""Derivatives of traced functions: the forward run keeps what the backward run reads, which starts from there."""

from .. import _weft, engine, ops
from ..ops import IndexedSlices
from .recorded_calls import record



def _differentiable(t):
    return t.dtype.is_floating or t.dtype.is_complex or t.dtype.name == "resource"


def _place(t):
    return t.op._node, t.value_index


class Differentiable:
    """A part of a traced graph that runs by itself: from `arguments`, and from values that an earlier run kept, to `outputs`."""

    def __init__(self, graph, arguments, outputs, targets=(), kept=()):
        self.graph, self.arguments, self.outputs, self.targets, self.kept = graph, arguments, outputs, list(targets), list(kept)
        self._plain = None
        self._derivative = None

    def runner(self, fetches):
        return _weft.EagerFunction(self.graph._core, [t.name for t in self.kept + self.arguments], [t.name for t in fetches], self.targets)

    def _run_plainly(self, tensors):
        if self._plain is None:
            self._plain = self.runner(self.outputs)
        return self._plain.call(tensors, len(self.kept))

    def call(self, tensors):
        """The values of the outputs for values of what was kept and of the arguments. A tape that records gets the derivative."""
        given = tensors[len(self.kept):]
        if not _weft.eager_recording() or not any(_weft.eager_is_watched(t) for t in given):
            return self._run_plainly(tensors)
        if self._derivative is None:
            try:
                self._derivative = _Derivative(self)
            except NotImplementedError as error:  # the call has a value all the same
                if not self.kept:
                    raise
                self._derivative = _Refusal(error)
        d, n = self._derivative, len(self.outputs)
        if not d.results:
            return self._run_plainly(tensors)
        values = d.forward.call(tensors, len(self.kept)) if d.forward is not None else self._run_plainly(tensors)
        made = record(values[:n], given, lambda op, *grads: d.gradients(list(op.inputs), values[n:], grads))
        _weft.eager_note_reads(given)
        return made


class _Derivative:
    """The two runs: `forward` also fetches what `backward`, whose arguments are those of the function and the gradients of its outputs, has to be given."""

    def __init__(self, function):
        self._function = function
        self.graph, core = function.graph, function.graph._core
        if function._plain is None:  # without what the derivative adds to loops
            function._plain = function.runner(function.outputs)
        arguments, outputs = function.arguments, function.outputs
        start = core.size()
        self.outs = [i for i, t in enumerate(outputs) if t.dtype.is_floating or t.dtype.is_complex]
        xs = [i for i, t in enumerate(arguments) if _differentiable(t)]
        made, given = [None] * len(xs), []
        with self.graph.as_default():
            given = [self.graph.placeholder(outputs[i].dtype, outputs[i].shape, "gradient") for i in self.outs]
            if given and xs:
                made = _weft.gradients(core, [outputs[i] for i in self.outs], [arguments[i] for i in xs], given, [], "gradients", False, False, 0)
            self.found = [(i, g) for i, g in zip(xs, made) if g is not None]
            results = [t for _, g in self.found for t in (g if isinstance(g, tuple) else (g,)) if t is not None]
            split = _Split(self.graph, start, arguments + given, results)
        kept = split.values(outputs, function.kept)
        self.forward = function.runner(outputs + kept)
        self.backward = Differentiable(self.graph, arguments + given, split.results, (), kept)
        self.results = split.results
        split.check(kept)

    def gradients(self, inputs, kept, grads):
        """Per input of the IdentityN of one call (outputs, arguments) its gradient."""
        n = len(self._function.outputs)
        given = [ops.convert_to_tensor(grads[i]) if grads[i] is not None else engine.zeros_like(inputs[i]) for i in self.outs]
        made = iter(self.backward.call(kept + inputs[n:] + given))
        result = [None] * len(inputs)
        for i, g in self.found:
            result[n + i] = IndexedSlices(next(made), next(made), None if g[2] is None else next(made)) if isinstance(g, tuple) else next(made)
        return result


class _Refusal:
    """The derivative of a derivative that there is none of; who asks for it gets the error."""

    forward, results = None, True

    def __init__(self, error):
        self._error = error

    def gradients(self, *_):
        raise self._error


class _Split:
    """The nodes of a derivative: those that join the function's loops (they belong to the forward run) and those of the backward run."""

    def __init__(self, graph, start, known, results):
        self._core, self._graph, self._start = graph._core, graph, start
        self._known = {_place(t) for t in known}
        core, self._size = self._core, self._core.size()
        self._loops = [_weft.loops_around(core, n) for n in range(self._size)]
        old = {number for around in self._loops[:start] for number in around}
        todo, self._joins = [n for n in range(start, self._size) if not old.isdisjoint(self._loops[n])], set()
        while todo:
            n = todo.pop()
            if n >= start and n not in self._joins:
                self._joins.add(n)
                todo += [t.op._node for t in core.operation(n).inputs] + core.controls(n)
        self._copies = graph.__dict__.setdefault("_carried_copies", {})  # what was given back by _carry(): the original
        self._branches = self._find_branches()
        self._carried, self._kept = {}, {}
        for n in range(start, self._size):
            if n not in self._joins:
                for i, t in enumerate(list(core.operation(n).inputs)):
                    inside = self._read(t)
                    if inside is not t:
                        core.update_input(n, i, inside)
                # What the backward run waits for has run, unless it tells which branch is taken.
                over = [c for c in core.controls(n) if self._is_forward(c) and not self._branches[c]]
                if over:
                    core.drop_control_inputs(n, over)
        self.results = [self._read(t) for t in results]

    def _is_forward(self, node):
        return node < self._start or node in self._joins

    def _find_branches(self):
        """Per node: the branches that have to be taken for it to have a value, outer ones first: a predicate and the side; None as the side of a Switch: that of its output."""
        core, found, inputs = self._core, {}, {}
        todo = list(range(self._size))[::-1]
        while todo:
            n = todo[-1]
            if found.get(n) is not None:
                todo.pop()
                continue
            if n not in found:
                found[n] = None  # its inputs come first
                inputs[n] = [t for t in core.operation(n).inputs]
                if self._loops[n] and core.type(n) in ("Merge", "Switch"):
                    inputs[n] = inputs[n][:1]  # not around the loop
                todo += [m for m in [t.op._node for t in inputs[n]] + core.controls(n) if m not in found]
                continue
            found[n] = self._branches_of(n, inputs[n], found)
            todo.pop()
        return found

    def _branches_of(self, n, inputs, found):
        kind, path = self._core.type(n), []
        if kind == "Merge":
            for steps in zip(*[self._path(found, t) for t in inputs]):
                if any(s != steps[0] for s in steps):
                    break
                path.append(steps[0])
            return tuple(path)
        for t in inputs:
            path += [s for s in self._path(found, t) if s not in path]
        for c in self._core.controls(n):
            path += [s for s in found[c] or () if s not in path and s[1] is not None]
        if kind == "Switch":
            if not self._loops[n]:
                path.append((_place(self._original(inputs[1])), None))
        return tuple(sorted(path, key=lambda step: len(found.get(step[0][0]) or ())))

    def _original(self, predicate):
        """The tensor that a predicate is a copy of, so that each branch has one name."""
        while True:
            if _place(predicate) in self._copies:
                predicate = self._copies[_place(predicate)]
            elif predicate.op.type == "Identity" and not self._core.controls(predicate.op._node):
                predicate = predicate.op.inputs[0]
            else:
                return predicate

    def _path(self, found, t):
        """The branches of a tensor: of a Switch, the one of this output."""
        return tuple((predicate, t.value_index if side is None else side) for predicate, side in found.get(t.op._node) or ())

    def _keep(self, t):
        if _place(t) not in self._known:
            self._kept[_place(t)] = t
            if t.dtype.name == "resource":  # a handle is a scalar, whatever its op says
                self._core.replace_shape(t.op._node, t.value_index, [])

    def _read(self, t):
        """What the backward run reads for a tensor."""
        if not self._is_forward(t.op._node) or _place(t) in self._known:
            return t
        if t.op.type == "Switch" and not self._loops[t.op._node] and all(self._read(x) is x for x in t.op.inputs):
            return t  # its inputs say where it has a value
        branches = self._path(self._branches, t)
        if not branches:
            if t.op.type != "Const":
                self._keep(t)
            return t
        if _place(t) not in self._carried:
            self._carried[_place(t)] = self._carry(t, branches)
        return self._carried[_place(t)]

    def _carry(self, t, branches):
        """Keeps the value of a tensor that lies in branches, and gives it back to the backward run where they are taken."""
        raw = engine.raw_ops
        if t.dtype.name == "variant":
            raise NotImplementedError("the gradient of tf.function %s: %s lies in a branch, and its value is a variant" % (self._graph.name, t.name))
        with self._graph.as_default(), ops.control_dependencies(None):
            small = t.shape.is_fully_defined() and t.shape.num_elements() < 1000
            nothing = raw.StackV2(max_size=-1, elem_type="float32") if t.dtype.name == "resource" else engine.zeros(t.shape if small else [0], t.dtype)
            value, shape = t, t.shape
            for (node, output), side in reversed(branches):
                other = raw.Switch(data=nothing, pred=self._core.operation(node).outputs[output])[1 - side]
                value = raw.Merge(inputs=[other, value] if side else [value, other])[0]
            self._keep(value)
            for (node, output), side in branches:
                value = raw.Switch(data=value, pred=self._read(self._core.operation(node).outputs[output]))[side]
            if t.dtype.name != "resource":
                value.set_shape(shape)
            elif shape.is_fully_defined():  # handles of some ops are stated as vectors
                self._core.replace_shape(value.op._node, value.value_index, shape.as_list())
        self._copies[_place(value)] = t
        return value

    def values(self, outputs, earlier):
        """The tensors that the forward run keeps: also what a run that computes something again, for a second derivative, must not compute differently."""
        for op in self._before(outputs, {_place(t) for t in earlier} | self._known):
            if op._is_stateful and op._node < self._size and not self._branches[op._node] and not self._loops[op._node]:
                for t in op.outputs:
                    if t.dtype.name not in ("resource", "variant"):
                        self._keep(t)
        for t in earlier:
            if t.dtype.name != "resource":
                self._keep(t)
        size = -1
        while len(self._kept) != size:  # constants in branches need their predicates
            size = len(self._kept)
            for op in self._before(self.results, self._known | set(self._kept)):
                if op.type == "Switch" and self._is_forward(op._node) and not self._loops[op._node]:
                    for i, t in enumerate(list(op.inputs)):
                        inside = self._read(t)
                        if inside is not t:  # it has the same value in the forward run
                            self._core.update_input(op._node, i, inside)
        return list(self._kept.values())

    def check(self, kept):
        """Refuses a backward run that would run a stateful operation of the forward run again."""
        for op in self._before(self.results, {_place(t) for t in kept} | self._known):
            if self._is_forward(op._node) and (op._is_stateful or op.type in ("Enter", "NextIteration")):
                raise NotImplementedError("the gradient of tf.function %s: it needs %s (%s) a second time" % (self._graph.name, op.name, op.type))

    def _before(self, tensors, fed):
        """The operations that compute `tensors` from those in `fed`."""
        todo, seen, found, nodes = list(tensors), set(), [], []
        while todo or nodes:
            if todo:
                t = todo.pop()
                if _place(t) in fed:
                    continue
                nodes.append(t.op._node)
            n = nodes.pop()
            if n in seen:
                continue
            seen.add(n)
            op = self._core.operation(n)
            found.append(op)
            todo += list(op.inputs)
            nodes += self._core.controls(n)
        return found
