"""tf.nn: recurrent networks, unrolled or as loops."""

from .. import basics, dtypes, engine, ops, variable_scope as vs
from ..control_flow import Assert, cond, TensorArray, while_loop
from ..exports import export
from ..tensor_shape import TensorShape
from ..util import nest
from .cells import assert_like_rnncell, concat_shapes as joined_shape


class _Scope:
    """The variable scope of a network. Variables are cached on the device that reads them, except inside an outer loop."""

    def __init__(self, scope, usual):
        self._context = vs.variable_scope(scope or usual)

    def __enter__(self):
        inside = self._context.__enter__()
        flow = ops.get_default_graph()._get_control_flow_context()
        if (flow is None or not flow.IsWhileContext()) and inside.caching_device is None:
            inside.set_caching_device(lambda op: op.device)
        return inside

    def __exit__(self, *error):
        return self._context.__exit__(*error)


def _exchanged(x):
    """Swaps batch and time."""
    known = x.get_shape()
    if known.ndims is not None and known.ndims < 2:
        return x
    rank = basics.rank(x)
    turned = engine.transpose(x, engine.concat(([1, 0], engine.range(2, rank)), axis=0))
    turned.set_shape(TensorShape([known[1].value, known[0].value]).concatenate(known[2:]) if known.ndims is not None else TensorShape([None, None]).concatenate(TensorShape(None)))
    return turned


def _batch_size(flat):
    """The batch size of time-major inputs: a number if known from one of them, else a tensor."""
    for x in flat:
        shape = x.get_shape()
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError("Expected input tensor %s to have rank at least 2" % x)
        if shape[1].value is not None:
            return shape[1].value
    return basics.shape(flat[0])[1]


def _state_type(given, state):
    if given is not None:
        return given
    if not nest.is_sequence(state):
        return state.dtype
    found = [s.dtype for s in nest.flatten(state)]
    if not found:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(t != found[0] for t in found):
        raise ValueError("State has tensors of different inferred_dtypes. Unable to infer a single representative dtype.")
    return found[0]


def _first_state(cell, batch_size, dtype):
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def _static(size):
    if isinstance(size, ops.Tensor):
        known = ops.constant_value(size)
        return TensorShape(None if known is None else [int(d) for d in known])
    return TensorShape([size]) if isinstance(size, int) else TensorShape(size)


def _step(time, lengths, shortest, longest, zero_output, state, call, always):
    """One step of sequences of different lengths: ended sequences keep their state and output zeros."""
    flat_state, flat_zero = nest.flatten(state), nest.flatten(zero_output)
    ended = time >= lengths

    def kept(before, after):
        if isinstance(before, TensorArray):
            return after
        if before.get_shape().ndims == 0:
            return after
        with ops.colocate_with(after):
            return engine.where(ended, before, after)

    def chosen(outputs, states):
        outputs = [kept(z, o) for z, o in zip(flat_zero, outputs)]
        return outputs + [kept(s, n) for s, n in zip(flat_state, states)]

    def some_may_have_ended():
        outputs, states = called()
        return cond(time < shortest, lambda: outputs + states, lambda: chosen(outputs, states))

    def called():
        output, new = call()
        nest.assert_same_structure(zero_output, output)
        nest.assert_same_structure(state, new)
        new = nest.flatten(new)
        return nest.flatten(output), new

    if always:
        result = chosen(*called())
    else:
        result = cond(time >= longest, lambda: flat_zero + flat_state, some_may_have_ended)
    outputs, states = result[:len(flat_zero)], result[len(flat_zero):]
    for output, zero in zip(outputs, flat_zero):
        output.set_shape(zero.get_shape())
    for new, before in zip(states, flat_state):
        if not isinstance(new, TensorArray):
            new.set_shape(before.get_shape())
    return nest.pack_sequence_as(zero_output, outputs), nest.pack_sequence_as(state, states)


