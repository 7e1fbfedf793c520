"""Python's functions on tensors, and assert and comparisons where a conversion includes them."""

import operator

from .. import basics, engine, ops
from ..functions import py_func
from ..ops import Tensor
from ..tensor_array import TensorArray
from . import flow
from .values import is_symbolic

dataset_class = None  # Dataset (eager/iteration.py)
_UNSPECIFIED = object()


def abs_(x):
    return engine.abs(x) if isinstance(x, Tensor) else abs(x)


def float_(x=0):
    if not is_symbolic(x):
        return float(x)
    return engine.string_to_number(x, out_type="float32") if x.dtype.name == "string" else basics.cast(x, "float32")


def int_(x=0, base=_UNSPECIFIED):
    if not is_symbolic(x):
        return int(x) if base is _UNSPECIFIED else int(x, base)
    if base not in (10, _UNSPECIFIED):
        raise NotImplementedError("base {} not supported for int".format(base))
    return engine.string_to_number(x, out_type="int32") if x.dtype.name == "string" else basics.cast(x, "int32")


def len_(s):
    if isinstance(s, TensorArray):
        return s.size()
    if not is_symbolic(s):
        return len(s)
    if s.dtype.name == "variant":
        return engine.raw_ops.TensorListLength(input_handle=s)
    if s.shape.ndims == 0:
        raise ValueError("len requires a non-scalar tensor, got one of shape {}".format(s.shape))
    if s.shape.ndims is not None and s.shape.as_list()[0] is not None:
        return s.shape.as_list()[0]
    if s.shape.ndims is not None:
        return basics.shape(s)[0]
    size = basics.shape(s)
    return flow.tf_cond(engine.greater(basics.size(size), 0), lambda: size[0],
                        lambda: _after(engine.Assert(False, ["len requires non-zero rank, got 0"]) if hasattr(engine, "Assert") else None))


def _after(op):
    with ops.control_dependencies([op]):
        return ops.constant(0)


def print_(*objects, **kwargs):
    unknown = tuple(set(kwargs) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError("invalid keyword arguments: {}".format(unknown))
    if not any(is_symbolic(o) for o in objects):
        return print(*objects, **kwargs)
    kwargs.setdefault("flush", True)

    def show(*values):
        values = iter(values)
        parts = [next(values) if isinstance(o, Tensor) else o for o in objects]
        print(*[p.decode() if isinstance(p, bytes) else p for p in parts], **kwargs)
        return 0

    return py_func.call(show, [o for o in objects if isinstance(o, Tensor)], ["int64"])


def range_(start, stop=_UNSPECIFIED, step=_UNSPECIFIED):
    given = [x for x in (start, stop, step) if x is not _UNSPECIFIED]
    if not any(is_symbolic(x) for x in given):
        return range(*given)
    # As in Python, a range that leads nowhere is empty.
    if len(given) == 1:
        return engine.range(engine.maximum(given[0], 0))
    if len(given) == 2:
        return engine.range(given[0], engine.maximum(given[0], given[1]))
    return engine.range(*given)


def enumerate_(s, start=0):
    return s.enumerate(start) if dataset_class is not None and isinstance(s, dataset_class) else enumerate(s, start)


def zip_(*iterables):
    if iterables and dataset_class is not None and all(isinstance(x, dataset_class) for x in iterables):
        return dataset_class.zip(iterables)
    return zip(*iterables)


OVERLOADS = {abs: abs_, float: float_, int: int_, len: len_, print: print_, range: range_, enumerate: enumerate_, zip: zip_}


def assert_stmt(test, message):
    """`assert test, message()`."""
    if not callable(message):
        raise ValueError("{} must be a callable".format(message))
    if not is_symbolic(test):
        assert test, message()
        return None
    text = message()
    return engine.Assert(test, text if isinstance(text, list) else [text])


def eq(a, b):
    return engine.equal(a, b) if isinstance(a, Tensor) or isinstance(b, Tensor) else a == b


def not_eq(a, b):
    return flow.not_(eq(a, b))


_COMPARISONS = dict(Eq=operator.eq, NotEq=operator.ne, Lt=operator.lt, LtE=operator.le, Gt=operator.gt, GtE=operator.ge, Is=operator.is_, IsNot=operator.is_not,
                    In=lambda a, b: a in b, NotIn=lambda a, b: a not in b)


def chained(operators, operands):
    """a < b < c: each operand is evaluated once, and only as long as it matters."""
    def rest(left, i):
        right = operands[i + 1]()
        held = _COMPARISONS[operators[i]](left, right)
        return held if i + 1 == len(operators) else flow.and_(lambda: held, lambda: rest(right, i + 1))

    return rest(operands[0](), 0)
