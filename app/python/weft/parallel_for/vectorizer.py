"""Turns the operations of one iteration into operations on all iterations.

Each value of the iteration becomes a WrappedTensor. It is the same for all iterations, or "stacked": the values of all iterations along a new first dimension. An operation
without stacked inputs is kept. For others a converter, registered by the type of the operation, adds operations that compute the stacked results."""

import collections

from .. import basics, constant_values, engine, ops
from ..loops import while_loop
from ..platform import flags, tf_logging
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray
from ..tensor_shape import TensorShape

flags.DEFINE_bool("op_conversion_fallback_to_while_loop", False, "Whether pfor runs operations without a converter in a loop over the iterations.")

WrappedTensor = collections.namedtuple("WrappedTensor", ["t", "is_stacked", "is_sparse_stacked"])
_converters = {}
whole_loop = None  # from an Exit to the WhileLoop that it belongs to; loop_rule.py sets this

# Stateful operations that behave as stateless ones here: run once, they give all iterations the same value.
_SHARED_STATE = {"VariableV2", "VarHandleOp", "ReadVariableOp", "StackV2", "TensorArrayWriteV3", "TensorArrayReadV3", "TensorArraySizeV3"}


def wrap(tensor, is_stacked=True, is_sparse_stacked=False):
    """`is_sparse_stacked`: a component of a sparse tensor that holds the sparse tensors of all iterations, not the components one after another."""
    if is_sparse_stacked and not is_stacked:
        raise ValueError("a component of stacked sparse tensors is stacked")
    return WrappedTensor(tensor, is_stacked, is_sparse_stacked)


class RegisterPFor:
    """Decorator: registers a converter, a function of a PforInput that returns WrappedTensors for the outputs, or an operation if there are none."""

    def __init__(self, op_type):
        self.op_type = op_type

    def __call__(self, converter):
        if self.op_type in _converters:
            raise KeyError("A converter for %s is registered already" % self.op_type)
        _converters[self.op_type] = converter
        return converter


class RegisterPForWithArgs(RegisterPFor):
    """As RegisterPFor; the converter is called with the type of the operation and these arguments, too."""

    def __init__(self, op_type, *args, **kwargs):
        super().__init__(op_type)
        self._args, self._kwargs = args, kwargs

    def __call__(self, converter):
        super().__call__(lambda pfor_input: converter(pfor_input, self.op_type, *self._args, **self._kwargs))
        return converter


def for_types(names, **kwargs):
    """Registers one converter for several types."""
    def register(converter):
        for name in names.split():
            RegisterPFor(name)(lambda call: converter(call, **kwargs))
        return converter
    return register


def is_stateful(op):
    return op.type not in _SHARED_STATE and bool(op._is_stateful)


def tiled(tensor, count):
    """`tensor` repeated along a new first dimension. `count`: a vector of one element."""
    multiples = engine.concat([count, engine.ones_like(basics.shape(tensor))], 0)
    return wrap(engine.tile(engine.expand_dims(tensor, 0), multiples), True)


def flat(x):
    """The first two dimensions as one."""
    return engine.reshape(x, engine.concat([[-1], basics.shape(x)[2:]], 0))


def unflat(x, count):
    """The first dimension as two, of which the first has the size `count`."""
    return engine.reshape(x, engine.concat([count, [-1], basics.shape(x)[1:]], 0))


def same_op(op, inputs, **attrs):
    """The outputs of an operation of the same type with other inputs, and some other attributes."""
    given = dict(op.node_def.attr)
    given.update(attrs)
    given.pop("_output_shapes", None)
    return ops.get_default_graph().create_op(op.type, inputs, attrs=given)


