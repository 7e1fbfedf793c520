"""tensorflow.python.util.keyword_args"""

import functools

from .decorator_utils import validate_callable


def keyword_args_only(func):
    """Decorator: ValueError for positional arguments."""
    validate_callable(func, "keyword_args_only")

    @functools.wraps(func)
    def new_func(*args, **kwargs):
        if args:
            raise ValueError("Must use keyword args to call {}.".format(func.__name__))
        return func(**kwargs)

    return new_func
