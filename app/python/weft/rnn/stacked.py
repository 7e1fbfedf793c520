"""Stacked bidirectional networks, and networks whose states are saved between steps."""

from .. import engine, ops
from ..exports import export, export_value
from ..util import nest
from ..variable_scope import variable_scope
from . import loops


def _check(cells_fw, cells_bw, states_fw, states_bw):
    for word, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not cells:
            raise ValueError("Must specify at least one %s cell for BidirectionalRNN." % word)
    for word, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not isinstance(cells, list):
            raise ValueError("cells_%s must be a list of RNNCells (one per layer)." % word)
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for word, states in (("fw", states_fw), ("bw", states_bw)):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError("initial_states_%s must be a list of state tensors (one per layer)." % word)


@export("contrib.rnn.stack_bidirectional_rnn")
def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None, sequence_length=None, scope=None):
    """Stacked bidirectional networks, unrolled."""
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw, layer = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope("cell_%d" % i) as cell_scope:
                layer, state_fw, state_bw = loops.static_bidirectional_rnn(
                    fw, bw, layer, initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None, sequence_length=sequence_length, dtype=dtype, scope=cell_scope)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)


@export("contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None, sequence_length=None, parallel_iterations=None,
                                    time_major=False, scope=None, swap_memory=False):
    """Stacked bidirectional networks, as loops."""
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw, layer = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope("cell_%d" % i):
                outputs, (state_fw, state_bw) = loops.bidirectional_dynamic_rnn(
                    fw, bw, layer, initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None, sequence_length=sequence_length, parallel_iterations=parallel_iterations,
                    dtype=dtype, swap_memory=swap_memory, time_major=time_major)
                layer = engine.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)


@export("nn.static_state_saving_rnn", "contrib.rnn.static_state_saving_rnn")
def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """An unrolled network that starts from saved states and saves its final states."""
    size, several = cell.state_size, nest.is_sequence(cell.state_size)
    if several != nest.is_sequence(state_name):
        raise ValueError("state_name should be the same type as cell.state_size.  state_name: %s, cell.state_size: %s" % (str(state_name), str(size)))
    if several:
        names, sizes = nest.flatten(state_name), nest.flatten(size)
        if len(names) != len(sizes):
            raise ValueError("#elems(state_name) != #elems(state_size): %d vs. %d" % (len(names), len(sizes)))
        initial = nest.pack_sequence_as(size, [state_saver.state(n) for n in names])
    else:
        initial = state_saver.state(state_name)
    outputs, state = loops.static_rnn(cell, inputs, initial_state=initial, sequence_length=sequence_length, scope=scope)
    if several:
        saves = [state_saver.save_state(n, s) for n, s in zip(nest.flatten(state_name), nest.flatten(state))]
    else:
        saves = [state_saver.save_state(state_name, state)]
    with ops.control_dependencies(saves):
        outputs[-1] = nest.map_structure(engine.identity, outputs[-1])
        state = nest.map_structure(engine.identity, state)
    return outputs, state


export_value(loops._exchanged, "contrib.rnn.transpose_batch_time")
