"""Beam search decoding."""

import collections

import numpy as np

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, cond, TensorArray
from ..op_calls import raw
from ..platform import tf_logging as logging
from ..rnn.cells import assert_like_rnncell
from ..tensor_shape import TensorShape
from ..util import nest
from .attention import seq2seq
from .attention_wrapper import AttentionWrapperState
from .decoder import Decoder, check_layer, layer_output_size


@seq2seq("BeamSearchDecoderState")
class BeamSearchDecoderState(collections.namedtuple("BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"))):
    """State of a beam search."""


@seq2seq("BeamSearchDecoderOutput")
class BeamSearchDecoderOutput(collections.namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))):
    """One step of a beam search."""


@seq2seq("FinalBeamSearchDecoderOutput")
class FinalBeamSearchDecoderOutput(collections.namedtuple("FinalBeamDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])):
    """The sequences found, the most probable first."""


def _known(value):
    found = ops.constant_value(value)
    return None if found is None else int(found)


@seq2seq("tile_batch")
def tile_batch(t, multiplier, name=None):
    """Repeats each example several times in a row."""
    def tile(t):
        t = ops.convert_to_tensor(t, name="t")
        shape = basics.shape(t)
        rank = t.shape.ndims
        if rank is None or rank < 1:
            raise ValueError("t must have statically known rank")
        batch = t.shape.as_list()[0]
        tiled = engine.tile(engine.expand_dims(t, 1), [1, multiplier] + [1] * (rank - 1))
        tiled = engine.reshape(tiled, engine.concat(([shape[0] * multiplier], shape[1:]), 0))
        tiled.set_shape(TensorShape([batch * multiplier if batch is not None else None]).concatenate(t.shape[1:]))
        return tiled

    with ops.name_scope(name, "tile_batch", [v for v in nest.flatten(t) if isinstance(v, ops.Tensor)]):
        return nest.map_structure(tile, t)


@seq2seq("gather_tree")
def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """Complete sequences from the steps of a beam search."""
    return raw("GatherTree")(step_ids, parent_ids, max_sequence_lengths, end_token, name=name)


@seq2seq("gather_tree_from_array")
def gather_tree_from_array(t, parent_ids, sequence_length):
    """The values of each step, reordered along the final sequences."""
    def size(axis):
        return parent_ids.shape.as_list()[axis] or basics.shape(parent_ids)[axis]

    steps, batch, width = size(0), size(1), size(2)
    beams = engine.tile(engine.expand_dims(engine.expand_dims(engine.range(width), 0), 0), [steps, batch, 1])
    longest = basics.cast(engine.reduce_max(sequence_length, axis=1), dtypes.int32)
    ordered = gather_tree(step_ids=beams, parent_ids=parent_ids, max_sequence_lengths=longest, end_token=width + 1)
    inside = engine.transpose(engine.sequence_mask(sequence_length, maxlen=steps), perm=[2, 0, 1])
    ordered = engine.where(inside, x=ordered, y=beams)
    times = engine.tile(engine.reshape(engine.range(steps), [-1, 1, 1]), [1, batch, width])
    rows = engine.transpose(engine.tile(engine.reshape(engine.range(batch), [-1, 1, 1]), [1, steps, width]), perm=[1, 0, 2])
    indices = engine.stack([times, rows, ordered], -1)
    shape = basics.shape(t)
    found = engine.gather_nd(engine.reshape(t, [steps, batch, width, -1]), indices)
    return engine.reshape(found, shape)


def _rank(t):
    if t.shape.ndims is None:
        raise ValueError("Expected tensor (%s) to have known rank, but ndims == None." % t)
    return t.shape.ndims


@seq2seq("BeamSearchDecoder")
class BeamSearchDecoder(Decoder):
    """Keeps the `beam_width` best partial sequences of each example."""

    def __init__(self, cell, embedding, start_tokens, end_token, initial_state, beam_width, output_layer=None, length_penalty_weight=0.0, coverage_penalty_weight=0.0,
                 reorder_tensor_arrays=True):
        assert_like_rnncell("cell", cell)
        check_layer(output_layer)
        self._cell, self._output_layer, self._reorder_tensor_arrays, self._beam_width = cell, output_layer, reorder_tensor_arrays, beam_width
        self._length_penalty_weight, self._coverage_penalty_weight = length_penalty_weight, coverage_penalty_weight
        self._embedding_fn = embedding if callable(embedding) else lambda ids: engine.nn.embedding_lookup(embedding, ids)
        self._start_tokens = ops.convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = ops.convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._end_token.get_shape().ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = basics.size(start_tokens)
        self._initial_cell_state = nest.map_structure(self._maybe_split, initial_state, self._cell.state_size)
        self._start_tokens = engine.tile(engine.expand_dims(self._start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        self._finished = engine.one_hot(engine.zeros([self._batch_size], dtype=dtypes.int32), depth=beam_width, on_value=False, off_value=True, dtype=dtypes.bool_)

    batch_size = property(lambda self: self._batch_size)
    tracks_own_finished = property(lambda self: True)

    @property
    def output_size(self):
        return BeamSearchDecoderOutput(*(TensorShape([self._beam_width]) for _ in range(3)))

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        scores = nest.map_structure(lambda _: dtype, layer_output_size(self._cell, self._output_layer))
        return BeamSearchDecoderOutput(scores=scores, predicted_ids=dtypes.int32, parent_ids=dtypes.int32)

    def initialize(self, name=None):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = engine.one_hot(engine.zeros([self._batch_size], dtype=dtypes.int32), depth=self._beam_width, on_value=ops.convert_to_tensor(0.0, dtype=dtype),
                                   off_value=ops.convert_to_tensor(-np.inf, dtype=dtype), dtype=dtype)
        attention = _attention_of(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(cell_state=self._initial_cell_state, log_probs=log_probs, finished=self._finished,
                                       lengths=engine.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64), accumulated_attention_probs=() if attention is None else attention)
        return self._finished, self._start_inputs, state

    def finalize(self, outputs, final_state, sequence_lengths):
        longest = basics.cast(engine.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        ids = gather_tree(outputs.predicted_ids, outputs.parent_ids, max_sequence_lengths=longest, end_token=self._end_token)
        if self._reorder_tensor_arrays:
            cell_state = nest.map_structure(lambda t: self._sorted(t, outputs.parent_ids, final_state.lengths), final_state.cell_state)
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(beam_search_decoder_output=outputs, predicted_ids=ids), final_state

    def _merge(self, t, s=None):
        """[batch, width, …] as [batch * width, …]"""
        s = TensorShape(ops.constant_value(s)) if isinstance(s, ops.Tensor) else TensorShape(s)
        shape = basics.shape(t)
        batch = _known(self._batch_size)
        out = engine.reshape(t, engine.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        out.set_shape(TensorShape([None if batch is None else batch * self._beam_width]).concatenate(s))
        return out

    def _split(self, t, s=None):
        """[batch * width, …] as [batch, width, …]"""
        s = TensorShape(ops.constant_value(s)) if isinstance(s, ops.Tensor) else TensorShape(s)
        shape = basics.shape(t)
        out = engine.reshape(t, engine.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        wanted = TensorShape([_known(self._batch_size), self._beam_width]).concatenate(s)
        if not out.shape.is_compatible_with(wanted):
            raise ValueError("Unexpected behavior when reshaping between beam width and batch size.  The reshaped tensor has shape: %s.  We expected it to have shape "
                             "(batch_size, beam_width, depth) == %s.  Perhaps you forgot to create a zero_state with batch_size=encoder_batch_size * beam_width?" %
                             (out.shape, wanted))
        out.set_shape(wanted)
        return out

    def _maybe_split(self, t, s):
        return t if isinstance(t, TensorArray) or _rank(t) < 1 else self._split(t, s)

    def _maybe_merge(self, t, s):
        return t if isinstance(t, TensorArray) or _rank(t) < 2 else self._merge(t, s)

    def _sorted(self, t, parent_ids, lengths):
        if not isinstance(t, TensorArray):
            return t
        shape = t._element_shape[0] if t._element_shape else TensorShape(None)
        if shape.ndims is None or shape.ndims < 1:
            logging.warn("The TensorArray %s in the cell state is not amenable to sorting based on the beam search result. For a TensorArray to be sorted, its elements shape must "
                         "be defined and have at least a rank of 1, but saw shape: %s" % (t.handle.name, shape))
            return t
        batch, width, sizes = _known(self._batch_size), self._beam_width, shape.as_list()
        if batch is not None and sizes[0] is not None and (sizes[0] != batch * width or len(sizes) >= 2 and sizes[1] is not None and (sizes[0] != batch or sizes[1] != width)):
            return t
        t = t.stack()
        found = basics.shape(t)
        fits = engine.equal(found[1], self._batch_size * width)
        if t.shape.ndims != 2:
            fits = engine.logical_or(fits, engine.logical_and(engine.equal(found[1], self._batch_size), engine.equal(found[2], width)))
        message = ("TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which is incompatible with the dynamic shape of %s elements. "
                   "Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the beam search." % t.name)
        with ops.control_dependencies([Assert(fits, [message])]):
            return gather_tree_from_array(t, parent_ids, lengths)

    def step(self, time, inputs, state, name=None):
        with ops.name_scope(name, "BeamSearchDecoderStep"):
            inputs = nest.map_structure(lambda x: self._merge(x, s=x.shape[2:]), inputs)
            cell_state = nest.map_structure(self._maybe_merge, state.cell_state, self._cell.state_size)
            outputs, next_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda x: self._split(x, x.shape[1:]), outputs)
            next_state = nest.map_structure(self._maybe_split, next_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, beam_state = _step(time, outputs, next_state, state, self._batch_size, self._beam_width, self._end_token, self._length_penalty_weight,
                                       self._coverage_penalty_weight)
            next_inputs = cond(engine.reduce_all(beam_state.finished), lambda: self._start_inputs, lambda: self._embedding_fn(output.predicted_ids))
        return output, beam_state, next_inputs, beam_state.finished


def _step(time, logits, next_cell_state, beam_state, batch_size, width, end_token, length_weight, coverage_weight):
    batch, finished = _known(batch_size), beam_state.finished
    going_on = engine.logical_not(finished)
    log_probs = _masked(engine.nn.log_softmax(logits), end_token, finished)
    total = engine.expand_dims(beam_state.log_probs, 2) + log_probs
    words = logits.shape.as_list()[-1] or basics.shape(logits)[-1]
    longer = engine.one_hot(indices=engine.fill([batch_size, width], end_token), depth=words, on_value=basics.to_int64(0), off_value=basics.to_int64(1), dtype=dtypes.int64)
    longer *= engine.expand_dims(basics.cast(going_on, dtypes.int64), 2)
    lengths = longer + engine.expand_dims(beam_state.lengths, 2)
    accumulated = None
    attention = _attention_of(next_cell_state, coverage_weight)
    if attention is not None:
        attention *= engine.expand_dims(basics.cast(going_on, dtypes.float32), 2)
        accumulated = beam_state.accumulated_attention_probs + attention
    scores = _scores(total, lengths, length_weight, coverage_weight, finished, accumulated)
    ops.convert_to_tensor(time, name="time")
    flat = engine.reshape(scores, [batch_size, -1])
    count = ops.convert_to_tensor(width, dtype=dtypes.int32, name="beam_width")
    best, where = engine.nn.top_k(flat, k=count)
    best.set_shape([batch, width])
    where.set_shape([batch, width])
    probs = _gathered(where, total, batch_size, width * words, [-1], "next_beam_probs")
    ids = basics.cast(engine.mod(where, words, name="next_beam_word_ids"), dtypes.int32)
    parents = basics.cast(where / words, dtypes.int32, name="next_beam_parent_ids")
    before = _gathered(parents, finished, batch_size, width, [-1])
    ended = engine.logical_or(before, engine.equal(ids, end_token), name="next_beam_finished")
    more = basics.cast(engine.logical_not(before), dtypes.int64)
    new_lengths = _gathered(parents, beam_state.lengths, batch_size, width, [-1])
    new_lengths += more
    covered = ()
    if accumulated is not None:
        covered = _gathered(parents, accumulated, batch_size, width, [batch_size * width, -1], "next_accumulated_attention_probs")

    def kept(t):
        shape = [batch_size * width, -1]
        if isinstance(t, TensorArray) or _rank(t) < 2:
            return t
        return _gathered(parents, t, batch_size, width, shape)

    cell_state = nest.map_structure(kept, next_cell_state)
    state = BeamSearchDecoderState(cell_state=cell_state, log_probs=probs, lengths=new_lengths, finished=ended, accumulated_attention_probs=covered)
    return BeamSearchDecoderOutput(scores=best, predicted_ids=ids, parent_ids=parents), state


def _mean(alignments):
    if not isinstance(alignments, (tuple, list)):
        return alignments
    return engine.reduce_mean(engine.concat([engine.expand_dims(a, -1) for a in alignments], -1), -1)


def _attention_of(cell_state, weight):
    if weight == 0.0:
        return None
    if isinstance(cell_state, AttentionWrapperState):
        found = [_mean(cell_state.alignments)]
    else:
        found = [_mean(s.alignments) for s in cell_state if isinstance(s, AttentionWrapperState)] if isinstance(cell_state, tuple) else []
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return found[0] if len(found) == 1 else _mean(found)


def _scores(log_probs, lengths, length_weight, coverage_weight, finished, accumulated):
    factor = ops.convert_to_tensor(length_weight, name="penalty_factor")
    factor.set_shape(())
    known = ops.constant_value(factor)
    if known is not None and known == 0:
        penalty = 1.0
    else:
        penalty = engine.div((5.0 + basics.cast(lengths, dtypes.float32)) ** factor, (5.0 + 1.0) ** factor)
    scores = log_probs / basics.cast(penalty, dtype=log_probs.dtype)
    weight = ops.convert_to_tensor(coverage_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError("coverage_penalty_weight should be a scalar, but saw shape: %s" % weight.shape)
    if ops.constant_value(weight) == 0.0:
        return scores
    if accumulated is None:
        raise ValueError("accumulated_attention_probs can be None only if coverage penalty is disabled.")
    accumulated = engine.where(engine.equal(accumulated, 0.0), engine.ones_like(accumulated), accumulated)
    coverage = engine.reduce_sum(engine.log(engine.minimum(accumulated, 1.0)), 2)
    coverage *= basics.cast(finished, dtypes.float32)
    return scores + engine.expand_dims(coverage * weight, 2)


def _masked(probs, end_token, finished):
    words = basics.shape(probs)[2]
    row = engine.one_hot(end_token, words, dtype=probs.dtype, on_value=ops.convert_to_tensor(0.0, dtype=probs.dtype), off_value=probs.dtype.min)
    ended = engine.tile(engine.reshape(row, [1, 1, -1]), engine.concat([basics.shape(finished), [1]], 0))
    mask = engine.tile(engine.expand_dims(finished, 2), [1, 1, words])
    return engine.where(mask, ended, probs)


def _gathered(indices, values, batch_size, size, shape, name=None):
    with ops.name_scope(name, "tensor_gather_helper"):
        offsets = engine.expand_dims(engine.range(batch_size) * size, 1)
        indices = engine.reshape(indices + offsets, [-1])
        out = engine.gather(engine.reshape(values, shape), indices)
        final = basics.shape(values)[:1 + len(shape)]
        known = TensorShape([_known(batch_size)]).concatenate(values.shape[1:1 + len(shape)])
        out = engine.reshape(out, final, name="output")
        out.set_shape(known)
        return out