@export("nn.dynamic_rnn")
def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None, swap_memory=False, time_major=False, scope=None):
    """A loop over time. Returns the outputs of all steps and the last state."""
    assert_like_rnncell("cell", cell)
    with _Scope(scope, "rnn"):
        flat = nest.flatten(inputs)
        if not time_major:
            flat = [ops.convert_to_tensor(x) for x in flat]
            flat = [_exchanged(x) for x in flat]
        if sequence_length is not None:
            sequence_length = basics.cast(sequence_length, dtypes.int32)
            if sequence_length.get_shape().ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size, but saw shape: %s" % sequence_length.get_shape())
            sequence_length = engine.identity(sequence_length, name="sequence_length")
        batch_size = _batch_size(flat)
        if initial_state is None and not dtype:
            raise ValueError("If there is no initial_state, you must give a dtype.")
        state = initial_state if initial_state is not None else _first_state(cell, batch_size, dtype)
        if sequence_length is not None:
            found, wanted = basics.shape(sequence_length), engine.stack([batch_size])
            check = Assert(engine.reduce_all(engine.equal(found, wanted)), ["Expected shape for Tensor %s is " % sequence_length.name, wanted, " but saw shape: ", found])
            with ops.control_dependencies([check]):
                sequence_length = engine.identity(sequence_length, name="CheckSeqLen")
        inputs = nest.pack_sequence_as(inputs, flat)
        outputs, last = _loop(cell, inputs, state, parallel_iterations or 32, swap_memory, sequence_length, dtype)
        if not time_major:
            outputs = nest.map_structure(_exchanged, outputs)
        return outputs, last


def _loop(cell, inputs, state, parallel_iterations, swap_memory, lengths, dtype):
    flat, output_sizes = nest.flatten(inputs), nest.flatten(cell.output_size)
    steps = basics.shape(flat[0])[0]
    batch_size = _batch_size(flat)
    shapes = [x.get_shape().with_rank_at_least(3) for x in flat]
    known_steps, known_batch = shapes[0].as_list()[:2]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
        if shape[0].value != known_steps:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if shape[1].value != known_batch:
            raise ValueError("Batch_size is not the same for all the elements in the input.")

    def zeros(size):
        size = joined_shape(batch_size, size)
        return engine.zeros(engine.stack(size), _state_type(dtype, state))

    zero_output = nest.pack_sequence_as(cell.output_size, [zeros(size) for size in output_sizes])
    shortest = None
    longest = steps
    if lengths is not None:
        shortest = engine.reduce_min(lengths)
        longest = engine.reduce_max(lengths)
    time = ops.constant(0, dtype=dtypes.int32, name="time")
    with ops.name_scope("dynamic_rnn") as base:
        pass

    def array(name, element_shape, element_type):
        return TensorArray(dtype=element_type, size=steps, element_shape=element_shape, tensor_array_name=base + name)

    outputs = tuple(array("output_%d" % i, TensorShape([known_batch]).concatenate(_static(size)), _state_type(dtype, state)) for i, size in enumerate(output_sizes))
    arrays = [array("input_%d" % i, x.get_shape()[1:], x.dtype) for i, x in enumerate(flat)]
    arrays = [a.unstack(x) for a, x in zip(arrays, flat)]

    def step(time, outputs, state):
        now = [a.read(time) for a in arrays]
        for x, shape in zip(now, shapes):
            x.set_shape(shape[1:])
        now = nest.pack_sequence_as(inputs, now)
        if lengths is not None:
            output, new = _step(time, lengths, shortest, longest, zero_output, state, lambda: cell(now, state), always=True)
        else:
            output, new = cell(now, state)
        outputs = tuple(a.write(time, o) for a, o in zip(outputs, nest.flatten(output)))
        return time + 1, outputs, new

    bound = engine.minimum(steps, engine.maximum(1, longest))
    _, outputs, last = while_loop(cond=lambda time, *_: time < bound, body=step, loop_vars=(time, outputs, state), parallel_iterations=parallel_iterations, maximum_iterations=steps,
                                  swap_memory=swap_memory)
    results = [a.stack() for a in outputs]
    for output, size in zip(results, output_sizes):
        output.set_shape(joined_shape([known_steps, known_batch], size, static=True))
    return nest.pack_sequence_as(cell.output_size, results), last


