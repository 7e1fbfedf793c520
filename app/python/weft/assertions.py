"""tf.debugging.assert_*: in graphs the engine's functions; while execution is eager they check at once and show the values that fail."""

import numpy as np

from . import basics, dtypes, engine, errors, ops, records, shape_asserts
from .control_flow import Assert, no_op, with_dependencies
from .conversion import constant_value
from .exports import export


def _eager():
    return ops.get_default_graph()._eager


def _described(tensor):
    return "shape=%s dtype=%s" % (tensor.shape, tensor.dtype.name)


def _shown(item, count):
    """A part of an error's message; of a tensor its first `count` elements."""
    if not isinstance(item, ops.Tensor):
        return str(item)
    values = item.numpy()
    if np.isscalar(values):
        return str(values)
    flat = np.reshape(values, [-1])
    return str([str(v) for v in flat[:count]] + (["..."] if flat.size > count else []))


def _difference(sign, x, y, count, holds):
    data = ["Condition x %s y did not hold." % sign]
    if count <= 0:
        return data
    x, y, wrong = x.numpy(), y.numpy(), np.logical_not(holds.numpy())
    if np.shape(x) == np.shape(y) and np.ndim(x):
        places = np.argwhere(wrong)[:count]
        data += ["Indices of first %d different values:" % len(places), places, "Corresponding x values:", x[wrong][:count], "Corresponding y values:", y[wrong][:count]]
    for name, values in (("x", x), ("y", y)):
        first = np.reshape(values, [-1])[:count]
        data += ["First %d elements of %s:" % (first.size, name), first]
    return data


def _check_now(sign, op, x, y, data, summarize, message):
    x, y = ops.convert_to_tensor(x, name="x"), ops.convert_to_tensor(y, name="y")
    holds = op(x, y)
    if engine.reduce_all(holds):
        return
    count = 3 if summarize is None else summarize if summarize >= 0 else max(np.size(x.numpy()), np.size(y.numpy()))
    if data is None:
        data = _difference(sign, x, y, count, holds)
    raise errors.InvalidArgumentError(None, None, "\n".join(_shown(d, count) for d in ([message] if message is not None else []) + list(data)))


def _binary(function_name, sign, op_name):
    in_graph = records.function(function_name)

    def check(x, y, data=None, summarize=None, message=None, name=None):
        if not _eager():
            return in_graph(x, y, data=data, summarize=summarize, message=message, name=name)
        if sign == "==" and x is y:
            return None
        with ops.name_scope(name, function_name):
            return _check_now(sign, getattr(engine, op_name), x, y, data, summarize, message)

    check.__name__ = function_name
    check.__doc__ = "Fails unless `x` %s `y` in all elements; `data` is shown if not." % sign
    return export(function_name, "debugging." + function_name)(check)


assert_equal = _binary("assert_equal", "==", "equal")
assert_none_equal = _binary("assert_none_equal", "!=", "not_equal")
assert_less = _binary("assert_less", "<", "less")
assert_less_equal = _binary("assert_less_equal", "<=", "less_equal")
assert_greater = _binary("assert_greater", ">", "greater")
assert_greater_equal = _binary("assert_greater_equal", ">=", "greater_equal")


def _sign(function_name, sign, inner, zero_first):
    in_graph = records.function(function_name)

    def check(x, data=None, summarize=None, message=None, name=None):
        if not _eager():
            return in_graph(x, data=data, summarize=summarize, message=message, name=name)
        x = ops.convert_to_tensor(x, name="x")
        if data is None:
            says, what = "Condition x %s 0 did not hold element-wise:" % sign, "x (%s) = " % _described(x)
            data = [message or ""] + ([says + what] if sign == "<=" else [says, what]) + [x]
        zero = ops.convert_to_tensor(0, dtype=x.dtype)
        pair = (zero, x) if zero_first else (x, zero)
        return inner(*pair, data=data, summarize=summarize)

    check.__name__ = function_name
    check.__doc__ = "Fails unless `x` %s 0 in all elements; `data` is shown if not." % sign
    return export(function_name, "debugging." + function_name)(check)


assert_negative = _sign("assert_negative", "<", assert_less, False)
assert_positive = _sign("assert_positive", ">", assert_less, True)
assert_non_negative = _sign("assert_non_negative", ">=", assert_less_equal, True)
assert_non_positive = _sign("assert_non_positive", "<=", assert_less_equal, False)


@export("assert_near", "debugging.assert_near")
def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """Fails unless `x` and `y` differ by less than `atol` plus `rtol` times the size of `y`."""
    if not _eager():
        return records.function("assert_near")(x, y, rtol=rtol, atol=atol, data=data, summarize=summarize, message=message, name=name)
    x = ops.convert_to_tensor(x, name="x")
    y = ops.convert_to_tensor(y, name="y", dtype=x.dtype)
    least = 10 * np.finfo(x.dtype.as_numpy_dtype).eps
    rtol, atol = (ops.convert_to_tensor(least if t is None else t, dtype=x.dtype) for t in (rtol, atol))
    if data is None:
        data = [message or "", "x and y not equal to tolerance rtol = %s, atol = %s" % (rtol, atol), "x (%s) = " % _described(x), x, "y (%s) = " % _described(y), y]
    return Assert(engine.reduce_all(engine.less(abs(x - y), atol + rtol * abs(y))), data, summarize=summarize)


