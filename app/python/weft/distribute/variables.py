"""Variables with a component on each device: mirrored ones, equal everywhere, and those that each replica changes by itself until they are read."""

import collections
import contextlib
import weakref

from .. import engine, ops
from ..control_flow import group
from ..training.saveables import ResourceSaveable, SaveableObject, SaveSpec
from ..variable_base import Variable, VariableAggregation
from . import contexts, devices
from .reduce_op import ReduceOp
from .values import DistributedValues, Mirrored, OPERATORS, _operator

_NO_AGGREGATION = ("You must specify an aggregation method to update a MirroredVariable in Replica Context: the replicas' values become one before they are assigned. "
                   "Create {name} with aggregation=tf.VariableAggregation.SUM, MEAN or ONLY_FIRST_REPLICA, or update it in a function given to merge_call()")

_VariableOp = collections.namedtuple("DistributedVarOp", ["name", "graph", "traceback", "type"])


@contextlib.contextmanager
def _in_scope_of(strategy):
    """Enters the strategy's scope unless the code already runs in it."""
    if contexts.has_strategy():
        contexts.require_scope(strategy)
        yield
    else:
        with strategy.scope():
            yield


def _of_primary(name):
    return property(lambda self: getattr(self.primary, name))


def _of_closest(name):
    return property(lambda self: getattr(self._nearest(), name))


class DistributedVariable(DistributedValues, Variable):
    """A variable with a resource variable on each device."""

    _resource = True
    _initializer_op = None  # set by _begin_with()

    def __init__(self, strategy, device_map, values, aggregation):
        DistributedValues.__init__(self, device_map, values)
        self._distribute_strategy, self._aggregation = strategy, aggregation
        for v in values:
            v._distributed_container = weakref.ref(self)

    name, dtype, shape, graph = _of_primary("name"), _of_primary("dtype"), _of_primary("shape"), _of_primary("graph")
    trainable, synchronization, constraint = _of_primary("trainable"), _of_primary("synchronization"), _of_primary("constraint")
    _graph_key, _save_slice_info = _of_primary("_graph_key"), _of_primary("_save_slice_info")
    _graph_element = _of_primary("_graph_element")
    device, initial_value = _of_closest("device"), _of_closest("initial_value")
    aggregation = property(lambda self: self._aggregation)
    distribute_strategy = property(lambda self: self._distribute_strategy)
    _shared_name = property(lambda self: self.name.split(":")[0])
    _weft, _tensor, _snapshot = (property(lambda self, name=name: getattr(self._nearest(), name)) for name in ("_weft", "_tensor", "_snapshot"))

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_values", "_device_map"):
            raise AttributeError(name)
        return getattr(self._nearest(), name)

    def _nearest(self):
        """The component of the replica, of the device that is being updated, or of the current device."""
        replica = contexts.get_replica_context()
        if replica is not None:
            return self._values[self._device_map.index_of_replica(replica.index)]
        found = self._device_map.index(contexts.update_device() or devices.canonicalize(devices.current()))
        return self._values[0 if found is None else found]

    @property
    def op(self):
        if contexts.in_cross_replica_context():
            op = self.primary.op
            return _VariableOp(op.name, op.graph, op.traceback, op.type)
        return self.get().op

    @property
    def handle(self):
        if contexts.in_cross_replica_context() and contexts.update_device() is None:
            raise ValueError("`handle` is not available outside the replica context or a `tf.distribute.Strategy.update()` call.")
        return self.get().handle

    @property
    def initializer(self):
        return self._initializer_op if self._initializer_op is not None else group(*[v.initializer for v in self._values])

    def _begin_with(self, value, initializer):
        self._initializer_op = initializer
        for v in self._values:
            v._initial_value = value

    def is_initialized(self, name=None):
        result = self.primary.is_initialized()
        for v in self._values[1:-1]:
            result = engine.logical_and(result, v.is_initialized())
        return engine.logical_and(result, self._values[-1].is_initialized(), name=name)

    def get_shape(self):
        return self.shape

    def eval(self, session=None):
        return self._nearest().eval(session)

    def initialized_value(self):
        return self._nearest().initialized_value()

    def load(self, value, session=None):
        """Sets the value on all devices."""
        for v in self._values:
            v.load(value, session)

    def value(self):
        return self._nearest().value()

    def read_value(self):
        with _in_scope_of(self._distribute_strategy):
            return engine.raw_ops.Identity(input=self.get())

    def _component(self):
        """The variable that an engine function takes instead of this one; None in cross-replica context."""
        return None if contexts.in_cross_replica_context() and contexts.update_device() is None else self.get()

    def _as_argument(self):
        """The value as the input of an engine function."""
        return ops.convert_to_tensor(self)

    def to_proto(self, export_scope=None):
        return self.primary.to_proto(export_scope)

    def _set_save_slice_info(self, info):
        for v in self._values:
            v._set_save_slice_info(info)

    def sparse_read(self, indices, name=None):
        raise AttributeError("a %s has no sparse_read()" % type(self).__name__)

    gather_nd = sparse_read

    def _refuse(self, *unused, **more):
        raise NotImplementedError("%s has no scatter and count_up_to methods: they would change it on one device only" % type(self).__name__)

    scatter_sub = scatter_add = scatter_update = scatter_max = scatter_min = scatter_mul = scatter_div = _refuse
    scatter_nd_sub = scatter_nd_add = scatter_nd_update = count_up_to = _after = _refuse

    def __str__(self):
        return DistributedValues.__str__(self)

    def __repr__(self):
        return DistributedValues.__repr__(self)


