"""What converted functions call: `ag__` in their code."""

from .builtin_functions import assert_stmt, chained, eq, not_eq  # noqa: F401
from .flow import and_, for_, if_, if_expression, loop_options, not_, or_, while_  # noqa: F401
from .values import UndefinedReturnValue, is_undefined, retval, value_of  # noqa: F401


def artifact(function):
    """Marks a function inside of a converted one: it is converted already."""
    function.ag__done = True
    return function


call = None  # calls a function, converted (api.py)
