"""tf.config: the devices and their settings. As in TensorFlow 1.15, sessions without a ConfigProto use the settings made here,
and policies of eager execution have no effect on sessions."""

import collections

from . import protos, settings
from .exports import export, export_value

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])


@export("config.experimental.VirtualDeviceConfiguration")
class VirtualDeviceConfiguration(collections.namedtuple("VirtualDeviceConfiguration", ["memory_limit"])):
    """One of several devices that a device is split into."""

    def __new__(cls, memory_limit=None):
        return super().__new__(cls, memory_limit)


class _State:
    visible = None      # None: all
    started = False     # logical devices have been made
    growth = {}
    virtual = {}
    policy, synchronous = "silent", True
    inter_op = intra_op = 0
    soft_placement = log_placement = jit = False
    options = {}


def session_config():
    """The ConfigProto for sessions that are given none; None if nothing was set."""
    s = _State
    if s.visible is None and not (s.intra_op or s.inter_op or s.soft_placement or s.log_placement or s.jit or s.growth or s.virtual or s.options):
        return None  # the usual case
    config = protos.ConfigProto(intra_op_parallelism_threads=s.intra_op, inter_op_parallelism_threads=s.inter_op, allow_soft_placement=bool(s.soft_placement),
                                log_device_placement=bool(s.log_placement))
    cpus = sum(len(v or [None]) for d, v in s.virtual.items() if d.device_type == "CPU")
    if cpus:
        config.device_count["CPU"] = cpus
    if s.visible is not None:
        shown = [d.name.rpartition(":")[2] for d in s.visible if d.device_type == "GPU"]
        config.device_count["GPU"] = len(shown)
        config.gpu_options.visible_device_list = ",".join(shown)
    if any(s.growth.values()):
        config.gpu_options.allow_growth = True
    for device, parts in s.virtual.items():
        if device.device_type == "GPU" and parts:
            config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[p.memory_limit or 0 for p in parts])
    if s.jit:
        config.graph_options.optimizer_options.global_jit_level = protos.OptimizerOptions.ON_1
    rewrites = config.graph_options.rewrite_options
    for name, value in s.options.items():
        if value is not None:
            setattr(rewrites, name, bool(value) if name in _ALWAYS else protos.RewriterConfig.ON if value else protos.RewriterConfig.OFF)
    return config if config.ListFields() else None


_POLICIES = ("explicit", "warn", "silent", "silent_for_int32")
_SWITCHES = ("layout_optimizer", "constant_folding", "shape_optimization", "remapping", "arithmetic_optimization", "dependency_optimization", "loop_optimization",
             "function_optimization", "debug_stripper", "scoped_allocator_optimization", "pin_to_host_optimization", "implementation_selector", "auto_mixed_precision")
_ALWAYS = ("disable_model_pruning", "disable_meta_optimizer")


def _physical():
    from . import device_lib

    found = []
    for device in device_lib.list_local_devices():
        kind = device.device_type
        if kind in ("CPU", "GPU"):
            found.append(PhysicalDevice("/physical_device:%s:%d" % (kind, sum(1 for f in found if f.device_type == kind)), kind))
    return found


def _of_type(devices, device_type):
    return [d for d in devices if device_type is None or d.device_type == device_type]


def _known(device):
    if device not in _physical():
        raise ValueError("Unrecognized device: %r" % (device,))


@export("config.experimental.list_physical_devices")
def list_physical_devices(device_type=None):
    """The devices of this machine."""
    return _of_type(_physical(), device_type)


@export("config.experimental.get_visible_devices")
def get_visible_devices(device_type=None):
    return _of_type(_physical() if _State.visible is None else _State.visible, device_type)


