"""tf.distributions: Gamma, Exponential, Beta, Dirichlet, StudentT."""

import hashlib
import math

import numpy as np

from .. import basics, engine, ops
from ..control_flow import with_dependencies
from ..operators import newaxis
from .base import FULLY_REPARAMETERIZED, Distribution, RegisterKL, both, broadcast_static


def new_seed(seed, salt):
    """Another seed, for a second draw."""
    return None if seed is None else int(hashlib.md5((str(seed) + salt).encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF


def same_float(tensors, dtype=None):
    """ValueError unless all tensors have the same floating-point type."""
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
    return engine.fill(self.batch_shape_tensor(), np.array(np.nan, dtype=self.dtype.as_numpy_dtype()), name="nan")


def _one_below(self, value, message):
    return engine.assert_less(engine.ones([], dtype=self.dtype), value, message=message)


@both("Gamma")
class Gamma(Distribution):
    """The gamma distribution: the waiting time for `concentration` events at `rate` events per unit of time."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="Gamma"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration, rate]) as name:
            with ops.control_dependencies([engine.assert_positive(concentration), engine.assert_positive(rate)] if validate_args else []):
                self.concentration = engine.identity(concentration, name="concentration")
                self.rate = engine.identity(rate, name="rate")
                same_float([self.concentration, self.rate])
        Distribution.__init__(self, self.concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.concentration, self.rate], name)

    def _batch_shape_tensor(self):
        return engine.broadcast_dynamic_shape(basics.shape(self.concentration), basics.shape(self.rate))

    def _batch_shape(self):
        return broadcast_static(self.concentration.get_shape(), self.rate.get_shape())

    def _sample_n(self, n, seed=None):
        return engine.random_gamma(shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _valid(self, x):
        same_float([x], self.dtype)
        return with_dependencies([engine.assert_positive(x)], x) if self.validate_args else x

    def _log_prob(self, x):
        x = self._valid(x)
        unnormalized = engine.math.xlogy(self.concentration - 1.0, x) - self.rate * x
        return unnormalized - self._log_normalization()

    def _log_normalization(self):
        return engine.lgamma(self.concentration) - self.concentration * engine.log(self.rate)

    def _cdf(self, x):
        x = self._valid(x)
        return engine.igamma(self.concentration, self.rate * x)

    def _entropy(self):
        return self.concentration - engine.log(self.rate) + engine.lgamma(self.concentration) + (1.0 - self.concentration) * engine.digamma(self.concentration)

    def _mean(self):
        return self.concentration / self.rate

    def _variance(self):
        return self.concentration / engine.square(self.rate)

    def _stddev(self):
        return engine.sqrt(self.concentration) / self.rate

    def _mode(self):
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            nan = _not_a_number(self)
            return engine.where_v2(self.concentration > 1.0, mode, nan)
        return with_dependencies([_one_below(self, self.concentration, "mode not defined when any concentration <= 1")], mode)


@both("Exponential")
class Exponential(Gamma):
    """The exponential distribution: the time to the next event at `rate` events per unit of time."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="Exponential"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[rate]) as name:
            rate = ops.convert_to_tensor(rate, name="rate")
        Gamma.__init__(self, engine.ones([], dtype=rate.dtype), rate, validate_args, allow_nan_stats, name)
        self.parameters = {k: v for k, v in parameters.items() if k not in ("self", "__class__")}

    def _log_survival_function(self, value):
        return self._log_prob(value) - engine.log(self.rate)

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], basics.shape(self.rate)], 0)
        uniform = engine.random_uniform(shape, minval=np.finfo(self.dtype.as_numpy_dtype).tiny, maxval=1.0, seed=seed, dtype=self.dtype)
        return -engine.log(uniform) / self.rate


@RegisterKL(Gamma, Gamma)
def _between_gammas(a, b, name=None):
    with ops.name_scope(name, "kl_gamma_gamma", values=[a.concentration, a.rate, b.concentration, b.rate]):
        return ((a.concentration - b.concentration) * engine.digamma(a.concentration) + engine.lgamma(b.concentration) - engine.lgamma(a.concentration)
                + b.concentration * engine.log(a.rate) - b.concentration * engine.log(b.rate) + a.concentration * (b.rate / a.rate - 1.0))


