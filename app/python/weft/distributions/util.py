"""tensorflow.python.ops.distributions.util: checks, static values and matrices for distributions and bijectors."""

import functools
import hashlib
import inspect

import numpy as np

from .. import assertions, basics, dtypes, engine, ops
from ..control_flow import cond, no_op, with_dependencies
from ..conversion import constant_value
from ..tensor_shape import TensorShape

_INTEGERS_OF = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}
_UNSIGNED = (dtypes.bool_, dtypes.uint8, dtypes.uint16)
_SIGNED = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)


# Checks.
def assert_integer_form(x, data=None, summarize=None, message=None, int_dtype=None, name="assert_integer_form"):
    """Fails unless the elements are whole numbers."""
    with ops.name_scope(name, values=[x, data]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return no_op()
        if int_dtype is None:
            int_dtype = _INTEGERS_OF.get(x.dtype.base_dtype)
            if int_dtype is None:
                raise TypeError("Unrecognized type %s" % x.dtype.name)
        whole = basics.cast(basics.cast(x, int_dtype), x.dtype)
        return assertions.assert_equal(x, whole, data=data, summarize=summarize, message=message or "%s has non-integer components" % x, name=name)


def assert_symmetric(matrix):
    return with_dependencies([assertions.assert_equal(matrix, engine.matrix_transpose(matrix))], matrix)


def embed_check_nonnegative_integer_form(x, name="embed_check_nonnegative_integer_form"):
    """`x`, which must consist of whole numbers that are not negative."""
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        checks = [assertions.assert_non_negative(x, message="'%s' must be non-negative." % x)]
        if not x.dtype.is_integer:
            checks.append(assert_integer_form(x, message="'%s' cannot contain fractional components." % x))
        return with_dependencies(checks, x)


def same_dynamic_shape(a, b):
    """Whether two tensors have the same shape, as a tensor."""
    a, b = ops.convert_to_tensor(a, name="a"), ops.convert_to_tensor(b, name="b")

    def same_sizes():
        sizes = basics.shape(a), basics.shape(b)
        return engine.reduce_all(engine.equal(engine.concat(sizes, 0), engine.concat(sizes[::-1], 0)))

    return cond(engine.equal(basics.rank(a), basics.rank(b)), same_sizes, lambda: ops.constant(False))


def _is_known(dtype):
    return dtype.base_dtype in _UNSIGNED + _SIGNED


def _largest_integer(dtype):
    """The largest whole number up to which the type has all whole numbers."""
    if not _is_known(dtype):
        raise TypeError("Unrecognized dtype: %s" % dtype.name)
    if dtype.is_floating:
        return int(2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1))
    return 1 if dtype.base_dtype == dtypes.bool_ else np.iinfo(dtype.as_numpy_dtype).max


def _smallest_integer(dtype):
    return 0 if dtype.base_dtype in _UNSIGNED else -_largest_integer(dtype)


def _is_integer_like(dtype):
    if not _is_known(dtype):
        raise TypeError("Unrecognized dtype: %s" % dtype.name)
    return dtype.is_integer or dtype.base_dtype == dtypes.bool_


def embed_check_categorical_event_shape(categorical_param, name="embed_check_categorical_event_shape"):
    """The parameter, whose last dimension must have 2 classes or more, and no more than its type can count."""
    few, none = "A categorical-distribution parameter must have at least 2 events.", "A categorical-distribution parameter must have at least 1 dimension."
    with ops.name_scope(name, values=[categorical_param]):
        x = ops.convert_to_tensor(categorical_param, name="categorical_param")
        kind = x.dtype.base_dtype
        most = _largest_integer(kind) if kind.is_floating else 0
        if most == 0:
            raise TypeError("Unable to validate size of unrecognized dtype (%s)." % kind.name)
        try:
            size = x.get_shape().with_rank_at_least(1).as_list()[-1] if x.shape.ndims is not None else None
        except ValueError:
            raise ValueError(none)
        if size is None:
            count = basics.shape(x, name="x_shape")[-1]
            too_many = "Number of classes exceeds `dtype` precision, i.e., %s dtype cannot exceed %s shape." % (kind.name, most)
            return with_dependencies([assertions.assert_rank_at_least(x, 1, message=none), assertions.assert_greater_equal(basics.shape(x)[-1], 2, message=few),
                                      assertions.assert_less_equal(count, most, message=too_many)], x)
        if size < 2:
            raise ValueError(few)
        if size > most:
            raise ValueError("Number of classes exceeds `dtype` precision, i.e., %s implies shape (%s) cannot exceed %s." % (kind.name, size, most))
        return x


