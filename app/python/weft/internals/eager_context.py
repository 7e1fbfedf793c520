"""tensorflow.python.eager.context: the mode of execution, and what programs read of its state."""

from .. import context as defaults
from .. import ops
from ..config import list_physical_devices, session_config
from ..eager import mode

GRAPH_MODE, EAGER_MODE = 0, 1
SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT, DEVICE_PLACEMENT_SILENT_FOR_INT32 = 0, 1, 2, 3


def __getattr__(name):
    if name == "default_execution_mode":
        return EAGER_MODE if defaults.eager_by_default else GRAPH_MODE
    raise AttributeError(name)


def executing_eagerly():
    return ops.executing_eagerly()


in_eager_mode = executing_eagerly
eager_mode, graph_mode = mode.eager_mode, mode.graph_mode


class Context:
    """The state of eager execution."""

    def executing_eagerly(self):
        return executing_eagerly()

    def in_graph_mode(self):
        return not executing_eagerly()

    config = property(lambda self: session_config())
    device_name = property(lambda self: "")
    execution_mode = property(lambda self: SYNC)
    scope_name = property(lambda self: ops.get_name_scope() + "/" if ops.get_name_scope() else "")

    def ensure_initialized(self):
        """Has no effect: eager execution needs no setup."""

    def num_gpus(self):
        return len([d for d in list_physical_devices("GPU")])

    def _clear_caches(self):
        """Has no effect: tensors with values are not kept for reuse."""

    def is_async(self):
        return False


_context = Context()


def context():
    return _context


def context_safe():
    return _context


def ensure_initialized():
    """Has no effect: eager execution needs no setup."""


def is_async():
    return False


def num_gpus():
    return _context.num_gpus()
