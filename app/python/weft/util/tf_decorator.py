"""Decorators that know their targets (tensorflow.python.util.tf_decorator), so that introspection sees the target's signature."""

import inspect
import sys


class TFDecorator:
    """A callable that wraps another one, its target."""

    def __init__(self, decorator_name, target, decorator_doc="", decorator_argspec=None):
        self._decorated_target = target
        self._decorator_name, self._decorator_doc, self._decorator_argspec = decorator_name, decorator_doc, decorator_argspec
        for attribute in ("__name__", "__qualname__"):
            if hasattr(target, attribute):
                setattr(self, attribute, getattr(target, attribute))
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __get__(self, instance, owner):
        return self._decorated_target.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        return self._decorated_target(*args, **kwargs)

    @property
    def decorated_target(self):
        return self._decorated_target

    @decorated_target.setter
    def decorated_target(self, decorated_target):
        self._decorated_target = decorated_target

    decorator_name = property(lambda self: self._decorator_name)
    decorator_doc = property(lambda self: self._decorator_doc)
    decorator_argspec = property(lambda self: self._decorator_argspec)


def make_decorator(target, decorator_func, decorator_name=None, decorator_doc="", decorator_argspec=None):
    """Marks `decorator_func` as a wrapper of `target` and copies its name, module and attributes. The default decorator name is that of the caller."""
    if decorator_name is None:
        decorator_name = sys._getframe(1).f_code.co_name
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = decorator
    for attribute in ("__name__", "__qualname__", "__module__"):
        if hasattr(target, attribute):
            setattr(decorator_func, attribute, getattr(target, attribute))
    for name, value in getattr(target, "__dict__", {}).items():
        if name not in decorator_func.__dict__:
            decorator_func.__dict__[name] = value
    if hasattr(target, "__doc__"):
        decorator_func.__doc__ = decorator.__doc__
    decorator_func.__wrapped__ = target
    decorator_func.__original_wrapped__ = target  # rewrap() changes only __wrapped__
    return decorator_func


def _has_tf_decorator_attr(obj):
    return isinstance(getattr(obj, "_tf_decorator", None), TFDecorator)


def unwrap(maybe_tf_decorator):
    """(decorators from the outermost to the innermost, the innermost target)"""
    decorators, current = [], maybe_tf_decorator
    while True:
        if isinstance(current, TFDecorator):
            decorators.append(current)
        elif _has_tf_decorator_attr(current):
            decorators.append(current._tf_decorator)
        else:
            return decorators, current
        current = decorators[-1].decorated_target


def rewrap(decorator_func, previous_target, new_target):
    """Replaces `previous_target` by `new_target` among the wrapped functions. Returns `decorator_func`, or `new_target` if that is not a decorator."""
    innermost, current = None, decorator_func
    while _has_tf_decorator_attr(current):
        innermost, decorator = current, current._tf_decorator
        if decorator.decorated_target is previous_target:
            break
        current = decorator.decorated_target
        assert current is not None
    if innermost is None:
        assert decorator_func is previous_target
        return new_target
    decorator.decorated_target = new_target
    function = innermost.__func__ if inspect.ismethod(innermost) else innermost  # bound methods accept no attributes
    function.__wrapped__ = new_target
    return decorator_func
