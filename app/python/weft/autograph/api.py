"""tf.autograph: functions converted on request, and the functions that they call."""

import ast
import functools
import inspect
import os
import threading

from ..exports import export
from ..platform import tf_logging
from . import conversion, operators
from .builtin_functions import OVERLOADS
from .features import features_of

_ERRORS = (conversion.Unconvertible, OSError, SyntaxError, TypeError, AttributeError, KeyError, NameError, AssertionError)
_warned = set()


class AutoGraphError(Exception):
    """A function cannot be converted."""


class ConversionError(AutoGraphError):
    """The conversion itself fails."""


class _Status(threading.local):
    """Whether functions are converted where nothing says so: False inside of do_not_convert."""

    enabled = True


_status = _Status()


class _Disabled:
    def __enter__(self):
        self._old, _status.enabled = _status.enabled, False

    def __exit__(self, *unused):
        _status.enabled = self._old


def is_enabled():
    return _status.enabled


def convert(function, features=frozenset()):
    """`function` converted; itself if it is to be called as it is."""
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func, features), *function.args, **(function.keywords or {}))
    if conversion.stays(function):
        return function
    plain = getattr(function, "__func__", function)
    try:
        made = conversion.converted(plain, features)
    except _ERRORS as e:
        if os.environ.get("AUTOGRAPH_STRICT_CONVERSION") == "1":
            raise
        if plain.__code__ not in _warned:
            _warned.add(plain.__code__)
            tf_logging.warning("Entity %s could not be transformed and will be executed as-is. Cause: %s", function, e)
        return function
    owner = getattr(function, "__self__", None)
    return made.__get__(owner) if owner is not None else made


def tf_convert(function):
    """`function` converted where that is wanted: not inside of do_not_convert."""
    return convert(function) if _status.enabled else function


def call(function, args, kwargs, features=frozenset()):
    """function(*args, **kwargs), converted if it is a function of the program."""
    kwargs = kwargs or {}
    try:
        overload = OVERLOADS.get(function)
    except TypeError:  # without a hash
        overload = None
    if overload is not None:
        return overload(*args, **kwargs)
    if "not recursive" in features:
        return function(*args, **kwargs)
    while isinstance(function, functools.partial):
        args, kwargs, function = function.args + args, {**function.keywords, **kwargs}, function.func
    if inspect.isfunction(function) or inspect.ismethod(function):
        return convert(function, features)(*args, **kwargs)
    if not inspect.isclass(function) and not inspect.isbuiltin(function):
        method = getattr(type(function), "__call__", None)
        if inspect.isfunction(method) and not conversion.stays(method):
            return convert(method, features)(function, *args, **kwargs)
    return function(*args, **kwargs)


operators.call = call


@export("autograph.experimental.do_not_convert")
def do_not_convert(func=None):
    """Decorator: the function is called as it is, and so is what it calls."""
    if func is None:
        return do_not_convert

    def autograph_as_is(*args, **kwargs):
        with _Disabled():
            return func(*args, **kwargs)

    if inspect.isfunction(func) or inspect.ismethod(func):
        functools.update_wrapper(autograph_as_is, func)
    autograph_as_is.ag__done = True
    return autograph_as_is


def to_graph(entity, recursive=True, arg_values=None, arg_types=None, experimental_optional_features=None):
    """`entity`, a function, method or class, converted. Methods become functions of their object."""
    del arg_values, arg_types  # TensorFlow accepts both and reads neither
    features = features_of(experimental_optional_features)
    try:
        if inspect.isclass(entity):
            return _converted_class(entity, features)
        plain = getattr(entity, "__func__", entity)
        if not inspect.isfunction(plain):
            if inspect.isfunction(getattr(type(entity), "__call__", None)):
                plain = type(entity).__call__
            else:
                raise NotImplementedError("Entity \"{}\" has unsupported type \"{}\". Only functions and classes are supported for now.".format(entity, type(entity)))
        if not recursive:
            features = features | {"not recursive"}
        return conversion.converted(plain, features)
    except _ERRORS as e:
        raise ConversionError("converting {}: {}: {}".format(entity, type(e).__name__, e))


def _converted_class(entity, features):
    """A subclass whose methods are the converted ones of the class."""
    methods = {n: conversion.converted(m, features) for n, m in vars(entity).items() if inspect.isfunction(m) and not conversion.stays(m)}
    if not methods:
        raise ValueError("Cannot convert %s: there is nothing to convert in it" % entity)
    return type("Tf" + entity.__name__, (entity,), dict(methods, __module__=entity.__module__))


export("autograph.to_graph")(to_graph)


@export("autograph.to_code")
def to_code(entity, recursive=True, arg_values=None, arg_types=None, indentation="  ", experimental_optional_features=None):
    """The source of the converted function."""
    del recursive, arg_values, arg_types, indentation  # these do not change the text; TensorFlow reads none but the first
    if not hasattr(ast, "unparse"):
        raise NotImplementedError("tf.autograph.to_code needs Python 3.9 or later")
    plain = getattr(entity, "__func__", entity)
    try:
        if inspect.isclass(entity):
            trees = [conversion.tree_of(m, features_of(experimental_optional_features)) for m in vars(entity).values() if inspect.isfunction(m) and not conversion.stays(m)]
            return "\n\n".join(ast.unparse(ast.fix_missing_locations(t)) for t in trees)
        return ast.unparse(ast.fix_missing_locations(conversion.tree_of(plain, features_of(experimental_optional_features))))
    except _ERRORS as e:
        raise ConversionError("converting {}: {}: {}".format(entity, type(e).__name__, e))


@export("autograph.experimental.set_loop_options")
def set_loop_options(parallel_iterations=None, back_prop=None, swap_memory=None, maximum_iterations=None):
    """Options of the loop whose first statement this call is. Outside of converted functions it has no effect."""


_verbosity = None


@export("autograph.set_verbosity")
def set_verbosity(level, alsologtostdout=False):
    """How much is said about conversions. 0: nothing but warnings. Conversions here say nothing else."""
    global _verbosity
    _verbosity = level
    if alsologtostdout:
        tf_logging.warning("tf.autograph.set_verbosity: alsologtostdout has no effect here: conversions write nothing but warnings")


@export("autograph.trace")
def trace(*args):
    """Prints its arguments where it is called while a function is traced."""
    print(*args)
