"""tensorflow.python.ops.data_flow_ops: barriers, and records read in an order that changes with each epoch."""

from .. import engine, ops
from ..constant_values import constant_value
from ..tensor_shape import TensorShape, unknown_shape
from .queues import shape_list, type_list


class Barrier:
    """Elements that are complete once all their components have been inserted by key."""

    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = type_list(types)
        if shapes is None:
            self._shapes = [unknown_shape() for _ in self._types]
        else:
            self._shapes = shape_list(shapes)
            if len(self._shapes) != len(self._types):
                raise ValueError("The number of shapes (%d) and types (%d) must be equal." % (len(self._shapes), len(self._types)))
            for i, shape in enumerate(self._shapes):
                if shape.num_elements() == 0:
                    raise ValueError("Empty tensors are not supported, but received shape '%s' at index %d" % (shape, i))
        self._barrier_ref = engine.raw_ops.Barrier(component_types=self._types, shapes=self._shapes, shared_name=shared_name or "", name=name)
        self._name = name if ops.get_default_graph()._eager else self._barrier_ref.op.name.split("/")[-1]

    barrier_ref = property(lambda self: self._barrier_ref)

    @property
    def name(self):
        return self._name if ops.get_default_graph()._eager else self._barrier_ref.op.name

    def _named(self, name, what):
        return "%s_Barrier%s" % (self._name, what) if name is None else name

    def insert_many(self, component_index, keys, values, name=None):
        """Assigns `values` to a component of the elements of `keys`."""
        return engine.raw_ops.BarrierInsertMany(handle=self._barrier_ref, keys=keys, values=values, component_index=component_index, name=self._named(name, "InsertMany"))

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """(indices, keys, values) of complete elements, which leave the barrier."""
        found = engine.raw_ops.BarrierTakeMany(handle=self._barrier_ref, num_elements=num_elements, component_types=self._types, allow_small_batch=allow_small_batch,
                                               timeout_ms=-1 if timeout is None else timeout, name=self._named(name, "TakeMany"))
        if not ops.get_default_graph()._eager:
            op = found[0].op
            count = None if allow_small_batch else constant_value(op.inputs[1])
            size = TensorShape([None if count is None else int(count)])
            for output, shape in zip(op.outputs, [TensorShape([]), TensorShape([])] + self._shapes):
                output.set_shape(size.concatenate(shape))
        return found

    def close(self, cancel_pending_enqueues=False, name=None):
        """No new keys may be inserted afterwards."""
        return engine.raw_ops.BarrierClose(handle=self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=self._named(name, "Close"))

    def ready_size(self, name=None):
        """The number of complete elements."""
        return engine.raw_ops.BarrierReadySize(handle=self._barrier_ref, name=self._named(name, "ReadySize"))

    def incomplete_size(self, name=None):
        """The number of elements that lack components."""
        return engine.raw_ops.BarrierIncompleteSize(handle=self._barrier_ref, name=self._named(name, "IncompleteSize"))
