"""tf.contrib.training: splits long sequences into segments; a barrier holds the states between segments."""

import collections
import numbers

from .. import basics, dtypes, engine, errors, ops
from ..control_flow import Assert, group, with_dependencies
from ..data.barriers import Barrier
from ..data.queues import FIFOQueue
from ..exports import export
from ..ops import Tensor
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..summaries import ops as summary
from ..training.queue_runner import QueueRunner, add_queue_runner

_FIXED = ["__length", "__total_length", "__next_key", "__sequence", "__sequence_count"]
_TOKEN = 21051976  # an arbitrary value: it occupies a slot in the queue that limits the number of active sequences


def _no_sparse(given, what):
    for key, value in given.items():
        if isinstance(value, (SparseTensor, SparseTensorValue)):
            raise NotImplementedError("batch_sequences_with_states: sparse tensors are not supported here (%s %r); make it dense with tf.sparse_tensor_to_dense" % (what, key))


def _checked_names(given, what):
    if not isinstance(given, dict):
        raise TypeError("%s must be a dict" % {"sequence": "sequences"}.get(what, what))
    for key in given:
        if not isinstance(key, str):
            raise TypeError("%s key must be string: %s" % (what, key))
        if ":" in key:
            raise ValueError("%s key may not have a colon: '%s'" % (what, key))


def _required(condition, *refusal, also=None):
    """Asserts the condition. The message (and the result of also()) is created after the condition, as in TensorFlow."""
    words = engine.string_join([part() if callable(part) else part for part in refusal])
    return Assert(condition, [words] + ([also()] if also else []))


def _multiple_of(value, n):
    right = engine.logical_and(engine.equal(engine.mod(value, n), 0), engine.not_equal(value, 0))
    check = _required(right, "Tensor %s should be a multiple of: " % value.name, lambda: engine.as_string(n), ", but saw value: ", lambda: engine.as_string(value),
                      ". Consider setting pad=True.")
    with ops.control_dependencies([check]):
        return engine.identity(value, name="multiple_of_checked")


def _ranked(value, rank):
    check = _required(engine.equal(rank, basics.rank(value)), "Rank of tensor %s should be: " % value.name, lambda: engine.as_string(rank), ", shape received:", also=lambda: basics.shape(value))
    with ops.control_dependencies([check]):
        checked = engine.identity(value, name="rank_checked")
    known = ops.constant_value(rank) if isinstance(rank, Tensor) else rank
    if known is not None:
        try:
            checked.set_shape(checked.get_shape().with_rank(int(known)))
        except ValueError as e:
            raise ValueError("Rank check failed for %s: %s" % (value.name, e))
    return checked


def _shaped(value, shape):
    """The value, asserted to have `shape` (a tensor)."""
    known = ops.constant_value(shape)
    shape = shape if known is None else [int(d) for d in known]
    value = _ranked(value, basics.size(shape) if isinstance(shape, Tensor) else len(shape))
    check = _required(engine.reduce_all(engine.equal(shape, basics.shape(value))), "Shape of tensor %s should be: " % value.name, lambda: engine.as_string(shape), ", shape received: ",
                      lambda: engine.as_string(basics.shape(value)))
    with ops.control_dependencies([check]):
        checked = engine.identity(value, name="shape_checked")
    if not isinstance(shape, Tensor):
        checked.set_shape(shape)
    return checked


def _sized(value, dimensions, sizes, label):
    """The value, asserted to have these dimension sizes."""
    known = value.get_shape().as_list()
    for d, size in zip(dimensions, sizes):
        if not isinstance(size, Tensor):
            known[d] = size
    value.set_shape(known)
    checks = []
    for d, size in zip(dimensions, sizes):
        checks.append(_required(engine.equal(size, basics.shape(value)[d]), "Dimension %d of tensor labeled %s should be: " % (d, label), lambda size=size: engine.as_string(size),
                                ", shape received: ", lambda: engine.as_string(basics.shape(value))))
    with ops.control_dependencies(checks):
        return engine.identity(value, name="dims_checked_%s" % label)


