"""tf.contrib.crf: linear-chain conditional random fields."""

import numpy as np

from .. import basics, dtypes, engine, ops, variable_scope as vs
from ..control_flow import smart_cond
from ..exports import export
from ..rnn.cells import RNNCell
from ..rnn.loops import dynamic_rnn


def _one_step(inputs):
    """Whether there is only one step: a tensor, which may be known."""
    return engine.equal(inputs.get_shape()[1].value or basics.shape(inputs)[1], 1)


def _nothing_where_empty(values, lengths):
    empty = engine.less_equal(lengths, 0)
    return engine.where(empty, engine.zeros_like(values), values)


@export("contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices, sequence_lengths, inputs):
    """The sum of the unary scores of the labels."""
    batch, steps, tags = basics.shape(inputs)[0], basics.shape(inputs)[1], basics.shape(inputs)[2]
    flat = engine.reshape(inputs, [-1])
    places = engine.expand_dims(engine.range(batch) * steps * tags, 1)
    places += engine.expand_dims(engine.range(steps) * tags, 0)
    if tag_indices.dtype == dtypes.int64:
        places = basics.cast(places, dtypes.int64)
    which = engine.reshape(places + tag_indices, [-1])
    scores = engine.reshape(engine.gather(flat, which), [batch, steps])
    mask = engine.sequence_mask(sequence_lengths, maxlen=basics.shape(tag_indices)[1], dtype=dtypes.float32)
    return engine.reduce_sum(scores * mask, 1)


@export("contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    """The sum of the transition scores between neighbouring labels."""
    tags = transition_params.get_shape()[0]
    pairs = basics.shape(tag_indices)[1] - 1
    first, second = engine.slice(tag_indices, [0, 0], [-1, pairs]), engine.slice(tag_indices, [0, 1], [-1, pairs])
    which = first * tags + second
    scores = engine.gather(engine.reshape(transition_params, [-1]), which)
    mask = engine.sequence_mask(sequence_lengths, maxlen=basics.shape(tag_indices)[1], dtype=dtypes.float32)
    mask = engine.slice(mask, [0, 1], [-1, -1])
    return engine.reduce_sum(scores * mask, 1)


@export("contrib.crf.crf_sequence_score")
def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """The unnormalized score of a label sequence."""

    def single():
        batch = basics.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = engine.reshape(engine.range(batch, dtype=tag_indices.dtype), [-1, 1])
        scores = engine.gather_nd(engine.squeeze(inputs, [1]), engine.concat([rows, tag_indices], axis=1))
        return _nothing_where_empty(scores, sequence_lengths)

    def several():
        own = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return own + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return smart_cond(_one_step(inputs), single, several)


class _Chain(RNNCell):
    def __init__(self, transition_params):
        self._transition_params = engine.expand_dims(transition_params, 0)
        self._num_tags = transition_params.get_shape()[0].value

    state_size = output_size = property(lambda self: self._num_tags)


@export("contrib.crf.CrfForwardRnnCell")
class CrfForwardRnnCell(_Chain):
    """One step of the forward algorithm."""

    def __call__(self, inputs, state, scope=None):
        scores = engine.expand_dims(state, 2) + self._transition_params
        alphas = inputs + engine.reduce_logsumexp(scores, [1])
        return alphas, alphas


class _Best(_Chain):
    def __call__(self, inputs, state, scope=None):
        scores = engine.expand_dims(state, 2) + self._transition_params
        new = inputs + engine.reduce_max(scores, [1])
        return basics.cast(engine.argmax(scores, 1), dtype=dtypes.int32), new


class _Back(RNNCell):
    def __init__(self, tags):
        self._num_tags = tags

    state_size = output_size = property(lambda self: 1)

    def __call__(self, inputs, state, scope=None):
        state = engine.squeeze(state, axis=[1])
        rows = engine.range(basics.shape(inputs)[0])
        where = engine.stack([rows, state], axis=1)
        tags = engine.expand_dims(engine.gather_nd(inputs, where), axis=-1)
        return tags, tags


def _less_one(lengths):
    zero = ops.constant(0, dtype=lengths.dtype)
    return engine.maximum(zero, lengths - 1)


@export("contrib.crf.crf_log_norm")
def crf_log_norm(inputs, sequence_lengths, transition_params):
    """The logarithm of the partition function."""
    first = engine.squeeze(engine.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def single():
        return _nothing_where_empty(engine.reduce_logsumexp(first, [1]), sequence_lengths)

    def several():
        rest = engine.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = dynamic_rnn(cell=cell, inputs=rest, sequence_length=_less_one(sequence_lengths), initial_state=first, dtype=dtypes.float32)
        return _nothing_where_empty(engine.reduce_logsumexp(alphas, [1]), sequence_lengths)

    return smart_cond(_one_step(inputs), single, several)


@export("contrib.crf.crf_log_likelihood")
def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """Log-likelihoods of label sequences, and the transition matrix (a new variable if none is given)."""
    tags = inputs.get_shape()[2].value
    if transition_params is None:
        transition_params = vs.get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


@export("contrib.crf.crf_decode")
def crf_decode(potentials, transition_params, sequence_length):
    """The best label sequences and their scores."""

    def single():
        flat = engine.squeeze(potentials, [1])
        tags = engine.expand_dims(engine.argmax(flat, axis=1), 1)
        best = engine.reduce_max(flat, axis=1)
        return basics.cast(tags, dtype=dtypes.int32), best

    def several():
        cell = _Best(transition_params)
        first = engine.squeeze(engine.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        rest = engine.slice(potentials, [0, 1, 0], [-1, -1, -1])
        lengths = _less_one(sequence_length)
        pointers, last = dynamic_rnn(cell, inputs=rest, sequence_length=lengths, initial_state=first, time_major=False, dtype=dtypes.int32)
        pointers = engine.reverse_sequence(pointers, lengths, seq_axis=1, batch_axis=0)
        start = engine.expand_dims(basics.cast(engine.argmax(last, axis=1), dtype=dtypes.int32), axis=-1)
        tags, _ = dynamic_rnn(_Back(potentials.get_shape()[2].value), inputs=pointers, sequence_length=lengths, initial_state=start, time_major=False, dtype=dtypes.int32)
        tags = engine.concat([start, engine.squeeze(tags, axis=[2])], axis=1)
        tags = engine.reverse_sequence(tags, sequence_length, seq_axis=1, batch_axis=0)
        return tags, engine.reduce_max(last, axis=1)

    return smart_cond(_one_step(potentials), single, several)


@export("contrib.crf.viterbi_decode")
def viterbi_decode(score, transition_params):
    """The best labels of one sequence, computed in NumPy: (labels, score)."""
    best = np.array(score[0], copy=True)
    pointers = []
    for row in score[1:]:
        paths = np.expand_dims(best, 1) + transition_params
        pointers.append(np.argmax(paths, 0))
        best = row + np.max(paths, 0)
    labels = [int(np.argmax(best))]
    for p in reversed(pointers):
        labels.append(int(p[labels[-1]]))
    return labels[::-1], np.max(best)
