"""The graph that Weft writes for translations, and how a step of it is evaluated op by op: by a framework's own functions, traced by its compiler.

Variables are a dictionary that an evaluation changes and returns. A node's value is an array of NumPy where it is known before the step (shapes, counters), else one
of the framework. Handles of stacks and tensor arrays are known; what is in them is kept in `objects`, so that a loop can carry it.
"""
import heapq
import json

import numpy as np
import static_ops
from runner import CannotCarry

FLOW = {"Enter", "Exit", "Merge", "Switch", "NextIteration", "LoopCond"}
# Ops whose first input is the variable itself.
UPDATES = {"Assign", "AssignAdd", "AssignSub", "ScatterAdd", "ScatterSub", "ScatterUpdate", "ApplyGradientDescent", "ApplyMomentum", "ApplyAdam", "ApplyAdagrad",
           "ApplyRMSProp", "SparseApplyAdagrad", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ResourceApplyGradientDescent",
           "ResourceApplyMomentum", "ResourceApplyAdam"}
VARIABLES = {"VariableV2", "Variable", "VarHandleOp"}
NOTHING = {"NoOp", "ControlTrigger"}


class Node:
    def __init__(self, fields):
        self.name, self.op, self.attrs, self.outputs = fields["name"], fields["op"], fields["attrs"], fields["outputs"]
        self.inputs = [(name.rsplit(":", 1)[0], int(name.rsplit(":", 1)[1])) for name in fields["inputs"]]
        self.controls = fields["controls"]
        self.frame = ""

    def __str__(self):
        return "%s (%s)" % (self.name, self.op)


class Variable:
    """A variable itself; who reads it gets its value at that moment."""

    def __init__(self, name):
        self.name = name


class Handle:
    """A stack or a tensor array."""

    def __init__(self, name, size=None, dtype=None, source=None, shape=None):
        self.name, self.size, self.dtype, self.source, self.shape = name, size, dtype, source, shape


class Loop:
    """A while loop: one node for those outside of it."""

    def __init__(self, name):
        self.name, self.op, self.nodes, self.frame = name, "loop", [], ""
        self.attrs, self.outputs = {}, 0

    def close(self):
        by_op = {op: [n for n in self.nodes if n.op == op] for op in FLOW}
        self.enters, self.exits, self.merges, self.switches = by_op["Enter"], by_op["Exit"], by_op["Merge"], by_op["Switch"]
        self.conditions = by_op["LoopCond"]
        if len(self.conditions) != 1:
            raise CannotCarry("the loop %s has %d conditions; only loops of tf.while_loop are translated" % (self.name, len(self.conditions)))
        names = {n.name: n for n in self.nodes}
        self.next = {}
        for merge in self.merges:
            back = [i for i in merge.inputs if names[i[0]].op == "NextIteration"]
            start = [i for i in merge.inputs if names[i[0]].op == "Enter"]
            if len(back) != 1 or len(start) != 1:
                raise CannotCarry("%s joins something other than a loop's start and its way back" % merge)
            self.next[merge.name] = (start[0][0], back[0][0])
        self.variable = {s.name: s.inputs[0][0] for s in self.switches}  # Switch -> its Merge
        self.inputs = [i for n in self.nodes for i in n.inputs if i[0] not in names]
        self.controls = [c for n in self.nodes for c in n.controls if c not in names]


class Graph:
    def __init__(self, job):
        with open(job.graph) as f:
            nodes = [Node(fields) for fields in json.load(f)]
        constants = job.arrays("constants.npz")
        self.nodes = {n.name: n for n in nodes}
        for node in nodes:
            if node.op == "Const":
                node.value = constants[node.attrs["value"]]
        self._find_frames(nodes)
        self.loops = {}
        for node in nodes:
            if node.frame:
                self.loops.setdefault(node.frame, Loop(node.frame)).nodes.append(node)
        for loop in self.loops.values():
            loop.close()
            loop.nodes = self._order(loop.nodes)
        self.order = self._order([n for n in nodes if not n.frame] + list(self.loops.values()))

    def _find_frames(self, nodes):
        """The loop that each node runs in; an Exit belongs to the loop that it leaves."""
        for node in nodes:
            around = set()
            for name in [i[0] for i in node.inputs] + node.controls:
                before = self.nodes.get(name)
                if before is None or before.op == "NextIteration":
                    continue
                around.add("" if before.op == "Exit" else before.frame)
            around.discard("")
            if node.op == "Enter":
                if around:
                    raise CannotCarry("%s begins a loop inside of a loop, which is not translated" % node)
                node.frame = node.attrs["frame_name"]
            elif len(around) > 1:
                raise CannotCarry("%s joins two loops" % node)
            else:
                node.frame = around.pop() if around else ""

    def _order(self, nodes):
        """Producers first; of those that may come next, updates of variables last, so that what reads them freely reads the values before the step."""
        inside = {}
        for node in nodes:
            for name in [n.name for n in node.nodes] if isinstance(node, Loop) else [node.name]:
                inside[name] = node
        waits, readers = {}, {}
        for node in nodes:
            sources = {inside[name] for name in [i[0] for i in node.inputs] + node.controls if name in inside}
            if node.op == "Merge":
                sources = {s for s in sources if s.op != "NextIteration"}
            sources.discard(node)
            waits[node] = len(sources)
            for source in sources:
                readers.setdefault(source, []).append(node)
        position = {node: i for i, node in enumerate(nodes)}
        ready = [(node.op in UPDATES, position[node], node) for node in nodes if not waits[node]]
        heapq.heapify(ready)
        order = []
        while ready:
            node = heapq.heappop(ready)[2]
            order.append(node)
            for reader in readers.get(node, []):
                waits[reader] -= 1
                if not waits[reader]:
                    heapq.heappush(ready, (reader.op in UPDATES, position[reader], reader))
        if len(order) != len(nodes):
            raise CannotCarry("the graph has a circle at %s" % next(n for n in nodes if n not in set(order)).name)
        return order


