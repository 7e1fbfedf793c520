"""The inspect module for decorated functions (tensorflow.python.util.tf_inspect): signatures come from the outermost decorator with one, or the target."""

import collections
import functools
import inspect

from .tf_decorator import unwrap

ArgSpec = collections.namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])  # removed from Python 3.11
FullArgSpec = inspect.FullArgSpec


def _stated(obj):
    return next((d.decorator_argspec for d in unwrap(obj)[0] if d.decorator_argspec is not None), None)


def _convert_maybe_argspec_to_fullargspec(argspec):
    if isinstance(argspec, FullArgSpec):
        return argspec
    return FullArgSpec(args=argspec.args, varargs=argspec.varargs, varkw=argspec.keywords, defaults=argspec.defaults, kwonlyargs=[], kwonlydefaults=None, annotations={})


def getfullargspec(obj):
    stated = _stated(obj)
    return inspect.getfullargspec(unwrap(obj)[1]) if stated is None else _convert_maybe_argspec_to_fullargspec(stated)


def _getargspec(target):
    full = getfullargspec(target)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def getargspec(obj):
    """Parameters without keyword-only ones; for functools.partial, the unbound ones."""
    if isinstance(obj, functools.partial):
        return _get_argspec_for_partial(obj)
    stated = _stated(obj)
    if stated:
        return stated
    target = unwrap(obj)[1]
    candidates = [target]
    if isinstance(target, type):
        candidates += [target.__init__, target.__new__]
    for candidate in candidates:
        try:
            return _getargspec(candidate)
        except TypeError:
            pass
    return _getargspec(type(target).__call__)


def _get_argspec_for_partial(obj):
    args, varargs, keywords, defaults = getargspec(obj.func)
    args = args[len(obj.args):]
    missing = object()
    values = [missing] * len(args)
    if defaults:
        values[-len(defaults):] = defaults
    for name, default in (obj.keywords or {}).items():
        if name in args:
            values[args.index(name)] = default
        elif not keywords:
            raise ValueError("Function does not have **kwargs parameter, but contains an unknown partial keyword.")
    first = next((i for i, v in enumerate(values) if v is not missing), None)
    if first is None:
        return ArgSpec(args, varargs, keywords, None)
    bare = [a for a, v in list(zip(args, values))[first:] if v is missing]
    if bare:
        raise ValueError("Some arguments %s do not have default value, but they are positioned after those with default values. This can not be expressed with ArgSpec." % bare)
    return ArgSpec(args, varargs, keywords, tuple(values[first:]))


def getcallargs(*func_and_positional, **named):
    """The value of each parameter in such a call. Parameters without a value are left out."""
    func, positional = func_and_positional[0], func_and_positional[1:]
    spec = getfullargspec(func)
    given = dict(named)
    this = getattr(func, "__self__", None)
    if ismethod(func) and this:
        positional = (this,) + positional
    given.update(zip([a for a in spec.args if a not in given], positional))
    defaults = spec.defaults or ()
    for name, value in zip(spec.args[len(spec.args) - len(defaults):], defaults):
        given.setdefault(name, value)
    for name, value in (spec.kwonlydefaults or {}).items():
        given.setdefault(name, value)
    return given


def currentframe():
    return inspect.stack()[1][0]


def stack(context=1):
    return inspect.stack(context)[1:]


def getfile(object):
    """The file of the target; for a frame, of its module."""
    target = unwrap(object)[1]
    module = getattr(target, "f_globals", {})
    return module["__file__"] if "__file__" in module else inspect.getfile(target)


def _as_it_is(name):
    """A function of inspect, applied to the object without unwrapping decorators."""
    function = getattr(inspect, name)

    @functools.wraps(function)
    def look(*args, **kwargs):
        return function(*args, **kwargs)

    return look


def _of_target(name):
    """A function of inspect, applied to the target."""
    function = getattr(inspect, name)

    @functools.wraps(function)
    def look(object):
        return function(unwrap(object)[1])

    return look


for _name in ("getframeinfo", "getdoc", "getmembers", "getmodule", "getmro"):
    globals()[_name] = _as_it_is(_name)
for _name in ("getsource", "getsourcefile", "getsourcelines", "isbuiltin", "isclass", "isfunction", "isframe", "isgenerator", "isgeneratorfunction", "ismethod", "ismodule", "isroutine"):
    globals()[_name] = _of_target(_name)
    globals()[_name].__module__ = __name__
for _name in ("getframeinfo", "getdoc", "getmembers", "getmodule", "getmro"):
    globals()[_name].__module__ = __name__
