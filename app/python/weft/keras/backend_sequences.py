"""tf.keras.backend: functions over the steps of sequences, CTC."""

from .. import basics, dtypes, engine, ops
from ..loops import while_loop
from ..ops import Tensor
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray
from ..util import nest
from . import backend
from .backend import mark


# Sequences.
def _wide(mask, like, fixed=1):
    """A mask of steps, expanded for tensors of higher rank."""
    for _ in range(like.shape.ndims - mask.shape.ndims):
        mask = engine.expand_dims(mask, -1)
    return engine.tile(mask, [1] * fixed + [n if n is not None else basics.shape(like)[i + fixed] for i, n in enumerate(like.shape.as_list()[fixed:])])


@mark
def rnn(step_function, inputs, initial_states, go_backwards=False, mask=None, constants=None, unroll=False, input_length=None, time_major=False, zero_output_for_mask=False):
    """Applies step_function(input, states) to the steps of a sequence; returns (last output, all outputs, last states)."""
    swap = lambda t: engine.transpose(t, [1, 0] + list(range(2, t.shape.ndims)))  # noqa: E731
    if not time_major:
        inputs = nest.map_structure(swap, inputs)
    flat = nest.flatten(inputs)
    steps, known, batch = basics.shape(flat[0])[0], flat[0].shape.as_list()[0], flat[0].shape.as_list()[1]
    if mask is not None:
        if mask.dtype != dtypes.bool_:
            mask = basics.cast(mask, dtypes.bool_)
        if mask.shape.ndims == 2:
            mask = engine.expand_dims(mask, axis=-1)
        if not time_major:
            mask = swap(mask)
    more = list(constants or ())
    if unroll:
        if not known:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        states, outputs, all_states = tuple(initial_states), [], []
        xs = [nest.pack_sequence_as(inputs, x) for x in zip(*[engine.unstack(t) for t in flat])]
        masks = engine.unstack(mask) if mask is not None else [None] * known
        if go_backwards:
            xs, masks = xs[::-1], masks[::-1]
        for x, m in zip(xs, masks):
            output, made = step_function(x, list(states) + more)
            if m is not None:
                before = outputs[-1] if outputs else engine.zeros_like(output)
                output = engine.where(_wide(m, output), output, before)
                made = nest.pack_sequence_as(made, [engine.where(_wide(m, b), a, b) for a, b in zip(nest.flatten(made), nest.flatten(list(states)))])
            states = made
            outputs.append(output)
            all_states.append(states)
        last, outputs = outputs[-1], engine.stack(outputs)
        if mask is not None and zero_output_for_mask:
            last = engine.where(_wide(masks[-1], last), last, engine.zeros_like(last))
            outputs = engine.where(_wide(mask, outputs, 2), outputs, engine.zeros_like(outputs))  # the mask is in input order, even for backward steps
    else:
        states = tuple(initial_states)
        arrays = [TensorArray(dtype=t.dtype, size=steps, tensor_array_name="input_ta_%s" % i) for i, t in enumerate(flat)]
        arrays = [a.unstack(t) if not go_backwards else a.unstack(engine.reverse(t, [0])) for a, t in zip(arrays, flat)]
        first = nest.pack_sequence_as(inputs, [t[0] for t in flat])
        sample, _ = step_function(first, list(initial_states) + more)
        results = tuple(TensorArray(dtype=o.dtype, size=steps, element_shape=o.shape, tensor_array_name="output_ta_%s" % i) for i, o in enumerate(nest.flatten(sample)))
        time = ops.constant(0, dtype="int32", name="time")
        masks = None
        if mask is not None:
            if go_backwards:
                mask = engine.reverse(mask, [0])
            masks = TensorArray(dtype=dtypes.bool_, size=steps, tensor_array_name="mask_ta").unstack(mask)
        flat_states = nest.flatten(states)
        zero = tuple(engine.zeros_like(o) for o in nest.flatten(sample)) if mask is not None else ()

        def body(time, results, *rest):
            before = None
            if masks is not None:
                before, rest = rest[0], rest[1:]
            x = nest.pack_sequence_as(inputs, [a.read(time) for a in arrays])
            m = masks.read(time) if masks is not None else None
            now = nest.pack_sequence_as(states, list(rest))
            output, made = step_function(x, tuple(now) + tuple(more))
            flat_output, flat_made = nest.flatten(output), nest.flatten(made)
            if masks is not None:
                wide = [_wide(m, o) for o in flat_output]
                flat_output = [engine.where(w, o, b) for w, o, b in zip(wide, flat_output, zero if zero_output_for_mask else before)]
                wide = [_wide(m, b) for b in rest]
                flat_made = [engine.where(w, a, b) for w, a, b in zip(wide, flat_made, rest)]
            else:
                for a, b in zip(flat_made, rest):
                    if isinstance(a, Tensor):
                        a.set_shape(b.shape)
            results = tuple(a.write(time, o) for a, o in zip(results, flat_output))
            return (time + 1, results) + ((tuple(flat_output),) if masks is not None else ()) + tuple(flat_made)

        given = (time, results) + ((zero,) if masks is not None else ()) + tuple(flat_states)
        done = while_loop(cond=lambda time, *_: time < steps, body=body, loop_vars=given, parallel_iterations=32, swap_memory=True)
        made = done[3 if masks is not None else 2:]
        states = nest.pack_sequence_as(states, list(made)) if flat_states else states
        outputs = [a.stack() for a in done[1]]
        last = nest.pack_sequence_as(sample, [o[-1] for o in outputs])
        outputs = nest.pack_sequence_as(sample, outputs)

    def shaped(output):
        sizes = output.shape.as_list()
        output.set_shape([known, batch] + sizes[2:])
        return output

    outputs = nest.map_structure(shaped, outputs)
    return last, outputs if time_major else nest.map_structure(swap, outputs), list(states) if isinstance(states, (list, tuple)) else states


@mark
def ctc_label_dense_to_sparse(labels, label_lengths):
    """Rows of labels, as a sparse tensor of the first label_lengths labels of each."""
    shape = basics.shape(labels)
    there = engine.reshape(engine.range(shape[1]), [1, -1]) < engine.reshape(basics.cast(label_lengths, dtypes.int32), [-1, 1])
    return SparseTensor(basics.cast(engine.where(there), dtypes.int64), engine.boolean_mask(labels, there), basics.cast(shape, dtypes.int64))


@mark
def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """The CTC loss of each row of labels, given the probabilities of each step; lengths are column vectors."""
    label_length, input_length = (basics.cast(engine.squeeze(n, axis=-1), dtypes.int32) for n in (label_length, input_length))
    labels = ctc_label_dense_to_sparse(y_true, label_length)
    labels = SparseTensor(labels.indices, basics.cast(labels.values, dtypes.int32), labels.dense_shape)
    y_pred = engine.log(engine.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon())
    return engine.expand_dims(engine.nn.ctc_loss(inputs=y_pred, labels=labels, sequence_length=input_length), 1)


@mark
def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    y_pred, input_length = engine.log(engine.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon()), basics.cast(input_length, dtypes.int32)
    if greedy:
        decoded, log_prob = engine.nn.ctc_greedy_decoder(inputs=y_pred, sequence_length=input_length)
    else:
        decoded, log_prob = engine.nn.ctc_beam_search_decoder(inputs=y_pred, sequence_length=input_length, beam_width=beam_width, top_paths=top_paths)
    return [engine.sparse_to_dense(d.indices, d.dense_shape, d.values, default_value=-1) for d in decoded], log_prob
