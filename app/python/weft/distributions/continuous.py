"""tf.distributions: Normal, Uniform, Laplace."""

import math

import numpy as np
import tensorflow as tf

from .base import FULLY_REPARAMETERIZED, Distribution, RegisterKL, both, broadcast_static


def _ndtr(x):
    """The area below the bell curve up to x, from the error function on the side where it is exact."""
    with tf.name_scope("ndtr", values=[x]):
        return _ndtr_of(x)


def _ndtr_of(x):
    half = tf.constant(0.5 * math.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half
    z = tf.abs(w)
    return 0.5 * tf.where_v2(tf.less(z, half), 1.0 + tf.erf(w), tf.where_v2(tf.greater(w, 0.0), 2.0 - tf.erfc(z), tf.erfc(z)))


class _TwoParameters(Distribution):
    """A distribution of two broadcast parameters."""

    def _two(self, name, names, values, check, validate_args, allow_nan_stats, parameters):
        with tf.name_scope(name, values=list(values)) as name:
            with tf.control_dependencies([check()] if validate_args else []):
                first, second = (tf.identity(v, name=n) for n, v in zip(names, values))
            if first.dtype.base_dtype != second.dtype.base_dtype:
                raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s" % (first.dtype.name, second.dtype.name))
        self._parameters_pair = first, second
        Distribution.__init__(self, second.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [first, second], name)

    def _batch_shape_tensor(self):
        first, second = self._parameters_pair
        return tf.broadcast_dynamic_shape(tf.shape(first), tf.shape(second))

    def _batch_shape(self):
        first, second = self._parameters_pair
        return broadcast_static(first.get_shape(), second.get_shape())


@both("Normal")
class Normal(_TwoParameters):
    """The bell curve around `loc`, `scale` wide."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        parameters = dict(locals())
        self._two(name, ("loc", "scale"), (loc, scale), lambda: tf.assert_positive(scale), validate_args, allow_nan_stats, parameters)

    loc = property(lambda self: self._parameters_pair[0])
    scale = property(lambda self: self._parameters_pair[1])

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        return tf.random_normal(shape=shape, mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed) * self.scale + self.loc

    def _standard(self, x):
        with tf.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale

    def _log_prob(self, x):
        return -0.5 * tf.square(self._standard(x)) - (0.5 * math.log(2.0 * math.pi) + tf.log(self.scale))

    def _cdf(self, x):
        return _ndtr(self._standard(x))

    def _survival_function(self, x):
        return _ndtr(-self._standard(x))

    def _entropy(self):
        return 0.5 * math.log(2.0 * math.pi * math.e) + tf.log(self.scale * tf.ones_like(self.loc))

    def _mean(self):
        return self.loc * tf.ones_like(self.scale)

    _mode = _mean

    def _stddev(self):
        return self.scale * tf.ones_like(self.loc)


@both("NormalWithSoftplusScale")
class NormalWithSoftplusScale(Normal):
    """Normal with softplus(scale) as scale."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[scale]) as name:
            Normal.__init__(self, loc, tf.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        self.parameters = {k: v for k, v in parameters.items() if k not in ("self", "__class__")}


@RegisterKL(Normal, Normal)
def _between_normals(a, b, name=None):
    with tf.name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        one, two, half = (tf.constant(v, dtype=a.dtype) for v in (1, 2, 0.5))
        a_squared, b_squared = tf.square(a.scale), tf.square(b.scale)
        ratio = a_squared / b_squared
        return tf.squared_difference(a.loc, b.loc) / (two * b_squared) + half * (ratio - one - tf.log(ratio))


@both("Uniform")
class Uniform(_TwoParameters):
    """Every value from `low` to below `high` alike."""

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        parameters = dict(locals())
        self._two(name, ("low", "high"), (low, high), lambda: tf.assert_less(low, high, message="uniform not defined when low >= high."), validate_args, allow_nan_stats, parameters)

    low = property(lambda self: self._parameters_pair[0])
    high = property(lambda self: self._parameters_pair[1])

    def range(self, name="range"):
        with self._scope(name):
            return self.high - self.low

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        samples = tf.random_uniform(shape=shape, dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x):
        x = x * tf.ones(self.batch_shape_tensor(), dtype=x.dtype)
        outside = tf.logical_or(x < self.low, x >= self.high)
        return tf.where_v2(tf.is_nan(x), x, tf.where_v2(outside, tf.zeros_like(x), tf.ones_like(x) / self.range()))

    def _cdf(self, x):
        shape = tf.broadcast_dynamic_shape(tf.shape(x), self.batch_shape_tensor())
        zeros, ones = tf.zeros(shape, dtype=self.dtype), tf.ones(shape, dtype=self.dtype)
        wide = x * ones
        inside = tf.where_v2(x < self.low, zeros, (wide - self.low) / self.range())
        return tf.where_v2(x >= self.high, ones, inside)

    def _entropy(self):
        return tf.log(self.range())

    def _mean(self):
        return (self.low + self.high) / 2.0

    def _variance(self):
        return tf.square(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)


@both("Laplace")
class Laplace(_TwoParameters):
    """Two exponential slopes around `loc`."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        parameters = dict(locals())
        self._two(name, ("loc", "scale"), (loc, scale), lambda: tf.assert_positive(scale), validate_args, allow_nan_stats, parameters)

    loc = property(lambda self: self._parameters_pair[0])
    scale = property(lambda self: self._parameters_pair[1])

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        # Both ends are left out, where the logarithm below would be infinite.
        uniform = tf.random_uniform(shape=shape, minval=np.nextafter(self.dtype.as_numpy_dtype(-1.0), self.dtype.as_numpy_dtype(0.0)), maxval=1.0, dtype=self.dtype, seed=seed)
        return self.loc - self.scale * tf.sign(uniform) * tf.log1p(-tf.abs(uniform))

    def _standard(self, x):
        return (x - self.loc) / self.scale

    def _log_prob(self, x):
        return -tf.abs(self._standard(x)) - (math.log(2.0) + tf.log(self.scale))

    def _cdf(self, x):
        z = self._standard(x)
        return 0.5 + 0.5 * tf.sign(z) * (1.0 - tf.exp(-tf.abs(z)))

    def _entropy(self):
        return math.log(2.0) + 1 + tf.log(self.scale + tf.zeros_like(self.loc))

    def _mean(self):
        return self.loc + tf.zeros_like(self.scale)

    _mode = _mean

    def _stddev(self):
        return math.sqrt(2.0) * self.scale + tf.zeros_like(self.loc)