class PforInput:
    """What a converter gets: an operation and the converted values of its inputs."""

    def __init__(self, pfor, op, inputs):
        self.pfor, self._op, self._inputs = pfor, op, inputs

    op = property(lambda self: self._op)
    op_type = property(lambda self: self._op.type)
    inputs = property(lambda self: self._inputs)
    num_inputs = property(lambda self: len(self._inputs))
    outputs = property(lambda self: self._op.outputs)
    count = property(lambda self: self.pfor.loop_len_vector)

    def input(self, index):
        return self._inputs[index]

    def output(self, index):
        return self._op.outputs[index]

    def get_attr(self, name):
        return self._op.get_attr(name)

    def stacked_input(self, index):
        """The tensor of an input, which has to be stacked."""
        return self._checked(index, True)

    def unstacked_input(self, index):
        """The tensor of an input, which has to be the same in all iterations."""
        return self._checked(index, False)

    def _checked(self, index, stacked):
        found = self._inputs[index]
        if found.is_stacked != stacked:
            raise ValueError("Input %d of op \"%s\" expected to be %sloop invariant.\nError while converting op %s with converted inputs\n%s"
                             % (index, self.op_type, "not " if stacked else "", self._op, self._inputs))
        return found.t

    def stack_inputs(self, stack_indices=None):
        """Repeats inputs that are the same in all iterations."""
        for i in range(len(self._inputs)) if stack_indices is None else stack_indices:
            if not self._inputs[i].is_stacked:
                self._inputs[i] = tiled(self._inputs[i].t, self.count)

    def expanddim_inputs_for_broadcast(self):
        """Gives the stacked inputs ones behind their first dimension, so that broadcasting aligns what follows as in one iteration."""
        known = [None if x.t.shape.ndims is None else x.t.shape.ndims + (not x.is_stacked) for x in self._inputs]
        if None not in known and all(r == max(known) for r, x in zip(known, self._inputs) if x.is_stacked):
            return
        ranks = [basics.rank(x.t) + (0 if x.is_stacked else 1) for x in self._inputs]
        most = ranks[0]
        for rank in ranks[1:]:
            most = engine.maximum(rank, most)
        for i, x in enumerate(self._inputs):
            if x.is_stacked:
                shape = basics.shape(x.t)
                ones = engine.tile([1], engine.reshape(most - ranks[i], [1]))
                self._inputs[i] = wrap(engine.reshape(x.t, engine.concat([shape[:1], ones, shape[1:]], 0)), True)

    def flattened(self, indices):
        """The inputs' tensors; those at `indices` stacked and with iterations and rows as one dimension, the others unstacked."""
        self.stack_inputs(indices)
        return [flat(self.stacked_input(i)) if i in indices else self.unstacked_input(i) for i in range(self.num_inputs)]

    def again(self, inputs=None, **attrs):
        """The same operation on other inputs; without any on the converted ones. Returns its outputs, stacked."""
        return [wrap(x, True) for x in same_op(self._op, [x.t for x in self._inputs] if inputs is None else inputs, **attrs).outputs]


def in_loop(pfor_input):
    """The operation run once for each iteration, in a loop; for operations that cannot take all iterations at once."""
    count = pfor_input.count[0]

    def body(i, *arrays):
        inputs = [engine.gather(x.t, i) if x.is_stacked else x.t for x in pfor_input.inputs]
        return (i + 1,) + tuple(a.write(i, engine.expand_dims(x, 0)) for a, x in zip(arrays, same_op(pfor_input.op, inputs).outputs))

    made = while_loop(lambda i, *_: i < count, body, [0] + [TensorArray(x.dtype, count) for x in pfor_input.outputs])[1:]
    results = [a.concat() for a in made]
    return [wrap(x, True) for x in results]


