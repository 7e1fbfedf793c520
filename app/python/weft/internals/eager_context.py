"""tensorflow.python.eager.context: tells programs whether they execute eagerly. That is so only in functions that tf.py_function calls."""

import contextlib

from .. import ops
from ..config import list_physical_devices, session_config
from ..public_names import enable_eager_execution as _refused
from ..util.tf_contextlib import contextmanager

GRAPH_MODE, EAGER_MODE = 0, 1
default_execution_mode = GRAPH_MODE
SYNC, ASYNC = 0, 1


def executing_eagerly():
    return ops.executing_eagerly()


in_eager_mode = executing_eagerly


class Context:
    """The state of eager execution that a program may read in graph mode."""

    def executing_eagerly(self):
        return executing_eagerly()

    def in_graph_mode(self):
        return not executing_eagerly()

    config = property(lambda self: session_config())
    device_name = property(lambda self: "")
    execution_mode = property(lambda self: SYNC)

    def num_gpus(self):
        return len([d for d in list_physical_devices("GPU")])

    def is_async(self):
        return False


_context = Context()


def context():
    return _context


def context_safe():
    return _context


def ensure_initialized():
    """Has no effect: graphs need no setup."""


def is_async():
    return False


def num_gpus():
    return _context.num_gpus()


@contextmanager
def graph_mode():
    """Context manager: operations are added to a graph. Changes something only in functions that tf.py_function calls."""
    with contextlib.ExitStack() as stack:
        if executing_eagerly():
            stack.enter_context(ops.Graph().as_default())
        yield


def eager_mode():
    """NotImplementedError, as tf.enable_eager_execution()."""
    _refused()
