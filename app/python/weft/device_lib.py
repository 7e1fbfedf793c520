"""tensorflow.python.client.device_lib: the devices of this machine."""

from . import _weft, protos
from .exports import export


class _Device:
    """Stands in for the DeviceAttributes proto."""

    def __init__(self, name, device_type, memory_limit, incarnation, description):
        self.name, self.device_type, self.memory_limit, self.incarnation, self.physical_device_desc = name, device_type, memory_limit, incarnation, description

    def __repr__(self):
        return 'name: "%s"\ndevice_type: "%s"\nmemory_limit: %d\nlocality {\n}\nincarnation: %d\n%s' % (
            self.name, self.device_type, self.memory_limit, self.incarnation, 'physical_device_desc: "%s"\n' % self.physical_device_desc if self.physical_device_desc else "")


def list_local_devices(session_config=None):
    """Every device that a session of this process may use."""
    out = []
    from . import settings

    wanted = settings.session_options(session_config).get("device_count", {})
    found, seen = [], {}
    for name, kind, description, memory in _weft.available_devices():
        seen[kind] = seen.get(kind, 0) + 1
        if kind == "CPU":  # the number of CPU devices is configurable
            found += [("%s:%d" % (name.rpartition(":")[0], i), kind, description, memory) for i in range(wanted.get(kind, 1))]
        elif seen[kind] <= wanted.get(kind, seen[kind]):
            found.append((name, kind, description, memory))
    for i, (name, kind, description, memory) in enumerate(found):
        # TensorFlow reports 256 MiB for the CPU, whose memory is not limited.
        out.append(_Device(name, kind, 268435456 if kind == "CPU" else memory, i + 1, description if kind != "CPU" else ""))
    return out


@export("test.is_gpu_available")
def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    from . import settings

    settings.unused("test.is_gpu_available", "a GPU that the engine cannot use is not listed", min_cuda_compute_capability=(min_cuda_compute_capability, None))
    return any(d.device_type == "GPU" for d in list_local_devices())  # all GPUs are CUDA devices


@export("test.gpu_device_name")
def gpu_device_name():
    """The name of the first GPU, or an empty string."""
    return next((d.name for d in list_local_devices() if d.device_type == "GPU"), "")


is_cuda_build, is_rocm_build = True, False  # the names of tensorflow.python.platform.build_info


@export("test.is_built_with_cuda")
def is_built_with_cuda():
    return is_cuda_build
