"""Queues, barriers, accumulators, staging areas: where steps leave values for other steps."""

import hashlib

from . import dtypes, ops
from .exports import export
from .op_calls import raw
from .ops import Tensor, name_scope
from .tensor_shape import TensorShape, unknown_shape


def _types(values):
    if not isinstance(values, (list, tuple)):
        values = [values]
    return [dtypes.as_dtype(v) for v in values]


def _shapes(shapes, types, unknown_dim_allowed, unknown_rank_allowed):
    """A list of shapes, or of unknown ones."""
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (tuple, list)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(s is None or isinstance(s, int) for s in shapes):
        shapes = [shapes]  # one shape given without the list around it
    shapes = [TensorShape(s) for s in shapes]
    if not unknown_dim_allowed and any(not s.is_fully_defined() for s in shapes):
        raise ValueError("All shapes must be fully defined: %s" % shapes)
    if not unknown_rank_allowed and any(s.ndims is None for s in shapes):
        raise ValueError("All shapes must have a defined rank: %s" % shapes)
    return shapes


def _names(names, types):
    if names is None:
        return None
    if not isinstance(names, (list, tuple)):
        names = [names]
    return list(names)


@export("QueueBase", "queue.QueueBase")
class QueueBase:
    """A queue whose elements are tuples of tensors."""

    def __init__(self, dtypes, shapes, names, queue_ref):
        self._dtypes = dtypes
        if shapes is not None:
            if len(shapes) != len(dtypes):
                raise ValueError("Queue shapes must have the same length as dtypes")
            self._shapes = [TensorShape(s) for s in shapes]
        else:
            self._shapes = [unknown_shape() for _ in dtypes]
        if names is not None:
            if len(names) != len(dtypes):
                raise ValueError("Queue names must have the same length as dtypes")
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split("/")[-1]

    queue_ref = property(lambda self: self._queue_ref)
    name = property(lambda self: self._queue_ref.op.name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    @staticmethod
    def from_list(index, queues):
        """The queue of a list that `index` selects when the graph runs."""
        import tensorflow as tf

        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        first = queues[0].dtypes
        if not all(first == q.dtypes for q in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        names = queues[0].names
        if not all(names == q.names for q in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        reduced = [a if all(a.is_compatible_with(b) for b in rest) else unknown_shape() for a, *rest in zip(*[q.shapes for q in queues])]
        ref = tf.gather([q.queue_ref for q in queues], index)
        return QueueBase(dtypes=first, shapes=reduced, names=names, queue_ref=ref)

    def _listed(self, vals):
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals.keys(), key=str):
                raise ValueError("Keys in dictionary to enqueue do not match names of Queue.  Dictionary: (%s), Queue: (%s)" % (sorted(vals.keys()), sorted(self._names)))
            return [vals[k] for k in self._names]
        if self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        return list(vals) if isinstance(vals, (list, tuple)) else [vals]

    def _components(self, vals):
        vals = self._listed(vals)
        return [ops.convert_to_tensor(v, dtype=t, name="component_%d" % i) for i, (v, t) in enumerate(zip(vals, self._dtypes))]

    def _scope(self, vals):
        return vals if isinstance(vals, (list, tuple)) else list(vals.values()) if isinstance(vals, dict) else [vals]

    def enqueue(self, vals, name=None):
        """Adds one element."""
        with name_scope(name, "%s_enqueue" % self._name, self._scope(vals)) as scope:
            vals = self._components(vals)
            for v, s in zip(vals, self._shapes):
                v.get_shape().assert_is_compatible_with(s)
            return raw("QueueEnqueueV2")(self._queue_ref, vals, name=scope)

    def enqueue_many(self, vals, name=None):
        """Adds the rows of `vals` as elements."""
        with name_scope(name, "%s_EnqueueMany" % self._name, self._scope(vals)) as scope:
            vals = self._components(vals)
            batch = vals[0].get_shape().with_rank_at_least(1)[0]
            for v, s in zip(vals, self._shapes):
                batch = batch.merge_with(v.get_shape().with_rank_at_least(1)[0])
                v.get_shape()[1:].assert_is_compatible_with(s)
            return raw("QueueEnqueueManyV2")(self._queue_ref, vals, name=scope)

    def _returned(self, tensors):
        if self._names:
            return {n: t for n, t in zip(self._names, tensors)}
        return tensors[0] if len(tensors) == 1 else tensors

    def _as_list(self, made):
        return list(made) if isinstance(made, (list, tuple)) else [made]

    def dequeue(self, name=None):
        """Takes one element; waits for it."""
        made = self._as_list(raw("QueueDequeueV2")(self._queue_ref, self._dtypes, name="%s_Dequeue" % self._name if name is None else name))
        for t, s in zip(made, self._shapes):
            t.set_shape(s)
        return self._returned(made)

    def dequeue_many(self, n, name=None):
        """Takes `n` elements, stacked."""
        made = self._as_list(raw("QueueDequeueManyV2")(self._queue_ref, n=n, component_types=self._dtypes, name="%s_DequeueMany" % self._name if name is None else name))
        batch = ops.constant_value(made[0].op.inputs[1])
        for t, s in zip(made, self._shapes):
            t.set_shape(TensorShape([None if batch is None else int(batch)]).concatenate(s))
        return self._returned(made)

    def dequeue_up_to(self, n, name=None):
        """Takes `n` elements, or the rest of a closed queue."""
        made = self._as_list(raw("QueueDequeueUpToV2")(self._queue_ref, n=n, component_types=self._dtypes, name="%s_DequeueUpTo" % self._name if name is None else name))
        for t, s in zip(made, self._shapes):
            t.set_shape(TensorShape([None]).concatenate(s))
        return self._returned(made)

    def close(self, cancel_pending_enqueues=False, name=None):
        return raw("QueueCloseV2")(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name="%s_Close" % self._name if name is None else name)

    def is_closed(self, name=None):
        return raw("QueueIsClosedV2")(self._queue_ref, name="%s_Is_Closed" % self._name if name is None else name)

    def size(self, name=None):
        return raw("QueueSizeV2")(self._queue_ref, name="%s_Size" % self._name if name is None else name)


@export("FIFOQueue", "queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """First in, first out."""

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        dtypes = _types(dtypes)
        shapes = _shapes(shapes, dtypes, False, False)
        names = _names(names, dtypes)
        super().__init__(dtypes, shapes, names, raw("FIFOQueueV2")(dtypes, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name))


@export("RandomShuffleQueue", "queue.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """Gives its elements in random order."""

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None, shared_name=None, name="random_shuffle_queue"):
        dtypes = _types(dtypes)
        shapes = _shapes(shapes, dtypes, False, False)
        names = _names(names, dtypes)
        seed1, seed2 = ops.get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            seed2 = int(hashlib.md5((str(seed1) + shared_name).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF
        super().__init__(dtypes, shapes, names, raw("RandomShuffleQueueV2")(dtypes, shapes=shapes, capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed1, seed2=seed2,
                                                                            shared_name=shared_name, name=name))


@export("PaddingFIFOQueue", "queue.PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """As FIFOQueue; dequeue_many pads what differs in size."""

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        dtypes = _types(dtypes)
        shapes = _shapes(shapes, dtypes, True, False)
        names = _names(names, dtypes)
        if len(dtypes) != len(shapes):
            raise ValueError("Shapes must be provided for all components, but received %d dtypes and %d shapes." % (len(dtypes), len(shapes)))
        super().__init__(dtypes, shapes, names, raw("PaddingFIFOQueueV2")(dtypes, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name))


@export("PriorityQueue", "queue.PriorityQueue")
class PriorityQueue(QueueBase):
    """Gives the element with the smallest first component (int64)."""

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        types = _types(types)
        shapes = _shapes(shapes, types, False, False)
        ref = raw("PriorityQueueV2")(component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name)
        super().__init__([dtypes.int64] + types, [TensorShape([])] + shapes if shapes else shapes, names, ref)


class Barrier:
    """Elements with keys whose parts may arrive one by one."""

    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = _types(types)
        if shapes is not None:
            shapes = _shapes(shapes, self._types, False, False)
            self._shapes = [TensorShape(s) for s in shapes]
            for i, s in enumerate(self._shapes):
                if s.num_elements() == 0:
                    raise ValueError("Empty tensors are not supported, but received shape '%s' at index %d" % (s, i))
        else:
            self._shapes = [unknown_shape() for _ in self._types]
        self._barrier_ref = raw("Barrier")(component_types=self._types, shapes=self._shapes, shared_name=shared_name, name=name)
        self._name = self._barrier_ref.op.name.split("/")[-1]

    barrier_ref = property(lambda self: self._barrier_ref)
    name = property(lambda self: self._barrier_ref.op.name)

    def insert_many(self, component_index, keys, values, name=None):
        name = "%s_BarrierInsertMany" % self._name if name is None else name
        return raw("BarrierInsertMany")(self._barrier_ref, keys, values, component_index, name=name)

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        name = "%s_BarrierTakeMany" % self._name if name is None else name
        made = raw("BarrierTakeMany")(self._barrier_ref, num_elements, self._types, allow_small_batch, timeout_ms=timeout, name=name)
        return made

    def close(self, cancel_pending_enqueues=False, name=None):
        return raw("BarrierClose")(self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name="%s_BarrierClose" % self._name if name is None else name)

    def ready_size(self, name=None):
        return raw("BarrierReadySize")(self._barrier_ref, name="%s_BarrierReadySize" % self._name if name is None else name)

    def incomplete_size(self, name=None):
        return raw("BarrierIncompleteSize")(self._barrier_ref, name="%s_BarrierIncompleteSize" % self._name if name is None else name)


@export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """Sums gradients until enough of them are there."""

    _prefix = "Accumulator"

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype = dtype
        self._shape = TensorShape(shape) if shape is not None else unknown_shape()
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name=None):
        return raw(self._prefix + "NumAccumulated")(self._accumulator_ref, name="%s_NumAccumulated" % self._name if name is None else name)

    def set_global_step(self, new_global_step, name=None):
        return raw(self._prefix + "SetGlobalStep")(self._accumulator_ref, _int64(new_global_step), name=name)


def _int64(value):
    """tf.to_int64: a Cast where the value is no int64 tensor yet."""
    import tensorflow as tf

    tensor = value if isinstance(value, Tensor) else ops.convert_to_tensor(value)
    return raw("Cast")(tensor, dtypes.int64) if tensor.dtype != dtypes.int64 else tensor


@export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """For dense gradients."""

    _prefix = "ResourceAccumulator"

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        dtype = dtypes.as_dtype(dtype)
        ref = raw("ResourceConditionalAccumulator")(dtype=dtype, shape=shape, shared_name=shared_name, reduction_type=reduction_type, name=name)
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad, local_step=0, name=None):
        grad = ops.convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        return raw("ResourceAccumulatorApplyGradient")(self._accumulator_ref, local_step=_int64(local_step), gradient=grad, name=name)

    def take_grad(self, num_required, name=None):
        out = raw("ResourceAccumulatorTakeGradient")(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        out.set_shape(self._shape)
        return out


@export("SparseConditionalAccumulator", "sparse.SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """For sparse gradients."""

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator", reduction_type="MEAN"):
        dtype = dtypes.as_dtype(dtype)
        ref = raw("SparseConditionalAccumulator")(dtype=dtype, shape=shape, shared_name=shared_name, reduction_type=reduction_type, name=name)
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        return self.apply_grad(grad_indices=grad.indices, grad_values=grad.values, grad_shape=grad.dense_shape, local_step=local_step, name=name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        local_step = _int64(local_step)
        known = grad_shape is not None
        shape = raw("Cast")([] if grad_shape is None else grad_shape, dtypes.int64) if not (isinstance(grad_shape, Tensor) and grad_shape.dtype == dtypes.int64) else grad_shape
        return raw("SparseAccumulatorApplyGradient")(self._accumulator_ref, local_step=local_step, gradient_indices=_int64(grad_indices), gradient_values=grad_values,
                                                     gradient_shape=shape, has_known_shape=known, name=name)

    def take_grad(self, num_required, name=None):
        return raw("SparseAccumulatorTakeGradient")(self._accumulator_ref, num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        indices, values, shape = self.take_grad(num_required, name)
        return ops.IndexedSlices(indices=indices, values=values, dense_shape=shape)

    def num_accumulated(self, name=None):
        return raw("AccumulatorNumAccumulated")(self._accumulator_ref, name="%s_NumAccumulated" % self._name if name is None else name)


@export("contrib.staging.StagingArea")
class StagingArea:
    """Holds tensors between steps."""

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0, memory_limit=0):
        if shared_name is None:
            shared_name = ops.get_default_graph().unique_name("StagingArea")
        self._name = shared_name
        self._dtypes = _types(dtypes)
        if shapes is not None and len(shapes) != len(self._dtypes):
            raise ValueError("StagingArea shapes must be the same length as dtypes")
        self._shapes = [TensorShape(s) for s in shapes] if shapes is not None else [unknown_shape() for _ in self._dtypes]
        if names is not None and len(names) != len(self._dtypes):
            raise ValueError("StagingArea names must be the same length as dtypes")
        self._names = names
        self._capacity, self._memory_limit = capacity, memory_limit
        with name_scope("%s_root" % self._name):
            import tensorflow as tf

            self._coloc_op = tf.no_op()

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _given(self):
        return dict(shared_name=self._name, capacity=self._capacity, memory_limit=self._memory_limit)

    def put(self, values, name=None):
        if isinstance(values, dict):
            values = [values[n] for n in self._names]
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        with name_scope(name, "%s_put" % self._name, values) as scope:
            values = [ops.convert_to_tensor(v, dtype=t, name="component_%d" % i) for i, (v, t) in enumerate(zip(values, self._dtypes))]
            for v, s in zip(values, self._shapes):
                v.shape.assert_is_compatible_with(s)
            with ops.colocate_with(self._coloc_op):
                return raw("Stage")(values, name=scope, **self._given())

    def _out(self, made):
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        for t, s in zip(made, self._shapes):
            t.set_shape(s)
        return {n: t for n, t in zip(self._names, made)} if self._names else made

    def get(self, name=None):
        with ops.colocate_with(self._coloc_op):
            return self._out(raw("Unstage")(dtypes=self._dtypes, name="%s_get" % self._name if name is None else name, **self._given()))

    def peek(self, index, name=None):
        with ops.colocate_with(self._coloc_op):
            return self._out(raw("StagePeek")(index, dtypes=self._dtypes, name="%s_peek" % self._name if name is None else name, **self._given()))

    def size(self, name=None):
        with ops.colocate_with(self._coloc_op):
            return raw("StageSize")(dtypes=self._dtypes, name="%s_size" % self._name if name is None else name, **self._given())

    def clear(self, name=None):
        with ops.colocate_with(self._coloc_op):
            return raw("StageClear")(dtypes=self._dtypes, name="%s_clear" % self._name if name is None else name, **self._given())