@export("nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None, parallel_iterations=None, swap_memory=False,
                              time_major=False, scope=None):
    """Two loops, one of them backwards. Returns ((forward outputs, backward outputs), (forward state, backward state))."""
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    time, batch = (0, 1) if time_major else (1, 0)
    rest = dict(sequence_length=sequence_length, dtype=dtype, parallel_iterations=parallel_iterations, swap_memory=swap_memory, time_major=time_major)

    def turned(x):
        if sequence_length is not None:
            return engine.reverse_sequence(input=x, seq_lengths=sequence_length, seq_axis=time, batch_axis=batch)
        return engine.reverse(x, axis=[time])

    with vs.variable_scope(scope or "bidirectional_rnn"):
        with vs.variable_scope("fw") as inside:
            forwards, state_fw = dynamic_rnn(cell=cell_fw, inputs=inputs, initial_state=initial_state_fw, scope=inside, **rest)
        with vs.variable_scope("bw") as inside:
            backwards, state_bw = dynamic_rnn(cell=cell_bw, inputs=nest.map_structure(turned, inputs), initial_state=initial_state_bw, scope=inside, **rest)
    return (forwards, nest.map_structure(turned, backwards)), (state_fw, state_bw)


@export("nn.static_rnn", "contrib.rnn.static_rnn")
def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """A network unrolled over a list of inputs. Returns the outputs and the last state."""
    assert_like_rnncell("cell", cell)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    outputs = []
    with _Scope(scope, "rnn") as inside:
        first = nest.flatten(inputs)[0]
        shape = first.get_shape()
        if shape.ndims != 1:
            for x in nest.flatten(inputs):
                for i, size in enumerate(x.get_shape().with_rank_at_least(2)[1:].as_list()):
                    if size is None:
                        raise ValueError("Input size (dimension %d of inputs) must be accessible via shape inference, but saw value None." % i)
        known = shape.with_rank_at_least(1)[0].value
        batch_size = known or basics.shape(first)[0]
        if initial_state is None and not dtype:
            raise ValueError("If no initial_state is provided, dtype must be specified")
        state = initial_state if initial_state is not None else _first_state(cell, batch_size, dtype)
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.get_shape().ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size")

            def zeros(size):
                output = engine.zeros(engine.stack(joined_shape(batch_size, size)), _state_type(dtype, state))
                output.set_shape(TensorShape(joined_shape(known, size, static=True)))
                return output

            zero_output = nest.map_structure(zeros, cell.output_size)
            sequence_length = basics.cast(sequence_length, dtypes.int32)
            shortest = engine.reduce_min(sequence_length)
            longest = engine.reduce_max(sequence_length)
        for time, x in enumerate(inputs):
            if time > 0:
                inside.reuse_variables()
            if sequence_length is not None:
                before = state
                output, state = _step(time, sequence_length, shortest, longest, zero_output, before, lambda: cell(x, before), always=False)
            else:
                output, state = cell(x, state)
            outputs.append(output)
    return outputs, state


def _reversed(inputs, lengths):
    if lengths is None:
        return list(reversed(inputs))
    columns = []
    for sequence in zip(*(nest.flatten(x) for x in inputs)):
        shape = TensorShape([None] * sequence[0].get_shape().ndims) if sequence[0].get_shape().ndims is not None else TensorShape(None)
        for x in sequence:
            shape = shape.merge_with(x.get_shape())
        parts = engine.unstack(engine.reverse_sequence(engine.stack(sequence), lengths, 0, 1))
        for p in parts:
            p.set_shape(shape)
        columns.append(parts)
    return [nest.pack_sequence_as(x, list(flat)) for x, flat in zip(inputs, zip(*columns))]