def _sorted(given):
    return collections.OrderedDict(sorted(given.items()))


@export("contrib.training.NextQueuedSequenceBatch")
class NextQueuedSequenceBatch:
    """A batch of segments: its inputs, and saving of states for the next segments."""

    def __init__(self, state_saver):
        self._state_saver = state_saver

    total_length = property(lambda self: self._state_saver._received["__total_length"])
    length = property(lambda self: self._state_saver._received["__length"])
    batch_size = property(lambda self: self._state_saver._received_batch_size)
    insertion_index = property(lambda self: self._state_saver._received_indices)
    key = property(lambda self: self._state_saver._received_keys)
    next_key = property(lambda self: self._state_saver._received["__next_key"])
    sequence = property(lambda self: self._state_saver._received["__sequence"])
    sequence_count = property(lambda self: self._state_saver._received["__sequence_count"])
    context = property(lambda self: self._state_saver._received_context)
    sequences = property(lambda self: self._state_saver._received_sequences)

    def state(self, state_name):
        return self._state_saver._received_states[state_name]

    def save_state(self, state_name, value, name=None):
        """An op that saves a state for the next segments."""
        saver = self._state_saver
        if state_name not in saver._received_states:
            raise KeyError("state was not declared: %s" % state_name)
        with ops.name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]):
            with ops.colocate_with(saver._capacity_queue.queue_ref):
                going_on = engine.reshape(engine.where_v2(engine.logical_not(saver._sequence_is_done)), [-1])
                keys = engine.gather(self.next_key, going_on)
                value = _shaped(engine.identity(value, name="convert_%s" % state_name), basics.shape(saver._received_states[state_name]))
                kept = engine.gather(value, going_on)
                return saver.barrier.insert_many(saver._index["__state__" + state_name], keys, kept, name="BarrierInsertState_%s" % state_name)


