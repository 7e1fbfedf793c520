"""tensorflow.python.util.tf_contextlib: context managers with inspectable signatures."""

import contextlib

from .tf_decorator import make_decorator


def contextmanager(target):
    """As contextlib.contextmanager, as a TFDecorator of the function."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")