for _name in OPERATORS:
    if hasattr(Variable, _name):
        setattr(DistributedVariable, _name, _operator(_name))


def _variable_to_tensor(variable, dtype=None, name=None, as_ref=False):
    return ops.internal_convert_to_tensor(variable.get(), dtype=dtype, name=name, as_ref=as_ref)


ops.register_tensor_conversion_function(DistributedVariable, _variable_to_tensor, 40)


def _combined(strategy, value, aggregation, destinations):
    """The values of all replicas as one on `destinations`."""
    extended = strategy.extended
    if aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
        return extended.broadcast_to(strategy.experimental_local_results(value)[0], destinations)
    return extended.reduce_to(ReduceOp.from_variable_aggregation(aggregation), value, destinations)


class MirroredVariable(DistributedVariable, Mirrored):
    """A variable with the same value on each device."""

    def __getitem__(self, item):
        return self.value()[item]  # a slice of a component could be assigned to, on one device only

    def _in_cross_replica(self):
        return engine.raw_ops.Identity(input=self._closest())

    def _changed(self, method, value, args, kwargs):
        def change(v, *given, **more):
            return getattr(v, method)(*given, **more)

        strategy = self._distribute_strategy
        with _in_scope_of(strategy):
            replica = contexts.get_replica_context()
            if replica is None:
                if contexts.update_device() is not None:
                    return change(self.get(contexts.update_device()), value, *args, **kwargs)
                return strategy.extended.update(self, change, (value,) + args, kwargs)
            if self._aggregation is VariableAggregation.NONE:
                raise ValueError(_NO_AGGREGATION.format(name=self.name))

            def merged(strategy, value, *args, **kwargs):
                return strategy.extended.update(self, change, (_combined(strategy, value, self._aggregation, self),) + args, kwargs)

            return replica.merge_call(merged, (value,) + args, kwargs)

    def assign(self, value, *args, **kwargs):
        return self._changed("assign", value, args, kwargs)

    def assign_add(self, delta, *args, **kwargs):
        return self._changed("assign_add", delta, args, kwargs)

    def assign_sub(self, delta, *args, **kwargs):
        return self._changed("assign_sub", delta, args, kwargs)

    def _as_graph_element(self):
        return (self.primary if contexts.in_cross_replica_context() else self.get())._as_graph_element()

    def _gather_saveables_for_checkpoint(self):
        return {"VARIABLE_VALUE": lambda name=self._shared_name: _MirroredSaveable(self, name)}


class _MirroredSaveable(ResourceSaveable):
    """Saves the first component and restores all of them."""

    def __init__(self, variable, name):
        self._variable = variable
        super().__init__(variable.primary, "", name)

    def restore(self, restored_tensors, restored_shapes):
        return _on_all("assign", self._variable, _restored(restored_tensors, restored_shapes))


def _restored(tensors, shapes):
    return tensors[0] if shapes is None else engine.reshape(tensors[0], shapes[0])


def _on_all(method, variable, value):
    done = []
    for v in variable.values:
        with ops.device(v.device):
            done.append(getattr(v, method)(value))
    return group(*done)


class SyncOnReadVariable(DistributedVariable):
    """A variable that each replica changes by itself; reads in cross-replica context combine the components."""

    def _in_cross_replica(self):
        if self._aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
            return self.primary
        with _in_scope_of(self._distribute_strategy):
            return self._distribute_strategy.reduce(ReduceOp.from_variable_aggregation(self._aggregation), self, axis=None)

    def _changed(self, method, value, args, kwargs):
        with _in_scope_of(self._distribute_strategy):
            if not contexts.in_cross_replica_context():
                return getattr(self.get(), method)(value, *args, **kwargs)
            if self._aggregation is VariableAggregation.SUM:
                if method != "assign":
                    raise ValueError("SyncOnReadVariable does not support `%s` in cross-replica context when aggregation is set to `tf.VariableAggregation.SUM`." % method)
                value *= 1.0 / len(self._values)
            return _on_all(method, self, value)

    assign, assign_add, assign_sub = MirroredVariable.assign, MirroredVariable.assign_add, MirroredVariable.assign_sub

    def _as_graph_element(self):
        return self._in_cross_replica() if contexts.in_cross_replica_context() else self.get()._as_graph_element()

    def _gather_saveables_for_checkpoint(self):
        return {"VARIABLE_VALUE": lambda name=self._shared_name: _CombinedSaveable(self, name)}


class _CombinedSaveable(SaveableObject):
    """Saves the combined value."""

    def __init__(self, variable, name):
        self._variable = variable

        def tensor():
            return variable._distribute_strategy.extended.read_var(variable)

        super().__init__(tensor, [SaveSpec(tensor, "", name, dtype=variable.dtype, device=variable.primary.device)], name)

    def restore(self, restored_tensors, restored_shapes):
        return self._variable.assign(_restored(restored_tensors, restored_shapes))