@export("contrib.training.SequenceQueueingStateSaver")
class SequenceQueueingStateSaver:
    """Splits sequences into segments of num_unroll steps and batches them, with the states saved by the previous segments."""

    def __init__(self, batch_size, num_unroll, input_length, input_key, input_sequences, input_context, initial_states, capacity=None, allow_small_batch=False, name=None):
        if capacity is not None and isinstance(batch_size, Tensor):
            check = engine.assert_greater_equal(basics.cast(capacity, dtypes.int64), basics.cast(batch_size, dtypes.int64), message="capacity needs to be >= batch_size.")
            with ops.control_dependencies([check]):
                input_key = engine.identity(input_key)
        elif capacity is not None and capacity < batch_size:
            raise ValueError("capacity %d needs to be >= batch_size %d" % (capacity, batch_size))
        self._capacity_queue = FIFOQueue(capacity=capacity, dtypes=[dtypes.int32], shapes=[[]])
        with ops.colocate_with(self._capacity_queue.queue_ref):
            self._check_states(initial_states)
            values = [input_length, input_key] + list(input_sequences.values()) + list(input_context.values())
            with ops.name_scope(name, "InputQueueingStateSaver", values) as scope:
                self._name = self._scope = scope
                self._batch_size, self._num_unroll = batch_size, num_unroll
                self._prepare(input_length, input_key, input_sequences, input_context, initial_states)
                self._create_barrier()
        self._allow_small_batch, self._prefetch_op, self._next_batch = allow_small_batch, None, None

    name = property(lambda self: self._name)
    barrier = property(lambda self: self._barrier)
    batch_size = property(lambda self: self._batch_size)
    num_unroll = property(lambda self: self._num_unroll)

    @staticmethod
    def _check_states(states):
        if not isinstance(states, dict):
            raise TypeError("initial_states must be a dictionary")
        if not states:
            raise ValueError("initial_states may not be empty: at least one state variable is required to properly enqueue split sequences to run in separate iterations")
        for key in states:
            if not isinstance(key, str):
                raise TypeError("state name must be a string: %s" % key)
            if ":" in key:
                raise ValueError("state name may not have a colon: '%s'" % key)

    def _prepare(self, length, key, sequences, context, states):
        length = ops.convert_to_tensor(length, name="length")
        key = ops.convert_to_tensor(key, name="key")
        _checked_names(sequences, "sequence")
        _checked_names(context, "context")
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        sequences = {k: ops.convert_to_tensor(v, name="sequence_%s" % k) for k, v in sequences.items()}
        context = {k: ops.convert_to_tensor(v, name="context_%s" % k) for k, v in context.items()}
        states = {k: ops.convert_to_tensor(v, name="state_%s" % k) for k, v in states.items()}
        for what, given, first in (("state", states, 0), ("context", context, 0), ("sequence", sequences, 1)):
            for k, v in given.items():
                if not v.get_shape()[first:].is_fully_defined():
                    raise ValueError("Shape for %s %s is not fully defined %s: %s" % (what, k, "(ignoring first dimension)" if first else "", v.get_shape()))
        self._sequences, self._context, self._states = _sorted(sequences), _sorted(context), _sorted(states)
        self._length, self._key = _ranked(length, 0), _ranked(key, 0)
        if self._length.dtype != dtypes.int32:
            raise TypeError("length dtype must be int32, but received: %s" % self._length.dtype)
        if self._key.dtype != dtypes.string:
            raise TypeError("key dtype must be string, but received: %s" % self._key.dtype)
        self._padded_length = engine.identity(basics.shape(next(iter(self._sequences.values())))[0], name="padded_length")
        self._padded_length = _multiple_of(self._padded_length, self._num_unroll)
        self._sequences = collections.OrderedDict((k, _sized(v, [0], [self._padded_length], "sorted_sequences_%s" % k)) for k, v in self._sequences.items())
        names = _FIXED + ["__sequence__%s" % k for k in self._sequences] + ["__context__%s" % k for k in self._context] + ["__state__%s" % k for k in self._states]
        self._index = {n: i for i, n in enumerate(names)}
        fits = Assert(engine.less_equal(self._length, self._padded_length), ["Input length should be <= than length from sequences:", self._length, " vs. ", self._padded_length])
        with ops.control_dependencies([fits]):
            self._length = engine.identity(self._length)

    def _create_barrier(self):
        parts = list(self._sequences.values()) + list(self._context.values()) + list(self._states.values())
        shapes = [[self._num_unroll] + v.get_shape().as_list()[1:] for v in self._sequences.values()]
        shapes += [v.get_shape().as_list() for v in list(self._context.values()) + list(self._states.values())]
        self._barrier = Barrier(types=[dtypes.int32, dtypes.int32, dtypes.string, dtypes.int32, dtypes.int32] + [v.dtype for v in parts], shapes=[()] * 5 + shapes)

    @property
    def prefetch_op(self):
        """An op that inserts the segments of a sequence into the barrier; a queue runner runs it."""
        if not self._prefetch_op:
            with ops.name_scope(None), ops.name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._create_prefetch_op()
        return self._prefetch_op

    @property
    def next_batch(self):
        """The batch for a step."""
        self.prefetch_op  # noqa: B018 (makes it)
        if not self._next_batch:
            with ops.name_scope(None), ops.name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._read()
        return self._next_batch

    def close(self, cancel_pending_enqueues=False, name=None):
        with ops.name_scope(name, "SQSSClose", [self._prefetch_op]) as name:
            barrier = self.barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return group(barrier, queue, name=name)

    def _segments(self, count):
        """The sequences as [segments, num_unroll, …]"""
        made = collections.OrderedDict()
        for k, v in self._sequences.items():
            rest = v.get_shape().as_list()[1:]
            shape = engine.concat([engine.expand_dims(count, 0), engine.expand_dims(self._num_unroll, 0), rest], 0, name="concat_sequences_%s" % k)
            made[k] = _sized(engine.reshape(v, shape, name="reshape_sequences_%s" % k), [0, 1] + list(range(2, v.get_shape().ndims + 1)), [count, self._num_unroll] + rest,
                             "reshaped_sequences_%s" % k)
        return made

    def _repeated_context(self, count):
        made = collections.OrderedDict()
        for k, v in self._context.items():
            rest = v.get_shape().as_list()
            row = engine.expand_dims(v, 0)
            multiples = engine.concat([engine.expand_dims(count, 0), [1] * len(rest)], 0, name="concat_context_%s" % k)
            made[k] = _sized(engine.tile(row, multiples, name="tile_context_%s" % k), list(range(len(rest) + 1)), [count] + rest, "expanded_context_%s" % k)
        return made

    def _create_prefetch_op(self):
        count = engine.div(self._padded_length, self._num_unroll)
        ones = engine.ones(engine.expand_dims(count, 0), dtype=dtypes.int32)
        sequence = engine.range(count)
        length = engine.maximum(0, self._length - self._num_unroll * sequence)
        length = engine.minimum(self._num_unroll, length)
        total = self._length * ones
        counts = count * ones
        keys = engine.string_join([engine.as_string(sequence, width=5, fill="0"), "_of_", engine.as_string(count, width=5, fill="0"), ":", self._key], name="StringJoinCurrentKeys")
        following = engine.slice(keys, [1], [-1])
        next_keys = engine.concat([following, engine.expand_dims(engine.string_join(["STOP:", self._key], name="StringJoinStop"), 0)], 0, name="concat_next_keys")
        segments, context = self._segments(count), self._repeated_context(count)

        def put(where, values, name):
            return self._barrier.insert_many(self._index[where], keys, values, name=name)

        def put_first(state, value):
            first = engine.stack([keys[0]])
            return self._barrier.insert_many(self._index["__state__" + state], first, engine.stack([value]), name="BarrierInitialInsertState_%s" % state)

        put_sequence = put("__sequence", sequence, "BarrierInsertSequence")
        inserts = [put("__sequence_count", counts, "BarrierInsertSequenceCount"), put("__next_key", next_keys, "BarrierInsertNextKey"), put("__length", length, "BarrierInsertLength"),
                   put("__total_length", total, "BarrierInsertTotalLength")]
        of_context = [put("__context__" + k, v, "BarrierInsertContext_%s" % k) for k, v in context.items()]
        of_sequences = [put("__sequence__" + k, v, "BarrierInsertSequences_%s" % k) for k, v in segments.items()]
        token = self._capacity_queue.enqueue((_TOKEN,))
        with ops.control_dependencies([put_sequence, token]):
            of_states = [put_first(k, v) for k, v in self._states.items()]
        self._prefetch_op = group(token, put_sequence, *(inserts + of_states + of_context + of_sequences), name="StateSaverPrefetchGroup")

    def _read(self):
        self._received_indices, self._received_keys, values = self._take()
        self._received = {n: values[self._index[n]] for n in _FIXED}
        self._received_context = collections.OrderedDict((k, values[self._index["__context__" + k]]) for k in self._context)
        self._received_sequences = collections.OrderedDict((k, values[self._index["__sequence__" + k]]) for k in self._sequences)
        self._received_batch_size = engine.squeeze(basics.shape(self._received["__length"]))
        self._sequence_is_done = self._received["__sequence"] + 1 >= self._received["__sequence_count"]
        finished = engine.reduce_sum(basics.cast(self._sequence_is_done, dtypes.int32))
        with ops.control_dependencies([self._capacity_queue.dequeue_many(finished)]):
            self._received_states = collections.OrderedDict((k, engine.identity(values[self._index["__state__" + k]])) for k in self._states)
        self._next_batch = NextQueuedSequenceBatch(self)

    def _take(self):
        taken = self._barrier.take_many(self._batch_size, self._allow_small_batch, name="BarrierTakeMany")
        return taken[0], taken[1], taken[2]