class PForConfig:
    """Given to functions of pfor with a parameter pfor_config: reductions over all iterations."""

    def __init__(self):
        self._maybe_iters = None
        self._reductions = {}  # placeholder of a reduction -> the tensor of one iteration
        self._placeholders = {}

    def _has_reductions(self):
        return len(self._reductions)

    def _set_iters(self, iters):
        self._maybe_iters = iters

    def reduce_concat(self, x):
        """The values of `x` in all iterations along a new first dimension."""
        if not isinstance(x, ops.Tensor) or ops.executing_eagerly():
            raise ValueError("reduce_concat() takes a tensor of a graph, not %r" % (x,))
        if x not in self._placeholders:
            count = constant_values.constant_value(self._maybe_iters) if isinstance(self._maybe_iters, ops.Tensor) else self._maybe_iters
            # The dependency makes sure that x is converted first.
            with ops.control_dependencies([x]):
                out = engine.raw_ops.Placeholder(dtype=x.dtype, shape=TensorShape([None if count is None else int(count)]).concatenate(x.shape))
            self._placeholders[x], self._reductions[out] = out, x
        return self._placeholders[x]

    def reduce_mean(self, x):
        return engine.reduce_mean(self.reduce_concat(x), axis=0)

    def reduce_sum(self, x):
        return engine.reduce_sum(self.reduce_concat(x), axis=0)

    def _lookup_reduction(self, placeholder):
        return self._reductions.get(placeholder)


