"""tensorflow.python.util.tf_contextlib: context managers whose signature can be looked at."""

import contextlib

from .tf_decorator import make_decorator


def contextmanager(target):
    """As contextlib.contextmanager; the result says what it wraps."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")