def _padded(sequences, num_unroll):
    """(The length of the sequences, the sequences padded to a multiple of num_unroll)"""
    if not isinstance(num_unroll, numbers.Integral):
        raise ValueError("Unsupported num_unroll expected int, got: %s" % num_unroll)
    if not isinstance(sequences, dict):
        raise TypeError("Unsupported sequences expected dict, got: %s" % sequences)
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError("Unsupported sequences key expected string, got: %s" % key)
    if not sequences:
        return 0, {}
    tensors = collections.OrderedDict((k, ops.convert_to_tensor(v)) for k, v in sorted(sequences.items()))
    lengths = [basics.shape(v)[0] for v in tensors.values()]
    checks = [Assert(engine.equal(n, lengths[0]), [engine.string_join(["All sequence lengths must match, but received lengths: ", engine.as_string(lengths)])]) for n in lengths]
    length = with_dependencies(checks, lengths[0])
    unroll = ops.constant(num_unroll)
    padded_length = length + (unroll - length % unroll) % unroll
    made = {}
    for k, v in tensors.items():
        more = [padded_length - basics.shape(v)[0]]
        shape = engine.concat((more, basics.shape(v)[1:]), 0)
        nothing = ops.constant("" if v.dtype == dtypes.string else 0, dtype=v.dtype)
        made[k] = engine.concat([v, engine.fill(dims=shape, value=nothing)], 0)
    return length, made


