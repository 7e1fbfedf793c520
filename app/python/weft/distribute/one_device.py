"""tf.distribute.OneDeviceStrategy: one replica, whose variables and computation are on one device."""

from .. import dtypes, ops
from ..exports import export
from . import devices, inputs
from .strategy import OneReplicaExtended, ReplicaContext, Strategy


@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Everything on one device."""

    def __init__(self, device):
        super().__init__(OneDeviceExtended(self, device))


class ContribOneDeviceStrategy(Strategy):
    """As tf.distribute.OneDeviceStrategy."""

    def __init__(self, device):
        super().__init__(_ContribExtended(self, device))


class OneDeviceExtended(OneReplicaExtended):
    """The interface of OneDeviceStrategy for libraries."""


    def __init__(self, container_strategy, device):
        super().__init__(container_strategy)
        self._device = devices.canonicalize(device)
        self._input_device = self._device.rsplit("/", 1)[0] + "/device:CPU:0"
        self._device_map = devices.single(device)

    worker_devices = parameter_devices = property(lambda self: (self._device,))

    def non_slot_devices(self, var_list):
        return (self._device,)

    def _create_variable(self, next_creator, **kwargs):
        beside = kwargs.pop("colocate_with", None)
        if beside is None or isinstance(beside, inputs.Host):
            with ops.device(self._device if beside is None else beside.device):
                return next_creator(**kwargs)
        with ops.colocate_with(beside):
            return next_creator(**kwargs)

    def _call_for_each_replica(self, fn, args, kwargs):
        with ops.device(self._device), _OneDeviceReplicaContext(self._container_strategy()):
            return fn(*args, **kwargs)

    def _update_non_slot(self, colocate_with, fn, args, kwargs, group):
        with ops.device(self._device):
            return super()._update_non_slot(self._device, fn, args, kwargs, group)

    def _dataset(self, dataset):
        return inputs.DistributedDataset(dataset, self._device_map, None, self._input_device)

    def _make_dataset_iterator(self, dataset):
        return self._dataset(dataset)._make_initializable_iterator()

    def _make_input_fn_iterator(self, input_fn):
        return inputs.from_input_fn(input_fn, self._device_map, inputs.InputContext(), self._input_device)

    def _experimental_distribute_dataset(self, dataset):
        return self._dataset(dataset)

    def _experimental_distribute_datasets_from_function(self, dataset_fn):
        return inputs.DistributedDatasetFromFunction(dataset_fn, self._device_map, inputs.InputContext(), self._input_device)

    def _experimental_make_numpy_dataset(self, numpy_input, session):
        return inputs.one_host_numpy_dataset(numpy_input, inputs.Host(self._input_device), session)


class _ContribExtended(OneDeviceExtended):
    _global_batch_size = False


class _OneDeviceReplicaContext(ReplicaContext):
    def __init__(self, strategy):
        super().__init__(strategy, ops.constant(0, dtypes.int32))

    @property
    def devices(self):
        return self._strategy.extended.worker_devices
