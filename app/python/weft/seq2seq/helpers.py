"""Helpers, which choose the next inputs of a decoder's cell."""

from .. import basics, dtypes, engine, ops
from ..control_flow import TensorArray, cond
from ..op_calls import raw
from ..rnn.loops import _exchanged as exchanged
from ..tensor_shape import TensorShape
from ..util import nest
from .attention import seq2seq


def _call_sampler(sample_n, sample_shape, name=None):
    with ops.name_scope(name, "call_sampler", values=[sample_shape]):
        shape = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
        pad = basics.cast(engine.equal(basics.rank(shape), 0), dtypes.int32)
        shape = engine.reshape(shape, engine.pad(basics.shape(shape), paddings=[[pad, 0]], constant_values=1))
        samples = sample_n(engine.reduce_prod(shape))
        return engine.reshape(samples, engine.concat([shape, basics.shape(samples)[1:]], 0))


def bernoulli_sample(probs=None, logits=None, dtype=dtypes.int32, sample_shape=(), seed=None):
    """Samples True with the given probability."""
    probs = engine.sigmoid(logits, name="probs") if probs is None else ops.convert_to_tensor(probs, name="probs")
    batch = basics.shape(probs)

    def sample(n):
        drawn = engine.random_uniform(engine.concat([[n], batch], 0), seed=seed, dtype=probs.dtype)
        return basics.cast(engine.less(drawn, probs), dtype)

    return _call_sampler(sample, sample_shape)


def categorical_sample(logits, dtype=dtypes.int32, sample_shape=(), seed=None):
    """Samples a class from logits."""
    logits = ops.convert_to_tensor(logits, name="logits")
    size = basics.shape(logits)[-1]
    batch = basics.shape(logits)[:-1]

    def sample(n):
        flat = logits if logits.shape.ndims == 2 else engine.reshape(logits, [-1, size])
        draws = engine.multinomial(flat, n, seed=seed, output_dtype=dtypes.int64 if logits.dtype.size > 4 else dtypes.int32)
        draws = engine.reshape(engine.transpose(draws), engine.concat([[n], batch], 0))
        return basics.cast(draws, dtype)

    return _call_sampler(sample, sample_shape)


def _array_of(x):
    return TensorArray(dtype=x.dtype, size=basics.shape(x)[0], element_shape=x.get_shape()[1:]).unstack(x)


def _tensors(values):
    return [v for v in nest.flatten(values) if isinstance(v, ops.Tensor)]


@seq2seq("Helper")
class Helper:
    """Base of helpers."""

    @property
    def batch_size(self):
        raise NotImplementedError("batch_size has not been implemented")

    @property
    def sample_ids_shape(self):
        return TensorShape([])

    @property
    def sample_ids_dtype(self):
        return dtypes.int32

    def initialize(self, name=None):
        raise NotImplementedError

    def sample(self, time, outputs, state, name=None):
        raise NotImplementedError

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        raise NotImplementedError


@seq2seq("CustomHelper")
class CustomHelper(Helper):
    """A helper made of three functions."""

    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None, sample_ids_dtype=None):
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size = None
        self._shape, self._dtype = TensorShape(sample_ids_shape or []), sample_ids_dtype or dtypes.int32

    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    @property
    def batch_size(self):
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    def initialize(self, name=None):
        with ops.name_scope(name, "%sInitialize" % type(self).__name__):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = basics.size(finished)
        return finished, inputs

    def sample(self, time, outputs, state, name=None):
        with ops.name_scope(name, "%sSample" % type(self).__name__, _tensors((time, outputs, state))):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with ops.name_scope(name, "%sNextInputs" % type(self).__name__, _tensors((time, outputs, state))):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


@seq2seq("TrainingHelper")
class TrainingHelper(Helper):
    """Feeds the given inputs step by step."""

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        with ops.name_scope(name, "TrainingHelper", _tensors([inputs, sequence_length])):
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(exchanged, inputs)
            self._arrays = nest.map_structure(_array_of, inputs)
            self._sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.get_shape().ndims != 1:
                raise ValueError("Expected sequence_length to be a vector, but received shape: %s" % self._sequence_length.get_shape())
            self._zero_inputs = nest.map_structure(lambda x: engine.zeros_like(x[0, :]), inputs)
            self._batch_size = basics.size(sequence_length)

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._sequence_length)
    batch_size = property(lambda self: self._batch_size)

    def _read(self, finished, time):
        return cond(engine.reduce_all(finished), lambda: self._zero_inputs, lambda: nest.map_structure(lambda a: a.read(time), self._arrays))

    def initialize(self, name=None):
        with ops.name_scope(name, "TrainingHelperInitialize"):
            finished = engine.equal(0, self._sequence_length)
            return finished, self._read(finished, 0)

    def sample(self, time, outputs, name=None, **unused):
        with ops.name_scope(name, "TrainingHelperSample", _tensors([time, outputs])):
            return basics.cast(engine.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(self, time, outputs, state, name=None, **unused):
        with ops.name_scope(name, "TrainingHelperNextInputs", _tensors([time, outputs, state])):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            return finished, self._read(finished, next_time), state


def _check_probability(probability):
    probability = ops.convert_to_tensor(probability, name="sampling_probability")
    if probability.get_shape().ndims not in (0, 1):
        raise ValueError("sampling_probability must be either a scalar or a vector. saw shape: %s" % probability.get_shape())
    return probability


def _lookup(embedding):
    return embedding if callable(embedding) else lambda ids: engine.nn.embedding_lookup(embedding, ids)


@seq2seq("ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Feeds the given inputs, at random steps replaced by samples from the decoder's own outputs."""

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None, scheduling_seed=None, name=None):
        with ops.name_scope(name, "ScheduledEmbeddingSamplingWrapper", _tensors([embedding, sampling_probability])):
            self._embedding_fn = _lookup(embedding)
            self._sampling_probability = _check_probability(sampling_probability)
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        with ops.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", _tensors([time, outputs, state])):
            chosen = bernoulli_sample(probs=self._sampling_probability, dtype=dtypes.bool_, sample_shape=self.batch_size, seed=self._scheduling_seed)
            return engine.where(chosen, categorical_sample(logits=outputs, seed=self._seed), raw("Fill")([self.batch_size], -1))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with ops.name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", _tensors([time, outputs, state, sample_ids])):
            finished, base, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name)

            def mixed():
                sampled = basics.cast(engine.where(sample_ids > -1), dtypes.int32)
                others = basics.cast(engine.where(sample_ids <= -1), dtypes.int32)
                ids = engine.gather_nd(sample_ids, sampled)
                kept = engine.gather_nd(base, others)
                said = self._embedding_fn(ids)
                shape = basics.shape(base)
                return engine.scatter_nd(indices=sampled, updates=said, shape=shape) + engine.scatter_nd(indices=others, updates=kept, shape=shape)

            return finished, cond(engine.reduce_all(finished), lambda: base, mixed), state


