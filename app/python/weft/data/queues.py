"""Queues: tensors stored between steps."""

import functools
import hashlib

from .. import dtypes, engine, ops
from ..dtypes import as_dtype
from ..exports import export
from ..tensor_shape import Dimension, TensorShape, as_shape, unknown_shape


def type_list(dtypes):
    """One dtype or several, as a list of DTypes."""
    return [as_dtype(t) for t in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]


def shape_list(shapes, partial=False):
    """Component shapes, as given by a program, as TensorShapes or None. `partial`: sizes may be unknown, ranks may not."""
    if partial:
        if not isinstance(shapes, (list, tuple)) or not shapes or any(s is None or isinstance(s, int) for s in shapes):
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(s is None or isinstance(s, int) for s in shapes):
        shapes = [shapes]
    shapes = [as_shape(s) for s in shapes]
    if not partial and any(not s.is_fully_defined() for s in shapes):
        raise ValueError("All shapes must be fully defined: %s" % shapes)
    if any(s.dims is None for s in shapes):
        raise ValueError("All shapes must have a defined rank: %s" % shapes)
    return shapes


def name_list(names, dtypes):
    if names is None:
        return None
    names = list(names) if isinstance(names, (list, tuple)) else [names]
    if len(names) != len(dtypes):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return names


def _common_shape(a, b):
    a, b = TensorShape(a), TensorShape(b)
    if a.ndims is None or b.ndims is None or a.ndims != b.ndims:
        return unknown_shape()
    return TensorShape([m if m is not None and m == n else None for m, n in zip(a.as_list(), b.as_list())])


def values_in(vals):
    """The values from which a new name scope finds its graph."""
    if isinstance(vals, (list, tuple)):
        return list(vals)
    return list(vals.values()) if isinstance(vals, dict) else [vals]


