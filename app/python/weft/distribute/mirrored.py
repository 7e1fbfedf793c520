"""tf.distribute.MirroredStrategy: a replica on each device; variables have the same value on all of them."""

from .. import config, engine, ops
from ..device import DeviceSpec
from ..exports import export
from ..ops import GraphKeys
from ..variable_base import VariableAggregation, VariableSynchronization
from . import contexts, devices, inputs, values
from .cross_device_ops import best_for, CrossDeviceOps, reduce_plain
from .reduce_op import ReduceOp
from .replicas import call_for_each
from .strategy import Strategy, StrategyExtended
from .variables import MirroredVariable, SyncOnReadVariable


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A replica on each of `devices` (all GPUs, else the CPU). Gradients are summed over the replicas by `cross_device_ops`."""

    def __init__(self, devices=None, cross_device_ops=None):
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


class ContribMirroredStrategy(Strategy):
    """As tf.distribute.MirroredStrategy, with the number of GPUs as an alternative to their names."""

    def __init__(self, devices=None, num_gpus=None, num_gpus_per_worker=None, cross_device_ops=None, auto_shard_dataset=False, cross_tower_ops=None):
        if cross_device_ops is not None and cross_tower_ops is not None:
            raise ValueError("cross_device_ops and cross_tower_ops are two names of one parameter: give one of them")
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot specify both `num_gpus` and `num_gpus_per_worker`.")
        if devices is not None and (num_gpus is not None or num_gpus_per_worker is not None):
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if auto_shard_dataset:
            raise NotImplementedError("contrib.distribute.MirroredStrategy: auto_shard_dataset is not supported: all replicas are in this process")
        count = num_gpus if num_gpus is not None else num_gpus_per_worker
        if devices is None and count is not None:
            devices = _gpus(count)
        super().__init__(_ContribExtended(self, devices, cross_device_ops or cross_tower_ops))

    def make_dataset_iterator(self, dataset):
        """An iterator that gives each replica an element: batches are those of a replica."""
        return super().make_dataset_iterator(dataset)


def _gpus(count):
    return tuple("/device:GPU:%d" % i for i in range(count)) or ("/device:CPU:0",)


def _local(names):
    """Refuses devices of other tasks."""
    jobs = [DeviceSpec.from_string(d).job for d in names]
    local = [job in (None, "localhost") for job in jobs]
    if any(local) and not all(local):
        raise ValueError("Local device string cannot have job specified other than 'localhost'" if local[0] else "Remote device string must have job specified.")
    if not all(local):
        raise ValueError("MirroredStrategy with devices of other tasks is not supported: %s. Give devices of this process." % ", ".join(names))


class MirroredExtended(StrategyExtended):
    """The interface of MirroredStrategy for libraries."""

    def __init__(self, container_strategy, device_names=None, cross_device_ops=None):
        super().__init__(container_strategy)
        names = tuple(devices.resolve(d) for d in device_names or _gpus(len(config.list_physical_devices("GPU"))))
        if len(set(names)) != len(names):
            raise AssertionError("No duplicates allowed in `devices` argument: %s" % (names,))
        _local(names)
        if cross_device_ops is not None and not isinstance(cross_device_ops, CrossDeviceOps):
            raise TypeError("cross_device_ops is an instance of tf.distribute.CrossDeviceOps, not %r" % (cross_device_ops,))
        self._device_map = devices.DeviceMap(names)
        self._cross_device_ops = cross_device_ops or best_for(names)

    worker_devices = parameter_devices = property(lambda self: self._device_map.devices)
    _num_replicas_in_sync = property(lambda self: len(self._device_map))

    def non_slot_devices(self, var_list):
        return self._device_map.devices

    # Variables.

    def _create_variable(self, next_creator, **kwargs):
        beside = kwargs.pop("colocate_with", None)
        if isinstance(beside, inputs.Host):
            with ops.device(beside.device):
                return next_creator(**kwargs)
        device_map = self._device_map if beside is None else beside.device_map
        name = kwargs.get("name")
        kind = _kind_of(kwargs.get("synchronization", VariableSynchronization.ON_WRITE), name)
        aggregation = kwargs.pop("aggregation", VariableAggregation.NONE)
        if not isinstance(aggregation, VariableAggregation):
            raise ValueError("Invalid variable aggregation mode: %s for variable: %s" % (aggregation, name))
        kwargs.pop("caching_device", None)
        collections = kwargs.pop("collections", None)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        made = kind(self._container_strategy(), device_map, self._components(next_creator, device_map.devices, kwargs), aggregation)
        self._collect(made, collections, kwargs.get("trainable", True))
        return made

    def _components(self, next_creator, places, kwargs):
        made = []
        for i, place in enumerate(places):
            with ops.device(place):
                given = dict(kwargs, collections=[])
                if i:
                    given["initial_value"] = _copy_of_initial_value(made[0], place)
                    given["name"] = "%s/replica_%d/" % (made[0].name.split(":")[0], i)
                made.append(next_creator(**given))
        return made

    def _collect(self, made, collections, trainable):
        """Puts a variable in its collections in place of its components, which are trainable ones if nothing is said about training."""
        graph = ops.get_default_graph()
        if trainable:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
            listed = graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            for v in made.values:
                listed[:] = [other for other in listed if other is not v]
        graph.add_to_collections(collections, made)

    # Values.

    def _call_for_each_replica(self, fn, args, kwargs):
        return call_for_each(self._container_strategy(), self._device_map, fn, args, kwargs)

    def _reduce_to(self, reduce_op, value, destinations):
        if isinstance(value, values.Mirrored):
            if reduce_op is ReduceOp.MEAN:
                return value
            raise ValueError("the sum over replicas of a value that is the same on all of them: %s. Reduce what the replicas computed, or take the mean" % (value,))
        if not isinstance(value, values.DistributedValues):
            return reduce_plain(reduce_op, self._num_replicas_in_sync, value, destinations)
        return self._cross_device_ops.reduce(reduce_op, value, destinations)

    def _batch_reduce_to(self, reduce_op, value_destination_pairs):
        return self._cross_device_ops.batch_reduce(reduce_op, value_destination_pairs)

    def _broadcast_to(self, tensor, destinations):
        if isinstance(tensor, (float, int)):
            return tensor  # becomes a tensor when its type is known
        return self._cross_device_ops.broadcast(tensor, destinations or self._device_map)

    def _update(self, var, fn, args, kwargs, group):
        if not hasattr(var, "device_map"):
            raise ValueError("update() of a variable that the strategy did not create: %r" % (var,))
        return self._updated(zip(var.devices, var.values), fn, args, kwargs, group, var.device_map)

    def _update_non_slot(self, colocate_with, fn, args, kwargs, group):
        return self._updated(((d, None) for d in colocate_with), fn, args, kwargs, group, self._device_map)

    def _updated(self, targets, fn, args, kwargs, group, device_map):
        done = []
        for i, (device, variable) in enumerate(targets):
            with ops.device(device), contexts.updating(device), ops.name_scope("update_%d" % i):
                given = values.on_device(device, args)
                done.append(fn(*(given if variable is None else (variable,) + tuple(given)), **values.on_device(device, kwargs)))
        return values.regroup_updates(self._container_strategy(), device_map, done, group)

    def read_var(self, replica_local_var):
        """The value of a variable in cross-replica context."""
        if isinstance(replica_local_var, SyncOnReadVariable):
            return replica_local_var._in_cross_replica()
        return engine.raw_ops.Identity(input=replica_local_var.get())

    def _local_results(self, value):
        return value.values if isinstance(value, values.DistributedValues) else (value,)

    def value_container(self, value):
        return values.value_container(value)

    # Input.

    def _input_contexts(self):
        return inputs.InputContext(num_replicas_in_sync=self._num_replicas_in_sync)

    def _make_dataset_iterator(self, dataset):
        return inputs.DistributedDataset(dataset, self._device_map, self._num_replicas_in_sync)._make_initializable_iterator()

    def _make_input_fn_iterator(self, input_fn):
        return inputs.from_input_fn(input_fn, self._device_map, self._input_contexts())

    def _experimental_distribute_dataset(self, dataset):
        return inputs.DistributedDataset(dataset, self._device_map, self._num_replicas_in_sync)

    def _experimental_distribute_datasets_from_function(self, dataset_fn):
        return inputs.DistributedDatasetFromFunction(dataset_fn, self._device_map, self._input_contexts())

    def _experimental_make_numpy_dataset(self, numpy_input, session):
        return inputs.one_host_numpy_dataset(numpy_input, inputs.Host("/cpu:0"), session)

    # Settings.

    def _configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        if cluster_spec:
            raise ValueError("MirroredStrategy over several tasks is not supported: configure() got a cluster_spec")
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))

    def _update_config_proto(self, config_proto):
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = True
        return updated


class _ContribExtended(MirroredExtended):
    """As the one of tf.distribute, except that a data set's batches are those of one replica."""

    _global_batch_size = False

    def _make_dataset_iterator(self, dataset):
        return inputs.DistributedDataset(dataset, self._device_map, None)._make_initializable_iterator()


def _kind_of(synchronization, name):
    if synchronization is VariableSynchronization.NONE:
        raise ValueError("`NONE` variable synchronization mode is not supported with `Mirrored` distribution strategy. Please change the `synchronization` for variable: %s"
                         % name)
    if not isinstance(synchronization, VariableSynchronization):
        raise ValueError("Invalid variable synchronization mode: %s for variable: %s" % (synchronization, name))
    return SyncOnReadVariable if synchronization is VariableSynchronization.ON_READ else MirroredVariable


def _copy_of_initial_value(first, place):
    def make():
        with ops.device(place):
            return engine.raw_ops.Identity(input=first.initial_value)

    return make
