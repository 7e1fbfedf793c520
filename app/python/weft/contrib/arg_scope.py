"""Scopes that set default arguments of functions."""

import contextlib
import functools
import inspect

from ..exports import export

_scopes = [{}]
_names = {}


def both(*names):
    """Exports a function as contrib.layers.NAME and contrib.slim.NAME."""
    return export(*["contrib.%s.%s" % (folder, n) for n in names for folder in ("layers", "slim")])


def framework(*names):
    return export(*["contrib.%s.%s" % (folder, n) for n in names for folder in ("framework", "slim")])


@framework("arg_scope_func_key")
def arg_scope_func_key(op):
    return getattr(op, "_key_op", str(op))


@framework("add_arg_scope")
def add_arg_scope(func):
    """Decorator: lets arg_scope set default arguments of the function."""
    @functools.wraps(func)
    def with_defaults(*args, **kwargs):
        given = _scopes[-1].get(key)
        return func(*args, **(dict(given, **kwargs) if given else kwargs))

    key = arg_scope_func_key(func)
    with_defaults._key_op = key
    _names[key] = tuple(p.name for p in inspect.signature(func).parameters.values() if p.default is not p.empty)
    return with_defaults


@framework("has_arg_scope")
def has_arg_scope(func):
    return arg_scope_func_key(func) in _names


@framework("arg_scoped_arguments")
def arg_scoped_arguments(func):
    assert has_arg_scope(func)
    return _names[arg_scope_func_key(func)]


@framework("current_arg_scope")
def current_arg_scope():
    return _scopes[-1]


@framework("arg_scope")
@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    """Context manager that gives the listed functions these default arguments, or re-enters a captured scope."""
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling adictionary, kwargs must be empty.")
        scope = dict(list_ops_or_scope)
    else:
        if not isinstance(list_ops_or_scope, (list, tuple)):
            raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
        scope = dict(_scopes[-1])
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                raise ValueError("%s is not decorated with @add_arg_scope", (op.__module__, op.__name__))
            key = arg_scope_func_key(op)
            scope[key] = dict(scope.get(key, {}), **kwargs)
    _scopes.append(scope)
    try:
        yield scope
    finally:
        _scopes.pop()
