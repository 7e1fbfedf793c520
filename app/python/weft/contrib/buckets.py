"""tf.contrib.training.bucket: batches of similar elements, gathered in one queue per bucket."""

import functools

import numpy as np

from .. import basics, dtypes, engine, errors, ops
from ..control_flow import cond, group, no_op
from ..data.queues import FIFOQueue, PaddingFIFOQueue
from ..exports import export
from ..ops import Tensor
from ..summaries import ops as summary
from ..tensor_shape import TensorShape
from ..training import input as pipelines
from ..training.queue_runner import QueueRunner, add_queue_runner


def _batch_sizes(batch_size, num_buckets):
    """One size per bucket, known numbers as numbers."""
    if isinstance(batch_size, (list, tuple)):
        if len(batch_size) != num_buckets:
            raise ValueError("If batch_size is a list it must have num_buckets elements")
    else:
        batch_size = [batch_size] * num_buckets
    sizes = []
    for size in batch_size:
        size = ops.convert_to_tensor(size, dtype=dtypes.int32, name="batch_size")
        known = ops.constant_value(size)
        sizes.append(size if known is None else known)
    return sizes


def _runners(queues, top, enqueue_one, moves, num_threads):
    """Two runners: one moves full batches to the top queue, one fills the buckets."""
    finished = (errors.OutOfRangeError, errors.CancelledError)
    add_queue_runner(QueueRunner(queues[0], moves, close_op=top.close(), cancel_op=top.close(cancel_pending_enqueues=True), queue_closed_exception_types=finished))
    add_queue_runner(QueueRunner(top, [enqueue_one] * num_threads, close_op=group(*[q.close() for q in queues]),
                                 cancel_op=group(*[q.close(cancel_pending_enqueues=True) for q in queues]), queue_closed_exception_types=finished))


@export("contrib.training.bucket")
def bucket(tensors, which_bucket, batch_size, num_buckets, num_threads=1, capacity=32, bucket_capacities=None, shapes=None, dynamic_pad=False,
           allow_smaller_final_batch=False, keep_input=True, shared_name=None, name=None):
    """(The bucket of a batch, the batch). Each bucket has a queue; full batches wait in a top queue."""
    sizes_differ = isinstance(batch_size, (list, tuple))
    if sizes_differ and len(batch_size) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    if bucket_capacities is None:
        bucket_capacities = [capacity] * num_buckets
    if len(bucket_capacities) != num_buckets:
        raise ValueError("The list bucket_capacities (%s) must have exactly num_buckets (%d) elements." % (bucket_capacities, num_buckets))
    flat = pipelines._as_tensor_list(tensors)
    with ops.name_scope(name, "bucket", flat) as name:
        flat = pipelines._tensors(flat)
        if not flat:
            raise ValueError("Expected at least one tensor in bucket().")
        keep = pipelines._checked_keep(keep_input, False)
        flat, infos = pipelines._store(flat, False, keep)
        sizes = _batch_sizes(batch_size, num_buckets)
        types, shapes = pipelines._types([flat]), pipelines._shapes([flat], shapes, False)
        which_bucket = ops.convert_to_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queues = [kind(capacity=bucket_capacities[i], dtypes=types, shapes=shapes, shared_name=None if shared_name is None else "%s_%d" % (shared_name, i),
                       name="bucket_queue_%d" % i) for i in range(num_buckets)]
        rows = None if allow_smaller_final_batch or sizes_differ or isinstance(sizes[-1], Tensor) else int(sizes[-1])
        top = PaddingFIFOQueue(capacity=capacity, dtypes=[dtypes.int32] + types,
                               shapes=[TensorShape([])] + [TensorShape([rows]).concatenate(s) for s in queues[0].shapes], shared_name=shared_name, name="top_queue")

        def enqueue_in_its_bucket():
            puts = [cond(engine.equal(which_bucket, i), functools.partial(q.enqueue, flat), no_op) for i, q in enumerate(queues)]
            return group(*puts, name="group_enqueues")

        enqueue_one = pipelines._choose(keep, enqueue_in_its_bucket, no_op)
        moves = []
        for i, (queue, size) in enumerate(zip(queues, sizes)):
            number = ops.constant(i)
            taken = (queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many)(size, name="read_bucket_%d" % i)
            moves.append(top.enqueue([number] + (list(taken) if isinstance(taken, (list, tuple)) else [taken]), name="enqueue_from_bucket_%d" % i))
        _runners(queues, top, enqueue_one, moves, num_threads)
        # TensorFlow 1.15 shows the top queue's size under each bucket's name as well.
        for queue in queues:
            summary.scalar("bucket/%s/size" % queue.name, basics.cast(top.size(), dtypes.float32))
        summary.scalar("bucket/%s/fraction_of_%d_full" % (top.name, capacity), basics.cast(top.size(), dtypes.float32) * (1.0 / capacity))
        taken = top.dequeue(name="dequeue_top")
        batch = taken[1] if len(taken) == 2 else taken[1:]
        return taken[0], pipelines._as_original_type(tensors, pipelines._take(batch, infos))


def _checked_boundaries(boundaries):
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError("bucket_boundaries must be a list or tuple, but received: %s" % boundaries)
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for low, high in zip(boundaries[:-1], boundaries[1:]):
        if not isinstance(low, int) or not isinstance(high, int):
            raise TypeError("bucket boundaries must be integers, but saw: %s and %s" % (low, high))
        if low >= high:
            raise ValueError("Buckets must contain sequential increasing lengths, but saw: %d before %d" % (low, high))


@export("contrib.training.bucket_by_sequence_length")
def bucket_by_sequence_length(input_length, tensors, batch_size, bucket_boundaries, num_threads=1, capacity=32, bucket_capacities=None, shapes=None, dynamic_pad=False,
                              allow_smaller_final_batch=False, keep_input=True, shared_name=None, name=None):
    """(Lengths, batch) of sequences of similar length."""
    flat = pipelines._as_tensor_list(tensors)
    _checked_boundaries(bucket_boundaries)
    with ops.name_scope(name, "bucket_by_sequence_length", [input_length] + list(flat)):
        input_length = ops.convert_to_tensor(input_length, dtype=dtypes.int32, name="input_length")
        least = [np.iinfo(np.int32).min] + list(bucket_boundaries)
        most = list(bucket_boundaries) + [np.iinfo(np.int32).max]
        inside = engine.logical_and(engine.less_equal(least, input_length), engine.less(input_length, most))
        which_bucket = basics.cast(engine.reduce_min(engine.where_v2(inside)), dtypes.int32)
        if shapes is not None:
            shapes = [TensorShape([])] + shapes
        _, batch = bucket([input_length] + list(flat), which_bucket, batch_size, len(bucket_boundaries) + 1, num_threads, capacity, bucket_capacities, shapes, dynamic_pad,
                          allow_smaller_final_batch, keep_input, shared_name)
        return batch[0], pipelines._as_original_type(tensors, batch[1:])
