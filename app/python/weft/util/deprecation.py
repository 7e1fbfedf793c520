"""Deprecation decorators (tensorflow.python.util.deprecation): each warns once through tf.logging and adds a notice to the docstring."""

import collections
import functools
import inspect
import re
import sys

from ..platform import tf_logging
from ..exports import export
from . import tf_inspect
from .decorator_utils import add_notice_to_docstring, get_qualified_name, validate_callable
from .tf_contextlib import contextmanager
from .tf_decorator import make_decorator

_PRINT_DEPRECATION_WARNINGS = True
_PRINTED_WARNING = {}

DeprecatedArgSpec = collections.namedtuple("DeprecatedArgSpec", ["position", "has_ok_value", "ok_value"])


class DeprecatedNamesAlreadySet(Exception):
    """A symbol's deprecated names were set twice."""


def _when(date):
    return "in a future version" if date is None else "after %s" % date


def _validate_deprecation_args(date, instructions):
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


def _call_location(outer=False):
    """file:line of the caller of the calling function; `outer`: of that one's caller."""
    frame = sys._getframe(2)
    if outer and frame.f_back is not None:
        frame = frame.f_back
    return "%s:%d" % (frame.f_code.co_filename, frame.f_lineno)


def _warn(key, warn_once, location, text, *words):
    """Logs a warning, unless warnings are off or it was given before. REQUIRES: called directly by the wrapper, whose caller is `location`."""
    if _PRINT_DEPRECATION_WARNINGS and key not in _PRINTED_WARNING:
        if warn_once:
            _PRINTED_WARNING[key] = True
        tf_logging.warning("From %s: " + text, location, *words)


def _wrap_decorator(wrapped_function):
    return lambda wrapper: make_decorator(wrapped_function, wrapper)


def _add_deprecated_function_notice_to_docstring(doc, date, instructions):
    text = ["THIS FUNCTION IS DEPRECATED. It will be removed %s." % _when(date)]
    if instructions:
        text.append("Instructions for updating:")
    return add_notice_to_docstring(doc, instructions, "DEPRECATED FUNCTION", "(deprecated)", text)


def _add_deprecated_arg_notice_to_docstring(doc, date, instructions, deprecated_names):
    return add_notice_to_docstring(doc, instructions, "DEPRECATED FUNCTION ARGUMENTS", "(deprecated arguments)", [
        "SOME ARGUMENTS ARE DEPRECATED: `(%s)`. They will be removed %s." % (", ".join(sorted(deprecated_names)), _when(date)), "Instructions for updating:"])


def _add_deprecated_arg_value_notice_to_docstring(doc, date, instructions, deprecated_name_value_dict):
    values = ", ".join("%s=%r" % item for item in sorted(deprecated_name_value_dict.items()))
    return add_notice_to_docstring(doc, instructions, "DEPRECATED FUNCTION ARGUMENT VALUES", "(deprecated argument values)", [
        "SOME ARGUMENT VALUES ARE DEPRECATED: `(%s)`. They will be removed %s." % (values, _when(date)), "Instructions for updating:"])


def deprecated_alias(deprecated_name, name, func_or_class, warn_once=True):
    """The function, or a subclass of the class, that warns on use and names the replacement."""
    text = "The name %s is deprecated. Please use %s instead.\n"
    if inspect.isclass(func_or_class):

        class _NewClass(func_or_class):
            __doc__ = add_notice_to_docstring(func_or_class.__doc__, "Please use %s instead." % name, "DEPRECATED CLASS", "(deprecated)",
                                              ["THIS CLASS IS DEPRECATED. It will be removed in a future version. "])
            __name__ = func_or_class.__name__
            __module__ = _call_location()

            @_wrap_decorator(func_or_class.__init__)
            def __init__(self, *args, **kwargs):
                _NewClass.__init__.__doc__ = func_or_class.__init__.__doc__
                _warn(_NewClass.__init__, warn_once, _call_location(), text, deprecated_name, name)
                super().__init__(*args, **kwargs)

        return _NewClass
    validate_callable(func_or_class, "deprecated")

    @functools.wraps(func_or_class)
    def new_func(*args, **kwargs):
        _warn(new_func, warn_once, _call_location(), text, deprecated_name, name)
        return func_or_class(*args, **kwargs)

    return make_decorator(func_or_class, new_func, "deprecated",
                          _add_deprecated_function_notice_to_docstring(func_or_class.__doc__, None, "Please use %s instead." % name))


def deprecated_endpoints(*args):
    """Records which public names of a symbol are deprecated; does not warn."""

    def mark(func):
        if "_tf_deprecated_api_names" in func.__dict__:
            raise DeprecatedNamesAlreadySet("Cannot set deprecated names for %s to %s. Deprecated names are already set to %s." %
                                            (func.__name__, str(args), str(func._tf_deprecated_api_names)))
        func._tf_deprecated_api_names = args
        return func

    return mark


