"""tf.distributions: Normal, Uniform, Laplace."""

import math

import numpy as np

from .. import basics, engine, ops
from . import special_math
from .base import FULLY_REPARAMETERIZED, Distribution, RegisterKL, both, broadcast_static


class _TwoParameters(Distribution):
    """A distribution of two broadcast parameters."""

    def _two(self, name, names, values, check, validate_args, allow_nan_stats, parameters):
        with ops.name_scope(name, values=list(values)) as name:
            with ops.control_dependencies([check()] if validate_args else []):
                first, second = (engine.identity(v, name=n) for n, v in zip(names, values))
            if first.dtype.base_dtype != second.dtype.base_dtype:
                raise ValueError("Tensor conversion requested dtype %s for Tensor with dtype %s" % (first.dtype.name, second.dtype.name))
        self._parameters_pair = first, second
        Distribution.__init__(self, second.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [first, second], name)

    def _batch_shape_tensor(self):
        first, second = self._parameters_pair
        return engine.broadcast_dynamic_shape(basics.shape(first), basics.shape(second))

    def _batch_shape(self):
        first, second = self._parameters_pair
        return broadcast_static(first.get_shape(), second.get_shape())


@both("Normal")
class Normal(_TwoParameters):
    """The normal distribution with mean `loc` and standard deviation `scale`."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        parameters = dict(locals())
        self._two(name, ("loc", "scale"), (loc, scale), lambda: engine.assert_positive(scale), validate_args, allow_nan_stats, parameters)

    loc = property(lambda self: self._parameters_pair[0])
    scale = property(lambda self: self._parameters_pair[1])

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], self.batch_shape_tensor()], 0)
        return engine.random_normal(shape=shape, mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed) * self.scale + self.loc

    def _standard(self, x):
        with ops.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale

    def _log_prob(self, x):
        return -0.5 * engine.square(self._standard(x)) - (0.5 * math.log(2.0 * math.pi) + engine.log(self.scale))

    def _cdf(self, x):
        return special_math.ndtr(self._standard(x))

    def _log_cdf(self, x):
        return special_math.log_ndtr(self._standard(x))

    def _survival_function(self, x):
        return special_math.ndtr(-self._standard(x))

    def _log_survival_function(self, x):
        return special_math.log_ndtr(-self._standard(x))

    def _quantile(self, p):
        return special_math.ndtri(p) * self.scale + self.loc

    def _entropy(self):
        return 0.5 * math.log(2.0 * math.pi * math.e) + engine.log(self.scale * engine.ones_like(self.loc))

    def _mean(self):
        return self.loc * engine.ones_like(self.scale)

    _mode = _mean

    def _stddev(self):
        return self.scale * engine.ones_like(self.loc)


@both("NormalWithSoftplusScale")
class NormalWithSoftplusScale(Normal):
    """Normal with softplus(scale) as scale."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="NormalWithSoftplusScale"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[scale]) as name:
            Normal.__init__(self, loc, engine.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        self.parameters = {k: v for k, v in parameters.items() if k not in ("self", "__class__")}


@RegisterKL(Normal, Normal)
def _between_normals(a, b, name=None):
    with ops.name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        one, two, half = (ops.constant(v, dtype=a.dtype) for v in (1, 2, 0.5))
        a_squared, b_squared = engine.square(a.scale), engine.square(b.scale)
        ratio = a_squared / b_squared
        return engine.squared_difference(a.loc, b.loc) / (two * b_squared) + half * (ratio - one - engine.log(ratio))


@both("Uniform")
class Uniform(_TwoParameters):
    """The uniform distribution over [low, high)."""

    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name="Uniform"):
        parameters = dict(locals())
        self._two(name, ("low", "high"), (low, high), lambda: engine.assert_less(low, high, message="uniform not defined when low >= high."), validate_args, allow_nan_stats, parameters)

    low = property(lambda self: self._parameters_pair[0])
    high = property(lambda self: self._parameters_pair[1])

    def range(self, name="range"):
        with self._scope(name):
            return self.high - self.low

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], self.batch_shape_tensor()], 0)
        samples = engine.random_uniform(shape=shape, dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x):
        x = x * engine.ones(self.batch_shape_tensor(), dtype=x.dtype)
        outside = engine.logical_or(x < self.low, x >= self.high)
        return engine.where_v2(engine.is_nan(x), x, engine.where_v2(outside, engine.zeros_like(x), engine.ones_like(x) / self.range()))

    def _cdf(self, x):
        shape = engine.broadcast_dynamic_shape(basics.shape(x), self.batch_shape_tensor())
        zeros, ones = engine.zeros(shape, dtype=self.dtype), engine.ones(shape, dtype=self.dtype)
        wide = x * ones
        inside = engine.where_v2(x < self.low, zeros, (wide - self.low) / self.range())
        return engine.where_v2(x >= self.high, ones, inside)

    def _entropy(self):
        return engine.log(self.range())

    def _mean(self):
        return (self.low + self.high) / 2.0

    def _variance(self):
        return engine.square(self.range()) / 12.0

    def _stddev(self):
        return self.range() / math.sqrt(12.0)


@both("Laplace")
class Laplace(_TwoParameters):
    """The Laplace distribution around `loc`."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Laplace"):
        parameters = dict(locals())
        self._two(name, ("loc", "scale"), (loc, scale), lambda: engine.assert_positive(scale), validate_args, allow_nan_stats, parameters)

    loc = property(lambda self: self._parameters_pair[0])
    scale = property(lambda self: self._parameters_pair[1])

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], self.batch_shape_tensor()], 0)
        # Excludes both ends, where the logarithm below would be infinite.
        uniform = engine.random_uniform(shape=shape, minval=np.nextafter(self.dtype.as_numpy_dtype(-1.0), self.dtype.as_numpy_dtype(0.0)), maxval=1.0, dtype=self.dtype, seed=seed)
        return self.loc - self.scale * engine.sign(uniform) * engine.log1p(-engine.abs(uniform))

    def _standard(self, x):
        return (x - self.loc) / self.scale

    def _log_prob(self, x):
        return -engine.abs(self._standard(x)) - (math.log(2.0) + engine.log(self.scale))

    def _cdf(self, x):
        z = self._standard(x)
        return 0.5 + 0.5 * engine.sign(z) * (1.0 - engine.exp(-engine.abs(z)))

    def _log_cdf(self, x):
        return special_math.log_cdf_laplace(self._standard(x))

    def _log_survival_function(self, x):
        return special_math.log_cdf_laplace(-self._standard(x))

    def _entropy(self):
        return math.log(2.0) + 1 + engine.log(self.scale + engine.zeros_like(self.loc))

    def _mean(self):
        return self.loc + engine.zeros_like(self.scale)

    _mode = _mean

    def _stddev(self):
        return math.sqrt(2.0) * self.scale + engine.zeros_like(self.loc)
