"""tf.distributions: Gamma, Exponential, Beta, Dirichlet, StudentT."""

import hashlib
import math

import numpy as np
import tensorflow as tf

from ..control_flow import with_dependencies
from .base import FULLY_REPARAMETERIZED, Distribution, RegisterKL, both, broadcast_static


def new_seed(seed, salt):
    """Another seed, for a second draw."""
    return None if seed is None else int(hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF


def same_float(tensors, dtype=None):
    """Raises ValueError unless all have one floating type."""
    for t in tensors:
        if t is None:
            continue
        kind = t.dtype.base_dtype
        if dtype is not None and kind != dtype.base_dtype:
            raise ValueError("%s, type=%s, must be of the same type (%s)." % (t, kind, dtype.base_dtype))
        dtype = dtype or kind
    if dtype is not None and not dtype.is_floating:
        raise ValueError("Expected floating point type, got %s." % dtype)


def _not_a_number(self):
    return tf.fill(self.batch_shape_tensor(), np.array(np.nan, dtype=self.dtype.as_numpy_dtype()), name="nan")


def _one_below(self, value, message):
    return tf.assert_less(tf.ones([], dtype=self.dtype), value, message=message)


@both("Gamma")
class Gamma(Distribution):
    """Sums of waiting times: of `concentration` events, `rate` of which happen in a unit of time."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration, rate]) as name:
            with tf.control_dependencies([tf.assert_positive(concentration), tf.assert_positive(rate)] if validate_args else []):
                self.concentration = tf.identity(concentration, name="concentration")
                self.rate = tf.identity(rate, name="rate")
                same_float([self.concentration, self.rate])
        Distribution.__init__(self, self.concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.concentration, self.rate], name)

    def _batch_shape_tensor(self):
        return tf.broadcast_dynamic_shape(tf.shape(self.concentration), tf.shape(self.rate))

    def _batch_shape(self):
        return broadcast_static(self.concentration.get_shape(), self.rate.get_shape())

    def _sample_n(self, n, seed=None):
        return tf.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _valid(self, x):
        same_float([x], self.dtype)
        return with_dependencies([tf.assert_positive(x)], x) if self.validate_args else x

    def _log_prob(self, x):
        x = self._valid(x)
        unnormalized = tf.math.xlogy(self.concentration - 1.0, x) - self.rate * x
        return unnormalized - self._log_normalization()

    def _log_normalization(self):
        return tf.lgamma(self.concentration) - self.concentration * tf.log(self.rate)

    def _cdf(self, x):
        x = self._valid(x)
        return tf.igamma(self.concentration, self.rate * x)

    def _entropy(self):
        return self.concentration - tf.log(self.rate) + tf.lgamma(self.concentration) + (1.0 - self.concentration) * tf.digamma(self.concentration)

    def _mean(self):
        return self.concentration / self.rate

    def _variance(self):
        return self.concentration / tf.square(self.rate)

    def _stddev(self):
        return tf.sqrt(self.concentration) / self.rate

    def _mode(self):
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            nan = _not_a_number(self)
            return tf.where_v2(self.concentration > 1.0, mode, nan)
        return with_dependencies([_one_below(self, self.concentration, "mode not defined when any concentration <= 1")], mode)


@both("Exponential")
class Exponential(Gamma):
    """The time to the next event when `rate` of them happen in a unit of time."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[rate]) as name:
            rate = tf.convert_to_tensor(rate, name="rate")
        Gamma.__init__(self, tf.ones([], dtype=rate.dtype), rate, validate_args, allow_nan_stats, name)
        self.parameters = {k: v for k, v in parameters.items() if k not in ("self", "__class__")}

    def _log_survival_function(self, value):
        return self._log_prob(value) - tf.log(self.rate)

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], tf.shape(self.rate)], 0)
        uniform = tf.random_uniform(shape, minval=np.finfo(self.dtype.as_numpy_dtype).tiny, maxval=1.0, seed=seed, dtype=self.dtype)
        return -tf.log(uniform) / self.rate


@RegisterKL(Gamma, Gamma)
def _between_gammas(a, b, name=None):
    with tf.name_scope(name, "kl_gamma_gamma", values=[a.concentration, a.rate, b.concentration, b.rate]):
        return ((a.concentration - b.concentration) * tf.digamma(a.concentration) + tf.lgamma(b.concentration) - tf.lgamma(a.concentration)
                + b.concentration * tf.log(a.rate) - b.concentration * tf.log(b.rate) + a.concentration * (b.rate / a.rate - 1.0))