@export("contrib.framework.deprecated")
def deprecated(date, instructions, warn_once=True):
    """Decorator: calls of the function warn."""
    _validate_deprecation_args(date, instructions)

    def wrap(func):
        validate_callable(func, "deprecated")

        @functools.wraps(func)
        def new_func(*args, **kwargs):
            _warn(func, warn_once, _call_location(), "%s (from %s) is deprecated and will be removed %s.\nInstructions for updating:\n%s",
                  get_qualified_name(func), func.__module__, _when(date), instructions)
            return func(*args, **kwargs)

        return make_decorator(func, new_func, "deprecated", _add_deprecated_function_notice_to_docstring(func.__doc__, date, instructions))

    return wrap


def _same_value(a, b):
    if a is b:
        return True
    try:
        equal = a == b
    except TypeError:
        return False
    return isinstance(equal, bool) and equal


@export("contrib.framework.deprecated_args")
def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    """Decorator: calls that pass one of the parameters warn; for a pair (name, value) that value is allowed."""
    _validate_deprecation_args(date, instructions)
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    if kwargs and list(kwargs) != ["warn_once"]:
        kwargs.pop("warn_once", None)
        raise ValueError("Illegal argument to deprecated_args: %s" % kwargs)
    warn_once = kwargs.get("warn_once", True)
    old = {}
    for what in deprecated_arg_names_or_tuples:
        name = what[0] if isinstance(what, tuple) else what
        old[name] = DeprecatedArgSpec(-1, isinstance(what, tuple), what[1] if isinstance(what, tuple) else None)

    def wrap(func):
        validate_callable(func, "deprecated_args")
        spec = tf_inspect.getfullargspec(func)
        positions = {n: old[n]._replace(position=i) for i, n in enumerate(spec.args) if n in old}
        if len(positions) + (spec.varargs in old) + (spec.varkw in old) != len(deprecated_arg_names_or_tuples):
            known = spec.args + [spec.varargs, spec.varkw]
            raise ValueError("The following deprecated arguments are not present in the function signature: %s. Found next arguments: %s." %
                             ([n for n in old if n not in known], known))

        @functools.wraps(func)
        def new_func(*args, **kwargs):
            if _PRINT_DEPRECATION_WARNINGS:
                named = tf_inspect.getcallargs(func, *args, **kwargs)

                def allowed(name):
                    return name in positions and positions[name].has_ok_value and _same_value(named[name], positions[name].ok_value)

                given = [n for n, p in positions.items() if p.position < len(args) and not allowed(n)]
                given += [spec.varargs] if spec.varargs in old and len(args) > len(spec.args) else []
                given += [spec.varkw] if spec.varkw in old and kwargs else []
                given += [n for n in old if n in kwargs and not allowed(n)]
                for name in given:
                    _warn((func, name), warn_once, _call_location(), "calling %s (from %s) with %s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
                          get_qualified_name(func), func.__module__, name, _when(date), instructions)
            return func(*args, **kwargs)

        return make_decorator(func, new_func, "deprecated", _add_deprecated_arg_notice_to_docstring(func.__doc__, date, instructions, sorted(old)))

    return wrap


@export("contrib.framework.deprecated_arg_values")
def deprecated_arg_values(date, instructions, warn_once=True, **deprecated_kwargs):
    """Decorator: calls that pass one of these parameter values warn."""
    _validate_deprecation_args(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def wrap(func):
        validate_callable(func, "deprecated_arg_values")

        @functools.wraps(func)
        def new_func(*args, **kwargs):
            if _PRINT_DEPRECATION_WARNINGS:
                named = tf_inspect.getcallargs(func, *args, **kwargs)
                for name, value in deprecated_kwargs.items():
                    if name in named and named[name] == value:
                        _warn((func, name), warn_once, _call_location(), "calling %s (from %s) with %s=%s is deprecated and will be removed %s.\nInstructions for updating:\n%s",
                              get_qualified_name(func), func.__module__, name, value, _when(date), instructions)
            return func(*args, **kwargs)

        return make_decorator(func, new_func, "deprecated", _add_deprecated_arg_value_notice_to_docstring(func.__doc__, date, instructions, deprecated_kwargs))

    return wrap


def deprecated_argument_lookup(new_name, new_value, old_name, old_value):
    """The value of a parameter that was renamed. ValueError if both names are used."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError("Cannot specify both '%s' and '%s'" % (old_name, new_name))
    return old_value


def rewrite_argument_docstring(old_doc, old_argument, new_argument):
    return old_doc.replace("`%s`" % old_argument, "`%s`" % new_argument).replace("%s:" % old_argument, "%s:" % new_argument)


@contextmanager
def silence():
    """Context manager: no warnings of this module inside."""
    global _PRINT_DEPRECATION_WARNINGS
    before, _PRINT_DEPRECATION_WARNINGS = _PRINT_DEPRECATION_WARNINGS, False
    yield
    _PRINT_DEPRECATION_WARNINGS = before


class HiddenTfApiAttribute(property):
    """Hides an inherited attribute: reading it raises AttributeError."""

    def __init__(self, deprecation_message):
        def refuse(unused_self):
            raise AttributeError(deprecation_message)

        super().__init__(refuse)


hide_attribute_from_api = HiddenTfApiAttribute
HIDDEN_ATTRIBUTE = HiddenTfApiAttribute("This attribute has been deprecated.")