def embed_check_integer_casting_closed(x, target_dtype, assert_nonnegative=True, name="embed_check_casting_closed"):
    """`x`, whose elements must stay the same when they are cast to `target_dtype`, and back."""
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if not _is_integer_like(x.dtype) and not x.dtype.is_floating:
            raise TypeError("%s.dtype must be floating- or integer-type." % x.dtype.name)
        if not _is_integer_like(target_dtype) and not target_dtype.is_floating:
            raise TypeError("target_dtype (%s) must be floating- or integer-type." % target_dtype.name)
        if not _is_integer_like(x.dtype) and not _is_integer_like(target_dtype):
            raise TypeError("At least one of %s.dtype (%s) and target_dtype (%s) must be integer-type." % (x, x.dtype.name, target_dtype.name))
        checks = [assertions.assert_non_negative(x, message="Elements must be non-negative.")] if assert_nonnegative else []
        if x.dtype.is_floating:
            checks.append(assert_integer_form(x, int_dtype=target_dtype, message="Elements must be %s-equivalent." % target_dtype.name))
        else:
            most, least = _largest_integer(target_dtype), _smallest_integer(target_dtype)
            if _largest_integer(x.dtype) > most:
                checks.append(assertions.assert_less_equal(x, most, message="Elements cannot exceed %s." % most))
            if not assert_nonnegative and _smallest_integer(x.dtype) < least:
                checks.append(assertions.assert_greater_equal(x, least, message="Elements cannot be smaller than %s." % least))
        return with_dependencies(checks, x) if checks else x


# Static values.
def maybe_get_static_value(x, dtype=None):
    """The value of `x` as an array if it is known, else None."""
    if x is None:
        return None
    try:
        known = constant_value(x)
    except TypeError:
        known = x
    return known if known is None or dtype is None else np.array(known, dtype)


def prefer_static_value(x):
    known = constant_value(x)
    return x if known is None else known


def prefer_static_rank(x):
    return prefer_static_value(basics.rank(x))


def prefer_static_shape(x):
    return prefer_static_value(basics.shape(x))


def prefer_static_broadcast_shape(shape1, shape2, name="prefer_static_broadcast_shape"):
    """The shape of two broadcast tensors: a TensorShape if both shapes are known."""
    def as_tensor(s):
        return ops.convert_to_tensor(s, name="shape", dtype=dtypes.int32)

    def as_static(s):
        if isinstance(s, TensorShape):
            return s
        known = constant_value(as_tensor(s))
        return None if known is None else TensorShape(known)

    def as_sizes(s):
        if not isinstance(s, TensorShape):
            return as_tensor(s)
        if not s.is_fully_defined():
            raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
        return as_tensor(s.as_list())

    with ops.name_scope(name, values=[shape1, shape2]):
        known = [as_static(s) for s in (shape1, shape2)]
        if None not in known:
            return engine.broadcast_static_shape(*known)
        return engine.broadcast_dynamic_shape(as_sizes(shape1), as_sizes(shape2))


def dimension_size(x, axis):
    """The size of one axis: a number if it is known."""
    known = x.shape.with_rank_at_least(int(abs(axis)))
    size = None if known.ndims is None else known.as_list()[axis]
    return basics.shape(x)[axis] if size is None else size


# Parameters.
def get_logits_and_probs(logits=None, probs=None, multidimensional=False, validate_args=False, name="get_logits_and_probs", dtype=None):
    """(logits, probs), of which one is given."""
    with ops.name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = ops.convert_to_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, engine.sigmoid(logits, name="probs")
            if validate_args:
                logits = embed_check_categorical_event_shape(logits)
            return logits, engine.nn.softmax(logits, name="probs")
        probs = ops.convert_to_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            with ops.name_scope("validate_probs"):
                one = ops.constant(1., probs.dtype)
                checks = [assertions.assert_non_negative(probs)]
                if multidimensional:
                    probs = embed_check_categorical_event_shape(probs)
                    checks.append(assertions.assert_near(engine.reduce_sum(probs, -1), one, message="probs does not sum to 1."))
                else:
                    checks.append(assertions.assert_less_equal(probs, one, message="probs has components greater than 1."))
                probs = with_dependencies(checks, probs)
        with ops.name_scope("logits"):
            return (engine.log(probs) if multidimensional else engine.log(probs) - engine.log1p(-1. * probs)), probs


