"""Decoders: objects that a loop calls for one output after the other."""

import collections

from .. import basics, dtypes, engine, ops
from ..control_flow import TensorArray, while_loop
from ..layers.base import Layer
from ..rnn.cells import _zeros, assert_like_rnncell
from ..rnn.loops import _exchanged as exchanged
from ..tensor_shape import TensorShape
from ..util import nest
from ..variable_scope import variable_scope
from .attention import seq2seq
from .helpers import Helper


@seq2seq("Decoder")
class Decoder:
    """Base of decoders."""

    @property
    def batch_size(self):
        raise NotImplementedError

    @property
    def output_size(self):
        raise NotImplementedError

    @property
    def output_dtype(self):
        raise NotImplementedError

    def initialize(self, name=None):
        raise NotImplementedError

    def step(self, time, inputs, state, name=None):
        raise NotImplementedError

    def finalize(self, outputs, final_state, sequence_lengths):
        raise NotImplementedError

    @property
    def tracks_own_finished(self):
        return False


def layer_output_size(cell, layer):
    """The size of a decoder step's output: of the cell, or of the layer applied to it."""
    size = cell.output_size
    if layer is None:
        return size
    wide = nest.map_structure(lambda s: TensorShape([None]).concatenate(s), size)
    return nest.map_structure(lambda s: s[1:], layer.compute_output_shape(wide))


def check_layer(layer):
    if layer is not None and not isinstance(layer, Layer):
        raise TypeError("output_layer must be a Layer, received: %s" % type(layer))


@seq2seq("BasicDecoderOutput")
class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """The output of one step of BasicDecoder."""


@seq2seq("BasicDecoder")
class BasicDecoder(Decoder):
    """A cell whose next inputs a helper chooses."""

    def __init__(self, cell, helper, initial_state, output_layer=None):
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError("helper must be a Helper, received: %s" % type(helper))
        check_layer(output_layer)
        self._cell, self._helper, self._initial_state, self._output_layer = cell, helper, initial_state, output_layer

    batch_size = property(lambda self: self._helper.batch_size)

    @property
    def output_size(self):
        return BasicDecoderOutput(rnn_output=layer_output_size(self._cell, self._output_layer), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(nest.map_structure(lambda _: dtype, layer_output_size(self._cell, self._output_layer)), self._helper.sample_ids_dtype)

    def initialize(self, name=None):
        return self._helper.initialize() + (self._initial_state,)

    def step(self, time, inputs, state, name=None):
        with ops.name_scope(name, "BasicDecoderStep", _tensors((time, inputs, state))):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(time=time, outputs=outputs, state=cell_state, sample_ids=ids)
        return BasicDecoderOutput(outputs, ids), next_state, next_inputs, finished


def _tensors(values):
    return [v for v in nest.flatten(values) if isinstance(v, ops.Tensor)]


@seq2seq("dynamic_decode")
def dynamic_decode(decoder, output_time_major=False, impute_finished=False, maximum_iterations=None, parallel_iterations=32, swap_memory=False, scope=None):
    """Runs a decoder in a loop until all sequences have ended."""
    if not isinstance(decoder, Decoder):
        raise TypeError("Expected decoder to be type Decoder, but saw: %s" % type(decoder))
    with variable_scope(scope, "decoder") as opened:
        flow = ops.get_default_graph()._get_control_flow_context()
        if (flow is None or not flow.IsWhileContext()) and opened.caching_device is None:
            opened.set_caching_device(lambda op: op.device)
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(maximum_iterations, dtype=dtypes.int32, name="maximum_iterations")
            if maximum_iterations.get_shape().ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        zeros = nest.map_structure(lambda s, d: _zeros(s, decoder.batch_size, d), decoder.output_size, decoder.output_dtype)
        if maximum_iterations is not None:
            finished = engine.logical_or(finished, 0 >= maximum_iterations)
        lengths = engine.zeros_like(finished, dtype=dtypes.int32)
        time = ops.constant(0, dtype=dtypes.int32)

        def shape_of(size):
            if not isinstance(size, TensorShape) or size.ndims == 0:
                return None
            known = ops.constant_value(ops.convert_to_tensor(decoder.batch_size, name="batch_size"))
            return TensorShape([None if known is None else int(known)]).concatenate(size)

        arrays = nest.map_structure(lambda s, d: TensorArray(dtype=d, size=0, dynamic_size=True, element_shape=shape_of(s)), decoder.output_size, decoder.output_dtype)

        def step(time, arrays, state, inputs, finished, lengths):
            outputs, decoder_state, next_inputs, decoder_finished = decoder.step(time, inputs, state)
            next_finished = decoder_finished if decoder.tracks_own_finished else engine.logical_or(decoder_finished, finished)
            next_lengths = engine.where(engine.logical_not(finished), engine.fill(basics.shape(lengths), time + 1), lengths)
            nest.assert_same_structure(state, decoder_state)
            nest.assert_same_structure(arrays, outputs)
            nest.assert_same_structure(inputs, next_inputs)

            def kept(new, current):
                if isinstance(current, TensorArray):
                    return new
                new.set_shape(current.shape)
                return new if new.shape.ndims == 0 else engine.where(finished, current, new)

            emitted = outputs
            if impute_finished:
                emitted = nest.map_structure(lambda out, zero: engine.where(finished, zero, out), outputs, zeros)
                decoder_state = nest.map_structure(kept, decoder_state, state)
            arrays = nest.map_structure(lambda a, out: a.write(time, out), arrays, emitted)
            return time + 1, arrays, decoder_state, next_inputs, next_finished, next_lengths

        result = while_loop(lambda time, arrays, state, inputs, finished, lengths: engine.logical_not(engine.reduce_all(finished)), step,
                            loop_vars=(time, arrays, state, inputs, finished, lengths), parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations,
                            swap_memory=swap_memory)
        outputs, state, lengths = nest.map_structure(lambda a: a.stack(), result[1]), result[2], result[5]
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(exchanged, outputs)
    return outputs, state, lengths
