"""Input pipelines of queues: tf.train.string_input_producer, batch, shuffle_batch and their relatives."""

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, cond, no_op
from ..data.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ..exports import export
from ..ops import IndexedSlices, Tensor
from ..sparse_tensor import SparseTensor
from ..summaries import ops as summary
from ..variable_base import Variable
from .queue_runner import QueueRunner, add_queue_runner


@export("train.match_filenames_once", "io.match_filenames_once")
def match_filenames_once(pattern, name=None):
    """A local variable with the paths that match."""
    with ops.name_scope(name, "matching_filenames", [pattern]) as name:
        return Variable(engine.matching_files(pattern), name=name, trainable=False, validate_shape=False, collections=["local_variables"])


@export("train.limit_epochs")
def limit_epochs(tensor, num_epochs=None, name=None):
    """Returns the tensor `num_epochs` times, then raises OutOfRangeError."""
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError("num_epochs must be > 0 not %d." % num_epochs)
    with ops.name_scope(name, "limit_epochs", [tensor]) as name:
        zero = ops.constant(0, dtype=dtypes.int64)
        epochs = Variable(zero, name="epochs", trainable=False, collections=["local_variables"])
        counter = epochs.count_up_to(num_epochs)
        with ops.control_dependencies([counter]):
            return engine.identity(tensor, name=name)


