"""Device names as strategies compare them: complete, such as /replica:0/task:0/device:CPU:1."""

from .. import ops
from ..device import DeviceSpec

_DEFAULT = DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)


class _Nothing:
    """Takes the place of an operation, so that the open device scopes say which device it would get."""

    device = type = name = ""
    node_def = None

    def _set_device(self, device):
        self.device = device.to_string() if hasattr(device, "to_string") else device


def canonicalize(name, default=None):
    """The complete name of a device; missing parts come from `default`, then from the first CPU of task 0, which has a job while execution is eager."""
    spec = DeviceSpec.from_string(name)
    if spec.device_type is not None and spec.device_type != spec.device_type.upper():
        raise AssertionError("Device type '%s' must be all-caps." % spec.device_type)
    result = _DEFAULT.replace(job="localhost") if ops.executing_eagerly() else _DEFAULT
    if default:
        result = result.make_merged_spec(DeviceSpec.from_string(default))
    return result.make_merged_spec(spec).to_string()


def current():
    """The device that the open device scopes give to a new operation; empty without any."""
    op = _Nothing()
    ops.get_default_graph()._apply_device_functions(op)
    return op.device


def resolve(name):
    """The complete name of a device as seen from the open device scopes."""
    return canonicalize(name, default=current())


class DeviceMap:
    """The devices of a value, one for each of its components. `by_replica`: whether the components belong to the replicas, in order."""

    def __init__(self, devices, by_replica=True):
        self.devices = tuple(canonicalize(d) for d in devices)
        self.by_replica = by_replica
        if len(set(self.devices)) != len(self.devices):
            raise ValueError("Duplicate devices in %s, after canonicalization: %s" % (devices, self.devices))

    def __len__(self):
        return len(self.devices)

    def __str__(self):
        return "[%s]" % ", ".join(self.devices)

    def index(self, device):
        """The component on a device, or None."""
        return self.devices.index(device) if device in self.devices else None

    def index_of_replica(self, replica):
        return replica if self.by_replica else 0


def single(device):
    """The map of a value on one device that belongs to no replica."""
    return DeviceMap([device], by_replica=False)