@both("Beta")
class Beta(Distribution):
    """A share between 0 and 1."""

    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name="Beta"):
        parameters = dict(locals())

        def valid(value):
            return with_dependencies([tf.assert_positive(value, message="Concentration parameter must be positive.")], value) if validate_args else value

        with tf.name_scope(name, values=[concentration1, concentration0]) as name:
            self.concentration1 = valid(tf.convert_to_tensor(concentration1, name="concentration1"))
            self.concentration0 = valid(tf.convert_to_tensor(concentration0, name="concentration0"))
            same_float([self.concentration1, self.concentration0])
            self.total_concentration = self.concentration1 + self.concentration0
        Distribution.__init__(self, self.total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                              [self.concentration1, self.concentration0, self.total_concentration], name)

    def _batch_shape_tensor(self):
        return tf.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _sample_n(self, n, seed=None):
        first = tf.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration1
        second = tf.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration0
        a = tf.random_gamma(shape=[n], alpha=first, dtype=self.dtype, seed=seed)
        b = tf.random_gamma(shape=[n], alpha=second, dtype=self.dtype, seed=new_seed(seed, "beta"))
        return a / (a + b)

    def _log_prob(self, x):
        if self.validate_args:
            x = with_dependencies([tf.assert_positive(x, message="sample must be positive"),
                                   tf.assert_less(x, tf.ones([], self.dtype), message="sample must be less than `1`.")], x)
        return tf.math.xlogy(self.concentration1 - 1.0, x) + (self.concentration0 - 1.0) * tf.log1p(-x) - self._log_normalization()

    def _log_normalization(self):
        return tf.lgamma(self.concentration1) + tf.lgamma(self.concentration0) - tf.lgamma(self.total_concentration)

    def _cdf(self, x):
        return tf.betainc(self.concentration1, self.concentration0, x)

    def _entropy(self):
        return (self._log_normalization() - (self.concentration1 - 1.0) * tf.digamma(self.concentration1) - (self.concentration0 - 1.0) * tf.digamma(self.concentration0)
                + (self.total_concentration - 2.0) * tf.digamma(self.total_concentration))

    def _mean(self):
        return self.concentration1 / self.total_concentration

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self):
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            nan = _not_a_number(self)
            return tf.where_v2(tf.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0), mode, nan)
        return with_dependencies([_one_below(self, self.concentration1, "Mode undefined for concentration1 <= 1."),
                                  _one_below(self, self.concentration0, "Mode undefined for concentration0 <= 1.")], mode)


@RegisterKL(Beta, Beta)
def _between_betas(a, b, name=None):
    with tf.name_scope(name, "kl_beta_beta", values=[t for d in (a, b) for t in (d.concentration1, d.concentration0, d.total_concentration)]):
        return (b._log_normalization() - a._log_normalization() - tf.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
                - tf.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
                + tf.digamma(a.total_concentration) * (b.total_concentration - a.total_concentration))


class ShapesOfConcentrations:
    """Shapes of a distribution over the last dimension of its `concentration`; `total_concentration` is the sum along it."""

    def _batch_shape_tensor(self):
        return tf.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self):
        return tf.shape(self.concentration)[-1:]

    def _event_shape(self):
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]


@both("Dirichlet")
class Dirichlet(ShapesOfConcentrations, Distribution):
    """Shares that sum to 1."""

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[concentration]) as name:
            self.concentration = tf.convert_to_tensor(concentration, name="concentration")
            if validate_args:
                c = self.concentration
                self.concentration = with_dependencies([
                    tf.assert_positive(c, message="Concentration parameter must be positive."),
                    tf.assert_rank_at_least(c, 1, message="Concentration parameter must have >=1 dimensions."),
                    tf.assert_less(1, tf.shape(c)[-1], message="Concentration parameter must have event_size >= 2.")], c)
            self.total_concentration = tf.reduce_sum(self.concentration, -1)
        Distribution.__init__(self, self.concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                              [self.concentration, self.total_concentration], name)

    def _sample_n(self, n, seed=None):
        parts = tf.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return parts / tf.reduce_sum(parts, -1, keepdims=True)

    def _log_prob(self, x):
        if self.validate_args:
            x = with_dependencies([tf.assert_positive(x, message="samples must be positive"),
                                   tf.assert_near(tf.ones([], dtype=self.dtype), tf.reduce_sum(x, -1), message="sample last-dimension must sum to `1`")], x)
        return tf.reduce_sum(tf.math.xlogy(self.concentration - 1.0, x), -1) - tf.lbeta(self.concentration)

    def _entropy(self):
        classes = tf.cast(self.event_shape_tensor()[0], self.dtype)
        return (tf.lbeta(self.concentration) + (self.total_concentration - classes) * tf.digamma(self.total_concentration)
                - tf.reduce_sum((self.concentration - 1.0) * tf.digamma(self.concentration), axis=-1))

    def _mean(self):
        return self.concentration / self.total_concentration[..., tf.newaxis]

    def _scale_term(self):
        return tf.rsqrt(1.0 + self.total_concentration[..., tf.newaxis])

    def _variance(self):
        scale = self._scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _covariance(self):
        x = self._scale_term() * self._mean()
        return tf.matrix_set_diag(-tf.matmul(x[..., tf.newaxis], x[..., tf.newaxis, :]), self._variance())

    def _mode(self):
        classes = tf.cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., tf.newaxis] - classes)
        if self.allow_nan_stats:
            nan = tf.fill(tf.shape(mode), np.array(np.nan, dtype=self.dtype.as_numpy_dtype()), name="nan")
            return tf.where_v2(tf.reduce_all(self.concentration > 1.0, axis=-1), mode, nan)
        return with_dependencies([_one_below(self, self.concentration, "Mode undefined when any concentration <= 1")], mode)


