"""Initializers: functions of shape and dtype that create the initial value of a variable."""

import math

import numpy as np

from . import constants, dtypes, engine, ops
from .exports import export, export_value


class Initializer:
    """Base of all initializers: callables that return a tensor for a shape and a dtype."""

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _floating(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError("Expected floating point type, got %s." % dtype)
    return dtype


class Zeros(Initializer):
    """Zeros."""

    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return engine.zeros(shape, dtype or self.dtype)

    def get_config(self):
        return {"dtype": self.dtype.name}


class Ones(Zeros):
    """Ones."""

    def __call__(self, shape, dtype=None, partition_info=None):
        return engine.ones(shape, dtype or self.dtype)


class Constant(Initializer):
    """Always the same value."""

    def __init__(self, value=0, dtype=dtypes.float32, verify_shape=False):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError("Invalid type for initial value: %s (expected Python scalar, list or tuple of values, or numpy.ndarray)." % type(value))
        self.value, self.dtype, self._verify_shape = value, dtypes.as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        verify = self._verify_shape if verify_shape is None else verify_shape
        return ops.constant(self.value, dtype=dtype or self.dtype, shape=shape, verify_shape=verify)

    def get_config(self):
        return {"value": self.value, "dtype": self.dtype.name}


class RandomUniform(Initializer):
    """Uniformly distributed between minval and maxval."""

    def __init__(self, minval=0, maxval=None, seed=None, dtype=dtypes.float32):
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return engine.random_uniform(shape, self.minval, self.maxval, dtype or self.dtype, seed=self.seed)

    def get_config(self):
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed, "dtype": self.dtype.name}


class RandomNormal(Initializer):
    """Normally distributed."""

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _floating(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return engine.random_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)

    def get_config(self):
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": self.dtype.name}


class TruncatedNormal(RandomNormal):
    """Normally distributed, within two standard deviations."""

    def __call__(self, shape, dtype=None, partition_info=None):
        return engine.truncated_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


def _compute_fans(shape):
    """(inputs, outputs) of a unit whose weights have this shape, as ints."""
    sizes = [int(d) for d in shape]
    if not sizes:
        return 1, 1
    if len(sizes) == 1:
        return sizes[0], sizes[0]
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field


