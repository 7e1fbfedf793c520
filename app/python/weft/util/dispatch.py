"""Lets functions accept further types of arguments (tensorflow.python.util.dispatch)."""

from .tf_decorator import make_decorator
from .tf_inspect import getargspec

DISPATCH_ATTR = "_tf_dispatchers"


class OpDispatcher:
    """Handles an op's call if it can handle the arguments."""

    NOT_SUPPORTED = object()

    def handle(self, args, kwargs):
        return self.NOT_SUPPORTED

    def register(self, op):
        if not hasattr(op, DISPATCH_ATTR):
            raise AssertionError("Dispatching not enabled for %s" % op)
        getattr(op, DISPATCH_ATTR).append(self)


def dispatch(op, *args, **kwargs):
    """The result of the first dispatcher that handles the arguments, else NOT_SUPPORTED."""
    for dispatcher in getattr(op, DISPATCH_ATTR):
        result = dispatcher.handle(args, kwargs)
        if result is not OpDispatcher.NOT_SUPPORTED:
            return result
    return OpDispatcher.NOT_SUPPORTED


class _TypeBasedDispatcher(OpDispatcher):
    """Calls a function if an argument, or an element of a list, is of one of the types."""

    def __init__(self, override_func, types):
        self._types, self._override_func = types, override_func

    def _handles(self, args, kwargs):
        return any(isinstance(a, self._types) or isinstance(a, (list, tuple)) and any(isinstance(e, self._types) for e in a) for a in list(args) + list(kwargs.values()))

    def handle(self, args, kwargs):
        return self._override_func(*args, **kwargs) if self._handles(args, kwargs) else self.NOT_SUPPORTED


def dispatch_for_types(op, *types):
    """Decorator: the function replaces `op` if an argument has one of the types."""

    def decorator(func):
        if getargspec(func) != getargspec(op):
            raise AssertionError("The decorated function's signature must exactly match the signature of the overridden op.")
        _TypeBasedDispatcher(func, types).register(op)
        return func

    return decorator


def add_dispatch_list(target):
    if hasattr(target, DISPATCH_ATTR):
        raise AssertionError("%s already has a dispatch list" % target)
    setattr(target, DISPATCH_ATTR, [])
    return target


def add_dispatch_support(target):
    """Decorator: tries the dispatchers if the function raises TypeError or ValueError."""

    def wrapper(*args, **kwargs):
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            result = dispatch(wrapper, *args, **kwargs)
            if result is OpDispatcher.NOT_SUPPORTED:
                raise
            return result

    add_dispatch_list(wrapper)
    return make_decorator(target, wrapper)