def _all_multiples(sequences, num_unroll):
    made = {}
    for key, value in sequences.items():
        value = ops.convert_to_tensor(value)
        length = basics.shape(value)[0]
        right = engine.logical_and(engine.equal(length % num_unroll, 0), engine.not_equal(length, 0))
        refusal = engine.string_join(["Tensor %s first dimension should be a multiple of: " % key, engine.as_string(num_unroll), ", but saw value: ", engine.as_string(length),
                                      ". Consider setting pad=True."])
        with ops.control_dependencies([Assert(right, [refusal])]):
            made[key] = engine.identity(value, name="multiple_of_checked")
    return made


@export("contrib.training.batch_sequences_with_states")
def batch_sequences_with_states(input_key, input_sequences, input_context, input_length, initial_states, num_unroll, batch_size, num_threads=3, capacity=1000,
                                allow_small_batch=True, pad=True, make_keys_unique=False, make_keys_unique_seed=None, name=None):
    """Batches of sequence segments with the states saved by the previous segments; a queue runner fills them."""
    _no_sparse(input_sequences, "sequence")
    _no_sparse(input_context, "context")
    values = list(input_sequences.values()) + list(input_context.values()) + list(initial_states.values())
    with ops.name_scope(name, "batch_sequences_with_states", values):
        if pad:
            length, input_sequences = _padded(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        elif input_sequences:
            input_sequences = _all_multiples(input_sequences, num_unroll)
        value_length = ops.constant(1)
        if input_sequences:
            first = next(iter(input_sequences.values()))
            with ops.control_dependencies([first]):
                value_length = basics.shape(first)[0]
        basics.cast(value_length, dtype=dtypes.int64)  # TensorFlow makes these nodes too, for sparse contexts
        if make_keys_unique:
            number = engine.random_uniform((), minval=0, maxval=100000000, dtype=dtypes.int32, seed=make_keys_unique_seed)
            input_key = engine.string_join([input_key, engine.as_string(number)])
        saver = SequenceQueueingStateSaver(batch_size, num_unroll, input_length=input_length, input_key=input_key, input_sequences=input_sequences, input_context=input_context,
                                           initial_states=initial_states, capacity=capacity, allow_small_batch=allow_small_batch)
        summary.scalar("queue/%s/ready_segment_batches_" % saver.barrier.name, basics.cast(saver.barrier.ready_size(), dtypes.float32))
        add_queue_runner(QueueRunner(saver, [saver.prefetch_op] * num_threads, queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)))
        return saver.next_batch