@both("Beta")
class Beta(Distribution):
    """The beta distribution over [0, 1]."""

    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name="Beta"):
        parameters = dict(locals())

        def valid(value):
            return with_dependencies([engine.assert_positive(value, message="Concentration parameter must be positive.")], value) if validate_args else value

        with ops.name_scope(name, values=[concentration1, concentration0]) as name:
            self.concentration1 = valid(ops.convert_to_tensor(concentration1, name="concentration1"))
            self.concentration0 = valid(ops.convert_to_tensor(concentration0, name="concentration0"))
            same_float([self.concentration1, self.concentration0])
            self.total_concentration = self.concentration1 + self.concentration0
        Distribution.__init__(self, self.total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                              [self.concentration1, self.concentration0, self.total_concentration], name)

    def _batch_shape_tensor(self):
        return basics.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _sample_n(self, n, seed=None):
        first = engine.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration1
        second = engine.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration0
        a = engine.random_gamma(shape=[n], alpha=first, dtype=self.dtype, seed=seed)
        b = engine.random_gamma(shape=[n], alpha=second, dtype=self.dtype, seed=new_seed(seed, "beta"))
        return a / (a + b)

    def _log_prob(self, x):
        if self.validate_args:
            x = with_dependencies([engine.assert_positive(x, message="sample must be positive"),
                                   engine.assert_less(x, engine.ones([], self.dtype), message="sample must be less than `1`.")], x)
        return engine.math.xlogy(self.concentration1 - 1.0, x) + (self.concentration0 - 1.0) * engine.log1p(-x) - self._log_normalization()

    def _log_normalization(self):
        return engine.lgamma(self.concentration1) + engine.lgamma(self.concentration0) - engine.lgamma(self.total_concentration)

    def _cdf(self, x):
        return engine.betainc(self.concentration1, self.concentration0, x)

    def _entropy(self):
        return (self._log_normalization() - (self.concentration1 - 1.0) * engine.digamma(self.concentration1) - (self.concentration0 - 1.0) * engine.digamma(self.concentration0)
                + (self.total_concentration - 2.0) * engine.digamma(self.total_concentration))

    def _mean(self):
        return self.concentration1 / self.total_concentration

    def _variance(self):
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self):
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            nan = _not_a_number(self)
            return engine.where_v2(engine.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0), mode, nan)
        return with_dependencies([_one_below(self, self.concentration1, "Mode undefined for concentration1 <= 1."),
                                  _one_below(self, self.concentration0, "Mode undefined for concentration0 <= 1.")], mode)


@RegisterKL(Beta, Beta)
def _between_betas(a, b, name=None):
    with ops.name_scope(name, "kl_beta_beta", values=[t for d in (a, b) for t in (d.concentration1, d.concentration0, d.total_concentration)]):
        return (b._log_normalization() - a._log_normalization() - engine.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
                - engine.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
                + engine.digamma(a.total_concentration) * (b.total_concentration - a.total_concentration))


class ShapesOfConcentrations:
    """Shapes of a distribution over the last dimension of its `concentration`; `total_concentration` is the sum along it."""

    def _batch_shape_tensor(self):
        return basics.shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self):
        return basics.shape(self.concentration)[-1:]

    def _event_shape(self):
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]


@both("Dirichlet")
class Dirichlet(ShapesOfConcentrations, Distribution):
    """The Dirichlet distribution over vectors that sum to 1."""

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name="Dirichlet"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration]) as name:
            self.concentration = ops.convert_to_tensor(concentration, name="concentration")
            if validate_args:
                c = self.concentration
                self.concentration = with_dependencies([
                    engine.assert_positive(c, message="Concentration parameter must be positive."),
                    engine.assert_rank_at_least(c, 1, message="Concentration parameter must have >=1 dimensions."),
                    engine.assert_less(1, basics.shape(c)[-1], message="Concentration parameter must have event_size >= 2.")], c)
            self.total_concentration = engine.reduce_sum(self.concentration, -1)
        Distribution.__init__(self, self.concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                              [self.concentration, self.total_concentration], name)

    def _sample_n(self, n, seed=None):
        parts = engine.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return parts / engine.reduce_sum(parts, -1, keepdims=True)

    def _log_prob(self, x):
        if self.validate_args:
            x = with_dependencies([engine.assert_positive(x, message="samples must be positive"),
                                   engine.assert_near(engine.ones([], dtype=self.dtype), engine.reduce_sum(x, -1), message="sample last-dimension must sum to `1`")], x)
        return engine.reduce_sum(engine.math.xlogy(self.concentration - 1.0, x), -1) - engine.lbeta(self.concentration)

    def _entropy(self):
        classes = basics.cast(self.event_shape_tensor()[0], self.dtype)
        return (engine.lbeta(self.concentration) + (self.total_concentration - classes) * engine.digamma(self.total_concentration)
                - engine.reduce_sum((self.concentration - 1.0) * engine.digamma(self.concentration), axis=-1))

    def _mean(self):
        return self.concentration / self.total_concentration[..., newaxis]

    def _scale_term(self):
        return engine.rsqrt(1.0 + self.total_concentration[..., newaxis])

    def _variance(self):
        scale = self._scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _covariance(self):
        x = self._scale_term() * self._mean()
        return engine.matrix_set_diag(-engine.matmul(x[..., newaxis], x[..., newaxis, :]), self._variance())

    def _mode(self):
        classes = basics.cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., newaxis] - classes)
        if self.allow_nan_stats:
            nan = engine.fill(basics.shape(mode), np.array(np.nan, dtype=self.dtype.as_numpy_dtype()), name="nan")
            return engine.where_v2(engine.reduce_all(self.concentration > 1.0, axis=-1), mode, nan)
        return with_dependencies([_one_below(self, self.concentration, "Mode undefined when any concentration <= 1")], mode)


