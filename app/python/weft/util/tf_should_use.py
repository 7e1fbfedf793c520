"""Results that must be used (tensorflow.python.util.tf_should_use): if one is deleted unused, an error is logged."""

import sys
import traceback

from ..platform import tf_logging
from .tf_decorator import make_decorator

_OWN = ("_tf_should_use_helper", "_true_value")
_wrappers = {}


class _TFShouldUseHelper:
    """Records whether a result was used; logs an error if it is deleted before."""

    def __init__(self, type_, repr_, stack_frame, fatal_error_if_unsated):
        from .. import ops

        self._type, self._repr, self._stack_frame = type_, repr_, stack_frame
        self._fatal_error_if_unsated = fatal_error_if_unsated
        self._sated = ops.get_default_graph().building_function

    def sate(self):
        self._sated = True
        self._type = self._repr = self._stack_frame = None

    def __del__(self):
        if self._sated:
            return
        lines = "".join(line.rstrip() for line in traceback.format_stack(self._stack_frame, limit=5))
        log = tf_logging.fatal if self._fatal_error_if_unsated else tf_logging.error
        log("==================================\nObject was never used (type %s):\n%s\nIf you want to mark it as used call its \"mark_used()\" method.\n"
            "It was originally created here:\n%s\n==================================" % (self._type, self._repr, lines))


def _read(self, key):
    if key in _OWN:
        return object.__getattribute__(self, key)
    object.__getattribute__(self, "_tf_should_use_helper").sate()
    if key == "mark_used":
        return object.__getattribute__(self, key)
    return getattr(object.__getattribute__(self, "_true_value"), key)


def _write(self, key, value):
    if key in _OWN:
        object.__setattr__(self, key, value)
    else:
        object.__getattribute__(self, "_tf_should_use_helper").sate()
        setattr(object.__getattribute__(self, "_true_value"), key, value)


def _mark_used(self, *args, **kwargs):
    true = object.__getattribute__(self, "_true_value")
    return true.mark_used(*args, **kwargs) if hasattr(true, "mark_used") else None


def _get_wrapper(x, tf_should_use_helper):
    """A proxy of `x` that tells the helper about every access."""
    kind = type(x)
    if kind not in _wrappers:
        _wrappers[kind] = type(kind.__name__, (kind,), {
            "__init__": lambda self: None, "__getattribute__": _read, "__setattr__": _write, "mark_used": _mark_used, "__hash__": lambda self: hash(object.__getattribute__(self, "_true_value"))})
    wrapper = object.__new__(_wrappers[kind])
    wrapper._tf_should_use_helper, wrapper._true_value = tf_should_use_helper, x
    return wrapper


def _add_should_use_warning(x, fatal_error=False):
    if x is None or isinstance(x, list) and not x:
        return x
    return _get_wrapper(x, _TFShouldUseHelper(type(x), repr(x), sys._getframe(1), fatal_error))


def _marked(fn, name, fatal_error, note):
    def wrapped(*args, **kwargs):
        return _add_should_use_warning(fn(*args, **kwargs), fatal_error=fatal_error)

    return make_decorator(fn, wrapped, name, (fn.__doc__ or "") + "\n\n  **NOTE** " + note)


def should_use_result(fn):
    """Decorator: logs an error for an unused result."""
    return _marked(fn, "should_use_result", False, "The result should be used; if it is not, an error is logged. Its mark_used() says that this is meant.")


def must_use_result_or_fatal(fn):
    """Decorator: logs a fatal message for an unused result."""
    return _marked(fn, "must_use_result_or_fatal", True, "The result must be used; if it is not, a fatal error is logged. Its mark_used() says that this is meant.")
