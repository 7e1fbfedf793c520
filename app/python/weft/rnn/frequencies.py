"""tf.contrib.rnn: LSTMs along frequency as well as along time."""

import collections

from .. import basics, dtypes, engine, initializers, ops
from ..platform import tf_logging as logging
from ..variable_scope import get_variable, variable_scope
from .cells import RNNCell
from .gated import rnn_export, sharded_variable

_CUT = "Cannot infer input_size from static shape inference."


@rnn_export("TimeFreqLSTMCell")
class TimeFreqLSTMCell(RNNCell):
    """One LSTM that walks along the frequencies of each step."""

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_unit_shards=1, forget_bias=1.0, feature_size=None, frequency_skip=1, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip, self._initializer = num_units, use_peepholes, cell_clip, initializer
        self._num_unit_shards, self._forget_bias, self._feature_size, self._frequency_skip = num_unit_shards, forget_bias, feature_size, frequency_skip

    state_size = property(lambda self: 2 * self._num_units)
    output_size = property(lambda self: self._num_units)

    def _windows(self, inputs):
        size = inputs.get_shape().with_rank(2).as_list()[-1]
        if size is None:
            raise ValueError(_CUT)
        count = int((size - self._feature_size) / self._frequency_skip) + 1
        return [engine.slice(inputs, [0, f * self._frequency_skip], [-1, self._feature_size]) for f in range(count)]

    def call(self, inputs, state):
        n, dtype, sigmoid, tanh = self._num_units, inputs.dtype, engine.sigmoid, engine.tanh
        windows = self._windows(inputs)
        kernel = sharded_variable("W", [windows[0].get_shape().as_list()[1] + 2 * n, 4 * n], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[4 * n], initializer=initializers.zeros_initializer(), dtype=dtype)
        if self._use_peepholes:
            f_diag, i_diag, o_diag = [get_variable("W_%s_diag" % k, shape=[n], dtype=dtype) for k in "FIO"]
        m_below = engine.zeros([inputs.get_shape().as_list()[0] or inputs.get_shape()[0], n], dtype)
        for at, window in enumerate(windows):
            c_prev = engine.slice(state, [0, 2 * at * n], [-1, n])
            m_prev = engine.slice(state, [0, (2 * at + 1) * n], [-1, n])
            joined = engine.nn.bias_add(engine.matmul(engine.concat([window, m_prev, m_below], 1), kernel), bias)
            i, j, f, o = engine.split(value=joined, num_or_size_splits=4, axis=1)
            if self._use_peepholes:
                c = sigmoid(f + self._forget_bias + f_diag * c_prev) * c_prev + sigmoid(i + i_diag * c_prev) * tanh(j)
            else:
                c = sigmoid(f + self._forget_bias) * c_prev + sigmoid(i) * tanh(j)
            if self._cell_clip is not None:
                c = engine.clip_by_value(c, -self._cell_clip, self._cell_clip)
            m = (sigmoid(o + o_diag * c) if self._use_peepholes else sigmoid(o)) * tanh(c)
            m_below = m
            state_out = engine.concat([c, m] if at == 0 else [state_out, c, m], 1)
            m_out = m if at == 0 else engine.concat([m_out, m], 1)
        return m_out, state_out


def _state_names(blocks, prefix="state"):
    return [name % (prefix, f, b) for b, count in enumerate(blocks) for f in range(count) for name in ("%s_f%02d_b%02d_c", "%s_f%02d_b%02d_m")]