class Step:
    """One evaluation of a graph. A translation derives from it: compute() computes an op, loop() a loop."""

    def __init__(self, graph, state, feeds, draws):
        self.graph, self.state, self.values, self.objects = graph, dict(state), {}, {}
        for source in (feeds, draws):
            for name, value in source.items():
                node, index = name.rsplit(":", 1)
                self.values[node, int(index)] = value
        self.given = {node for node, _ in self.values}

    def run(self, fetches):
        for node in self.graph.order:
            if isinstance(node, Loop):
                self.loop(node)
            elif node.name not in self.given:
                self.evaluate(node)
        return [self.read(self.values[name.rsplit(":", 1)[0], int(name.rsplit(":", 1)[1])]) for name in fetches]

    def read(self, value):
        return self.state[value.name] if isinstance(value, Variable) else value

    def evaluate(self, node):
        op = node.op
        if op in NOTHING:
            return
        if op == "Const":
            outputs = (node.value,)
        elif op in VARIABLES:
            if node.name not in self.state:
                raise CannotCarry("%s has no value" % node)
            outputs = (Variable(node.name),)
        else:
            inputs = [self.values[i] for i in node.inputs]
            if op == "Identity" and isinstance(inputs[0], Variable):
                outputs = (inputs[0],)  # shares its memory: who reads this later sees later updates
            elif op in UPDATES:
                if not isinstance(inputs[0], Variable):
                    raise CannotCarry("%s changes what is no variable" % node)
                self.state[inputs[0].name] = self.compute(node, [self.read(i) for i in inputs])[0]
                outputs = (inputs[0],)
            else:
                inputs = [self.read(i) for i in inputs]
                outputs = self.known(node, inputs) or self.compute(node, inputs)
        for k, value in enumerate(outputs):
            self.values[node.name, k] = value

    def known(self, node, inputs):
        """Outputs that follow from shapes and known values alone, or None."""
        if node.op in ("Shape", "ShapeN", "Size", "Rank"):
            dtype = static_ops.DTYPES[node.attrs.get("out_type", "int32")]
            shapes = [tuple(x.shape) for x in inputs]
            if node.op == "Size":
                return (np.array(int(np.prod(shapes[0])), dtype),)
            return (np.array(len(shapes[0]), dtype),) if node.op == "Rank" else tuple(np.array(s, dtype) for s in shapes)
        return static_ops.compute(node, inputs) if inputs and all(isinstance(x, np.ndarray) for x in inputs) else None

    def known_course(self, loop):
        """The values that the loop's variables take where they are known before the step: (number of iterations, {merge: value at the end}), else (None, {})."""
        current = {}
        for merge, (enter, _) in loop.next.items():
            start = self.values.get(self.graph.nodes[enter].inputs[0])
            if isinstance(start, np.ndarray):
                current[merge] = start
        names = {n.name: n for n in loop.nodes}

        def value(which, memo):
            name, index = which
            if name not in names:
                found = self.values.get(which)
                return found if isinstance(found, np.ndarray) else None
            node = names[name]
            if name not in memo:
                memo[name] = None
                if node.op == "Const":
                    memo[name] = (node.value,)
                elif node.op == "Merge":
                    memo[name] = (current[name],) if name in current else None
                elif node.op == "Switch":
                    below = value(node.inputs[0], memo)
                    memo[name] = None if below is None else (below, below)
                elif node.op in ("Enter", "NextIteration"):
                    below = value(node.inputs[0], memo)
                    memo[name] = None if below is None else (below,)
                else:
                    inputs = [value(i, memo) for i in node.inputs]
                    if inputs and all(i is not None for i in inputs):
                        memo[name] = static_ops.compute(node, inputs)
            return None if memo[name] is None else memo[name][index]

        count = 0
        while True:
            memo = {}
            holds = value(loop.conditions[0].inputs[0], memo)
            if holds is None or count > 1000000:
                return None, {}
            if not bool(holds):
                return count, current
            following = {}
            for merge, (_, back) in loop.next.items():
                if merge in current:
                    found = value((back, 0), memo)
                    if found is not None:
                        following[merge] = found
            current = following
            count += 1
