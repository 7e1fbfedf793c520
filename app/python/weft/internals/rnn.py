"""tensorflow.python.ops.rnn and rnn_cell_impl: helpers that cells of programs use."""

from ..rnn.cells import _zeros as _zero_state_tensors, concat_shapes as _concat_parts  # noqa: F401
from ..rnn.loops import _batch_size as _best_effort_input_batch_size, _exchanged as _transpose_batch_time, _state_type as _infer_state_dtype, _step  # noqa: F401


def _concat(prefix, suffix, static=False):
    """The dimensions of both: a list if `static`, else a tensor."""
    return _concat_parts(prefix, suffix, static)


def _rnn_step(time, sequence_length, min_sequence_length, max_sequence_length, zero_output, state, call_cell, state_size, skip_conditionals=False):
    """(output, state) of one step: rows whose sequence has ended give zeros and keep their state."""
    return _step(time, sequence_length, min_sequence_length, max_sequence_length, zero_output, state, call_cell, skip_conditionals)