@export("nn.static_bidirectional_rnn", "contrib.rnn.static_bidirectional_rnn")
def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None, sequence_length=None, scope=None):
    """Two unrolled networks, one of them backwards. Returns the concatenated outputs and both states."""
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with vs.variable_scope(scope or "bidirectional_rnn"):
        with vs.variable_scope("fw") as inside:
            forwards, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=inside)
        with vs.variable_scope("bw") as inside:
            backwards, state_bw = static_rnn(cell_bw, _reversed(inputs, sequence_length), initial_state_bw, dtype, sequence_length, scope=inside)
    backwards = _reversed(backwards, sequence_length)
    joined = [engine.concat([f, b], 1) for f, b in zip(nest.flatten(forwards), nest.flatten(backwards))]
    return nest.pack_sequence_as(forwards, joined), state_fw, state_bw


@export("nn.raw_rnn")
def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """A loop controlled by a function: loop_fn(time, cell output, cell state, loop state) returns the next input, state and so on, and which rows have
    finished. Returns the outputs as TensorArrays, the last state and the last loop state."""
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with _Scope(scope, "rnn"):
        time = ops.constant(0, dtype=dtypes.int32)
        finished, next_input, state, emitted, first_loop_state = loop_fn(time, None, None, None)
        flat_input = nest.flatten(next_input)
        loop_state = first_loop_state if first_loop_state is not None else ops.constant(0, dtype=dtypes.int32)
        known = flat_input[0].get_shape()[0].value
        batch_size = known if known is not None else basics.shape(flat_input[0])[0]
        nest.assert_same_structure(state, cell.state_size)
        flat_state = [ops.convert_to_tensor(s) for s in nest.flatten(state)]
        state = nest.pack_sequence_as(state, flat_state)
        if emitted is not None:
            flat = nest.flatten(emitted)
            sizes = [e.get_shape() if e.get_shape().is_fully_defined() else basics.shape(e) for e in flat]
            types = [e.dtype for e in flat]
        else:
            emitted = cell.output_size
            sizes = nest.flatten(emitted)
            types = [flat_state[0].dtype] * len(sizes)
        arrays = [TensorArray(dtype=t, dynamic_size=True, element_shape=TensorShape([known]).concatenate(_static(size)), size=0, name="rnn_output_%d" % i)
                  for i, (t, size) in enumerate(zip(types, sizes))]
        arrays = nest.pack_sequence_as(emitted, arrays)
        zeros = nest.pack_sequence_as(emitted, [engine.zeros(joined_shape(batch_size, size), t) for size, t in zip(sizes, types)])

        def body(time, finished, current, arrays, state, loop_state):
            output, new_state = cell(current, state)
            nest.assert_same_structure(state, new_state)
            nest.assert_same_structure(cell.output_size, output)
            next_time = time + 1
            next_finished, next_input, next_state, emit, next_loop_state = loop_fn(next_time, output, new_state, loop_state)
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(current, next_input)
            loop_state = loop_state if next_loop_state is None else next_loop_state

            def kept(before, after):
                if isinstance(before, TensorArray) or before.get_shape().ndims == 0:
                    return after
                with ops.colocate_with(after):
                    return engine.where(finished, before, after)

            emit = nest.map_structure(kept, zeros, emit)
            next_state = nest.map_structure(kept, state, next_state)
            arrays = nest.map_structure(lambda a, e: a.write(time, e), arrays, emit)
            return next_time, engine.logical_or(finished, next_finished), next_input, arrays, next_state, loop_state

        returned = while_loop(lambda unused_time, finished, *_: engine.logical_not(engine.reduce_all(finished)), body, loop_vars=[time, finished, next_input, arrays, state, loop_state],
                              parallel_iterations=parallel_iterations or 32, swap_memory=swap_memory)
        arrays, state, loop_state = returned[-3:]
        return arrays, state, None if first_loop_state is None else loop_state
