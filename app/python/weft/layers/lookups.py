"""Resolves layer arguments (activations, initializers, regularizers, constraints) from names, configs or callables."""

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export, export_value
from .float_type import cast_to_floatx


def _settings(identifier):
    """(name, keyword arguments) from a name or from {"class_name": …, "config": …}."""
    if isinstance(identifier, dict):
        return identifier["class_name"], dict(identifier.get("config", {}))
    return identifier, {}


def _named(identifier, table, what):
    name, config = _settings(identifier)
    found = table.get(name) or CUSTOM.get(name)
    if found is None:
        raise ValueError("Unknown %s: %s" % (what, name))
    return found, config


CUSTOM = {}  # the objects of CustomObjectScope


# Activations.
def linear(x):
    return x


def hard_sigmoid(x):
    slope, middle = ops.constant(0.2, dtype=x.dtype), ops.constant(0.5, dtype=x.dtype)
    return engine.clip_by_value(engine.add(engine.multiply(x, slope), middle), 0.0, 1.0)


def relu(x, alpha=0.0, max_value=None, threshold=0):
    """max(x, 0), optionally with a slope below, a maximum and a different threshold."""
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return engine.nn.leaky_relu(x, alpha=alpha)
        negative = engine.nn.relu(-x + threshold if threshold != 0 else -x)
    clip = max_value is not None
    if threshold != 0:
        x = x * basics.cast(x > threshold, x.dtype)
    elif max_value == 6:
        x = engine.nn.relu6(x)
        clip = False
    else:
        x = engine.nn.relu(x)
    if clip:
        x = engine.clip_by_value(x, basics.cast(0.0, x.dtype), basics.cast(max_value, x.dtype))
    if alpha != 0.0:
        x -= ops.convert_to_tensor(alpha, dtype=x.dtype) * negative
    return x


def elu(x, alpha=1.0):
    result = engine.nn.elu(x)
    return result if alpha == 1 else engine.where(x > 0, result, alpha * result)


def softmax(x, axis=-1):
    rank = x.shape.ndims
    if rank == 2:
        return engine.nn.softmax(x)
    if rank is not None and rank > 2:
        e = engine.exp(x - engine.reduce_max(x, axis=axis, keepdims=True))
        return e / engine.reduce_sum(e, axis=axis, keepdims=True)
    raise ValueError("Cannot apply softmax to a tensor that is 1D. Received input: %s" % x)


def _plain(name):
    def function(x):
        return getattr(engine.nn, name)(x)

    function.__name__ = name
    return function


softplus, softsign, tanh, sigmoid = (_plain(n) for n in ("softplus", "softsign", "tanh", "sigmoid"))


def selu(x):
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


def exponential(x):
    return engine.exp(x)


ACTIVATIONS = {f.__name__: f for f in (linear, hard_sigmoid, relu, elu, softmax, softplus, softsign, selu, tanh, sigmoid, exponential)}
for _name, _function in ACTIVATIONS.items():
    export("keras.activations." + _name)(_function)


@export("keras.activations.get")
def activation(identifier):
    """The activation with that name; for None the identity."""
    if identifier is None:
        return linear
    if isinstance(identifier, (str, dict)):
        return _named(identifier, ACTIVATIONS, "activation function")[0]
    if callable(identifier):
        return identifier
    raise TypeError("Could not interpret activation function identifier: {}".format(repr(identifier)))


# Initializers.
def _uniform(minval=-0.05, maxval=0.05, seed=None, dtype=dtypes.float32):
    return initializers.RandomUniform(minval, maxval, seed, dtype)


def _normal(mean=0.0, stddev=0.05, seed=None, dtype=dtypes.float32):
    return initializers.RandomNormal(mean, stddev, seed, dtype)


def _truncated(mean=0.0, stddev=0.05, seed=None, dtype=dtypes.float32):
    return initializers.TruncatedNormal(mean, stddev, seed, dtype)


INITIALIZERS = {}
for _names, _made in ((("zeros", "Zeros", "zero"), initializers.Zeros), (("ones", "Ones", "one"), initializers.Ones), (("constant", "Constant"), initializers.Constant),
                      (("random_uniform", "RandomUniform", "uniform"), _uniform), (("random_normal", "RandomNormal", "normal"), _normal),
                      (("truncated_normal", "TruncatedNormal"), _truncated), (("orthogonal", "Orthogonal"), initializers.Orthogonal),
                      (("identity", "Identity"), initializers.Identity), (("variance_scaling", "VarianceScaling"), initializers.VarianceScaling),
                      (("glorot_uniform", "GlorotUniform"), initializers.GlorotUniform), (("glorot_normal", "GlorotNormal"), initializers.GlorotNormal),
                      (("he_normal",), initializers._he_normal), (("he_uniform",), initializers._he_uniform),
                      (("lecun_normal",), initializers._lecun_normal), (("lecun_uniform",), initializers._lecun_uniform)):
    for _name in _names:
        INITIALIZERS[_name] = _made
        export("keras.initializers." + _name)(_made)


