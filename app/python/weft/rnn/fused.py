"""tf.contrib.rnn: networks that process all steps in one call."""

import abc

from .. import basics, dtypes, engine, initializers, ops, settings
from ..layers.base import InputSpec
from ..layers.graph_layer import GraphLayer
from ..op_calls import raw
from ..tensor_shape import TensorShape
from . import loops
from .cells import LSTMStateTuple, RNNCell
from .gated import rnn_export


@rnn_export("best_effort_input_batch_size")
def best_effort_input_batch_size(flat_input):
    """The batch size of time-major inputs: a number if known from one of them, else a tensor."""
    for given in flat_input:
        shape = given.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError("Expected input tensor %s to have rank at least 2" % given)
        rows = shape.as_list()[1]
        if rows is not None:
            return rows
    return basics.shape(flat_input[0])[1]


@rnn_export("FusedRNNCell")
class FusedRNNCell(metaclass=abc.ABCMeta):
    """Base of networks that map a time-major sequence to (outputs, last state)."""

    @abc.abstractmethod
    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        """(Outputs, last state)."""


@rnn_export("FusedRNNCellAdaptor")
class FusedRNNCellAdaptor(FusedRNNCell):
    """Runs a cell in a loop, or unrolled."""

    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            outputs, state = loops.dynamic_rnn(self._cell, engine.stack(inputs) if is_list else inputs, sequence_length=sequence_length, initial_state=initial_state, dtype=dtype,
                                               time_major=True, scope=scope)
            return engine.unstack(outputs) if is_list else outputs, state
        outputs, state = loops.static_rnn(self._cell, inputs if is_list else engine.unstack(inputs), initial_state=initial_state, dtype=dtype, sequence_length=sequence_length,
                                          scope=scope)
        return outputs if is_list else engine.stack(outputs), state


@rnn_export("TimeReversedFusedRNN")
class TimeReversedFusedRNN(FusedRNNCell):
    """Runs a network on the reversed sequence."""

    def __init__(self, cell):
        self._cell = cell

    @staticmethod
    def _reverse(t, lengths):
        if isinstance(t, list):
            return t[::-1]
        return engine.reverse_v2(t, [0]) if lengths is None else engine.reverse_sequence(t, lengths, 0, 1)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        inputs = self._reverse(inputs, sequence_length)
        outputs, state = self._cell(inputs, initial_state=initial_state, dtype=dtype, sequence_length=sequence_length, scope=scope)
        return self._reverse(outputs, sequence_length), state


@rnn_export("LSTMBlockWrapper")
class LSTMBlockWrapper(GraphLayer):
    """Base of LSTMs that process all steps in one op. Subclasses define num_units and _call_cell()."""

    @property
    def num_units(self):
        raise NotImplementedError("Abstract method")

    def _call_cell(self, inputs, initial_cell_state, initial_output, dtype, sequence_length):
        """(Cell states, outputs) of all steps."""
        raise NotImplementedError("Abstract method")

    def call(self, inputs, initial_state=None, dtype=None, sequence_length=None):
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = engine.stack(inputs)
        shape = inputs.get_shape().with_rank(3)
        steps, rows, depth = shape.as_list()
        if not depth:
            raise ValueError("Expecting inputs_shape[2] to be set: %s" % shape)
        rows = basics.shape(inputs)[1] if rows is None else rows
        steps = basics.shape(inputs)[0] if steps is None else steps
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = engine.zeros(engine.stack([rows, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        elif len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        elif dtype is None:
            dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length)
        first_memory, first_output = initial_state
        memories, outputs = self._call_cell(inputs, first_memory, first_output, dtype, sequence_length)
        if sequence_length is None:
            last = LSTMStateTuple(memories[-1], outputs[-1])
        else:
            mask = engine.transpose(engine.sequence_mask(sequence_length, steps, dtype=dtype), [1, 0])
            mask = engine.tile(engine.expand_dims(mask, [-1]), [1, 1, self.num_units])
            outputs *= mask
            all_memories = engine.concat([engine.expand_dims(first_memory, [0]), memories], 0)
            all_outputs = engine.concat([engine.expand_dims(first_output, [0]), outputs], 0)
            last = LSTMStateTuple(*[engine.gather_nd(x, engine.stack([sequence_length, engine.range(rows)], axis=1)) for x in (all_memories, all_outputs)])
        return engine.unstack(outputs) if is_list else outputs, last


@rnn_export("LSTMBlockFusedCell")
class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over a time-major sequence in one op."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None, dtype=None, name="lstm_fused_cell"):
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=3)

    num_units = property(lambda self: self._num_units)

    def build(self, input_shape):
        depth, n = TensorShape(input_shape).as_list()[2], self._num_units
        self._kernel = self.add_variable("kernel", [depth + n, n * 4])
        self._bias = self.add_variable("bias", [n * 4], initializer=initializers.constant_initializer(0.0))
        if self._use_peephole:
            self._w_i_diag, self._w_f_diag, self._w_o_diag = [self.add_variable(name, [n]) for name in ("w_i_diag", "w_f_diag", "w_o_diag")]
        self.built = True

    def _call_cell(self, inputs, initial_cell_state=None, initial_output=None, dtype=None, sequence_length=None):
        steps = inputs.get_shape().with_rank(3).as_list()[0]
        steps = basics.shape(inputs)[0] if steps is None else steps
        if self._use_peephole:
            wci, wcf, wco = self._w_i_diag, self._w_f_diag, self._w_o_diag
        else:
            wci = wcf = wco = engine.zeros([self._num_units], dtype=dtype)
        longest = basics.cast(steps if sequence_length is None else engine.reduce_max(sequence_length), dtypes.int64)
        _, memories, _, _, _, _, outputs = raw("BlockLSTM")(
            seq_len_max=longest, x=inputs, cs_prev=initial_cell_state, h_prev=initial_output, w=self._kernel, wci=wci, wcf=wcf, wco=wco, b=self._bias,
            forget_bias=self._forget_bias, cell_clip=self._cell_clip, use_peephole=self._use_peephole)
        return memories, outputs


@rnn_export("CompiledWrapper")
class CompiledWrapper(RNNCell):
    """A cell that TensorFlow compiles with XLA. Here it runs uncompiled."""

    def __init__(self, cell, compile_stateful=False):
        self._cell, self._compile_stateful = cell, compile_stateful
        settings.no_effect("tf.contrib.rnn.CompiledWrapper", "there is no XLA; the engine fuses ops by rewrites of its own")

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None):
        return self._cell(inputs, state, scope=scope)