class VarianceScaling(Initializer):
    """Scaled by the number of inputs and outputs of the weights."""

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=dtypes.float32):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed, self.dtype = scale, mode, distribution, seed, _floating(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtype or self.dtype
        scale = self.scale
        full = partition_info.full_shape if partition_info is not None else shape
        fan_in, fan_out = _compute_fans([int(d) for d in full])
        scale /= max(1.0, {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode])
        if self.distribution in ("normal", "truncated_normal"):
            return engine.truncated_normal(shape, 0.0, math.sqrt(scale) / 0.87962566103423978, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return engine.random_normal(shape, 0.0, math.sqrt(scale), dtype, seed=self.seed)
        limit = math.sqrt(3.0 * scale)
        return engine.random_uniform(shape, -limit, limit, dtype, seed=self.seed)

    def get_config(self):
        return {"scale": self.scale, "mode": self.mode, "distribution": self.distribution, "seed": self.seed, "dtype": self.dtype.name}


class UniformUnitScaling(Initializer):
    """Uniformly distributed, with a range that keeps the scale of the input."""

    def __init__(self, factor=1.0, seed=None, dtype=dtypes.float32):
        self.factor, self.seed, self.dtype = factor, seed, _floating(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        full = partition_info.full_shape if partition_info is not None else shape
        size = 1.0
        for d in full[:-1]:
            size *= float(d)
        most = math.sqrt(3 / max(1.0, size)) * self.factor
        return engine.random_uniform(shape, -most, most, dtype or self.dtype, seed=self.seed)

    def get_config(self):
        return {"factor": self.factor, "seed": self.seed, "dtype": self.dtype.name}


class GlorotUniform(VarianceScaling):
    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed, dtype=dtype)

    def get_config(self):
        return {"seed": self.seed, "dtype": self.dtype.name}


class GlorotNormal(VarianceScaling):
    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed, dtype=dtype)

    def get_config(self):
        return {"seed": self.seed, "dtype": self.dtype.name}


class Orthogonal(Initializer):
    """An orthogonal matrix."""

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, _floating(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtype or self.dtype
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows = 1
        for d in shape[:-1]:
            rows *= int(d)
        columns = int(shape[-1])
        flat = (columns, rows) if rows < columns else (rows, columns)
        a = engine.random_normal(flat, dtype=dtype, seed=self.seed)
        q, r = engine.linalg.qr(a, full_matrices=False)
        q *= engine.sign(engine.diag_part(r))
        if rows < columns:
            q = engine.linalg.transpose(q)
        return self.gain * engine.reshape(q, shape)

    def get_config(self):
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


class Identity(Initializer):
    """The identity matrix."""

    def __init__(self, gain=1.0, dtype=dtypes.float32):
        self.gain, self.dtype = gain, _floating(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        full = partition_info.full_shape if partition_info is not None else shape
        if len(full) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        value = engine.eye(int(full[0]), int(full[1]), dtype=dtype or self.dtype)
        if partition_info is not None:
            value = engine.slice(value, partition_info.var_offset, shape)
        return self.gain * value

    def get_config(self):
        return {"gain": self.gain, "dtype": self.dtype.name}


def _lecun_normal(seed=None):
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def _lecun_uniform(seed=None):
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="uniform", seed=seed)


def _he_normal(seed=None):
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def _he_uniform(seed=None):
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="uniform", seed=seed)


zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer, truncated_normal_initializer = RandomUniform, RandomNormal, TruncatedNormal
glorot_uniform_initializer, glorot_normal_initializer, variance_scaling_initializer = GlorotUniform, GlorotNormal, VarianceScaling
for _short, _class in (("zeros", Zeros), ("ones", Ones), ("constant", Constant), ("random_uniform", RandomUniform), ("random_normal", RandomNormal),
                       ("truncated_normal", TruncatedNormal), ("variance_scaling", VarianceScaling), ("glorot_uniform", GlorotUniform), ("glorot_normal", GlorotNormal),
                       ("orthogonal", Orthogonal), ("identity", Identity), ("uniform_unit_scaling", UniformUnitScaling)):
    export("initializers." + _short)(_class)
    if _short not in ("variance_scaling", "identity"):
        export(_short + "_initializer")(_class)
export_value(VarianceScaling, "variance_scaling_initializer")
for _short, _function in (("lecun_normal", _lecun_normal), ("lecun_uniform", _lecun_uniform), ("he_normal", _he_normal), ("he_uniform", _he_uniform)):
    export("initializers." + _short, "keras.initializers." + _short)(_function)
export_value(Initializer, "keras.initializers.Initializer")


@export("contrib.layers.xavier_initializer", "contrib.layers.xavier_initializer_conv2d")
def xavier_initializer(uniform=True, seed=None, dtype=dtypes.float32):
    return contrib_variance_scaling_initializer(factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype)


@export("contrib.layers.variance_scaling_initializer")
def contrib_variance_scaling_initializer(factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=dtypes.float32):
    """Scaled by the number of inputs or outputs (Glorot, He, LeCun)."""
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ["FAN_IN", "FAN_OUT", "FAN_AVG"]:
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]", mode)
    default = dtype

    def _initializer(shape, dtype=default, partition_info=None):
        if not dtypes.as_dtype(dtype).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        shape = [int(d) for d in shape]
        fan_in = float(shape[-2]) if len(shape) > 1 else float(shape[-1])
        fan_out = float(shape[-1])
        for d in shape[:-2]:
            fan_in *= float(d)
            fan_out *= float(d)
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return engine.random_uniform(shape, -limit, limit, dtype, seed=seed)
        return engine.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / n), dtype, seed=seed)

    return _initializer