def _rank(function_name, words, static, op_name):
    in_graph = records.function(function_name)

    def check(x, rank, data=None, summarize=None, message=None, name=None):
        if not _eager() and _is_known_scalar(rank):
            return in_graph(x, rank, data=data, summarize=summarize, message=message, name=name)
        with ops.name_scope(name, function_name, (x, rank) + tuple(data or [])):
            x = ops.convert_to_tensor(x, name="x")
            rank = ops.convert_to_tensor(rank, name="rank")
            own = "" if _eager() else x.name
            if data is None:
                data = [message or "", "Tensor %s must have %s" % (own, words), rank, "Received shape: ", basics.shape(x)]
            assert_type(rank, dtypes.int32)
            known = constant_value(rank)
            if known is not None and known.ndim != 0:
                raise ValueError("Rank must be a scalar.")
            if known is not None and x.shape.ndims is not None:
                if not static(x.shape.ndims, known):
                    raise ValueError("%s.  Tensor %s must have %s %d.  Received rank %d, shape %s" % (message or "", own, words, known, x.shape.ndims, x.shape))
                return no_op(name="static_checks_determined_all_ok")
            condition = getattr(engine, op_name)(basics.rank(x), rank)
            if known is None:
                condition = with_dependencies([assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])], condition)
            return Assert(condition, data, summarize=summarize)

    check.__name__ = function_name
    check.__doc__ = "Fails unless the tensor has the %s of the argument." % words
    return export(function_name, "debugging." + function_name)(check)


def _is_known_scalar(rank):
    if isinstance(rank, ops.Tensor):
        rank = constant_value(rank)
    return rank is not None and np.ndim(rank) == 0


assert_rank = _rank("assert_rank", "rank", lambda have, want: have == want, "equal")
assert_rank_at_least = _rank("assert_rank_at_least", "rank at least", lambda have, want: have >= want, "greater_equal")


@export("assert_integer", "debugging.assert_integer")
def assert_integer(x, message=None, name=None):
    """Fails unless `x` has an integer type."""
    if not _eager():
        return records.function("assert_integer")(x, message=message, name=name)
    x = ops.convert_to_tensor(x, name="x")
    if not x.dtype.is_integer:
        raise TypeError("%s  Expected \"x\" to be integer type.  Found: tensor of dtype %s" % (message or "", x.dtype))
    return None


@export("assert_type", "debugging.assert_type")
def assert_type(tensor, tf_type, message=None, name=None):
    """Fails unless the tensor has the type `tf_type`."""
    if not _eager():
        return records.function("assert_type")(tensor, tf_type, message=message, name=name)
    if ops.convert_to_tensor(tensor, name="tensor").dtype != tf_type:
        raise TypeError("%s tensor must be of type %s" % (message or "", dtypes.as_dtype(tf_type)))
    return None


@export("assert_scalar", "debugging.assert_scalar")
def assert_scalar(tensor, name=None, message=None):
    """The tensor, which must be a scalar."""
    if not _eager():
        return records.function("assert_scalar")(tensor, name=name, message=message)
    tensor = ops.convert_to_tensor(tensor, name=name)
    if tensor.shape.ndims != 0:
        raise ValueError("%sExpected scalar shape, saw shape: %s." % (message or "", tensor.shape))
    return tensor


# The functions of tf.compat.v2: other order of parameters, and no `data`.
def _pair_v2(check):
    def second(x, y, message=None, summarize=None, name=None):
        return check(x, y, summarize=summarize, message=message, name=name)

    return second


def _single_v2(check):
    def second(x, message=None, summarize=None, name=None):
        return check(x, summarize=summarize, message=message, name=name)

    return second


def _rank_v2(check):
    def second(x, rank, message=None, name=None):
        return check(x, rank, message=message, name=name)

    return second


for _check in (assert_equal, assert_less, assert_less_equal, assert_greater, assert_greater_equal):
    globals()[_check.__name__ + "_v2"] = _pair_v2(_check)
for _check in (assert_negative, assert_positive, assert_non_negative, assert_non_positive):
    globals()[_check.__name__ + "_v2"] = _single_v2(_check)
for _check in (assert_rank, assert_rank_at_least):
    globals()[_check.__name__ + "_v2"] = _rank_v2(_check)
assert_integer_v2, assert_type_v2 = assert_integer, assert_type


def assert_none_equal_v2(x, y, summarize=None, message=None, name=None):
    return assert_none_equal(x, y, summarize=summarize, message=message, name=name)


def assert_near_v2(x, y, rtol=None, atol=None, message=None, summarize=None, name=None):
    return assert_near(x, y, rtol=rtol, atol=atol, summarize=summarize, message=message, name=name)


def assert_rank_in_v2(x, ranks, message=None, name=None):
    return shape_asserts.assert_rank_in(x, ranks, message=message, name=name)


def assert_scalar_v2(tensor, message=None, name=None):
    return assert_scalar(tensor, name=name, message=message)
