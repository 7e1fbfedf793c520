"""The parameters and names of callables (tensorflow.python.util.function_utils)."""

import functools

from . import tf_inspect
from .tf_decorator import unwrap


def _is_bound_method(fn):
    _, fn = unwrap(fn)
    return tf_inspect.ismethod(fn) and fn.__self__ is not None


def _is_callable_object(obj):
    return hasattr(obj, "__call__") and tf_inspect.ismethod(obj.__call__)


def fn_args(fn):
    """Names of the unbound parameters."""
    if isinstance(fn, functools.partial):
        return tuple(a for a in fn_args(fn.func)[len(fn.args):] if a not in (fn.keywords or []))
    if _is_callable_object(fn):
        fn = fn.__call__
    args = tf_inspect.getfullargspec(fn).args
    return tuple(args[1:] if args and _is_bound_method(fn) else args)


def has_kwargs(fn):
    """Whether arbitrary keyword arguments are accepted."""
    if isinstance(fn, functools.partial):
        fn = fn.func
    elif _is_callable_object(fn):
        fn = fn.__call__
    elif not callable(fn):
        raise TypeError("fn should be a function-like object, but is of type {}.".format(type(fn)))
    return tf_inspect.getfullargspec(fn).varkw is not None


def _callable_target(func):
    _, func = unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    return func


def get_func_name(func):
    func = _callable_target(func)
    if tf_inspect.isfunction(func):
        return func.__name__
    if tf_inspect.ismethod(func):
        return "%s.%s" % (func.__self__.__class__.__name__, func.__func__.__name__)
    return str(type(func))


def get_func_code(func):
    """The code object, or None if the callable has none."""
    func = _callable_target(func)
    if tf_inspect.isfunction(func) or tf_inspect.ismethod(func):
        return func.__code__
    return getattr(func.__call__, "__code__", None)


def get_disabled_rewriter_config():
    """A serialized ConfigProto that turns the meta optimizer off."""
    from ..protos import ConfigProto

    config = ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config.SerializeToString()
