"""Device names: "/job:ps/task:1/device:GPU:0" and its parts."""

from .exports import export

_FIELDS = ("job", "replica", "task", "device_type", "device_index")


def _parse(spec):
    job = replica = task = kind = index = None
    for word in (spec or "").split("/"):
        parts = word.split(":")
        key = parts[0]
        if len(parts) == 2 and key in ("job", "replica", "task"):
            if key == "job":
                job = parts[1]
            elif key == "replica":
                replica = int(parts[1])
            else:
                task = int(parts[1])
            continue
        if len(parts) <= 2 and key.upper() in ("GPU", "CPU"):
            parts = ["device", key.upper(), parts[1] if len(parts) == 2 else "*"]
        if len(parts) == 3 and parts[0] == "device":
            if kind is not None:
                raise ValueError("Cannot specify multiple device types: %s" % spec)
            kind = parts[1]
            if parts[2] != "*":
                index = int(parts[2])
        elif key != "":
            raise ValueError("Unknown attribute: '%s' in '%s'" % (key, spec))
    return job, replica, task, kind, index


def _part(name, value):
    """A part as device names hold it."""
    if value is None:
        return None
    if name in ("replica", "task", "device_index"):
        return int(value)
    value = str(value)
    return value.upper() if name == "device_type" and value in ("cpu", "gpu") else value


class DeviceSpecV2:
    """The parts of a device name; None for unspecified parts. They cannot be changed."""

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        for name, value in zip(_FIELDS, (job, replica, task, device_type, device_index)):
            object.__setattr__(self, name, _part(name, value))

    def __setattr__(self, name, value):
        raise AttributeError("can't set attribute")

    @classmethod
    def from_string(cls, spec):
        """Parses a device name; ValueError if it is invalid."""
        return cls(*_parse(spec))

    def parse_from_string(self, spec):
        return self.from_string(spec)

    def to_string(self):
        out = ""
        for name in ("job", "replica", "task"):
            if getattr(self, name) is not None:
                out += "/%s:%s" % (name, getattr(self, name))
        if self.device_type is not None:
            out += "/device:%s:%s" % (self.device_type, "*" if self.device_index is None else self.device_index)
        return out

    def make_merged_spec(self, dev):
        """A copy with the parts that `dev` specifies."""
        return self.replace(**{name: getattr(dev, name) for name in _FIELDS if getattr(dev, name) is not None})

    def replace(self, **parts):
        values = {name: getattr(self, name) for name in _FIELDS}
        values.update(parts)
        return type(self)(**values)

    def __eq__(self, other):
        return isinstance(other, DeviceSpecV2) and self.to_string() == other.to_string()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.to_string())

    def __repr__(self):
        return "<DeviceSpec %r>" % self.to_string()


@export("DeviceSpec")
class DeviceSpec(DeviceSpecV2):
    """As DeviceSpecV2, with parts that can be changed."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, _part(name, value) if name in _FIELDS else value)

    def parse_from_string(self, spec):
        self.job, self.replica, self.task, self.device_type, self.device_index = _parse(spec)
        return self

    def merge_from(self, dev):
        """Overwrites the parts that `dev` specifies."""
        for name in _FIELDS:
            if getattr(dev, name) is not None:
                setattr(self, name, getattr(dev, name))


DeviceSpecV1 = DeviceSpec


class MergeDevice:
    """A device function that fills in the parts that an operation's device lacks."""

    def __init__(self, spec):
        self._spec = DeviceSpec.from_string(spec.to_string() if hasattr(spec, "to_string") else spec)

    def __call__(self, node_def):
        return self._spec.make_merged_spec(DeviceSpec.from_string(node_def.device or ""))

    def shortcut_string_merge(self, node_def):
        return self(node_def).to_string()

    @property
    def is_null_merge(self):
        """Whether it has nothing to fill in."""
        return not self._spec.to_string()

    def __repr__(self):
        return "<MergeDevice %r>" % self._spec.to_string()


def merge_device(spec):
    """A device function that merges a device, given by name or DeviceSpec, into those of operations, which keep the parts that they have."""
    return spec if isinstance(spec, MergeDevice) else MergeDevice(spec)


def check_valid(spec):
    """ValueError if a device name is invalid."""
    DeviceSpec.from_string(spec)


def is_device_spec(obj):
    return isinstance(obj, DeviceSpecV2)


def canonical_name(device):
    """The canonical device name of a string or DeviceSpec; empty for None."""
    if device is None:
        return ""
    return device.to_string() if is_device_spec(device) or hasattr(device, "to_string") else DeviceSpec.from_string(device).to_string()