@export("train.input_producer")
def input_producer(input_tensor, element_shape=None, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, summary_name=None,
                   name=None, cancel_op=None):
    """A queue of the rows of a tensor, filled by a queue runner."""
    with ops.name_scope(name, "input_producer", [input_tensor]):
        rows = ops.convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = rows.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError("Either `input_tensor` must have a fully defined shape or `element_shape` must be specified")
        if shuffle:
            rows = engine.random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(capacity=capacity, dtypes=[rows.dtype.base_dtype], shapes=[element_shape], shared_name=shared_name, name=name)
        fill = queue.enqueue_many([rows])
        add_queue_runner(QueueRunner(queue, [fill], cancel_op=cancel_op))
        if summary_name is not None:
            summary.scalar(summary_name, basics.cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


@export("train.string_input_producer")
def string_input_producer(string_tensor, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None, cancel_op=None):
    """A queue of strings, such as file names."""
    refusal = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not string_tensor:
        raise ValueError(refusal)
    with ops.name_scope(name, "input_producer", [string_tensor]) as name:
        texts = ops.convert_to_tensor(string_tensor, dtype=dtypes.string)
        with ops.control_dependencies([Assert(engine.greater(basics.size(texts), 0), [refusal])]):
            texts = engine.identity(texts)
        return input_producer(input_tensor=texts, element_shape=[], num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity,
                              shared_name=shared_name, name=name, summary_name="fraction_of_%d_full" % capacity, cancel_op=cancel_op)


@export("train.range_input_producer")
def range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    """A queue of the integers below a limit."""
    with ops.name_scope(name, "input_producer", [limit]) as name:
        return input_producer(engine.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name, "fraction_of_%d_full" % capacity, name)


@export("train.slice_input_producer")
def slice_input_producer(tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    """Slices of several tensors, at the same index in each."""
    with ops.name_scope(name, "input_producer", tensor_list):
        tensors = _tensors(tensor_list)
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        count = basics.shape(tensors[0])[0]
        queue = range_input_producer(count, num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity, shared_name=shared_name)
        index = queue.dequeue()
        return [engine.gather(t, index) for t in tensors]


def _tensors(values):
    return [v if isinstance(v, (Tensor, SparseTensor, IndexedSlices)) else ops.convert_to_tensor(v) for v in values]


def _as_tensor_list(tensors):
    return [tensors[k] for k in sorted(tensors, key=str)] if isinstance(tensors, dict) else tensors


def _as_original_type(original, values):
    if not isinstance(original, dict):
        return values
    values = [values] if len(original) == 1 else values
    return {key: values[i] for i, key in enumerate(sorted(original, key=str))}


# Sparse tensors are stored in a map beside the queue; the queue holds their handles.


class _Sparse:
    """Where a sparse tensor is stored, and its rank; `op` None: the tensor is dense."""

    def __init__(self, op=None, rank=None):
        self.op, self.rank = op, rank

    def fits(self, other):
        return self.op is other.op and (self.rank is None or other.rank is None or self.rank == other.rank)


def _put(t, many, shared):
    args = {"sparse_indices": t.indices, "sparse_values": t.values, "sparse_shape": t.dense_shape, "container": "", "shared_name": shared or ""}
    return (engine.raw_ops.AddManySparseToTensorsMap if many else engine.raw_ops.AddSparseToTensorsMap)(**args)


def _store(tensors, many, keep, infos=None):
    stored, found = [], []
    for i, t in enumerate(tensors):
        if not isinstance(t, SparseTensor):
            stored.append(t)
            found.append(_Sparse())
            continue
        shared = infos[i].op.name if infos else None
        if keep.shape.ndims == 1:
            t = engine.sparse_retain(t, engine.gather(keep, t.indices[:, 0]))
            handle = _put(t, True, shared)
        elif many:
            handle = _choose(keep, lambda t=t: _put(t, True, shared), lambda t=t: -1 * engine.ones(basics.shape(t)[0:1], dtypes.int64))
            handle.set_shape([None])
        else:
            handle = _choose(keep, lambda t=t: _put(t, False, shared), lambda: ops.constant(-1, dtypes.int64))
        rank = t.dense_shape.shape[0].value if t.dense_shape.shape.ndims is not None else None
        rank = rank - 1 if many and rank is not None else rank
        maker = handle.op
        for x in handle.op.inputs:
            if x.op.type in ("AddSparseToTensorsMap", "AddManySparseToTensorsMap"):
                maker = x.op
        stored.append(engine.expand_dims(handle, [-1]))
        found.append(_Sparse(infos[i].op if infos else maker, rank))
    return stored, found


def _store_each(lists, many, keep):
    first, infos = _store(lists[0], many, keep)
    stored = [first]
    for tensors in lists[1:]:
        more, candidates = _store(tensors, many, keep, infos)
        if not all(a.fits(b) for a, b in zip(infos, candidates)):
            raise ValueError("Inconsistent SparseTensors list: %s vs. %s" % (lists[0], tensors))
        stored.append(more)
    return stored, infos


def _take(values, infos):
    several = isinstance(values, (list, tuple))
    values = list(values) if several else [values]
    made = []
    for value, info in zip(values, infos):
        if info.op is None:
            made.append(value)
            continue
        parts = engine.raw_ops.TakeManySparseFromTensorsMap(
            sparse_handles=engine.squeeze(value, [1]), dtype=info.op.get_attr("T"), container=info.op.get_attr("container"),
            shared_name=info.op.get_attr("shared_name") or info.op.name)
        if info.rank is not None:
            parts[0].set_shape([None, info.rank + 1])
            parts[2].set_shape([info.rank + 1])
        made.append(SparseTensor(*parts))
    if any(isinstance(x, SparseTensor) for x in made):
        # A handle may be used only once, so take all of them if any is taken.
        waits = [x.values if isinstance(x, SparseTensor) else x for x in made]

        def after(x):
            with ops.control_dependencies(waits):
                return engine.identity(x)

        made = [SparseTensor(after(x.indices), after(x.values), after(x.dense_shape)) if isinstance(x, SparseTensor) else after(x) for x in made]
    return made if several else made[0]


def _choose(condition, yes, no):
    """yes() or no() if the condition is known statically, else a cond of both."""
    known = ops.constant_value(condition)
    return cond(condition, yes, no) if known is None else (yes() if known else no())


def _checked_keep(keep_input, many):
    keep = ops.convert_to_tensor(keep_input)
    rank = keep.shape.ndims
    if rank is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not many and rank == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _types(lists):
    all_types = [[t.dtype for t in tensors] for tensors in lists]
    for other in all_types[1:]:
        if other != all_types[0]:
            raise TypeError("Expected types to be consistent: %s vs. %s."
                            % (", ".join(x.name for x in all_types[0]), ", ".join(x.name for x in other)))
    return all_types[0]


def _shapes(lists, shapes, many):
    if shapes is not None:
        return shapes
    merged = []
    for column in zip(*lists):
        for t in column:
            if t.shape.ndims is None:
                raise ValueError("Cannot infer Tensor's rank: %s" % t)
        each = [t.shape.with_rank_at_least(1)[1:] if many else t.shape for t in column]
        for shape in each[1:]:
            each[0].merge_with(shape)
        merged.append(each[0].as_list())
    return merged


def _fill(queue, lists, many, keep, threads=None):
    """Adds the queue's runner: one thread per list, or `threads` threads for a single list."""
    put = queue.enqueue_many if many else queue.enqueue
    ops = []
    for tensors in lists:
        if keep.shape.ndims == 1:
            which = basics.cast(keep, dtypes.int32)
            ops.append(put([engine.dynamic_partition(x, which, num_partitions=2)[1] for x in tensors]))
        else:
            ops.append(_choose(keep, lambda tensors=tensors: put(tensors), no_op))
    add_queue_runner(QueueRunner(queue, ops if threads is None else ops * threads))


def _make(lists, batch_size, keep_input, capacity, many, shapes, smaller, shared_name, name, joined, threads, dynamic_pad=False, shuffled=None):
    """Builds the queue and returns the dequeued batch. `shuffled`: (min_after_dequeue, seed)."""
    flat = [_as_tensor_list(t) for t in lists]
    default = ("shuffle_batch" if shuffled else "batch") + ("_join" if joined else "")
    with ops.name_scope(name, default, [t for tensors in flat for t in tensors] + [keep_input]) as name:
        if shuffled and not joined and capacity <= shuffled[0]:
            raise ValueError("capacity %d must be bigger than min_after_dequeue %d." % (capacity, shuffled[0]))
        flat = [_tensors(tensors) for tensors in flat]
        if not flat or not flat[0]:
            raise ValueError("Expected at least one tensor in batch().")
        keep = _checked_keep(keep_input, many)
        flat, infos = _store_each(flat, many, keep)
        types, shapes = _types(flat), _shapes(flat, shapes, many)
        if shuffled:
            queue = RandomShuffleQueue(capacity=capacity, min_after_dequeue=shuffled[0], seed=shuffled[1], dtypes=types, shapes=shapes,
                                       shared_name=shared_name)
        else:
            kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
            queue = kind(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name)
        _fill(queue, flat, many, keep, None if joined else threads)
        if shuffled:
            room = capacity - shuffled[0]
            full = basics.cast(engine.maximum(0, queue.size() - shuffled[0]), dtypes.float32) * (1.0 / room)
            summary.scalar("fraction_over_%d_of_%d_full" % (shuffled[0], room), full)
        else:
            summary.scalar("fraction_of_%d_full" % capacity, basics.cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        out = queue.dequeue_up_to(batch_size, name=name) if smaller else queue.dequeue_many(batch_size, name=name)
        return _as_original_type(lists[0], _take(out, infos))


def _joined(tensors_list):
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        if any(set(t) != set(tensors_list[0]) for t in tensors_list[1:]):
            raise ValueError("All dictionaries in tensors_list must have the same keys")
    return tensors_list


@export("train.maybe_batch")
def maybe_batch(tensors, keep_input, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
                allow_smaller_final_batch=False, shared_name=None, name=None):
    """As batch(), for elements where `keep_input` is true."""
    return _make([tensors], batch_size, keep_input, capacity, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name, False, num_threads,
                 dynamic_pad)


@export("train.batch")
def batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False,
          shared_name=None, name=None):
    """Batches of repeated evaluations of one list of tensors."""
    return maybe_batch(tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name)


@export("train.maybe_batch_join")
def maybe_batch_join(tensors_list, keep_input, batch_size, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
                     allow_smaller_final_batch=False, shared_name=None, name=None):
    """As batch_join(), for elements where `keep_input` is true."""
    return _make(_joined(tensors_list), batch_size, keep_input, capacity, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name, True, None,
                 dynamic_pad)


@export("train.batch_join")
def batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False,
               shared_name=None, name=None):
    """Batches of elements from several lists of tensors, each evaluated in a separate thread."""
    return maybe_batch_join(tensors_list, True, batch_size, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name)


@export("train.maybe_shuffle_batch")
def maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, num_threads=1, seed=None, enqueue_many=False, shapes=None,
                        allow_smaller_final_batch=False, shared_name=None, name=None):
    """As shuffle_batch(), for elements where `keep_input` is true."""
    return _make([tensors], batch_size, keep_input, capacity, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name, False, num_threads,
                 shuffled=(min_after_dequeue, seed))


@export("train.shuffle_batch")
def shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, num_threads=1, seed=None, enqueue_many=False, shapes=None,
                  allow_smaller_final_batch=False, shared_name=None, name=None):
    """Batches in random order, drawn from at least `min_after_dequeue` elements."""
    return maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many, shapes,
                               allow_smaller_final_batch, shared_name, name)


@export("train.maybe_shuffle_batch_join")
def maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input, seed=None, enqueue_many=False, shapes=None,
                             allow_smaller_final_batch=False, shared_name=None, name=None):
    """As shuffle_batch_join(), for elements where `keep_input` is true."""
    return _make(_joined(tensors_list), batch_size, keep_input, capacity, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name, True, None,
                 shuffled=(min_after_dequeue, seed))


@export("train.shuffle_batch_join")
def shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, seed=None, enqueue_many=False, shapes=None,
                       allow_smaller_final_batch=False, shared_name=None, name=None):
    """Batches in random order of elements from several lists of tensors."""
    return maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many, shapes, allow_smaller_final_batch,
                                    shared_name, name)
