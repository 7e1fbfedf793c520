"""Attention mechanisms."""

import functools
import math

import numpy as np

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export
from ..layers.base import Layer
from ..layers.core import Dense
from ..rnn.cells import _zeros as zero_tensors
from ..row_functions import scan
from ..util import nest
from ..variable_scope import get_variable, variable_scope


def seq2seq(name):
    return export("contrib.seq2seq." + name)


def known_or(tensor, axis):
    """A size as a number if known, else as a tensor."""
    return tensor.shape.as_list()[axis] or basics.shape(tensor)[axis]


def _prepared(memory, lengths, check_inner_dims):
    """The memory with zeros after the end of each sequence."""
    memory = nest.map_structure(lambda m: ops.convert_to_tensor(m, name="memory"), memory)
    if lengths is not None:
        lengths = ops.convert_to_tensor(lengths, name="memory_sequence_length")
    if check_inner_dims:
        for m in nest.flatten(memory):
            if not m.get_shape()[2:].is_fully_defined():
                raise ValueError("Expected memory %s to have fully defined inner dims, but saw shape: %s" % (m.name, m.get_shape()))
    if lengths is None:
        return memory
    first = nest.flatten(memory)[0]
    mask = engine.sequence_mask(lengths, maxlen=basics.shape(first)[1], dtype=first.dtype)

    def masked(m):
        rank = m.get_shape().ndims
        ones = engine.ones((rank if rank is not None else basics.rank(m)) - 2, dtype=dtypes.int32)
        return m * engine.reshape(mask, engine.concat((basics.shape(mask), ones), 0))

    return nest.map_structure(masked, memory)


def _masked_score(score, lengths, value):
    if lengths is None:
        return score
    with ops.control_dependencies([engine.assert_positive(lengths, message="All values in memory_sequence_length must be greater than zero.")]):
        mask = engine.sequence_mask(lengths, maxlen=basics.shape(score)[1])
    values = value * engine.ones_like(score)
    return engine.where(mask, score, values)


@seq2seq("AttentionMechanism")
class AttentionMechanism:
    """The interface that AttentionWrapper needs."""

    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)


class _Mechanism(AttentionMechanism):
    def __init__(self, query_layer, memory, probability_fn, memory_sequence_length=None, memory_layer=None, check_inner_dims_defined=True, score_mask_value=None,
                 custom_key_value_fn=None, name=None):
        for which, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError("%s is not a Layer: %s" % (which, type(layer).__name__))
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError("probability_fn must be callable, saw type: %s" % type(probability_fn).__name__)
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(memory_layer.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, previous: probability_fn(_masked_score(score, memory_sequence_length, score_mask_value), previous)
        with ops.name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = _prepared(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size = known_or(self._keys, 0)
            self._alignments_size = known_or(self._keys, 1)

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: self._query_layer)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)
    batch_size = property(lambda self: self._batch_size)

    def initial_alignments(self, batch_size, dtype):
        return zero_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size, dtype):
        return self.initial_alignments(batch_size, dtype)


_BaseAttentionMechanism = _Mechanism  # TensorFlow's name, which programs import


class _Monotonic:
    """Mixin: alignments start at the first element."""

    def initial_alignments(self, batch_size, dtype):
        return engine.one_hot(engine.zeros((batch_size,), dtype=dtypes.int32), self._alignments_size, dtype=dtype)


def _dense(units, name, dtype):
    return Dense(units, name=name, use_bias=False, dtype=dtype)


def _luong_score(query, keys, scale):
    depth, units = query.get_shape().as_list()[-1], keys.get_shape().as_list()[-1]
    if depth is None or units is None or depth != units:
        raise ValueError("Incompatible or unknown inner dimensions between query and keys.  Query (%s) has units: %s.  Keys (%s) have units: %s.  Perhaps you need to set "
                         "num_units to the keys' dimension (%s)?" % (query, depth, keys, units, units))
    query = engine.expand_dims(query, 1)
    score = engine.squeeze(engine.matmul(query, keys, transpose_b=True), [1])
    return score if scale is None else scale * score


def _bahdanau_score(query, keys, v, g=None, b=None):
    query = engine.expand_dims(query, 1)
    if g is not None and b is not None:
        v = g * v * engine.rsqrt(engine.reduce_sum(engine.square(v)))
        return engine.reduce_sum(v * engine.tanh(keys + query + b), [2])
    return engine.reduce_sum(v * engine.tanh(keys + query), [2])


class _Luong(_Mechanism):
    _scope = "luong_attention"

    def _score(self, query):
        g = get_variable("attention_g", dtype=query.dtype, initializer=initializers.ones_initializer, shape=()) if self._scale else None
        return _luong_score(query, self._keys, g)

    def __call__(self, query, state):
        with variable_scope(None, self._scope, [query]):
            score = self._biased(self._score(query), query.dtype)
        alignments = self._probability_fn(score, state)
        return alignments, alignments

    def _biased(self, score, dtype):
        return score


