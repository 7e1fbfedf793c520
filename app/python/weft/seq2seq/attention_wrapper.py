"""A cell with attention to a memory."""

import collections

from .. import dtypes, engine, ops
from ..contrib.shape_checks import with_same_shape
from ..control_flow import TensorArray
from ..layers.core import Dense
from ..rnn.cells import RNNCell, _zeros as zero_tensors, assert_like_rnncell
from ..tensor_shape import TensorShape
from ..util import nest
from .attention import AttentionMechanism, known_or, seq2seq


def _same_shape(old, new):
    if isinstance(old, ops.Tensor) and isinstance(new, ops.Tensor):
        return with_same_shape(old, new)
    return new


@seq2seq("AttentionWrapperState")
class AttentionWrapperState(collections.namedtuple("AttentionWrapperState", ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"))):
    """State of an AttentionWrapper."""

    def clone(self, **kwargs):
        return nest.map_structure(_same_shape, self, super()._replace(**kwargs))


def _compute_attention(mechanism, cell_output, attention_state, attention_layer):
    alignments, next_state = mechanism(cell_output, state=attention_state)
    wide = engine.expand_dims(alignments, 1)
    context = engine.squeeze(engine.matmul(wide, mechanism.values), [1])
    attention = attention_layer(engine.concat([cell_output, context], 1)) if attention_layer is not None else context
    return attention, alignments, next_state


@seq2seq("AttentionWrapper")
class AttentionWrapper(RNNCell):
    """A cell whose inputs and outputs are combined with the attention."""

    def __init__(self, cell, attention_mechanism, attention_layer_size=None, alignment_history=False, cell_input_fn=None, output_attention=True, initial_cell_state=None,
                 name=None, attention_layer=None, attention_fn=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for m in mechanisms:
            if not isinstance(m, AttentionMechanism):
                text = ("attention_mechanism must contain only instances of AttentionMechanism, saw type: %s" if self._is_multi else
                        "attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism instances, saw type: %s")
                raise TypeError(text % type(m).__name__)
        if cell_input_fn is None:
            cell_input_fn = lambda inputs, attention: engine.concat([inputs, attention], -1)  # noqa: E731
        elif not callable(cell_input_fn):
            raise TypeError("cell_input_fn must be callable, saw type: %s" % type(cell_input_fn).__name__)
        self._make_layers(mechanisms, attention_layer_size, attention_layer, cell)
        self._attention_fn = attention_fn or _compute_attention
        self._cell, self._attention_mechanisms, self._cell_input_fn = cell, mechanisms, cell_input_fn
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with ops.name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                batch = known_or(nest.flatten(initial_cell_state)[-1], 0)
                message = ("When constructing AttentionWrapper %s: " % self._base_name + "Non-matching batch sizes between the memory (encoder output) and initial_cell_state.  "
                           "Are you using the BeamSearchDecoder?  You may need to tile your initial state via the tf.contrib.seq2seq.tile_batch function with argument "
                           "multiple=beam_width.")
                with ops.control_dependencies(self._batch_size_checks(batch, message)):
                    self._initial_cell_state = nest.map_structure(lambda s: engine.identity(s, name="check_initial_cell_state"), initial_cell_state)

    def _make_layers(self, mechanisms, size, layer, cell):
        def as_tuple(value):
            return tuple(value) if isinstance(value, (list, tuple)) else (value,)

        if size is not None and layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if size is not None:
            sizes = as_tuple(size)
            if len(sizes) != len(mechanisms):
                raise ValueError("If provided, attention_layer_size must contain exactly one integer per attention_mechanism, saw: %d vs %d" % (len(sizes), len(mechanisms)))
            self._attention_layers = tuple(Dense(s, name="attention_layer", use_bias=False, dtype=m.dtype) for s, m in zip(sizes, mechanisms))
            self._attention_layer_size = sum(sizes)
        elif layer is not None:
            self._attention_layers = as_tuple(layer)
            if len(self._attention_layers) != len(mechanisms):
                raise ValueError("If provided, attention_layer must contain exactly one layer per attention_mechanism, saw: %d vs %d" %
                                 (len(self._attention_layers), len(mechanisms)))
            self._attention_layer_size = sum(own.compute_output_shape([None, cell.output_size + m.values.shape.as_list()[-1]]).as_list()[-1]
                                             for own, m in zip(self._attention_layers, mechanisms))
        else:
            self._attention_layers = None
            self._attention_layer_size = sum(m.values.shape.as_list()[-1] for m in mechanisms)

    def _batch_size_checks(self, batch_size, message):
        return [engine.assert_equal(batch_size, m.batch_size, message=message) for m in self._attention_mechanisms]

    def _item_or_tuple(self, items):
        items = tuple(items)
        return items if self._is_multi else items[0]

    @property
    def output_size(self):
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(cell_state=self._cell.state_size, time=TensorShape([]), attention=self._attention_layer_size,
                                     alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
                                     attention_state=self._item_or_tuple(m.state_size for m in mechanisms),
                                     alignment_history=self._item_or_tuple(m.alignments_size if self._alignment_history else () for m in mechanisms))

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            state = self._initial_cell_state
            if state is None:
                state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            message = ("When calling zero_state of AttentionWrapper %s: " % self._base_name + "Non-matching batch sizes between the memory (encoder output) and the requested "
                       "batch size.  Are you using the BeamSearchDecoder?  If so, make sure your encoder output has been tiled to beam_width via "
                       "tf.contrib.seq2seq.tile_batch, and the batch_size= argument passed to zero_state is batch_size * beam_width.")
            with ops.control_dependencies(self._batch_size_checks(batch_size, message)):
                state = nest.map_structure(lambda s: engine.identity(s, name="checked_cell_state"), state)
            alignments = [m.initial_alignments(batch_size, dtype) for m in self._attention_mechanisms]
            time = engine.zeros([], dtype=dtypes.int32)
            attention = zero_tensors(self._attention_layer_size, batch_size, dtype)
            states = self._item_or_tuple([m.initial_state(batch_size, dtype) for m in self._attention_mechanisms])
            history = [TensorArray(dtype, size=0, dynamic_size=True, element_shape=a.shape) if self._alignment_history else () for a in alignments]
            return AttentionWrapperState(cell_state=state, time=time, attention=attention, alignments=self._item_or_tuple(alignments), attention_state=states,
                                         alignment_history=self._item_or_tuple(history))

    def call(self, inputs, state):
        if not isinstance(state, AttentionWrapperState):
            raise TypeError("Expected state to be instance of AttentionWrapperState. Received type %s instead." % type(state))
        output, next_cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        message = ("When applying AttentionWrapper %s: " % self.name + "Non-matching batch sizes between the memory (encoder output) and the query (decoder output).  Are you "
                   "using the BeamSearchDecoder?  You may need to tile your memory input via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width.")
        with ops.control_dependencies(self._batch_size_checks(known_or(output, 0), message)):
            output = engine.identity(output, name="checked_cell_output")
        states = state.attention_state if self._is_multi else [state.attention_state]
        histories = state.alignment_history if self._is_multi else [state.alignment_history]
        alignments, attentions, next_states, next_histories = [], [], [], []
        for i, mechanism in enumerate(self._attention_mechanisms):
            attention, alignment, next_state = self._attention_fn(mechanism, output, states[i], self._attention_layers[i] if self._attention_layers else None)
            next_histories.append(histories[i].write(state.time, alignment) if self._alignment_history else ())
            next_states.append(next_state)
            alignments.append(alignment)
            attentions.append(attention)
        attention = engine.concat(attentions, 1)
        new = AttentionWrapperState(time=state.time + 1, cell_state=next_cell_state, attention=attention, attention_state=self._item_or_tuple(next_states),
                                    alignments=self._item_or_tuple(alignments), alignment_history=self._item_or_tuple(next_histories))
        return (attention if self._output_attention else output), new
