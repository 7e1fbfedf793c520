"""A step on JAX: the graph translated to jax.numpy, compiled as a whole by XLA; loops are lax.while_loop."""
import runner

(jax,) = runner.need("jax")
jax.config.update("jax_enable_x64", True)  # TensorFlow's int64 stays int64; every array has a type of its own
import graph
import jax.numpy as jnp
import jax_ops
import numpy as np
import static_ops
from jax import lax
from runner import CannotCarry

_KEY = "the key of random numbers"


def _array(x):
    return jnp.asarray(x)


class JaxStep(graph.Step):
    """An evaluation that JAX traces. In `objects`, a stack is (elements, how many), a tensor array its elements."""

    discovering = False

    def compute(self, node, inputs):
        op = node.op
        if op in graph.UPDATES:
            return self._update(node, inputs)
        if op in _OBJECTS:
            return _OBJECTS[op](self, node, *inputs)
        if op in jax_ops.DRAWS:
            self.state[_KEY], key = jax.random.split(self.state[_KEY])
            return (jax_ops.DRAWS[op](node, key, inputs[0]),)
        if op not in jax_ops.OPS:
            raise CannotCarry("%s is not translated to JAX" % node)
        try:
            found = jax_ops.OPS[op](node, *inputs)
        except (NotImplementedError, jax.errors.ConcretizationTypeError, TypeError) as error:
            raise CannotCarry("%s is not translated to JAX as it stands here: %s" % (node, str(error).splitlines()[0])) from error
        return found if isinstance(found, tuple) else (found,)

    def _update(self, node, inputs):
        if node.op not in jax_ops.UPDATES:
            raise CannotCarry("%s is not translated to JAX" % node)
        new = jax_ops.UPDATES[node.op](node, *inputs)
        for which, value in zip(node.inputs[1:], new[1:]):  # slots
            self.state[self.values[which].name] = value
        return new

    def loop(self, loop):
        count, ends = self.known_course(loop)
        self.capacity = count
        before = dict(self.values)
        for enter in loop.enters:
            self.values[enter.name, 0] = self.read(self.values[enter.inputs[0]])
        start = {m: self.values[enter, 0] for m, (enter, _) in loop.next.items()}
        handles = {m: v for m, v in start.items() if isinstance(v, graph.Handle)}
        start = {m: _array(v) for m, v in start.items() if m not in handles}

        def test(carry):
            return self._inside(loop, carry, handles, only=self._needed(loop))[loop.conditions[0].inputs[0]]

        def body(carry):
            values = self._inside(loop, carry, handles)
            following = {m: _array(values[loop.next[m][1], 0]).astype(start[m].dtype) for m in start}
            return following, dict(self.objects), {k: self.state[k] for k in carry[2]}

        state = {k: v for k, v in self.state.items() if k == _KEY}
        # What is pushed and written is seen when the body is traced once; XLA drops that trace.
        self.discovering = True
        kept = dict(self.objects), dict(self.state)
        body((start, dict(self.objects), state))
        created = {k: v for k, v in self.objects.items() if k not in kept[0] or kept[0][k] is None}
        self.discovering = False
        self.objects, self.state = kept
        for key, value in created.items():
            self.objects[key] = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), value)
        self.objects = {k: v for k, v in self.objects.items() if v is not None}
        merges, self.objects, state = lax.while_loop(test, body, (start, self.objects, state))
        self.state.update(state)
        self.values = before
        for leave in loop.exits:
            merge = loop.variable[leave.inputs[0][0]]
            self.values[leave.name, 0] = handles.get(merge, ends.get(merge, merges.get(merge)))

    def _needed(self, loop):
        """The nodes that the loop's condition needs."""
        nodes = {n.name: n for n in loop.nodes}
        needed, todo = set(), [loop.conditions[0].inputs[0][0]]
        while todo:
            name = todo.pop()
            if name in needed or name not in nodes:
                continue
            needed.add(name)
            if nodes[name].op != "Merge":
                todo += [i[0] for i in nodes[name].inputs]
        return needed

    def _inside(self, loop, carry, handles, only=None):
        """The values of one iteration."""
        merges, objects, state = carry
        self.objects = dict(objects)
        self.state = {**self.state, **state}
        outer = self.values
        self.values = dict(outer)
        for node in loop.nodes:
            if node.op == "Enter" or node.op in ("Exit", "NextIteration", "LoopCond") or (only is not None and node.name not in only):
                continue
            if node.op == "Merge":
                self.values[node.name, 0] = handles.get(node.name, merges.get(node.name))
            elif node.op == "Switch":
                self.values[node.name, 0] = self.values[node.name, 1] = self.values[node.inputs[0]]
            else:
                self.evaluate(node)
        for node in loop.nodes:
            if node.op == "NextIteration" and only is None:
                self.values[node.name, 0] = self.values[node.inputs[0]]
        found, self.values = self.values, outer
        return found