@export("keras.initializers.get")
def initializer(identifier):
    """The initializer from a name or class; callables unchanged."""
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        found, config = _named(identifier, INITIALIZERS, "initializer")
        return found(**config)
    if callable(identifier):
        return identifier() if isinstance(identifier, type) else identifier
    raise ValueError("Could not interpret initializer identifier: " + str(identifier))


# Regularizers.
class Regularizer:
    """A function of weights whose value is added to the losses."""

    def __call__(self, x):
        return 0.0

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class L1L2(Regularizer):
    """l1 * sum(|x|) + l2 * sum(x²)."""

    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = (cast_to_floatx(factor) for factor in (l1, l2))

    def __call__(self, x):
        if not self.l1 and not self.l2:
            return ops.constant(0.0)
        total = 0.0
        if self.l1:
            total += self.l1 * engine.reduce_sum(engine.abs(x))
        if self.l2:
            total += self.l2 * engine.reduce_sum(engine.square(x))
        return total

    def get_config(self):
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l=0.01):
    return L1L2(l1=l)


def l2(l=0.01):
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    return L1L2(l1=l1, l2=l2)


REGULARIZERS = {"L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2}
export_value(Regularizer, "keras.regularizers.Regularizer")
for _name, _made in REGULARIZERS.items():
    export("keras.regularizers." + _name)(_made)


@export("keras.regularizers.get")
def regularizer(identifier):
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        found, config = _named(identifier, REGULARIZERS, "regularizer")
        return found(**config)
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret regularizer identifier: " + str(identifier))


# Constraints.
class Constraint:
    """Modifies weights after each update."""

    def __call__(self, w):
        return w

    def get_config(self):
        return {}


def _between(x, low, high):
    """x clipped as Keras does it: both limits are constants of x's type."""
    low, high = (ops.constant(v, x.dtype.base_dtype) for v in (low, high))
    return engine.clip_by_value(x, low, high)


def _length(w, axis):
    return engine.sqrt(_between(engine.reduce_sum(engine.square(w), axis=axis, keepdims=True), 0.0, float("inf")))


class MaxNorm(Constraint):
    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        norms = _length(w, self.axis)
        return w * (_between(norms, 0, self.max_value) / (1e-07 + norms))

    def get_config(self):
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    def __call__(self, w):
        return w * basics.cast(engine.greater_equal(w, 0.0), dtypes.float32)


class UnitNorm(Constraint):
    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        return w / (1e-07 + _length(w, self.axis))

    def get_config(self):
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        norms = _length(w, self.axis)
        wanted = self.rate * _between(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (wanted / (1e-07 + norms))

    def get_config(self):
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate, "axis": self.axis}


CONSTRAINTS = {}
for _names, _made in ((("MaxNorm", "max_norm"), MaxNorm), (("NonNeg", "non_neg"), NonNeg), (("UnitNorm", "unit_norm"), UnitNorm), (("MinMaxNorm", "min_max_norm"), MinMaxNorm)):
    for _name in _names:
        CONSTRAINTS[_name] = _made
        export("keras.constraints." + _name)(_made)
export_value(Constraint, "keras.constraints.Constraint")


@export("keras.constraints.get")
def constraint(identifier):
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        found, config = _named(identifier, CONSTRAINTS, "constraint")
        return found(**config)
    if callable(identifier):
        return identifier() if isinstance(identifier, type) else identifier
    raise ValueError("Could not interpret constraint identifier: " + str(identifier))


def text_of(what):
    """The config of an activation, initializer, regularizer or constraint."""
    if what is None:
        return None
    if hasattr(what, "get_config"):
        return {"class_name": type(what).__name__, "config": what.get_config()}
    return getattr(what, "__name__", str(what))


for _folder in ("activations", "initializers", "regularizers", "constraints"):
    export("keras.%s.serialize" % _folder)(text_of)
export_value(activation, "keras.activations.deserialize")
export_value(initializer, "keras.initializers.deserialize")
export_value(regularizer, "keras.regularizers.deserialize")
export_value(constraint, "keras.constraints.deserialize")