def gen_new_seed(seed, salt):
    """A seed made from another one; None for None."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF


def parent_frame_arguments():
    """The arguments of the function that calls this, by name; `*args` are left out."""
    names, rest, keywords, values = inspect.getargvalues(inspect.stack()[1][0])
    found = {name: values[name] for name in names}
    found.update(values.get(keywords, {}) if keywords else {})
    return found


class AppendDocstring:
    """Decorator: adds a note, and a list of keyword arguments, to a function's docstring."""

    def __init__(self, additional_note="", kwargs_dict=None):
        self._note = additional_note
        bullets = []
        for key, text in sorted((kwargs_dict or {}).items()):
            text = text.lstrip()
            if any(c.isspace() for c in key):
                raise ValueError('Parameter name "%s" contains whitespace.' % key)
            if "\n" in text:
                raise ValueError('Parameter description for "%s" contains newlines.' % key)
            bullets.append("*  `%s`: %s" % (key, text))
        if bullets:
            self._note += "\n\n##### `kwargs`:\n\n" + "\n".join(bullets)

    def __call__(self, fn):
        @functools.wraps(fn)
        def with_note(*args, **kwargs):
            return fn(*args, **kwargs)

        with_note.__doc__ = self._note if fn.__doc__ is None else fn.__doc__ + "\n%s" % self._note
        return with_note


# Values.
def log_combinations(n, counts, name="log_combinations"):
    """The logarithm of the multinomial coefficient of `n` and the counts in the last dimension."""
    with ops.name_scope(name, values=[n, counts]):
        n, counts = ops.convert_to_tensor(n, name="n"), ops.convert_to_tensor(counts, name="counts")
        return engine.lgamma(n + 1) - engine.reduce_sum(engine.lgamma(counts + 1), axis=[-1])


def pick_vector(cond, true_vector, false_vector, name="pick_vector"):
    """One of two vectors, selected by a scalar."""
    with ops.name_scope(name, values=(cond, true_vector, false_vector)):
        cond = ops.convert_to_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool_:
            raise TypeError("%s.dtype=%s which is not %s" % (cond, cond.dtype, dtypes.bool_))
        known = constant_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        true_vector, false_vector = ops.convert_to_tensor(true_vector, name="true_vector"), ops.convert_to_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError("%s.dtype=%s does not match %s.dtype=%s" % (true_vector, true_vector.dtype, false_vector, false_vector.dtype))
        n = basics.shape(true_vector)[0]
        return engine.slice(engine.concat([true_vector, false_vector], 0), [engine.where_v2(cond, 0, n)], [engine.where(cond, n, -1)])


def softplus_inverse(x, name=None):
    """The number whose softplus is `x`."""
    with ops.name_scope(name, "softplus_inverse", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        edge = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.
        small, large = engine.less(x, np.exp(edge)), engine.greater(x, -edge)
        inner = engine.where_v2(engine.logical_or(small, large), engine.ones_like(x), x)
        y = inner + engine.log(-engine.expm1(-inner))
        return engine.where_v2(small, engine.log(x), engine.where_v2(large, x, y))


def reduce_weighted_logsumexp(logx, w=None, axis=None, keep_dims=False, return_sign=False, name=None):
    """The logarithm of the absolute value of the sum of `w` times exp(`logx`), and if asked for the sum's sign."""
    with ops.name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = ops.convert_to_tensor(logx, name="logx")
        if w is None:
            result = engine.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (result, engine.ones_like(result)) if return_sign else result
        w = ops.convert_to_tensor(w, dtype=logx.dtype, name="w")
        terms = logx + engine.log(engine.abs(w))
        most = engine.reduce_max(terms, axis=axis, keepdims=True)
        most = engine.where_v2(engine.is_inf(most), engine.zeros_like(most), most)
        total = engine.reduce_sum(engine.sign(w) * engine.exp(terms - most), axis=axis, keepdims=keep_dims)
        if not keep_dims:
            most = engine.squeeze(most, axis)
        sign = engine.sign(total)
        result = most + engine.log(sign * total)
        return (result, sign) if return_sign else result
