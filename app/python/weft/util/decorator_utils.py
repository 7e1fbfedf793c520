"""Shared code of function decorators (tensorflow.python.util.decorator_utils): docstring notices, checks."""

import inspect


def get_qualified_name(function):
    return getattr(function, "__qualname__", None) or function.__name__


def _normalize_docstring(docstring):
    """The docstring without indentation and surrounding blank lines."""
    return "\n".join(line.rstrip() for line in inspect.cleandoc(docstring).split("\n")) if docstring else ""


def add_notice_to_docstring(doc, instructions, no_doc_str, suffix_str, notice):
    """The docstring with `suffix_str` after its first line and the notice below it."""
    lines = _normalize_docstring(doc).splitlines() if doc else [no_doc_str]
    if doc:
        lines[0] += " " + suffix_str
    if not notice:
        raise ValueError("The `notice` arg must not be empty.")
    notice[0] = "Warning: " + notice[0]  # changes the caller's list, as in TensorFlow
    below = [""] + notice + ([instructions] if instructions else [])
    if len(lines) > 1 and lines[1].strip():
        below.append("")
    return "\n".join(lines[:1] + below + lines[1:])


def validate_callable(func, decorator_name):
    if not hasattr(func, "__call__"):
        raise ValueError("%s is not a function. If this is a property, make sure @property appears before @%s in your source code:\n\n@property\n@%s\ndef method(...)" %
                         (func, decorator_name, decorator_name))


class classproperty:
    """A property of the class."""

    def __init__(self, func):
        self._func = func

    def __get__(self, owner_self, owner_cls):
        return self._func(owner_cls)
