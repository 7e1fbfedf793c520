"""Loops inside of an iteration: one loop for all iterations.

If the condition is the same for all, the new loop has the same condition, and its variables are stacked where the iterations differ. Otherwise each turn splits the iterations
into those that go on and those that are done, whose results are put aside; the loop ends when none goes on. The variables then hold the rows of the iterations that go on."""

from .. import basics, engine, ops
from ..loops import while_loop
from ..tensor_array import TensorArray
from ..tensor_shape import TensorShape
from . import vectorizer
from .vectorizer import is_stateful, PFor, tiled, wrap

# Their outputs are the same in all iterations, whatever their inputs are.
_SHARED = {"Shape", "Rank", "ShapeN", "Size", "ZerosLike", "TensorArrayV3", "TensorArraySizeV3"}


class WhileLoop:
    """The nodes of a loop, found from one of its Exits: Exit <- Switch <- Merge <- Enter and NextIteration, with one LoopCond for all Switches."""

    def __init__(self, exit_op):
        decision = exit_op.inputs[0].op.inputs[1].op
        while decision.type == "Identity":
            decision = decision.inputs[0].op
        self.condition = decision.inputs[0]
        self.switches = sorted((op for op in decision.outputs[0].consumers() if op.type == "Switch" and op.inputs[0].op.type == "Merge"), key=lambda op: op._id)
        self.merges = [switch.inputs[0].op for switch in self.switches]
        self.nexts = [merge.inputs[1].op for merge in self.merges]
        self.exits = [next((c for c in switch.outputs[0].consumers() if c.type == "Exit"), None) for switch in self.switches]
        self.outputs = [e.outputs[0] for e in self.exits if e is not None]
        self.variables = [merge.inputs[0].op for merge in self.merges]
        self.captures, self.is_stateful = [], False
        self._walk()

    def _walk(self):
        """Finds the Enters of values that are no variables of the loop."""
        seen, todo = set(self.merges) | set(self.switches), [self.condition.op]
        for following in self.nexts:
            todo += [t.op for t in following.inputs] + following.control_inputs
        while todo:
            op = todo.pop()
            if op in seen:
                continue
            seen.add(op)
            if op.type == "Enter" and op.get_attr("frame_name") == self.frame:
                self.captures.append(op)
                continue
            self.is_stateful |= is_stateful(op)
            todo += [t.op for t in op.inputs] + list(op.control_inputs)

    @property
    def frame(self):
        return self.variables[0].get_attr("frame_name")

    @property
    def enters(self):
        return self.variables + self.captures

    @property
    def inputs(self):
        return [e.inputs[0] for e in self.enters]

    @property
    def control_inputs(self):
        return list(dict.fromkeys(c for e in self.enters for c in e.control_inputs))

    # Which variables differ between iterations.
    def _may_differ(self, pfor, known):
        """Whether a tensor may be stacked. `known`: what is known of Merges, Switches and Enters."""
        found = dict(known)

        def differs(tensor):
            todo = [tensor]
            while todo:
                t = todo[-1]
                if t in found:
                    todo.pop()
                elif not pfor.op_is_inside_loop(t.op) or t.op.type in _SHARED:
                    found[t] = False
                elif is_stateful(t.op):
                    found[t] = True
                else:
                    missing = [i for i in t.op.inputs if i not in found]
                    if any(found.get(i) for i in t.op.inputs):
                        found[t] = True
                    elif missing and t.op.type not in ("Merge", "Exit"):
                        todo.append(missing[0])
                    else:  # a loop in the loop
                        found[t] = bool(missing)
            return found[tensor]

        return differs

    def _marked(self, stacked, captured):
        known = {}
        for merge, switch, enter, is_stacked in zip(self.merges, self.switches, self.variables, stacked):
            known.update({merge.outputs[0]: is_stacked, merge.outputs[1]: False, switch.outputs[1]: is_stacked, enter.outputs[0]: is_stacked})
        known.update({enter.outputs[0]: value.is_stacked for enter, value in zip(self.captures, captured)})
        return known

    def _initial(self, pfor, enter):
        value = pfor._convert_helper(enter.inputs[0])
        controls = [pfor._convert_helper(item) for c in enter.control_inputs for item in c.outputs or [c]]
        if controls:
            with ops.control_dependencies([getattr(c, "t", c) for c in controls]):
                return wrap(engine.identity(value.t), value.is_stacked)
        return value

    def convert(self, pfor):
        """The values of the Exits, as WrappedTensors."""
        with ops.name_scope("while_init"):
            values = [self._initial(pfor, e) for e in self.variables]
            captured = [self._initial(pfor, e) for e in self.captures]
            stacked = [v.is_stacked for v in values]
            while True:  # a variable that becomes stacked may make others so
                differs = self._may_differ(pfor, self._marked(stacked, captured))
                more = [s or differs(following.inputs[0]) for s, following in zip(stacked, self.nexts)]
                if more == stacked:
                    break
                stacked = more
            values = [v if v.is_stacked or not s else tiled(v.t, pfor.loop_len_vector) for v, s in zip(values, stacked)]
        with ops.name_scope("while_cond"):
            condition = self._inner(pfor, None, values, captured)._convert_helper(self.condition)
        if condition.is_stacked:
            results = self._apart(pfor, condition, values, captured, stacked)
        else:
            results = self._together(pfor, condition, values, captured, stacked)
        return [r for r, e in zip(results, self.exits) if e is not None]

    def _inner(self, pfor, indices, values, captured):
        """The PFor of a turn. `indices`: the iterations that go on, or None for all of the outer PFor's."""
        count = pfor.loop_len_vector[0] if indices is None else basics.size(indices)
        inner = PFor(pfor.loop_var, count, pfor.pfor_ops, pfor.all_indices if indices is None else indices, pfor.all_indices_partitioned or indices is not None, pfor.pfor_config)
        inner.stacks = pfor.stacks
        for enter, value in zip(self.captures, captured):
            inner._add_conversion(enter.outputs[0], value)
        for merge, switch, enter, value in zip(self.merges, self.switches, self.variables, values):
            # Nothing but control inputs reads the second output of a Merge of a loop.
            inner._add_conversion(merge.outputs[1], wrap(engine.constant(-1.0), False))
            for tensor in (merge.outputs[0], switch.outputs[1], enter.outputs[0]):
                inner._add_conversion(tensor, value)
        return inner

    def _turn(self, inner, stacked):
        """The variables after a turn."""
        found = []
        for following, is_stacked in zip(self.nexts, stacked):
            controls = [inner._convert_helper(item) for c in following.control_inputs for item in c.outputs or [c]]
            value = inner._convert_helper(following.inputs[0])
            if value.is_stacked and not is_stacked:
                raise ValueError("The variable %s of a loop differs between iterations, which its operations did not show" % following.inputs[0].name)
            tensor = inner._stacked(value) if is_stacked else value.t
            with ops.control_dependencies([getattr(c, "t", c) for c in controls]):
                found.append(engine.identity(tensor))
        return found

    def _shape(self, merge, stacked):
        shape = merge.outputs[0].shape
        return TensorShape(None) if shape.ndims is None else TensorShape([None]).concatenate(shape) if stacked else shape

    def _together(self, pfor, condition, values, captured, stacked):
        """All iterations take equally many turns."""
        def body(_, *tensors):
            with ops.name_scope("while_body"):
                after = self._turn(self._inner(pfor, None, [wrap(t, s) for t, s in zip(tensors, stacked)], captured), stacked)
            with ops.name_scope("while_cond"):
                again = self._inner(pfor, None, [wrap(t, s) for t, s in zip(after, stacked)], captured)._convert_helper(self.condition)
            return [again.t] + after

        shapes = [TensorShape([])] + [self._shape(m, s) for m, s in zip(self.merges, stacked)]
        made = while_loop(lambda go_on, *_: go_on, body, [condition.t] + [v.t for v in values], shape_invariants=shapes)
        return [wrap(t, s) for t, s in zip(made[1:], stacked)]

    def _apart(self, pfor, condition, values, captured, stacked):
        """The iterations take different numbers of turns."""
        own = [i for i, c in enumerate(captured) if c.is_stacked]
        count = len(values)

        def split(go_on, tensors, flags):
            """(those of the iterations that are done, the others) for each tensor; what is the same for all is both."""
            return [engine.dynamic_partition(t, go_on, 2) if s else (t, t) for t, s in zip(tensors, flags)]

        def put_aside(arrays, rows, done):
            written = []
            for array, tensor, is_stacked in zip(arrays, done, stacked):
                written.append(array.scatter(rows, tensor if is_stacked else tiled(tensor, basics.shape(rows)).t))
            return written

        def body(go_on, rows, *rest):
            tensors, mine, arrays = rest[:count], rest[count:count + len(own)], rest[count + len(own):]
            go_on = basics.cast(go_on, "int32")
            done_rows, rows = engine.dynamic_partition(rows, go_on, 2)
            parts = split(go_on, tensors, stacked)
            arrays = put_aside(arrays, done_rows, [p[0] for p in parts])
            mine = [p[1] for p in split(go_on, mine, [True] * len(own))]
            seen = list(captured)
            for i, tensor in zip(own, mine):
                seen[i] = wrap(tensor, True)
            indices = engine.gather(pfor.all_indices, rows)
            with ops.name_scope("while_body"):
                after = self._turn(self._inner(pfor, indices, [wrap(p[1], s) for p, s in zip(parts, stacked)], seen), stacked)
            with ops.name_scope("while_cond"):
                again = self._inner(pfor, indices, [wrap(t, s) for t, s in zip(after, stacked)], seen)._convert_helper(self.condition)
            return [again.t, rows] + after + mine + arrays

        size = pfor.loop_len_vector[0]
        arrays = [TensorArray(v.t.dtype, size, infer_shape=False) for v in values]
        first = [condition.t, engine.range(size)] + [v.t for v in values] + [captured[i].t for i in own]
        shapes = [TensorShape([None])] * 2 + [self._shape(m, s) for m, s in zip(self.merges, stacked)]
        shapes += [TensorShape([None]).concatenate(self.captures[i].inputs[0].shape) for i in own] + [TensorShape([])] * count
        made = while_loop(lambda go_on, *_: engine.reduce_any(go_on), body, first + arrays, shape_invariants=shapes)
        arrays = put_aside(made[2 + count + len(own):], made[1], made[2:2 + count])
        results = [a.stack() for a in arrays]
        for result, merge in zip(results, self.merges):
            result.set_shape(self._shape(merge, True))
        return [wrap(r, True) for r in results]


vectorizer.whole_loop = WhileLoop