def _stack(step, node, *_):
    handle = graph.Handle(node.name, dtype=node.attrs.get("elem_type"))
    step.objects[handle.name] = None
    return (handle,)


def _push(step, node, stack, value):
    if step.capacity is None:
        raise CannotCarry("%s keeps a value of each iteration, and how many there are is not known before the step" % node)
    value = _array(value)
    held = step.objects.get(stack.name)
    if held is None:
        held = jnp.zeros((max(step.capacity, 1),) + value.shape, value.dtype), jnp.zeros((), np.int32)
    elements, count = held
    step.objects[stack.name] = lax.dynamic_update_index_in_dim(elements, value, count, 0), count + 1
    return (value,)


def _pop(step, node, stack):
    if step.objects.get(stack.name) is None:
        raise CannotCarry("%s reads a stack before it is filled" % node)
    elements, count = step.objects[stack.name]
    step.objects[stack.name] = elements, count - 1
    return (lax.dynamic_index_in_dim(elements, count - 1, 0, keepdims=False),)


_FLOW = np.zeros((), np.float32)


def _tensor_array(step, node, size):
    if not isinstance(size, np.ndarray):
        raise CannotCarry("%s has a size that is not known before the step" % node)
    shape = node.attrs.get("element_shape")
    handle = graph.Handle(node.name, int(size), static_ops.DTYPES[node.attrs["dtype"]])
    known = shape is not None and all(d >= 0 for d in shape)
    step.objects[handle.name] = jnp.zeros([handle.size] + shape, handle.dtype) if known else None
    return handle, _FLOW


def _gradient_array(step, node, handle, flow):
    name = handle.name + "@" + node.attrs["source"]
    held = step.objects.get(handle.name)
    if step.objects.get(name) is None and held is not None:
        step.objects[name] = jnp.zeros_like(held)
    return graph.Handle(name, handle.size, handle.dtype, source=handle), _FLOW


def _write(step, node, handle, index, value, flow):
    held = step.objects.get(handle.name)
    value = _array(value)
    if held is None:
        held = jnp.zeros((handle.size,) + value.shape, value.dtype)
    # Gradients of several reads of one element add up.
    step.objects[handle.name] = held.at[index].add(value) if handle.source else lax.dynamic_update_index_in_dim(held, value, index, 0)
    return (_FLOW,)


def _held(step, node, handle):
    if step.objects.get(handle.name) is None:
        raise CannotCarry("%s reads a tensor array before it is filled" % node)
    return step.objects[handle.name]


def _scatter(step, node, handle, indices, value, flow):
    held = step.objects.get(handle.name)
    if held is None:
        held = jnp.zeros((handle.size,) + value.shape[1:], value.dtype)
    at = held.at[indices]
    step.objects[handle.name] = at.add(value) if handle.source else at.set(value)
    return (_FLOW,)


_OBJECTS = {
    "StackV2": _stack, "StackPushV2": _push, "StackPopV2": _pop, "TensorArrayV3": _tensor_array, "TensorArrayGradV3": _gradient_array, "TensorArrayWriteV3": _write,
    "TensorArrayReadV3": lambda s, n, h, i, f: (lax.dynamic_index_in_dim(_held(s, n, h), jnp.asarray(i), 0, keepdims=False),),
    "TensorArrayGatherV3": lambda s, n, h, i, f: (jnp.take(_held(s, n, h), i, 0),), "TensorArrayScatterV3": _scatter,
    "TensorArraySizeV3": lambda s, n, h, f: (np.array(h.size, np.int32),),
}


def prepare(job):
    translated = graph.Graph(job)
    state = {name: jnp.array(value) for name, value in job.arrays("variables.npz").items()}
    state[_KEY] = jax.random.key(0)
    drawn = job.arrays("draws.npz")
    # A sampler of candidates has no counterpart: it always gives what Weft drew in the first step.
    fixed = {name: drawn["0/" + name] for name in job.fields["draws"] if translated.nodes[name.rsplit(":", 1)[0]].op not in jax_ops.DRAWS}

    def evaluate(state, feeds, draws):
        step = JaxStep(translated, state, feeds, draws)
        values = step.run(job.fetches)
        return {k: v if k == _KEY else _array(v) for k, v in step.state.items()}, [_array(v) for v in values]

    compiled = jax.jit(evaluate, donate_argnums=0)
    held = {"state": state, "step": 0}

    def take(draws):
        held["state"], values = compiled(held["state"], job.feeds, draws)
        values = [np.asarray(v) for v in values]
        jax.block_until_ready(held["state"])
        return values

    def compared():
        draws = {name: drawn["%d/%s" % (held["step"], name)] for name in job.fields["draws"]}
        held["step"] += 1
        return take(draws)

    return compared, lambda: take(fixed)


runner.serve("jax " + jax.__version__, prepare, ["JAX: compiled by XLA for the CPU; random numbers by its own generator while steps are measured"])