class _Bahdanau(_Luong):
    _scope = "bahdanau_attention"

    def _score(self, query):
        processed = self.query_layer(query) if self.query_layer else query
        v = get_variable("attention_v", [self._num_units], dtype=query.dtype)
        g = b = None
        if self._normalize:
            g = get_variable("attention_g", dtype=query.dtype, initializer=initializers.constant_initializer(math.sqrt(1.0 / self._num_units)), shape=())
            b = get_variable("attention_b", [self._num_units], dtype=query.dtype, initializer=initializers.zeros_initializer())
        return _bahdanau_score(processed, self._keys, v, g, b)


@seq2seq("LuongAttention")
class LuongAttention(_Luong):
    """Attention whose score is the product of query and key."""

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, probability_fn=None, score_mask_value=None, dtype=None, custom_key_value_fn=None,
                 name="LuongAttention"):
        probability = probability_fn or engine.nn.softmax
        super().__init__(query_layer=None, memory_layer=_dense(num_units, "memory_layer", dtype or dtypes.float32), memory=memory,
                         probability_fn=lambda score, _: probability(score), memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value,
                         custom_key_value_fn=custom_key_value_fn, name=name)
        self._num_units, self._scale, self._name = num_units, scale, name


@seq2seq("BahdanauAttention")
class BahdanauAttention(_Bahdanau):
    """Attention whose score is computed by a small network from query and key."""

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, probability_fn=None, score_mask_value=None, dtype=None, custom_key_value_fn=None,
                 name="BahdanauAttention"):
        probability = probability_fn or engine.nn.softmax
        dtype = dtype or dtypes.float32
        super().__init__(query_layer=_dense(num_units, "query_layer", dtype), memory_layer=_dense(num_units, "memory_layer", dtype), memory=memory,
                         probability_fn=lambda score, _: probability(score), custom_key_value_fn=custom_key_value_fn, memory_sequence_length=memory_sequence_length,
                         score_mask_value=score_mask_value, name=name)
        self._num_units, self._normalize, self._name = num_units, normalize, name


@seq2seq("safe_cumprod")
def safe_cumprod(x, *args, **kwargs):
    """Cumulative products computed with logarithms."""
    with ops.name_scope(None, "SafeCumprod", [x]):
        x = ops.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return engine.exp(engine.cumsum(engine.log(engine.clip_by_value(x, tiny, 1)), *args, **kwargs))


@seq2seq("monotonic_attention")
def monotonic_attention(p_choose_i, previous_attention, mode):
    """Attention that moves only forward."""
    p = ops.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = ops.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch = known_or(p, 0)
        shifted = engine.concat([engine.ones((batch, 1)), 1 - p[:, :-1]], 1)
        passed = scan(lambda x, yz: engine.reshape(yz[0] * x + yz[1], (batch,)), [engine.transpose(shifted), engine.transpose(previous)], engine.zeros((batch,)))
        return p * engine.transpose(passed)
    if mode == "parallel":
        product = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * product * engine.cumsum(previous / engine.clip_by_value(product, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p *= engine.cumsum(previous, axis=1)
        return p * engine.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _monotonic_probability(score, previous, sigmoid_noise, mode, seed=None):
    if sigmoid_noise > 0:
        noise = engine.random_normal(basics.shape(score), dtype=score.dtype, seed=seed)
        score += sigmoid_noise * noise
    p = basics.cast(score > 0, score.dtype) if mode == "hard" else engine.sigmoid(score)
    return monotonic_attention(p, previous, mode)


class _WithBias(_Monotonic):
    def _biased(self, score, dtype):
        return score + get_variable("attention_score_bias", dtype=dtype, initializer=self._score_bias_init)


@seq2seq("BahdanauMonotonicAttention")
class BahdanauMonotonicAttention(_WithBias, _Bahdanau):
    """Monotonic attention with Bahdanau's score."""

    _scope = "bahdanau_monotonic_attention"

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, score_mask_value=None, sigmoid_noise=0.0, sigmoid_noise_seed=None,
                 score_bias_init=0.0, mode="parallel", dtype=None, name="BahdanauMonotonicAttention"):
        dtype = dtype or dtypes.float32
        super().__init__(query_layer=_dense(num_units, "query_layer", dtype), memory_layer=_dense(num_units, "memory_layer", dtype), memory=memory,
                         probability_fn=functools.partial(_monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._normalize, self._name, self._score_bias_init = num_units, normalize, name, score_bias_init


@seq2seq("LuongMonotonicAttention")
class LuongMonotonicAttention(_WithBias, _Luong):
    """Monotonic attention with Luong's score."""

    _scope = "luong_monotonic_attention"

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, score_mask_value=None, sigmoid_noise=0.0, sigmoid_noise_seed=None, score_bias_init=0.0,
                 mode="parallel", dtype=None, name="LuongMonotonicAttention"):
        super().__init__(query_layer=None, memory_layer=_dense(num_units, "memory_layer", dtype or dtypes.float32), memory=memory,
                         probability_fn=functools.partial(_monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._scale, self._score_bias_init, self._name = num_units, scale, score_bias_init, name


@seq2seq("hardmax")
def hardmax(logits, name=None):
    """1 at the maximum of each row of logits, else 0."""
    with ops.name_scope(name, "Hardmax", [logits]):
        logits = ops.convert_to_tensor(logits, name="logits")
        depth = logits.get_shape().as_list()[-1]
        if depth is None:
            depth = basics.shape(logits)[-1]
        return engine.one_hot(engine.argmax(logits, -1), depth, dtype=logits.dtype)


