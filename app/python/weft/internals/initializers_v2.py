"""tensorflow.python.ops.init_ops_v2: initializers of TensorFlow 2. They keep no dtype; with a seed they draw by stateless ops, so that equal calls give equal values."""

import math

import numpy as np

from .. import dtypes, engine, ops


class Initializer:
    """A function of shape and dtype."""

    def __call__(self, shape, dtype=None):
        raise NotImplementedError

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        config.pop("dtype", None)
        return cls(**config)


def _floating(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError("Expected floating point type, got %s." % dtype)
    return dtype


def _draw(kind, seed, shape, *parameters, dtype):
    if seed is None:
        return {"uniform": engine.random_uniform, "normal": engine.random_normal, "truncated_normal": engine.truncated_normal}[kind](shape, *parameters, dtype=dtype)
    stateless = {"uniform": engine.random.stateless_uniform, "normal": engine.random.stateless_normal, "truncated_normal": engine.random.stateless_truncated_normal}[kind]
    return stateless(shape, [seed, 0], *parameters, dtype=dtype)


class Zeros(Initializer):
    def __call__(self, shape, dtype=dtypes.float32):
        return engine.zeros(shape, dtypes.as_dtype(dtype))


class Ones(Initializer):
    def __call__(self, shape, dtype=dtypes.float32):
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_numpy_compatible or dtype == dtypes.string:
            raise ValueError("Expected numeric or boolean dtype, got %s." % dtype)
        return engine.ones(shape, dtype)


class Constant(Initializer):
    def __init__(self, value=0):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError("Invalid type for initial value: %s (expected Python scalar, list or tuple of values, or numpy.ndarray)." % type(value))
        self.value = value

    def __call__(self, shape, dtype=None):
        return ops.constant(self.value, dtype=None if dtype is None else dtypes.as_dtype(dtype), shape=shape)

    def get_config(self):
        return {"value": self.value}


class RandomUniform(Initializer):
    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape, dtype=dtypes.float32):
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating and not dtype.is_integer:
            raise ValueError("Expected float or integer dtype, got %s." % dtype)
        return _draw("uniform", self.seed, shape, self.minval, self.maxval, dtype=dtype)

    def get_config(self):
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


class RandomNormal(Initializer):
    _kind = "normal"

    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape, dtype=dtypes.float32):
        return _draw(self._kind, self.seed, shape, self.mean, self.stddev, dtype=_floating(dtype))

    def get_config(self):
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


class TruncatedNormal(RandomNormal):
    _kind = "truncated_normal"


def _compute_fans(shape):
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = float(np.prod(shape[:-2], dtype=np.int64)) if len(shape) > 2 else 1
    return shape[-2] * field, shape[-1] * field


class VarianceScaling(Initializer):
    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        distribution = "truncated_normal" if distribution == "normal" else distribution
        if distribution not in {"uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def __call__(self, shape, dtype=dtypes.float32):
        dtype = _floating(dtype)
        fan_in, fan_out = _compute_fans(shape)
        scale = self.scale / max(1.0, {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode])
        if self.distribution == "truncated_normal":
            return _draw("truncated_normal", self.seed, shape, 0.0, math.sqrt(scale) / 0.87962566103423978, dtype=dtype)
        if self.distribution == "untruncated_normal":
            return _draw("normal", self.seed, shape, 0.0, math.sqrt(scale), dtype=dtype)
        limit = math.sqrt(3.0 * scale)
        return _draw("uniform", self.seed, shape, -limit, limit, dtype=dtype)

    def get_config(self):
        return {"scale": self.scale, "mode": self.mode, "distribution": self.distribution, "seed": self.seed}


class Orthogonal(Initializer):
    def __init__(self, gain=1.0, seed=None):
        self.gain, self.seed = gain, seed

    def __call__(self, shape, dtype=dtypes.float32):
        dtype = _floating(dtype)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = int(np.prod(shape[:-1])), shape[-1]
        drawn = _draw("normal", self.seed, (max(columns, rows), min(columns, rows)), dtype=dtype)
        q, r = engine.linalg.qr(drawn, full_matrices=False)
        q *= engine.sign(engine.linalg.tensor_diag_part(r))
        return self.gain * engine.reshape(engine.linalg.matrix_transpose(q) if rows < columns else q, shape)

    def get_config(self):
        return {"gain": self.gain, "seed": self.seed}


class Identity(Initializer):
    def __init__(self, gain=1.0):
        self.gain = gain

    def __call__(self, shape, dtype=dtypes.float32):
        dtype = _floating(dtype)
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        return self.gain * engine.eye(*shape, dtype=dtype)

    def get_config(self):
        return {"gain": self.gain}


class GlorotUniform(VarianceScaling):
    def __init__(self, seed=None):
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed)

    def get_config(self):
        return {"seed": self.seed}


class GlorotNormal(VarianceScaling):
    def __init__(self, seed=None):
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed)

    def get_config(self):
        return {"seed": self.seed}


zero = zeros = zeros_initializer = Zeros
one = ones = ones_initializer = Ones
constant = constant_initializer = Constant
uniform = random_uniform = random_uniform_initializer = RandomUniform
normal = random_normal = random_normal_initializer = RandomNormal
truncated_normal = truncated_normal_initializer = TruncatedNormal
variance_scaling_initializer = VarianceScaling
glorot_uniform = glorot_uniform_initializer = GlorotUniform
glorot_normal = glorot_normal_initializer = GlorotNormal
orthogonal = orthogonal_initializer = Orthogonal
identity = identity_initializer = Identity


def lecun_normal(seed=None):
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def lecun_uniform(seed=None):
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="uniform", seed=seed)


def he_normal(seed=None):
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def he_uniform(seed=None):
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="uniform", seed=seed)