@export("QueueBase", "queue.QueueBase", "io.QueueBase")
class QueueBase:
    """A queue held by reference, with the types, shapes and optional names of an element's components."""

    def __init__(self, dtypes, shapes, names, queue_ref):
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(dtypes):
                raise ValueError("Queue %s must have the same length as dtypes" % what)
        self._dtypes = dtypes
        self._shapes = [unknown_shape() for _ in dtypes] if shapes is None else [TensorShape(s) for s in shapes]
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split("/")[-1]

    @staticmethod
    def from_list(index, queues):
        """The queue that `index` (a tensor) selects from a list."""
        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if any(q.dtypes != first.dtypes for q in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != first.names for q in queues):
            raise TypeError("Queues do not have matching component names.")
        shapes = [functools.reduce(_common_shape, s) for s in zip(*[q.shapes for q in queues])]
        return QueueBase(first.dtypes, shapes, first.names, engine.gather(engine.stack([q.queue_ref for q in queues]), index))

    queue_ref = property(lambda self: self._queue_ref)
    name = property(lambda self: self._queue_ref.op.name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    def _components(self, vals):
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError("Keys in dictionary to enqueue do not match names of Queue.  Dictionary: (%s), Queue: (%s)" % (sorted(vals), sorted(self._names)))
            vals = [vals[k] for k in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            if not isinstance(vals, (list, tuple)):
                vals = [vals]
        return [ops.convert_to_tensor(v, dtype=t, name="component_%d" % i) for i, (v, t) in enumerate(zip(vals, self._dtypes))]

    def _old(self, op):
        """The op for this queue's kind of reference."""
        return getattr(engine.raw_ops, op + "V2" if self._queue_ref.dtype == dtypes.resource else op)

    def enqueue(self, vals, name=None):
        """Adds one element; blocks while the queue is full."""
        with ops.name_scope(name, "%s_enqueue" % self._name, values_in(vals)) as scope:
            vals = self._components(vals)
            for value, shape in zip(vals, self._shapes):
                value.get_shape().assert_is_compatible_with(shape)
            return self._old("QueueEnqueue")(handle=self._queue_ref, components=vals, name=scope)

    def enqueue_many(self, vals, name=None):
        """Adds the rows of tensors as elements."""
        with ops.name_scope(name, "%s_EnqueueMany" % self._name, values_in(vals)) as scope:
            vals = self._components(vals)
            rows = Dimension(None)
            for value, shape in zip(vals, self._shapes):
                have = value.get_shape().with_rank_at_least(1)
                rows = rows.merge_with(Dimension(have.as_list()[0] if have.ndims is not None else None))
                value.get_shape()[1:].assert_is_compatible_with(shape)
            return engine.raw_ops.QueueEnqueueManyV2(handle=self._queue_ref, components=vals, name=scope)

    def _result(self, tensors):
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def _shaped(self, tensors, rows=()):
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(TensorShape(list(rows)).concatenate(shape) if rows else shape)
        return self._result(tensors)

    def dequeue(self, name=None):
        """Takes one element; blocks while the queue is empty."""
        return self._shaped(self._old("QueueDequeue")(handle=self._queue_ref, component_types=self._dtypes, name=name or "%s_Dequeue" % self._name))

    def dequeue_many(self, n, name=None):
        """Takes `n` elements and stacks their components."""
        taken = engine.raw_ops.QueueDequeueManyV2(handle=self._queue_ref, n=n, component_types=self._dtypes, name=name or "%s_DequeueMany" % self._name)
        rows = ops.constant_value(taken[0].op.inputs[1])
        return self._shaped(taken, [None if rows is None else int(rows)])

    def dequeue_up_to(self, n, name=None):
        """Takes `n` elements, or the remaining ones once the queue is closed."""
        taken = engine.raw_ops.QueueDequeueUpToV2(handle=self._queue_ref, n=n, component_types=self._dtypes, name=name or "%s_DequeueUpTo" % self._name)
        return self._shaped(taken, [None])

    def close(self, cancel_pending_enqueues=False, name=None):
        """Closes the queue to new elements; remaining ones can still be taken."""
        return self._old("QueueClose")(handle=self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name or "%s_Close" % self._name)

    def is_closed(self, name=None):
        return self._old("QueueIsClosed")(handle=self._queue_ref, name=name or "%s_Is_Closed" % self._name)

    def size(self, name=None):
        return self._old("QueueSize")(handle=self._queue_ref, name=name or "%s_Size" % self._name)


@export("FIFOQueue", "queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """A first-in, first-out queue."""

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, dtypes)
        super().__init__(dtypes, shapes, names, engine.raw_ops.FIFOQueueV2(component_types=dtypes, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name))


@export("RandomShuffleQueue", "queue.RandomShuffleQueue", "io.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that returns elements in random order, keeping at least `min_after_dequeue` of them until it is closed."""

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None, shared_name=None, name="random_shuffle_queue"):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, dtypes)
        seed1, seed2 = ops.get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            # All sharers of a queue must request the same seeds.
            seed2 = int(hashlib.md5((str(seed1) + shared_name).encode()).hexdigest()[:8], 16) & 0x7FFFFFFF
        super().__init__(dtypes, shapes, names, engine.raw_ops.RandomShuffleQueueV2(
            component_types=dtypes, shapes=shapes, capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed1, seed2=seed2, shared_name=shared_name, name=name))


@export("PaddingFIFOQueue", "queue.PaddingFIFOQueue", "io.PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue whose elements may differ in size; dequeue_many pads them with zeros."""

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes, partial=True)
        names = name_list(names, dtypes)
        if len(dtypes) != len(shapes):
            raise ValueError("Shapes must be provided for all components, but received %d dtypes and %d shapes." % (len(dtypes), len(shapes)))
        super().__init__(dtypes, shapes, names, engine.raw_ops.PaddingFIFOQueueV2(component_types=dtypes, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name))


@export("PriorityQueue", "queue.PriorityQueue", "io.PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue ordered by the first component, an int64: smallest first."""

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        types = type_list(types)
        shapes = shape_list(shapes)
        ref = engine.raw_ops.PriorityQueueV2(component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name, name=name)
        super().__init__([dtypes.int64] + types, [()] + shapes if shapes else shapes, names, ref)
