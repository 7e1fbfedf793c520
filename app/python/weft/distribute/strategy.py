"""The base of all strategies and of the contexts of their replicas."""

import copy
import json
import os
import weakref

from .. import basics, dtypes, engine, ops, variable_scope
from ..control_flow import group
from ..exports import export
from ..functions.custom_gradient import custom_gradient
from ..op_calls import raw
from ..ops import Tensor
from ..platform import tf_logging as logging
from ..util import nest
from ..variable_base import variable_creator_scope
from . import contexts, devices
from .inputs import InputReplicationMode
from .reduce_op import as_reduce_op, ReduceOp


def _mean_parts(v, axis):
    """The sum over an axis and the number of summed elements."""
    total = engine.reduce_sum(v, axis=axis)
    rank = v.shape.ndims
    if rank is not None:
        if not -rank <= axis < rank:
            raise ValueError("`axis` = %r out of range for `value` with rank %d" % (axis, rank))
        axis %= rank
        count = v.shape.as_list()[axis]
        if count is not None:
            return total, count
    elif axis < 0:
        axis = axis + engine.rank(v)
    if rank == 1:
        return total, basics.size(v, out_type=dtypes.int64)
    return total, basics.shape(v, out_type=dtypes.int64)[axis]


@export("distribute.Strategy")
class Strategy:
    """How a program runs on several devices: where its variables are, and how its replicas share what they compute."""

    def __init__(self, extended):
        self._extended = extended
        self._scale_loss_for_estimator = False

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: self._extended._num_replicas_in_sync)

    def scope(self):
        """Context manager: variables created inside are placed by the strategy."""
        return self._extended._scope(self)

    def colocate_vars_with(self, colocate_with_variable):
        return self._extended.colocate_vars_with(colocate_with_variable)

    def make_dataset_iterator(self, dataset):
        """An iterator whose elements are split between the replicas."""
        return self._extended._make_dataset_iterator(dataset)

    def make_input_fn_iterator(self, input_fn, replication_mode=InputReplicationMode.PER_WORKER):
        """An iterator over input_fn(InputContext); each replica gets an element of its own."""
        if replication_mode is not InputReplicationMode.PER_WORKER:
            raise ValueError("Input replication mode not supported: %r" % replication_mode)
        with self.scope():
            return self._extended._make_input_fn_iterator(input_fn)

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        """A data set of the rows of arrays, which are kept in variables."""
        return self._extended.experimental_make_numpy_dataset(numpy_input, session=session)

    def experimental_distribute_dataset(self, dataset):
        return self._extended._experimental_distribute_dataset(dataset)

    def experimental_distribute_datasets_from_function(self, dataset_fn):
        return self._extended._experimental_distribute_datasets_from_function(dataset_fn)

    def experimental_run(self, fn, input_iterator=None):
        """fn(element) on each replica."""
        with self.scope():
            args = () if input_iterator is None else (input_iterator.get_next(),)
        return self.experimental_run_v2(fn, args)

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        """fn(*args, **kwargs) on each replica, with its components of the arguments."""
        with self.scope():
            return self._extended.call_for_each_replica(fn, args, kwargs)

    def reduce(self, reduce_op, value, axis=None):
        """The sum or mean over the replicas, and over an axis of their values if one is given."""
        contexts.require_cross_replica(self)
        reduce_op = as_reduce_op(reduce_op)
        if axis is None:
            return self._extended._reduce(reduce_op, value)
        if reduce_op is ReduceOp.SUM:
            return self._extended._reduce(reduce_op, self.experimental_run_v2(lambda v: engine.reduce_sum(v, axis=axis), (value,)))
        if reduce_op is not ReduceOp.MEAN:
            raise TypeError("Expected `reduce_op` to be a `tf.distribute.ReduceOp`, not: %r" % reduce_op)
        if not isinstance(axis, int):
            raise TypeError("Expected `axis` to be an integer not: %r" % axis)
        total, count = (self._extended._reduce(ReduceOp.SUM, v) for v in self.experimental_run_v2(lambda v: _mean_parts(v, axis), (value,)))
        return engine.truediv(total, basics.cast(count, total.dtype))

    def experimental_local_results(self, value):
        """The components of a value as a tuple."""
        return self._extended._local_results(value)

    unwrap = experimental_local_results

    def group(self, value, name=None):
        """One operation for a value of all replicas."""
        return self._extended._group(value, name)

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Adapts a ConfigProto to the strategy."""
        return self._extended._configure(session_config, cluster_spec, task_type, task_id)

    def update_config_proto(self, config_proto):
        """A copy of a ConfigProto, adapted to the strategy."""
        return self._extended._update_config_proto(config_proto)

    def __deepcopy__(self, memo):
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for key, value in self.__dict__.items():
            setattr(result, key, copy.deepcopy(value, memo))
        result._extended._strategy = weakref.ref(result)
        return result

    def __copy__(self):
        raise RuntimeError("Must only deepcopy DistributionStrategy.")

    def _in_multi_worker_mode(self):
        cluster = json.loads(os.environ.get("TF_CONFIG", "{}")).get("cluster", {})
        return bool(cluster) and "master" not in cluster


class _Scope:
    """The scope of a strategy. Entered again inside itself it has no effect."""

    def __init__(self, strategy, scopes):
        self._strategy, self._scopes, self._again = strategy, scopes, 0

    def __enter__(self):
        if contexts.has_strategy():
            contexts.require_cross_replica(self._strategy)
            self._again += 1
        else:
            contexts.push(contexts.Mode(self._strategy))
            for scope in self._scopes:
                scope.__enter__()
        return self._strategy

    def __exit__(self, *error):
        if self._again:
            self._again -= 1
            return
        for scope in reversed(self._scopes):
            scope.__exit__(*error)
        contexts.pop()


def _without_partitions(getter, *args, **kwargs):
    if kwargs.pop("partitioner", None) is not None:
        logging.log_first_n(logging.WARN, "Partitioned variables are disabled when using current tf.distribute.Strategy.", 1)
    return getter(*args, **kwargs)


@export("distribute.StrategyExtended")
class StrategyExtended:
    """The interface of a strategy for libraries. Subclasses define the methods that start with an underscore."""

    experimental_require_static_shapes = False
    experimental_between_graph = False
    experimental_should_init = should_checkpoint = should_save_summary = True
    _default_device = None
    _global_batch_size = True

    def __init__(self, container_strategy):
        self._strategy = weakref.ref(container_strategy)

    def __deepcopy__(self, memo):
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for key, value in self.__dict__.items():
            setattr(result, key, value if isinstance(value, weakref.ref) else copy.deepcopy(value, memo))
        return result

    def _container_strategy(self):
        return self._strategy()

    # Variables.

    def _scope(self, strategy):
        def create(next_creator, **kwargs):
            contexts.require_scope(strategy)
            kwargs["use_resource"], kwargs["distribute_strategy"] = True, strategy
            return self._create_variable(next_creator, **kwargs)

        scopes = [variable_scope.variable_scope(variable_scope.get_variable_scope(), custom_getter=_without_partitions), variable_creator_scope(create)]
        if self._default_device:
            scopes.append(ops.device(self._default_device))
        return _Scope(strategy, scopes)

    def _create_variable(self, next_creator, **kwargs):
        raise NotImplementedError("must be implemented in descendants")

    def variable_created_in_scope(self, v):
        """Whether a variable was created in the strategy's scope."""
        return v._distribute_strategy is self._container_strategy()

    def colocate_vars_with(self, colocate_with_variable):
        """Context manager: variables created inside are on the devices of another variable."""
        strategy = self._container_strategy()

        def create(next_creator, **kwargs):
            contexts.require_scope(strategy)
            kwargs["use_resource"], kwargs["colocate_with"] = True, colocate_with_variable
            return next_creator(**kwargs)

        contexts.require_scope(strategy)
        self._check_colocation(colocate_with_variable)
        return variable_creator_scope(create)

    def _check_colocation(self, variable):
        if getattr(variable, "_distribute_strategy", None) is None:
            raise ValueError("`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope(), not: %r" % (variable,))
        if variable._distribute_strategy.extended is not self:
            raise ValueError("`colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope(), not %s created in scope: %s"
                             % (variable, variable._distribute_strategy))

    # Values.

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        """fn(*args, **kwargs) on each replica; results with a component for each of them."""
        contexts.require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._call_for_each_replica(fn, args, kwargs or {})

    def _reduce(self, reduce_op, value):
        return self._local_results(self._reduce_to(reduce_op, value, devices.current() or "/device:CPU:0"))[0]

    def reduce_to(self, reduce_op, value, destinations):
        """The sum or mean over the replicas, on the devices of `destinations`."""
        contexts.require_cross_replica(self._container_strategy())
        return self._reduce_to(_sum_or_mean(reduce_op), value, destinations)

    def batch_reduce_to(self, reduce_op, value_destination_pairs):
        """reduce_to() for pairs of a value and destinations."""
        contexts.require_cross_replica(self._container_strategy())
        return self._batch_reduce_to(_sum_or_mean(reduce_op), value_destination_pairs)

    def _batch_reduce_to(self, reduce_op, value_destination_pairs):
        return [self._reduce_to(reduce_op, value, destinations) for value, destinations in value_destination_pairs]

    def broadcast_to(self, tensor, destinations):
        """Copies of a tensor on the devices of `destinations`."""
        contexts.require_cross_replica(self._container_strategy())
        return self._broadcast_to(tensor, destinations)

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """fn(component, …) for the components of a variable, each on its device."""
        contexts.require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._update(var, fn, args, kwargs or {}, group)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        """fn(…) on each of the devices that non_slot_devices() returns."""
        contexts.require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._update_non_slot(colocate_with, fn, args, kwargs or {}, group)

    def _group(self, value, name=None):
        flat = nest.flatten(self._local_results(value))
        if len(flat) != 1 or name is not None:
            return group(*flat, name=name)
        return getattr(flat[0], "op", flat[0])

    # Input.

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        contexts.require_cross_replica(self._container_strategy())
        return self._experimental_make_numpy_dataset(numpy_input, session)

    def experimental_run_steps_on_iterator(self, fn, iterator, iterations=1, initial_loop_values=None):
        raise NotImplementedError("experimental_run_steps_on_iterator() is not supported: run the step that experimental_run() returns in a loop of the program")

    # Settings.

    def _configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Has no effect unless a subclass defines it."""

    def _update_config_proto(self, config_proto):
        return copy.deepcopy(config_proto)


class OneReplicaExtended(StrategyExtended):
    """Base of the strategies with one replica: a value of all replicas is the value itself."""

    _num_replicas_in_sync = 1

    def _reduce_to(self, reduce_op, value, destinations):
        return value

    def _broadcast_to(self, tensor, destinations):
        return tensor

    def _update(self, var, fn, args, kwargs, group):
        return self._update_non_slot(var, fn, (var,) + tuple(args), kwargs, group)

    def _update_non_slot(self, colocate_with, fn, args, kwargs, group):
        with contexts.updating(colocate_with):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    def read_var(self, replica_local_var):
        return engine.raw_ops.Identity(input=replica_local_var)

    def _local_results(self, value):
        return (value,)

    def value_container(self, value):
        return value


def _sum_or_mean(reduce_op):
    reduce_op = as_reduce_op(reduce_op)
    if not isinstance(reduce_op, ReduceOp):
        raise TypeError("Expected `reduce_op` to be a `tf.distribute.ReduceOp`, not: %r" % (reduce_op,))
    return reduce_op


@export("distribute.ReplicaContext")
class ReplicaContext:
    """The current replica of a strategy. `index`: its number as a Python number."""

    index = 0

    def __init__(self, strategy, replica_id_in_sync_group):
        self._strategy, self._replica_id = strategy, replica_id_in_sync_group

    def __enter__(self):
        contexts.push(contexts.Mode(self._strategy, self))

    def __exit__(self, *unused):
        contexts.pop()

    strategy = property(lambda self: self._strategy)
    num_replicas_in_sync = property(lambda self: self._strategy.num_replicas_in_sync)

    @property
    def replica_id_in_sync_group(self):
        """The number of the replica: a tensor inside a strategy, else 0."""
        contexts.require_replica(self)
        return self._replica_id

    @property
    def devices(self):
        """The devices of the replica."""
        contexts.require_replica(self)
        return (devices.current(),)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """merge_fn(strategy, …), called once for all replicas, with the arguments of all of them."""
        contexts.require_replica(self)
        return self._merge_call(merge_fn, args, kwargs or {})

    def _merge_call(self, merge_fn, args, kwargs):
        with contexts.cross_replica(self._strategy):
            return merge_fn(self._strategy, *args, **kwargs)

    def all_reduce(self, reduce_op, value):
        """The sum or mean of a structure of tensors over the replicas; each of them gets the result."""
        def merged(strategy, *flat):
            return strategy.extended.batch_reduce_to(reduce_op, [(v, v.device if isinstance(v, Tensor) else v) for v in flat])

        if reduce_op not in (ReduceOp.SUM, ReduceOp.MEAN):
            reduced = self.merge_call(merged, nest.flatten(value))
            return nest.pack_sequence_as(value, [raw("PreventGradient")(t) for t in reduced])

        @custom_gradient
        def differentiable(*tensors):
            return self.merge_call(merged, tensors), lambda *grads: self.all_reduce(reduce_op, grads)

        return nest.pack_sequence_as(value, nest.flatten(differentiable(*nest.flatten(value))))