@seq2seq("ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """Feeds the given inputs, at random steps replaced by the decoder's own outputs."""

    def __init__(self, inputs, sequence_length, sampling_probability, time_major=False, seed=None, next_inputs_fn=None, auxiliary_inputs=None, name=None):
        with ops.name_scope(name, "ScheduledOutputTrainingHelper", _tensors([inputs, auxiliary_inputs, sampling_probability])):
            self._sampling_probability = _check_probability(sampling_probability)
            joined = inputs
            if auxiliary_inputs is not None:
                inputs = ops.convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = ops.convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                joined = nest.map_structure(lambda x, y: engine.concat((x, y), -1), inputs, auxiliary_inputs)
                if not time_major:
                    auxiliary_inputs = nest.map_structure(exchanged, auxiliary_inputs)
            self._auxiliary = nest.map_structure(_array_of, auxiliary_inputs) if auxiliary_inputs is not None else None
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            super().__init__(inputs=joined, sequence_length=sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        with ops.name_scope(name, "ScheduledOutputTrainingHelperSample", _tensors([time, outputs, state])):
            return bernoulli_sample(probs=self._sampling_probability, sample_shape=self.batch_size, seed=self._seed)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with ops.name_scope(name, "ScheduledOutputTrainingHelperNextInputs", _tensors([time, outputs, state, sample_ids])):
            finished, base, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name)
            ids = basics.cast(sample_ids, dtypes.bool_)

            def with_auxiliary(values, indices=None):
                if self._auxiliary is None:
                    return values
                next_time = time + 1
                more = nest.map_structure(lambda a: a.read(next_time), self._auxiliary)
                if indices is not None:
                    more = engine.gather_nd(more, indices)
                return nest.map_structure(lambda x, y: engine.concat((x, y), -1), values, more)

            def mixed():
                if self._next_inputs_fn is None:
                    return engine.where(ids, with_auxiliary(outputs), base)
                sampled, others = basics.cast(engine.where(ids), dtypes.int32), basics.cast(engine.where(engine.logical_not(ids)), dtypes.int32)
                said, kept = engine.gather_nd(outputs, sampled), engine.gather_nd(base, others)
                said = with_auxiliary(self._next_inputs_fn(said), sampled)
                shape = basics.shape(base)
                return engine.scatter_nd(indices=sampled, updates=said, shape=shape) + engine.scatter_nd(indices=others, updates=kept, shape=shape)

            ended, none = engine.reduce_all(finished), engine.logical_not(engine.reduce_any(ids))
            return finished, cond(engine.logical_or(ended, none), lambda: base, mixed), state


@seq2seq("GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(Helper):
    """Feeds back the most probable class."""

    def __init__(self, embedding, start_tokens, end_token):
        self._embedding_fn = _lookup(embedding)
        self._start_tokens = ops.convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        self._end_token = ops.convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError("start_tokens must be a vector")
        self._batch_size = basics.size(start_tokens)
        if self._end_token.get_shape().ndims != 0:
            raise ValueError("end_token must be a scalar")
        self._start_inputs = self._embedding_fn(self._start_tokens)

    batch_size = property(lambda self: self._batch_size)

    def initialize(self, name=None):
        return engine.tile([False], [self._batch_size]), self._start_inputs

    def _check(self, outputs):
        if not isinstance(outputs, ops.Tensor):
            raise TypeError("Expected outputs to be a single Tensor, got: %s" % type(outputs))

    def sample(self, time, outputs, state, name=None):
        self._check(outputs)
        return engine.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished = engine.equal(sample_ids, self._end_token)
        return finished, cond(engine.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids)), state


@seq2seq("SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Feeds back a sampled class."""

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time, outputs, state, name=None):
        self._check(outputs)
        logits = outputs if self._softmax_temperature is None else outputs / self._softmax_temperature
        return categorical_sample(logits=logits, seed=self._seed)


@seq2seq("InferenceHelper")
class InferenceHelper(Helper):
    """Samples with a function of the outputs."""

    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn, next_inputs_fn=None):
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._shape, self._dtype = TensorShape(sample_shape), sample_dtype
        self._batch_size = basics.shape(start_inputs)[0]
        self._start_inputs = ops.convert_to_tensor(start_inputs, name="start_inputs")

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        return engine.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._sample_fn(outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state