@rnn_export("GridLSTMCell")
class GridLSTMCell(RNNCell):
    """LSTMs along time and along frequency, connected to each other."""

    def __init__(self, num_units, use_peepholes=False, share_time_frequency_weights=False, cell_clip=None, initializer=None, num_unit_shards=1, forget_bias=1.0,
                 feature_size=None, frequency_skip=None, num_frequency_blocks=None, start_freqindex_list=None, end_freqindex_list=None, couple_input_forget_gates=False,
                 state_is_tuple=True, reuse=None):
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            logging.warning("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self)
        self._num_units, self._use_peepholes, self._share, self._couple = num_units, use_peepholes, share_time_frequency_weights, couple_input_forget_gates
        self._state_is_tuple, self._cell_clip, self._initializer, self._num_unit_shards = state_is_tuple, cell_clip, initializer, num_unit_shards
        self._forget_bias, self._feature_size, self._frequency_skip = forget_bias, feature_size, frequency_skip
        self._start_freqindex_list, self._end_freqindex_list = start_freqindex_list, end_freqindex_list
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._num_frequency_blocks = num_frequency_blocks
        self._total_blocks = sum(int(count) for count in num_frequency_blocks)
        self._state_tuple_type = None
        self._state_size = self._output_size = num_units * self._total_blocks * 2
        if state_is_tuple:
            self._state_tuple_type = collections.namedtuple("GridLSTMStateTuple", _state_names(num_frequency_blocks))
            self._state_size = self._state_tuple_type(*[num_units] * (2 * self._total_blocks))

    state_size = property(lambda self: self._state_size)
    output_size = property(lambda self: self._output_size)
    state_tuple_type = property(lambda self: self._state_tuple_type)

    def call(self, inputs, state):
        rows = inputs.get_shape().as_list()[0] or basics.shape(inputs)[0]
        outputs, states = [], []
        for block, windows in enumerate(self._windows(inputs)):
            out, new = self._block(windows, block, state, rows, state_is_tuple=self._state_is_tuple)
            outputs += out
            states += new
        states = self._state_tuple_type(*states) if self._state_is_tuple else engine.concat(states, 1)
        return engine.concat(outputs, 1), states

    def _peepholes(self, block, dtype):
        """The peephole weights by (gate, axis of the gate, axis of the memory): F_freqt connects the forget gate along frequency to the memory along time."""
        found = {}
        for where in ("freq",) if self._share else ("freq", "time"):
            for gate in "IO" if self._couple else "FIO":
                for at in "ft":
                    found[gate, where, at] = get_variable("W_%s_diag_%s%s_%d" % (gate, where, at, block), shape=[self._num_units], dtype=dtype)
        return found

    def _block(self, windows, block, state, rows, state_prefix="state", state_is_tuple=True):
        """(Outputs, states) of one block of frequencies."""
        n, dtype = self._num_units, windows[0].dtype
        gates = 3 if self._couple else 4
        size = windows[0].get_shape().as_list()[1] + 2 * n
        weights = {}
        for where, letter in (("freq", "f"),) if self._share else (("freq", "f"), ("time", "t")):
            kernel = sharded_variable("W_%s_%d" % (letter, block), [size, gates * n], dtype, self._num_unit_shards)
            weights[where] = kernel, get_variable("B_%s_%d" % (letter, block), shape=[gates * n], initializer=initializers.zeros_initializer(), dtype=dtype)
        diagonals = self._peepholes(block, dtype) if self._use_peepholes else None
        m_freq = engine.zeros([rows, n], dtype)
        c_freq = engine.zeros([rows, n], dtype)
        outputs, states = [], []
        for at, window in enumerate(windows):
            if state_is_tuple:
                name = "%s_f%02d_b%02d" % (state_prefix, at, block)
                c_time, m_time = getattr(state, name + "_c"), getattr(state, name + "_m")
            else:
                c_time = engine.slice(state, [0, 2 * at * n], [-1, n])
                m_time = engine.slice(state, [0, (2 * at + 1) * n], [-1, n])
            m_freq, c_freq, m_time, c_time = self._step(engine.concat([window, m_time, m_freq], 1), c_freq, c_time, weights, diagonals)
            outputs += [m_time, m_freq]
            states += [c_time, m_time]
        return outputs, states

    def _step(self, joined, c_freq, c_time, weights, diagonals):
        """New (output, memory) along frequency, (output, memory) along time."""
        def split(where):
            kernel, bias = weights[where]
            parts = engine.split(value=engine.nn.bias_add(engine.matmul(joined, kernel), bias), num_or_size_splits=3 if self._couple else 4, axis=1)
            return (parts[0], parts[1], None, parts[2]) if self._couple else tuple(parts)

        freq = split("freq")
        both = {"freq": freq, "time": freq if self._share else split("time")}
        old = c_freq, c_time

        def gate(x, kind, where, memories):
            if self._use_peepholes:
                x = x + diagonals[kind, "freq" if self._share else where, "f"] * memories[0] + diagonals[kind, "freq" if self._share else where, "t"] * memories[1]
            return engine.sigmoid(x)

        new = []
        for where, memory in (("freq", c_freq), ("time", c_time)):
            i, j, f, _ = both[where]
            i = gate(i, "I", where, old)
            f = 1.0 - i if self._couple else gate(f + self._forget_bias, "F", where, old)
            c = f * memory + i * engine.tanh(j)
            new.append(c if self._cell_clip is None else engine.clip_by_value(c, -self._cell_clip, self._cell_clip))
        m_freq, m_time = [gate(both[where][3], "O", where, new) * engine.tanh(c) for where, c in zip(("freq", "time"), new)]
        return m_freq, new[0], m_time, new[1]

    def _windows(self, inputs, offset=0):
        """The windows of each block."""
        size = inputs.get_shape().with_rank(2).as_list()[-1]
        if size is None:
            raise ValueError(_CUT)
        if offset:
            inputs = engine.pad(inputs, ops.constant([0, 0, max(-offset, 0), max(offset, 0)], shape=[2, 2], dtype=dtypes.int32), "CONSTANT")
            offset = max(offset, 0)
        blocks = self._num_frequency_blocks
        if not self._start_freqindex_list:
            if len(blocks) != 1:
                raise ValueError("Length of num_frequency_blocks is not 1, but instead is %d" % len(blocks))
            ranges = [(0, size)]
        else:
            starts, ends = self._start_freqindex_list, self._end_freqindex_list
            if len(starts) != len(ends):
                raise ValueError("Length of start and end freqindex_list does not match %d %d", len(starts), len(ends))
            if len(blocks) != len(starts):
                raise ValueError("Length of num_frequency_blocks is not equal to start_freqindex_list %d %d", len(blocks), len(starts))
            ranges = list(zip(starts, ends))
        made = []
        for (start, end), wanted in zip(ranges, blocks):
            count = int((end - start - self._feature_size) / self._frequency_skip) + 1
            if count != wanted:
                raise ValueError("Invalid num_frequency_blocks, requires %d but gets %d, please check the input size and filter config are correct." % (wanted, count))
            made.append([engine.slice(inputs, [0, start + offset + f * self._frequency_skip], [-1, self._feature_size]) for f in range(count)])
        return made


@rnn_export("BidirectionalGridLSTMCell")
class BidirectionalGridLSTMCell(GridLSTMCell):
    """GridLSTMCell up and down the frequencies."""

    def __init__(self, num_units, use_peepholes=False, share_time_frequency_weights=False, cell_clip=None, initializer=None, num_unit_shards=1, forget_bias=1.0,
                 feature_size=None, frequency_skip=None, num_frequency_blocks=None, start_freqindex_list=None, end_freqindex_list=None, couple_input_forget_gates=False,
                 backward_slice_offset=0, reuse=None):
        super().__init__(num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards, forget_bias, feature_size, frequency_skip,
                         num_frequency_blocks, start_freqindex_list, end_freqindex_list, couple_input_forget_gates, True, reuse)
        self._backward_slice_offset = int(backward_slice_offset)
        names = [name for direction in ("fwd_state", "bwd_state") for name in _state_names(num_frequency_blocks, direction)]
        self._state_tuple_type = collections.namedtuple("BidirectionalGridLSTMStateTuple", names)
        self._state_size = self._state_tuple_type(*[num_units] * (4 * self._total_blocks))
        self._output_size = 2 * num_units * self._total_blocks * 2

    def call(self, inputs, state):
        rows = inputs.get_shape().as_list()[0] or basics.shape(inputs)[0]
        up = self._windows(inputs)
        down = self._windows(inputs, self._backward_slice_offset) if self._backward_slice_offset else up
        outputs, states = [], []
        for direction, blocks in (("fwd", up), ("bwd", down)):
            with variable_scope(direction):
                for block, windows in enumerate(blocks):
                    windows = windows if direction == "fwd" else windows[::-1]
                    out, new = self._block(windows, block, state, rows, state_prefix=direction + "_state")
                    outputs += out
                    states += new
        return engine.concat(outputs, 1), self._state_tuple_type(*states)
