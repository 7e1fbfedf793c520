"""tf.keras.losses: functions of targets and predictions, and their classes."""

from .. import basics, engine, ops
from ..control_flow import cond
from ..exports import export, export_value
from ..layers import lookups
from ..ops import Tensor
from ..variable_base import Variable
from . import backend, backend_functions
from .weighting import reduced, ReductionV2, weighted

LOSSES = {}


def _loss(*names):
    def mark(function):
        for name in (function.__name__,) + names:
            LOSSES[name] = function
            export_value(function, "keras.losses." + name, "keras.metrics." + name)
        return function

    return mark


def _both(y_true, y_pred):
    y_pred = ops.convert_to_tensor(y_pred)
    return basics.cast(y_true, y_pred.dtype), y_pred


@_loss("mse", "MSE")
def mean_squared_error(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(engine.squared_difference(y_pred, y_true), axis=-1)


@_loss("mae", "MAE")
def mean_absolute_error(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(engine.abs(y_pred - y_true), axis=-1)


@_loss("mape", "MAPE")
def mean_absolute_percentage_error(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return 100. * engine.reduce_mean(engine.abs((y_true - y_pred) / engine.maximum(engine.abs(y_true), backend.epsilon())), axis=-1)


@_loss("msle", "MSLE")
def mean_squared_logarithmic_error(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    logs = [engine.log(engine.maximum(y, backend.epsilon()) + 1.) for y in (y_pred, y_true)]
    return engine.reduce_mean(engine.squared_difference(logs[0], logs[1]), axis=-1)


def _signs(y_true):
    zeros_and_ones = engine.reduce_all(engine.logical_or(engine.equal(y_true, 0), engine.equal(y_true, 1)))
    return cond(zeros_and_ones, lambda: 2. * y_true - 1., lambda: y_true)


@_loss()
def squared_hinge(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(engine.square(engine.maximum(1. - _signs(y_true) * y_pred, 0.)), axis=-1)


@_loss()
def hinge(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(engine.maximum(1. - _signs(y_true) * y_pred, 0.), axis=-1)


@_loss()
def categorical_hinge(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.maximum(0., engine.reduce_max((1. - y_true) * y_pred, axis=-1) - engine.reduce_sum(y_true * y_pred, axis=-1) + 1.)


def huber_loss(y_true, y_pred, delta=1.0):
    y_true, y_pred = _both(y_true, y_pred)
    error = engine.abs(y_pred - y_true)
    quadratic = engine.minimum(error, delta)
    return 0.5 * quadratic * quadratic + delta * (error - quadratic)


@_loss()
def logcosh(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    x = y_pred - y_true
    return engine.reduce_mean(x + engine.nn.softplus(-2. * x) - engine.log(basics.cast(2., x.dtype)), axis=-1)


def _is_zero(amount):
    """Whether an amount of smoothing, which may be a tensor, is known to be 0."""
    amount = ops.constant_value(amount) if isinstance(amount, ops.Tensor) else amount
    return amount is not None and not amount


def _smooth_two(y_true, amount):
    return y_true if _is_zero(amount) else y_true * (1.0 - amount) + 0.5 * amount


@_loss()
def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _both(y_true, y_pred)
    if not _is_zero(label_smoothing):
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / basics.cast(basics.shape(y_true)[1], y_pred.dtype)
    return backend_functions.categorical_crossentropy(y_true, y_pred, from_logits=from_logits)


@_loss()
def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1):
    return backend_functions.sparse_categorical_crossentropy(y_true, y_pred, from_logits=from_logits, axis=axis)


@_loss()
def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(backend_functions.binary_crossentropy(_smooth_two(y_true, label_smoothing), y_pred, from_logits=from_logits), axis=-1)


@_loss("kld", "KLD")
def kullback_leibler_divergence(y_true, y_pred):
    y_true, y_pred = (engine.clip_by_value(y, backend.epsilon(), 1) for y in _both(y_true, y_pred))
    return engine.reduce_sum(y_true * engine.log(y_true / y_pred), axis=-1)


@_loss()
def poisson(y_true, y_pred):
    y_true, y_pred = _both(y_true, y_pred)
    return engine.reduce_mean(y_pred - y_true * engine.log(y_pred + backend.epsilon()), axis=-1)


@_loss("cosine", "cosine_similarity")
def cosine_proximity(y_true, y_pred, axis=-1):
    return engine.reduce_sum(engine.nn.l2_normalize(y_true, axis=axis) * engine.nn.l2_normalize(y_pred, axis=axis), axis=axis)


@export("keras.losses.get")
def loss_of(what):
    """A loss function by name."""
    if what is None or callable(what):
        return what
    if isinstance(what, dict):
        return deserialize(what)
    if not isinstance(what, str):
        raise ValueError("Could not interpret loss function identifier:", what)
    if what not in LOSSES and what not in CLASSES and what not in lookups.CUSTOM:
        raise ValueError("Unknown loss function:" + str(what))
    return LOSSES.get(what) or lookups.CUSTOM.get(what) or CLASSES[what]()


export_value(ReductionV2, "keras.losses.Reduction")


CLASSES = {}
LOSSES["huber_loss"] = huber_loss
BUILT_IN = set(LOSSES.values())


@export("keras.losses.Loss")
class Loss:
    """A loss with a reduction to one number."""

    def __init__(self, reduction="auto", name=None):
        ReductionV2.validate(reduction)
        self.reduction, self.name = reduction, name

    def __call__(self, y_true, y_pred, sample_weight=None):
        with ops.name_scope("lambda" if self.name == "<lambda>" else self.name or type(self).__name__):
            each = ops.convert_to_tensor(self.call(y_true, y_pred))
            return basics.cast(reduced(weighted(each, sample_weight), self._get_reduction()), each.dtype)

    def _get_reduction(self):
        return "sum_over_batch_size" if self.reduction == "auto" else self.reduction

    def call(self, y_true, y_pred):
        raise NotImplementedError("Must be implemented in subclasses.")

    def get_config(self):
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class LossFunctionWrapper(Loss):
    """A function of targets and predictions as a Loss; `settings`: further arguments of the function."""

    def __init__(self, fn, reduction="auto", name=None, **settings):
        super().__init__(reduction, name)
        self.fn, self._fn_kwargs = fn, settings

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self):
        plain = {k: backend.eval_tensor(v) if isinstance(v, (Tensor, Variable)) else v for k, v in self._fn_kwargs.items()}
        return dict(super().get_config(), **plain)


def _class(name, function, own, settings=()):
    """The class of a loss function; `settings`: its arguments with defaults."""
    names = [n for n, _ in settings]

    def __init__(self, *args, **kwargs):
        given = dict(zip(names + ["reduction", "name"], args))
        given.update(kwargs)
        unknown = [k for k in given if k not in names + ["reduction", "name"]]
        if unknown:
            raise TypeError("__init__() got an unexpected keyword argument '%s'" % unknown[0])
        LossFunctionWrapper.__init__(self, function, given.get("reduction", "auto"), given.get("name", own), **{n: given.get(n, d) for n, d in settings})

    made = type(name, (LossFunctionWrapper,), {"__init__": __init__, "__doc__": "The loss %s as an object." % function.__name__, "__module__": __name__})
    CLASSES[name] = made
    return export("keras.losses." + name)(made)


for _name, _function, _own, _settings in (
        ("MeanSquaredError", mean_squared_error, "mean_squared_error", ()), ("MeanAbsoluteError", mean_absolute_error, "mean_absolute_error", ()),
        ("MeanAbsolutePercentageError", mean_absolute_percentage_error, "mean_absolute_percentage_error", ()),
        ("MeanSquaredLogarithmicError", mean_squared_logarithmic_error, "mean_squared_logarithmic_error", ()),
        ("BinaryCrossentropy", binary_crossentropy, "binary_crossentropy", (("from_logits", False), ("label_smoothing", 0))),
        ("CategoricalCrossentropy", categorical_crossentropy, "categorical_crossentropy", (("from_logits", False), ("label_smoothing", 0))),
        ("SparseCategoricalCrossentropy", sparse_categorical_crossentropy, None, (("from_logits", False),)), ("Hinge", hinge, None, ()),
        ("SquaredHinge", squared_hinge, "squared_hinge", ()), ("CategoricalHinge", categorical_hinge, "categorical_hinge", ()), ("Poisson", poisson, "poisson", ()),
        ("LogCosh", logcosh, "logcosh", ()), ("KLDivergence", kullback_leibler_divergence, "kullback_leibler_divergence", ()),
        ("Huber", huber_loss, "huber_loss", (("delta", 1.0),)), ("CosineSimilarity", cosine_proximity, "cosine_similarity", (("axis", -1),))):
    _class(_name, _function, _own, _settings)
del _name, _function, _own, _settings


@export("keras.losses.serialize")
def serialize(loss):
    return {"class_name": type(loss).__name__, "config": loss.get_config()} if isinstance(loss, Loss) else getattr(loss, "__name__", loss)


@export("keras.losses.deserialize")
def deserialize(name, custom_objects=None):
    if isinstance(name, dict):
        found = (custom_objects or {}).get(name["class_name"]) or lookups.CUSTOM.get(name["class_name"]) or CLASSES.get(name["class_name"])
        if found is None:
            raise ValueError("Unknown loss function:" + name["class_name"])
        return found.from_config(name["config"])
    return (custom_objects or {}).get(name) or loss_of(name)