@RegisterKL(Dirichlet, Dirichlet)
def _between_dirichlets(a, b, name=None):
    with ops.name_scope(name, "kl_dirichlet_dirichlet", values=[a.concentration, b.concentration]):
        of_sum = engine.digamma(engine.reduce_sum(a.concentration, axis=-1, keepdims=True))
        slope = engine.digamma(a.concentration) - of_sum
        more = a.concentration - b.concentration
        return engine.reduce_sum(more * slope, axis=-1) - engine.lbeta(a.concentration) + engine.lbeta(b.concentration)


@both("StudentT")
class StudentT(Distribution):
    """Student's t-distribution; smaller `df` means heavier tails."""

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentT"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[df, loc, scale]) as name:
            with ops.control_dependencies([engine.assert_positive(df)] if validate_args else []):
                self.df, self.loc, self.scale = (engine.identity(v, name=n) for v, n in ((df, "df"), (loc, "loc"), (scale, "scale")))
                same_float((self.df, self.loc, self.scale))
        Distribution.__init__(self, self.scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.df, self.loc, self.scale], name)

    def _batch_shape_tensor(self):
        of_df = basics.shape(self.df)
        return engine.broadcast_dynamic_shape(of_df, engine.broadcast_dynamic_shape(basics.shape(self.loc), basics.shape(self.scale)))

    def _batch_shape(self):
        return broadcast_static(broadcast_static(self.df.get_shape(), self.loc.get_shape()), self.scale.get_shape())

    def _ones(self):
        return engine.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _filled(self, value, name):
        return engine.fill(self.batch_shape_tensor(), np.array(value, dtype=self.dtype.as_numpy_dtype()), name=name)

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], self.batch_shape_tensor()], 0)
        normal = engine.random_normal(shape, dtype=self.dtype, seed=seed)
        df = self.df * self._ones()
        gamma = engine.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=new_seed(seed, "student_t"))
        return normal * engine.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x):
        y = (x - self.loc) / self.scale
        unnormalized = -0.5 * (self.df + 1.0) * engine.log1p(y ** 2.0 / self.df)
        return unnormalized - self._log_normalization()

    def _log_normalization(self):
        return (engine.log(engine.abs(self.scale)) + 0.5 * engine.log(self.df) + 0.5 * math.log(math.pi) + engine.lgamma(0.5 * self.df) - engine.lgamma(0.5 * (self.df + 1.0)))

    def _cdf(self, x):
        y = (x - self.loc) / engine.abs(self.scale)
        lower = 0.5 * engine.betainc(0.5 * self.df, 0.5, self.df / (y ** 2.0 + self.df))
        return engine.where_v2(engine.less(y, 0.0), lower, 1.0 - lower)

    def _entropy(self):
        v = self._ones()[..., newaxis]
        u = v * self.df[..., newaxis]
        both_halves = engine.concat([u, v], -1) / 2.0
        return (engine.log(engine.abs(self.scale)) + 0.5 * engine.log(self.df) + engine.lbeta(both_halves)
                + 0.5 * (self.df + 1.0) * (engine.digamma(0.5 * (self.df + 1.0)) - engine.digamma(0.5 * self.df)))

    def _mean(self):
        mean = self.loc * self._ones()
        if self.allow_nan_stats:
            return engine.where_v2(engine.greater(self.df, self._ones()), mean, self._filled(np.nan, "nan"))
        return with_dependencies([_one_below(self, self.df, "mean not defined for components of df <= 1")], mean)

    def _variance(self):
        below = engine.where_v2(engine.greater(self.df, 2.0), self.df - 2.0, engine.ones_like(self.df))
        variance = self._ones() * engine.square(self.scale) * self.df / below
        defined = engine.where_v2(self.df > engine.fill(self.batch_shape_tensor(), 2.0), variance, self._filled(np.inf, "inf"))
        if self.allow_nan_stats:
            return engine.where_v2(engine.greater(self.df, self._ones()), defined, self._filled(np.nan, "nan"))
        return with_dependencies([_one_below(self, self.df, "variance not defined for components of df <= 1")], defined)

    def _mode(self):
        return engine.identity(self.loc)