class PFor:
    """Converts what one iteration computes. `loop_var`: the placeholder of its number; `pfor_ops`: the operations of the iteration; `all_indices`: the numbers of the iterations
    to run, if not all (`all_indices_partitioned`)."""

    def __init__(self, loop_var, loop_len, pfor_ops, all_indices=None, all_indices_partitioned=False, pfor_config=None):
        known = constant_values.constant_value(loop_len) if isinstance(loop_len, ops.Tensor) else loop_len
        loop_len = loop_len if known is None else int(known)
        self._loop_var, self._pfor_config, self._inside = loop_var, pfor_config, pfor_ops
        self._loop_len_vector = engine.reshape(loop_len, [1])
        self.all_indices = engine.range(loop_len) if all_indices is None else all_indices
        self.all_indices_partitioned = all_indices_partitioned
        self.stacks = {}  # the operation that made a stack -> whether its elements are stacked
        self._done = {loop_var: wrap(self.all_indices, True)}

    loop_var = property(lambda self: self._loop_var)
    loop_len_vector = property(lambda self: self._loop_len_vector)
    pfor_ops = property(lambda self: self._inside)
    pfor_config = property(lambda self: self._pfor_config)

    def op_is_inside_loop(self, op):
        return op in self._inside

    def convert(self, y):
        """The results of all iterations for a tensor, sparse tensor or operation of one; None for None."""
        if y is None:
            return None
        if isinstance(y, SparseTensor):
            return self._sparse(y)
        found = self._convert_helper(y)
        return self._stacked(found) if isinstance(found, WrappedTensor) else found

    def _stacked(self, value):
        return value.t if value.is_stacked else tiled(value.t, self._loop_len_vector).t

    def _sparse(self, y):
        parts = [self._convert_helper(t) for t in (y.indices, y.values, y.dense_shape)]
        if all(p.is_sparse_stacked for p in parts):
            return SparseTensor(*(p.t for p in parts))
        if any(p.is_sparse_stacked for p in parts):
            raise ValueError("The parts of %s are partly those of a stacked sparse tensor" % (y,))
        # Equally many elements in each iteration: iterations become the first dimension, whose size is the largest in all others.
        indices, values, shapes = (self._stacked(p) for p in parts)
        count, dims = basics.cast(self._loop_len_vector[0], "int64"), basics.shape(indices)
        rows = engine.tile(engine.reshape(engine.range(count), [-1, 1, 1]), engine.stack([1, dims[1], 1]))
        whole = engine.reshape(engine.concat([rows, indices], 2), engine.stack([-1, dims[2] + 1]))
        if indices.shape.ndims is not None and indices.shape.as_list()[2] is not None:
            whole.set_shape([None, indices.shape.as_list()[2] + 1])
        return SparseTensor(whole, engine.reshape(values, [-1]), engine.concat([[count], engine.reduce_max(shapes, 0)], 0))

    def _add_conversion(self, old, new):
        self._done[old] = new

    def _was_converted(self, t):
        return self._done[t].t is not t

    def _convert_helper(self, wanted):
        """The WrappedTensor of a tensor, or the operation for an operation without outputs. Inputs come first; no recursion, as graphs are deep."""
        todo = [wanted]
        while todo:
            y = todo[-1]
            if y in self._done:
                todo.pop()
                continue
            op = y if isinstance(y, ops.Operation) else y.op
            loop = self._loop_of(y) if op.type == "Exit" else None
            inside = loop is not None or op.type != "Exit" and self.op_is_inside_loop(op)
            needs = []
            if inside:
                subject = loop or op
                for control in subject.control_inputs:
                    needs += control.outputs or [control]
                needs += subject.inputs
                missing = [n for n in needs if n not in self._done]
                if missing:
                    todo += missing
                    continue
            self._convert(y, op, loop, inside)
            todo.pop()
        return self._done[wanted]

    def _loop_of(self, exit_):
        """The loop that an Exit belongs to if it was built in the iteration. One that was only extended there, for gradients, is a part of the graph outside."""
        loop = whole_loop(exit_.op)
        return loop if self.op_is_inside_loop(loop.condition.op) else None

    def _controls(self, op):
        """The converted control inputs, and whether one differs."""
        found, changed = [], False
        for control in op.control_inputs:
            for item in control.outputs or [control]:
                new = self._done[item]
                changed |= self._was_converted(item) if isinstance(new, WrappedTensor) else new is not item
                found.append(new.t.op if isinstance(new, WrappedTensor) else new)
        return list(dict.fromkeys(found)), changed

    def _convert(self, y, op, loop, inside):
        subject = loop or op
        inputs = [self._done[i] for i in subject.inputs] if inside else []
        controls, controls_changed = self._controls(subject) if inside else ([], False)
        changed = controls_changed or any(self._was_converted(i) for i in (subject.inputs if inside else []))
        stateful = inside and (loop.is_stateful if loop else is_stateful(op))
        with ops.control_dependencies([] if loop else controls), ops.name_scope(op.name + "/pfor/"):
            reduced = self._pfor_config._lookup_reduction(y) if self._pfor_config is not None and isinstance(y, ops.Tensor) else None
            if reduced is not None:
                if reduced not in self._done:
                    raise ValueError("A reduction over iterations of %s cannot be inside of branches and loops" % (reduced,))
                made = [wrap(self._stacked(self._done[reduced]), False)]
            elif not inside or not stateful and not changed:
                made = y if y is op else [wrap(x, False) for x in (loop.outputs if loop else op.outputs)]
            elif not stateful and loop is None and not any(i.is_stacked for i in inputs):
                new = same_op(op, [i.t for i in inputs])
                made = new if y is op else [wrap(x, False) for x in new.outputs]
            else:
                made = self._by_rule(op, loop, inputs)
        if y is op:
            self._done[y] = made
            return
        for old, new in zip(loop.outputs if loop else op.outputs, made):
            self._done[old] = new
            if reduced is None and not new.is_sparse_stacked and old.shape.ndims is not None:
                new.t.set_shape(TensorShape([None]).concatenate(old.shape) if new.is_stacked else old.shape)

    def _by_rule(self, op, loop, inputs):
        if loop is not None:
            return loop.convert(self)
        converter = _converters.get(op.type)
        if converter is None:
            if not flags.FLAGS.op_conversion_fallback_to_while_loop:
                raise ValueError("No converter defined for %s\n%s\ninputs: %s. \nEither add a converter or set --op_conversion_fallback_to_while_loop=True, which may run slower"
                                 % (op.type, op, inputs))
            tf_logging.warn("Using a while_loop for converting %s", op.type)
            converter = in_loop
        made = converter(PforInput(self, op, inputs))
        made = [made] if isinstance(made, WrappedTensor) else made
        if not isinstance(made, ops.Operation) and len(made) != len(op.outputs):
            raise ValueError("The converter of %s gives %d outputs, not %d" % (op.type, len(made), len(op.outputs)))
        return made
