"""tf.keras.metrics: values accumulated over batches, and the functions used by some of them."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..control_flow import group
from ..exports import export, export_value
from ..layers import additions, lookups
from ..layers.base import Layer
from ..ops import Operation, Tensor
from ..variables import assign_add
from . import backend, losses
from .metric_values import AUCCurve, AUCSummationMethod, cast, ragged_assert_compatible_and_get_flat_values as flat_values
from .weighting import fit_weights, match_ranks, spread

FUNCTIONS = dict(losses.LOSSES)
CLASSES = {}


def _function(function):
    FUNCTIONS[function.__name__] = function
    return export("keras.metrics." + function.__name__)(function)


@_function
def binary_accuracy(y_true, y_pred, threshold=0.5):
    y_pred = basics.cast(y_pred > basics.cast(threshold, y_pred.dtype), y_pred.dtype)
    return engine.reduce_mean(basics.cast(engine.equal(basics.cast(y_true, y_pred.dtype), y_pred), dtypes.float32), axis=-1)


@_function
def categorical_accuracy(y_true, y_pred):
    return basics.cast(engine.equal(engine.argmax(y_true, axis=-1), engine.argmax(y_pred, axis=-1)), backend.floatx())


@_function
def sparse_categorical_accuracy(y_true, y_pred):
    y_true = ops.convert_to_tensor(y_true)
    if y_true.shape.ndims is not None and y_pred.shape.ndims is not None and y_true.shape.ndims == y_pred.shape.ndims:
        y_true = engine.squeeze(y_true, [-1])
    best = engine.argmax(y_pred, axis=-1)
    return basics.cast(engine.equal(y_true, basics.cast(best, y_true.dtype)), backend.floatx())


@_function
def top_k_categorical_accuracy(y_true, y_pred, k=5):
    return basics.cast(engine.nn.in_top_k(y_pred, engine.argmax(y_true, axis=-1), k), backend.floatx())


@_function
def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5):
    y_true = ops.convert_to_tensor(y_true)
    if y_true.shape.ndims == y_pred.shape.ndims:
        y_true = engine.reshape(y_true, [-1])
    return basics.cast(engine.nn.in_top_k(y_pred, basics.cast(y_true, dtypes.int32), k), backend.floatx())


def accuracy(y_true, y_pred):
    return basics.cast(engine.equal(basics.cast(y_true, y_pred.dtype), y_pred), backend.floatx())


def _update_wrapper(metric, function):
    """Wraps update_state() to record its operation. Custom metrics need not return one: their variable updates are found."""
    own = not type(metric).__module__.startswith("weft.")

    def update_state(*args, **kwargs):
        if not own:
            made = function(*args, **kwargs)
        else:
            graph = ops.get_default_graph()
            before = graph.version
            given = function(*args, **kwargs)
            fresh = [graph._core.operation(i) for i in range(before, graph.version)]
            changing = [op for op in fresh if op._is_stateful and op.type not in _READERS and op._get_control_flow_context() is None]
            made = group(*changing, *([given] if isinstance(given, (Tensor, Operation)) else []))
        if made is not None:
            metric.add_update(made)
        return made

    return update_state


_READERS = {"ReadVariableOp", "VarHandleOp", "VariableV2", "Variable", "VarIsInitializedOp", "Placeholder"}


def _result_wrapper(metric, function):
    """Wraps result() to store its tensor for the step functions."""
    def result(*args):
        metric._call_result = engine.identity(function(*args))
        return metric._call_result

    return result


@export("keras.metrics.Metric")
class Metric(Layer):
    """A value over all batches since the last reset: update_state() adds a batch, result() is the value so far."""

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        made.__dict__["update_state"] = _update_wrapper(made, made.update_state)
        made.__dict__["result"] = _result_wrapper(made, made.result)
        return made

    def __init__(self, name=None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype or backend.floatx(), **kwargs)
        self.stateful, self.built = True, True

    def __call__(self, *args, **kwargs):
        update = self.update_state(*args, **kwargs)
        with ops.control_dependencies([update] if update is not None else []):
            value = self.result()
        value._metric_obj = self
        return value

    def add_weight(self, name, shape=(), aggregation=None, synchronization=None, initializer=None, dtype=None):
        return super().add_weight(name, shape=shape, dtype=dtype or self._dtype, initializer=initializer or "zeros", trainable=False, collections=[])

    def update_state(self, *args, **kwargs):
        raise NotImplementedError("Must be implemented in subclasses.")

    def result(self):
        raise NotImplementedError("Must be implemented in subclasses.")

    def reset_states(self):
        backend.batch_set_value([(v, np.zeros(v.shape.as_list())) for v in self.variables])

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype}


def _metric(*names):
    def mark(cls):
        for name in names or (cls.__name__,):
            CLASSES[name] = cls
            export_value(cls, "keras.metrics." + name)
        return cls

    return mark


class _Reduce(Metric):
    """Weighted sums of values, optionally divided by the sum of weights."""

    _mean = True

    def __init__(self, name=None, dtype=None):
        super().__init__(name=name or ("mean" if self._mean else "sum"), dtype=dtype)
        self.total = self.add_weight("total")
        if self._mean:
            self.count = self.add_weight("count")

    def update_state(self, values, sample_weight=None):
        values, weights = basics.cast(values, self._dtype), None
        if sample_weight is not None:
            weights = fit_weights(values, basics.cast(sample_weight, self._dtype))
            try:
                weights = spread(weights, values)
            except ValueError:  # values of higher rank than the weights: reduce them to the rank of the weights
                over = list(range(weights.shape.ndims, values.shape.ndims))
                values = (engine.reduce_mean if self._mean else engine.reduce_sum)(values, axis=over)
            values = engine.multiply(values, weights)
        total = engine.reduce_sum(values)
        with ops.control_dependencies([total]):
            update = assign_add(self.total, total)
        if not self._mean:
            return update
        number = basics.cast(basics.size(values), self._dtype) if weights is None else engine.reduce_sum(weights)
        with ops.control_dependencies([update]):
            return assign_add(self.count, number)

    def result(self):
        return engine.div_no_nan(self.total.read_value(), self.count.read_value()) if self._mean else engine.identity(self.total.read_value())


@_metric("Mean")
class Mean(_Reduce):
    """The (weighted) mean of values."""

    def __init__(self, name="mean", dtype=None):
        super().__init__(name, dtype)


additions.mean_metric = Mean


@_metric("Sum")
class Sum(_Reduce):
    """The (weighted) sum of values."""

    _mean = False

    def __init__(self, name="sum", dtype=None):
        super().__init__(name, dtype)


class MeanOf(Mean):
    """The mean of a function of targets and predictions."""

    def __init__(self, function, name=None, dtype=None, **settings):
        super().__init__(name=name or function.__name__, dtype=dtype)
        self._function, self._settings = function, settings

    def update_state(self, y_true, y_pred, sample_weight=None):
        both, sample_weight = flat_values([cast(y, self._dtype) for y in (y_true, y_pred)], sample_weight)
        y_pred, y_true = match_ranks(both[1], both[0])
        return super().update_state(self._function(y_true, y_pred, **self._settings), sample_weight=sample_weight)

    def get_config(self):
        return dict(super().get_config(), **self._settings)


def _mean_of(name, function, own, **settings):
    names = list(settings)

    def __init__(self, *args, **kwargs):
        given = dict(zip((names + ["name", "dtype"]) if name != "CosineSimilarity" else ["name", "dtype", "axis"], args))
        given.update(kwargs)
        MeanOf.__init__(self, function, given.pop("name", own), given.pop("dtype", None), **dict(settings, **given))

    _metric(name)(type(name, (MeanOf,), {"__init__": __init__, "__doc__": "The mean of %s over all batches." % function.__name__, "__module__": __name__}))


def _cosine(y_true, y_pred, axis=-1):
    return engine.reduce_sum(engine.nn.l2_normalize(y_true, axis=axis) * engine.nn.l2_normalize(y_pred, axis=axis), axis=axis)


_mean_of("Accuracy", accuracy, "accuracy")
_mean_of("BinaryAccuracy", binary_accuracy, "binary_accuracy")
_mean_of("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
_mean_of("SparseCategoricalAccuracy", sparse_categorical_accuracy, "sparse_categorical_accuracy")
_mean_of("TopKCategoricalAccuracy", top_k_categorical_accuracy, "top_k_categorical_accuracy", k=5)
_mean_of("SparseTopKCategoricalAccuracy", sparse_top_k_categorical_accuracy, "sparse_top_k_categorical_accuracy", k=5)
_mean_of("CosineSimilarity", _cosine, "cosine_similarity", axis=-1)
_mean_of("MeanAbsoluteError", losses.mean_absolute_error, "mean_absolute_error")
_mean_of("MeanAbsolutePercentageError", losses.mean_absolute_percentage_error, "mean_absolute_percentage_error")
_mean_of("MeanSquaredError", losses.mean_squared_error, "mean_squared_error")
_mean_of("MeanSquaredLogarithmicError", losses.mean_squared_logarithmic_error, "mean_squared_logarithmic_error")
_mean_of("Hinge", losses.hinge, "hinge")
_mean_of("SquaredHinge", losses.squared_hinge, "squared_hinge")
_mean_of("CategoricalHinge", losses.categorical_hinge, "categorical_hinge")
_mean_of("LogCoshError", losses.logcosh, "logcosh")
_mean_of("Poisson", losses.poisson, "poisson")
_mean_of("KLDivergence", losses.kullback_leibler_divergence, "kullback_leibler_divergence")
_mean_of("BinaryCrossentropy", losses.binary_crossentropy, "binary_crossentropy", from_logits=False, label_smoothing=0)
_mean_of("CategoricalCrossentropy", losses.categorical_crossentropy, "categorical_crossentropy", from_logits=False, label_smoothing=0)
_mean_of("SparseCategoricalCrossentropy", losses.sparse_categorical_crossentropy, "sparse_categorical_crossentropy", from_logits=False, axis=-1)


@_metric("RootMeanSquaredError")
class RootMeanSquaredError(Mean):
    """The root mean squared error."""

    def __init__(self, name="root_mean_squared_error", dtype=None):
        super().__init__(name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred, y_true = match_ranks(basics.cast(y_pred, self._dtype), basics.cast(y_true, self._dtype))
        return super().update_state(engine.squared_difference(y_pred, y_true), sample_weight)

    def result(self):
        return engine.sqrt(super().result())


@_metric("MeanRelativeError")
class MeanRelativeError(Mean):
    """The mean relative error: differences divided by a normalizer."""

    def __init__(self, normalizer, name=None, dtype=None):
        super().__init__(name or "mean_relative_error", dtype)
        self.normalizer = basics.cast(normalizer, self._dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred, y_true = match_ranks(basics.cast(y_pred, self._dtype), basics.cast(y_true, self._dtype))
        return super().update_state(engine.div_no_nan(engine.abs(y_true - y_pred), self.normalizer), sample_weight)

    def get_config(self):
        return dict(super().get_config(), normalizer=backend.get_value(self.normalizer))


@_metric("MeanTensor")
class MeanTensor(Metric):
    """The elementwise mean."""

    def __init__(self, name="mean_tensor", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.count = None

    def update_state(self, values, sample_weight=None):
        values = basics.cast(values, self._dtype)
        if self.total is None:
            self.total, self.count = self.add_weight("total", shape=values.shape), self.add_weight("count", shape=values.shape)
        elif values.shape != self.total.shape:
            raise ValueError("MeanTensor input values must always have the same shape. Expected shape (set during the first call): {}. Got: {}".format(self.total.shape, values.shape))
        number = engine.ones_like(values)
        if sample_weight is not None:
            number = spread(fit_weights(values, basics.cast(sample_weight, self._dtype)), values)
            values = engine.multiply(values, number)
        with ops.control_dependencies([assign_add(self.total, values)]):
            return assign_add(self.count, number)

    def result(self):
        if self.total is None:
            raise ValueError("MeanTensor does not have any result yet. Please call the MeanTensor instance or use `.update_state(value)` before retrieving the result.")
        return engine.div_no_nan(self.total.read_value(), self.count.read_value())


@_metric("MeanIoU")
class MeanIoU(Metric):
    """The mean intersection over union of the classes."""

    def __init__(self, num_classes, name=None, dtype=None):
        super().__init__(name=name or "mean_io_u", dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight("total_confusion_matrix", shape=(num_classes, num_classes), dtype=dtypes.float64)

    def update_state(self, y_true, y_pred, sample_weight=None):
        flat = [engine.reshape(basics.cast(y, dtypes.int64), [-1]) for y in (y_true, y_pred)]
        weights = None if sample_weight is None else engine.reshape(basics.cast(sample_weight, dtypes.float64), [-1])
        return assign_add(self.total_cm, engine.math.confusion_matrix(flat[0], flat[1], self.num_classes, weights=weights, dtype=dtypes.float64))

    def result(self):
        cm = self.total_cm.read_value()
        row, column, right = basics.cast(engine.reduce_sum(cm, 0), self._dtype), basics.cast(engine.reduce_sum(cm, 1), self._dtype), basics.cast(engine.matrix_diag_part(cm), self._dtype)
        union = row + column - right
        valid = engine.reduce_sum(basics.cast(engine.not_equal(union, 0), self._dtype))
        return engine.div_no_nan(engine.reduce_sum(engine.div_no_nan(right, union), name="mean_iou"), valid)

    def reset_states(self):
        backend.set_value(self.total_cm, np.zeros((self.num_classes, self.num_classes)))

    def get_config(self):
        return dict(super().get_config(), num_classes=self.num_classes)


class _Confusion(Metric):
    """Counts of the confusion matrix at one or more thresholds."""

    _kinds, _variable_name = (), None

    def __init__(self, thresholds=None, name=None, dtype=None, top_k=None, class_id=None, inner=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        default = 0.5 if top_k is None else -np.inf
        self.thresholds = [default] if thresholds is None else list(thresholds) if isinstance(thresholds, (list, tuple, np.ndarray)) else [thresholds]
        outside = [t for t in self.thresholds if thresholds is not None and (t is None or not 0 <= t <= 1)]
        if outside:
            raise ValueError("Threshold values must be in [0, 1]. Invalid values: {}".format(outside))
        self.thresholds = inner or self.thresholds  # those of a curve extend slightly beyond 0 and 1
        for kind in self._kinds:
            setattr(self, kind, self.add_weight(self._variable_name or kind, shape=(len(self.thresholds),)))

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred, y_true = basics.cast(y_pred, self._dtype), basics.cast(y_true, self._dtype)
        if self.top_k is not None:
            _, best = engine.nn.top_k(y_pred, self.top_k, sorted=False)
            y_pred = engine.where(basics.cast(engine.reduce_sum(engine.one_hot(best, y_pred.shape.as_list()[-1], axis=-1), axis=-2), dtypes.bool_), y_pred, float("-inf") * engine.ones_like(y_pred))
        if self.class_id is not None:
            y_true, y_pred = y_true[..., self.class_id], y_pred[..., self.class_id]
        if y_true.shape.ndims is not None and y_pred.shape.ndims is not None and y_true.shape.ndims < y_pred.shape.ndims:
            y_true = engine.expand_dims(y_true, -1)
        weights = None if sample_weight is None else engine.reshape(basics.cast(sample_weight, self._dtype) * engine.ones_like(y_pred) if ops.convert_to_tensor(sample_weight).shape.ndims in
                                                                    (0, y_pred.shape.ndims) else engine.expand_dims(basics.cast(sample_weight, self._dtype), -1) * engine.ones_like(y_pred), [1, -1])
        truth = basics.cast(engine.reshape(y_true, [1, -1]), dtypes.bool_)
        said = engine.reshape(y_pred, [1, -1]) > engine.reshape(basics.cast(ops.constant(self.thresholds, dtypes.float32), self._dtype), [-1, 1])
        truth = engine.tile(truth, [len(self.thresholds), 1])
        cells = {"true_positives": (truth, said), "false_negatives": (truth, engine.logical_not(said)), "true_negatives": (engine.logical_not(truth), engine.logical_not(said)),
                 "false_positives": (engine.logical_not(truth), said)}
        updates = []
        for kind in self._kinds:
            hits = basics.cast(engine.logical_and(*cells[kind]), self._dtype)
            updates.append(assign_add(getattr(self, kind), engine.reduce_sum(hits if weights is None else hits * weights, 1)))
        return group(*updates)

    def _one(self, values):
        return values[0] if len(self.thresholds) == 1 else values

    def get_config(self):
        return dict(super().get_config(), thresholds=self.init_thresholds)


def _count_of(name, kind):
    def __init__(self, thresholds=None, name=None, dtype=None):
        _Confusion.__init__(self, thresholds, name or kind, dtype)

    _metric(name)(type(name, (_Confusion,), {"_kinds": (kind,), "_variable_name": "accumulator", "__init__": __init__, "accumulator": property(lambda self: getattr(self, kind)),
                                             "result": lambda self: self._one(getattr(self, kind).read_value()),
                                             "__doc__": "The number of %s." % kind.replace("_", " "), "__module__": __name__}))


for _name, _kind in (("TruePositives", "true_positives"), ("TrueNegatives", "true_negatives"), ("FalsePositives", "false_positives"), ("FalseNegatives", "false_negatives")):
    _count_of(_name, _kind)


class _Share(_Confusion):
    _name_of = ""

    def __init__(self, thresholds=None, top_k=None, class_id=None, name=None, dtype=None):
        super().__init__(thresholds, name or self._name_of, dtype, top_k, class_id)

    def result(self):
        right, wrong = (getattr(self, k).read_value() for k in self._kinds)
        return self._one(engine.div_no_nan(right, right + wrong))

    def get_config(self):
        return dict(super().get_config(), top_k=self.top_k, class_id=self.class_id)


@_metric("Precision")
class Precision(_Share):
    """The fraction of positive predictions that is correct."""

    _kinds, _name_of = ("true_positives", "false_positives"), "precision"


@_metric("Recall")
class Recall(_Share):
    """The fraction of positives that is predicted as positive."""

    _kinds, _name_of = ("true_positives", "false_negatives"), "recall"


class _AllCells(_Confusion):
    _kinds = ("true_positives", "true_negatives", "false_positives", "false_negatives")


class _AtPoint(_AllCells):
    def __init__(self, value, num_thresholds=200, name=None, dtype=None):
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value, self.num_thresholds = value, num_thresholds
        super().__init__([0.5] if num_thresholds == 1 else [0.0] + [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)] + [1.0], name, dtype)

    def _rates(self):
        tp, tn, fp, fn = (getattr(self, k).read_value() for k in self._kinds)
        return engine.div_no_nan(tp, tp + fn), engine.div_no_nan(tn, tn + fp)

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype, "num_thresholds": self.num_thresholds}


@_metric("SensitivityAtSpecificity")
class SensitivityAtSpecificity(_AtPoint):
    """Sensitivity where specificity is nearest to a value."""

    def __init__(self, specificity, num_thresholds=200, name=None, dtype=None):
        if specificity < 0 or specificity > 1:
            raise ValueError("`specificity` must be in the range [0, 1].")
        self.specificity = specificity
        super().__init__(specificity, num_thresholds, name or "sensitivity_at_specificity", dtype)

    def result(self):
        sensitivity, specificity = self._rates()
        return sensitivity[engine.argmin(engine.abs(specificity - self.value), axis=0)]

    def get_config(self):
        return dict(super().get_config(), specificity=self.specificity)


@_metric("SpecificityAtSensitivity")
class SpecificityAtSensitivity(_AtPoint):
    """Specificity where sensitivity is nearest to a value."""

    def __init__(self, sensitivity, num_thresholds=200, name=None, dtype=None):
        if sensitivity < 0 or sensitivity > 1:
            raise ValueError("`sensitivity` must be in the range [0, 1].")
        self.sensitivity = sensitivity
        super().__init__(sensitivity, num_thresholds, name or "specificity_at_sensitivity", dtype)

    def result(self):
        sensitivity, specificity = self._rates()
        return specificity[engine.argmin(engine.abs(sensitivity - self.value), axis=0)]

    def get_config(self):
        return dict(super().get_config(), sensitivity=self.sensitivity)


@_metric("AUC")
class AUC(_AllCells):
    """The area under the ROC or PR curve, by sums over thresholds."""

    def __init__(self, num_thresholds=200, curve="ROC", summation_method="interpolation", name=None, dtype=None, thresholds=None):
        self.curve = curve if isinstance(curve, AUCCurve) else AUCCurve.from_str(curve)
        self.summation_method = summation_method if isinstance(summation_method, AUCSummationMethod) else AUCSummationMethod.from_str(summation_method)
        if thresholds is None:
            if num_thresholds <= 1:
                raise ValueError("`num_thresholds` must be > 1.")
            if num_thresholds > 1 << 24:
                raise ValueError("`num_thresholds` must be at most %d." % (1 << 24))
            inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        else:
            inner = sorted(thresholds)
        self.num_thresholds = len(inner) + 2
        super().__init__(None, name or "auc", dtype, inner=[-backend.epsilon()] + inner + [1.0 + backend.epsilon()])

    def result(self):
        tp, tn, fp, fn = (getattr(self, k).read_value() for k in self._kinds)
        n = self.num_thresholds
        if self.curve is AUCCurve.PR and self.summation_method is AUCSummationMethod.INTERPOLATION:
            d_tp = tp[:n - 1] - tp[1:]
            p = tp + fp
            slope = engine.div_no_nan(d_tp, engine.maximum(p[:n - 1] - p[1:], 0))
            intercept = tp[1:] - slope * p[1:]
            ratio = engine.where(engine.logical_and(p[:n - 1] > 0, p[1:] > 0), engine.div_no_nan(p[:n - 1], engine.maximum(p[1:], 0)), engine.ones_like(p[1:]))
            return engine.reduce_sum(engine.div_no_nan(slope * (d_tp + intercept * engine.log(ratio)), engine.maximum(tp[1:] + fn[1:], 0)))
        recall = engine.div_no_nan(tp, tp + fn)
        x, y = (engine.div_no_nan(fp, fp + tn), recall) if self.curve is AUCCurve.ROC else (recall, engine.div_no_nan(tp, tp + fp))
        heights = ((y[:n - 1] + y[1:]) / 2. if self.summation_method is AUCSummationMethod.INTERPOLATION else engine.minimum(y[:n - 1], y[1:]) if self.summation_method is AUCSummationMethod.MINORING
                   else engine.maximum(y[:n - 1], y[1:]))
        return engine.reduce_sum((x[:n - 1] - x[1:]) * heights)

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype, "num_thresholds": self.num_thresholds, "curve": self.curve.value, "summation_method": self.summation_method.value,
                "thresholds": self.thresholds[1:-1]}


del _name, _kind


@export("keras.metrics.get", "keras.metrics.deserialize")
def metric_of(what, custom_objects=None):
    """A metric by name: a function, or an object of a class."""
    if callable(what):
        return what
    if isinstance(what, dict):
        found = (custom_objects or {}).get(what["class_name"]) or CLASSES.get(what["class_name"])
        if found is None:
            raise ValueError("Unknown metric function:" + what["class_name"])
        return found(**what["config"])
    if not isinstance(what, str):
        raise ValueError("Could not interpret metric function identifier: %s" % (what,))
    found = (custom_objects or {}).get(what) or lookups.CUSTOM.get(what) or FUNCTIONS.get(what)
    if found is None and what in CLASSES:
        return CLASSES[what]()
    if found is None:
        raise ValueError("Unknown metric function:" + str(what))
    return found


@export("keras.metrics.serialize")
def serialize(metric):
    return {"class_name": type(metric).__name__, "config": metric.get_config()} if isinstance(metric, Metric) else metric.__name__