@export("config.experimental.set_visible_devices")
def set_visible_devices(devices, device_type=None):
    """Which devices (of a type) the program may use."""
    devices = devices if isinstance(devices, list) else [devices]
    for d in devices:
        _known(d)
        if device_type is not None and d.device_type != device_type:
            raise ValueError("Unrecognized device: %r" % (d,))
    rest = [d for d in get_visible_devices() if device_type is not None and d.device_type != device_type]
    wanted = rest + devices
    if _State.started and wanted != get_visible_devices():
        raise RuntimeError("Visible devices cannot be modified after being initialized")
    _State.visible = wanted


@export("config.experimental.list_logical_devices")
def list_logical_devices(device_type=None):
    """The visible devices, with the virtual devices in place of a split one. Device settings are final after this call."""
    _State.started = True
    counts, found = collections.Counter(), []
    for d in get_visible_devices():
        for _ in _State.virtual.get(d) or [None]:
            found.append(LogicalDevice("/job:localhost/replica:0/task:0/device:%s:%d" % (d.device_type, counts[d.device_type]), d.device_type))
            counts[d.device_type] += 1
    return _of_type(found, device_type)


@export("config.experimental_list_devices")
def experimental_list_devices():
    return [d.name for d in list_logical_devices()]


@export("config.experimental.get_memory_growth")
def get_memory_growth(device):
    _known(device)
    return _State.growth[device]


@export("config.experimental.set_memory_growth")
def set_memory_growth(device, enable):
    """Stores the setting only: the engine always allocates memory on demand."""
    _known(device)
    if device.device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU devices")
    if _State.started and _State.growth.get(device) != enable:
        raise RuntimeError("Physical devices cannot be modified after being initialized")
    _State.growth[device] = enable


@export("config.experimental.get_virtual_device_configuration")
def get_virtual_device_configuration(device):
    _known(device)
    return _State.virtual.get(device)


@export("config.experimental.set_virtual_device_configuration")
def set_virtual_device_configuration(device, virtual_devices):
    """Splits a device into several."""
    _known(device)
    if device.device_type == "CPU" and any(v.memory_limit is not None for v in virtual_devices):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if _State.started and _State.virtual.get(device) != virtual_devices:
        raise RuntimeError("Virtual devices cannot be modified after being initialized")
    _State.virtual[device] = virtual_devices


def _kept(path, field, check=None, parallelism=None):
    """Exports get_X and set_X for a stored setting."""
    folder, _, leaf = path.rpartition(".")

    def get():
        return getattr(_State, field)

    def set_(value):
        if check:
            check(value)
        if parallelism and _State.started and value != getattr(_State, field):
            raise RuntimeError("%s op parallelism cannot be modified after initialization." % parallelism)
        setattr(_State, field, value)

    get.__name__, set_.__name__ = "get_" + leaf, "set_" + leaf
    export_value(get, "%s.get_%s" % (folder, leaf))
    export_value(set_, "%s.set_%s" % (folder, leaf))


def _valid_policy(policy):
    if policy not in _POLICIES:
        raise ValueError("Not a valid device policy: %r" % policy)


_kept("config.experimental.device_policy", "policy", _valid_policy)
_kept("config.experimental.synchronous_execution", "synchronous")
_kept("config.threading.inter_op_parallelism_threads", "inter_op", parallelism="Inter")
_kept("config.threading.intra_op_parallelism_threads", "intra_op", parallelism="Intra")
_kept("config.soft_device_placement", "soft_placement")
_kept("config.optimizer.jit", "jit")
_kept("debugging.log_device_placement", "log_placement")


@export("config.optimizer.get_experimental_options")
def get_experimental_options():
    options = {k: v for k, v in _State.options.items() if v is not None}
    for name in _ALWAYS:
        options.setdefault(name, False)
    return options


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options):
    """Turns graph rewrites on or off, for sessions without a ConfigProto."""
    for name in set(options) - set(_SWITCHES + _ALWAYS):
        settings.no_effect("%s in config.optimizer.set_experimental_options" % name, "there is no such rewrite")
    _State.options.update({k: options[k] for k in _SWITCHES + _ALWAYS if k in options})