@RegisterKL(Dirichlet, Dirichlet)
def _between_dirichlets(a, b, name=None):
    with tf.name_scope(name, "kl_dirichlet_dirichlet", values=[a.concentration, b.concentration]):
        of_sum = tf.digamma(tf.reduce_sum(a.concentration, axis=-1, keepdims=True))
        slope = tf.digamma(a.concentration) - of_sum
        more = a.concentration - b.concentration
        return tf.reduce_sum(more * slope, axis=-1) - tf.lbeta(a.concentration) + tf.lbeta(b.concentration)


@both("StudentT")
class StudentT(Distribution):
    """A bell curve with heavy tails: the heavier, the smaller `df`."""

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[df, loc, scale]) as name:
            with tf.control_dependencies([tf.assert_positive(df)] if validate_args else []):
                self.df, self.loc, self.scale = (tf.identity(v, name=n) for v, n in ((df, "df"), (loc, "loc"), (scale, "scale")))
                same_float((self.df, self.loc, self.scale))
        Distribution.__init__(self, self.scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.df, self.loc, self.scale], name)

    def _batch_shape_tensor(self):
        of_df = tf.shape(self.df)
        return tf.broadcast_dynamic_shape(of_df, tf.broadcast_dynamic_shape(tf.shape(self.loc), tf.shape(self.scale)))

    def _batch_shape(self):
        return broadcast_static(broadcast_static(self.df.get_shape(), self.loc.get_shape()), self.scale.get_shape())

    def _ones(self):
        return tf.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _filled(self, value, name):
        return tf.fill(self.batch_shape_tensor(), np.array(value, dtype=self.dtype.as_numpy_dtype()), name=name)

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        normal = tf.random_normal(shape, dtype=self.dtype, seed=seed)
        df = self.df * self._ones()
        gamma = tf.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=new_seed(seed, "student_t"))
        return normal * tf.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x):
        y = (x - self.loc) / self.scale
        unnormalized = -0.5 * (self.df + 1.0) * tf.log1p(y ** 2.0 / self.df)
        return unnormalized - self._log_normalization()

    def _log_normalization(self):
        return (tf.log(tf.abs(self.scale)) + 0.5 * tf.log(self.df) + 0.5 * math.log(math.pi) + tf.lgamma(0.5 * self.df) - tf.lgamma(0.5 * (self.df + 1.0)))

    def _cdf(self, x):
        y = (x - self.loc) / tf.abs(self.scale)
        lower = 0.5 * tf.betainc(0.5 * self.df, 0.5, self.df / (y ** 2.0 + self.df))
        return tf.where_v2(tf.less(y, 0.0), lower, 1.0 - lower)

    def _entropy(self):
        v = self._ones()[..., tf.newaxis]
        u = v * self.df[..., tf.newaxis]
        both_halves = tf.concat([u, v], -1) / 2.0
        return (tf.log(tf.abs(self.scale)) + 0.5 * tf.log(self.df) + tf.lbeta(both_halves)
                + 0.5 * (self.df + 1.0) * (tf.digamma(0.5 * (self.df + 1.0)) - tf.digamma(0.5 * self.df)))

    def _mean(self):
        mean = self.loc * self._ones()
        if self.allow_nan_stats:
            return tf.where_v2(tf.greater(self.df, self._ones()), mean, self._filled(np.nan, "nan"))
        return with_dependencies([_one_below(self, self.df, "mean not defined for components of df <= 1")], mean)

    def _variance(self):
        below = tf.where_v2(tf.greater(self.df, 2.0), self.df - 2.0, tf.ones_like(self.df))
        variance = self._ones() * tf.square(self.scale) * self.df / below
        defined = tf.where_v2(self.df > tf.fill(self.batch_shape_tensor(), 2.0), variance, self._filled(np.inf, "inf"))
        if self.allow_nan_stats:
            return tf.where_v2(tf.greater(self.df, self._ones()), defined, self._filled(np.nan, "nan"))
        return with_dependencies([_one_below(self, self.df, "variance not defined for components of df <= 1")], defined)

    def _mode(self):
        return tf.identity(self.loc)
