"""Values with a component on each of several devices."""

from .. import engine, ops
from ..control_flow import group
from ..ops import IndexedSlices, Tensor, is_dense_tensor_like
from ..util import nest
from . import contexts, devices


class DistributedValues:
    """A value with one component for each device of `device_map`."""

    def __init__(self, device_map, values):
        self._device_map, self._values = device_map, tuple(values)

    device_map = property(lambda self: self._device_map)
    values = property(lambda self: self._values)
    primary = property(lambda self: self._values[0])
    devices = property(lambda self: self._device_map.devices)
    is_tensor_like = property(lambda self: all(is_tensor(v) for v in self._values))

    def get(self, device=None):
        """The component of the current replica, of a device, or of the device that is being updated."""
        if device is None:
            replica = contexts.get_replica_context()
            if replica is not None:
                return self._values[self._device_map.index_of_replica(replica.index)]
            device = contexts.update_device()
            if device is None:
                return self._in_cross_replica()
        return self._on(devices.canonicalize(device))

    def _on(self, device):
        found = self._device_map.index(device)
        if found is None:
            raise ValueError("Device %s not found in %s (current device %s)" % (device, self.devices, devices.current()))
        return self._values[found]

    def _closest(self):
        """The component of the current device; the first if there is none."""
        found = self._device_map.index(devices.canonicalize(devices.current()))
        return self._values[0 if found is None else found]

    def _in_cross_replica(self):
        raise AttributeError("'%s' object has no value in cross-replica context" % type(self).__name__)

    def _shown(self, show):
        parts = ",\n".join("  %d %s: %s" % (i, d, show(v)) for i, (d, v) in enumerate(zip(self.devices, self._values)))
        return "%s:{\n%s\n}" % (type(self).__name__, parts)

    def __str__(self):
        return self._shown(str)

    def __repr__(self):
        return self._shown(repr)


class PerReplica(DistributedValues):
    """A value that differs between replicas."""


class Mirrored(DistributedValues):
    """The same value on each device."""

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_values", "_device_map"):
            raise AttributeError(name)
        return getattr(self.get(), name)

    def _in_cross_replica(self):
        return self._closest()

    def _as_graph_element(self):
        held = self.get()
        convert = getattr(held, "_as_graph_element", None)
        return convert() if callable(convert) else held


def _operator(name):
    def apply(self, *others):
        return getattr(self.get(), name)(*others)

    apply.__name__ = name
    return apply


OPERATORS = ["__%s%s__" % (side, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "div") for side in ("", "r")]
OPERATORS += ["__lt__", "__le__", "__gt__", "__ge__", "__getitem__", "__invert__", "__neg__", "__abs__"]
for _name in OPERATORS:
    setattr(Mirrored, _name, _operator(_name))


def _mirrored_to_tensor(value, dtype=None, name=None, as_ref=False):
    return ops.internal_convert_to_tensor(value.get(), dtype=dtype, name=name, as_ref=as_ref)


ops.register_tensor_conversion_function(Mirrored, _mirrored_to_tensor, 60)


def is_tensor(value):
    return isinstance(value, (Tensor, IndexedSlices)) or is_dense_tensor_like(value)


def container_of(value):
    """The variable of several devices that a variable is a component of, or None."""
    reference = value.__dict__.get("_distributed_container") if hasattr(value, "__dict__") else None
    return None if reference is None else reference()


def value_container(value):
    """The variable of several devices that a component belongs to; other values unchanged."""
    found = container_of(value)
    return value if found is None else found


def regroup(device_map, values, wrap=PerReplica):
    """The results of all replicas as one structure whose leaves hold the components of all of them. Equal objects stay as they are."""
    first = values[0]
    if isinstance(first, (list, tuple)):
        for other in values[1:]:
            if not isinstance(other, list if isinstance(first, list) else tuple) or len(other) != len(first):
                raise AssertionError("the replicas' results differ in structure: %r and %r" % (first, other))
        parts = [regroup(device_map, same, wrap) for same in zip(*values)]
        if isinstance(first, list):
            return parts
        return type(first)._make(parts) if hasattr(first, "_fields") else tuple(parts)
    if isinstance(first, dict):
        for other in values[1:]:
            if not isinstance(other, dict) or set(other) != set(first):
                raise AssertionError("the replicas' results differ in structure: %r and %r" % (first, other))
        return {key: regroup(device_map, tuple(v[key] for v in values), wrap) for key in first}
    container = container_of(first)
    if container is None:
        return first if all(v is first for v in values[1:]) else wrap(device_map, values)
    for i, v in enumerate(values):
        if container_of(v) is not container or devices.canonicalize(v.device) != device_map.devices[i]:
            raise AssertionError("replica %d returned %r, which is not its component of %r" % (i, v, container))
    return container


def of_replica(index, structure):
    """The structure with the components of one replica."""
    return nest.map_structure(lambda x: x.values[index] if isinstance(x, DistributedValues) else x, structure)


def on_device(device, structure):
    """The structure with the components of one device."""
    def component(x):
        if not isinstance(x, DistributedValues):
            return x
        if isinstance(x, PerReplica):
            raise TypeError("Expected value to be mirrored across replicas: %s in %s." % (x, structure))
        return x.get(device)

    return nest.map_structure(component, structure)


def regroup_updates(strategy, device_map, updates, grouped):
    """The result of an update: all its operations as one, or the results of each device."""
    if not grouped:
        return nest.map_structure(strategy.experimental_local_results, regroup(device_map, updates, Mirrored))

    def together(device_map, values):
        if len(values) == 1:
            return Mirrored(device_map, values)
        done = group(*values)
        if not all(is_tensor(v) for v in values):
            return done
        after = []
        for value, device in zip(values, device_map.devices):
            with ops.device(device), ops.control_dependencies([done]):
                after.append(engine.raw_ops.Identity(input=value))
        return Mirrored(device_map, after)

    return regroup(device_map, updates, together)
