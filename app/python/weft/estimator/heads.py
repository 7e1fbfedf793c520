"""Heads of canned estimators: predictions, losses, metrics and the training step from logits."""

import collections
import inspect

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, group
from ..data.vocabularies import index_table_from_tensor, index_to_string_table_from_tensor
from ..feature_column.column_base import _LazyBuilder
from ..feature_column.columns import NumericColumn, numeric_column
from ..losses import Reduction
from ..ops import GraphKeys
from ..sparse_tensor import convert_to_tensor_or_sparse_tensor, SparseTensor
from ..summaries import ops as summary
from ..training.global_step import get_global_step
from .export_outputs import ClassificationOutput, PredictOutput, RegressionOutput
from .spec import EstimatorSpec, ModeKeys

_DEFAULT = "serving_default"
LossSpec = collections.namedtuple("LossSpec", ["training_loss", "unreduced_loss", "weights", "processed_labels"])


def _number(tensor, name):
    return basics.cast(tensor, dtypes.float32, name=name)


def _refuse_sparse(labels, width):
    if isinstance(labels, SparseTensor):
        raise ValueError("SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, ..., DN, %s], e.g. [batch_size, %s]. Suggested Fix (1): Check the "
                         "label feature in your data. Each example must contain %s value(s). If not, your choice of label was probably incorrect. " % (width, width, width))


def _fitting_labels(labels, logits, width):
    """Labels reshaped to the rank of the logits, with `width` values in the last dimension."""
    if labels is None:
        raise ValueError("You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data contain your label feature. Check that your input_fn "
                         "properly parses and returns labels.")
    with ops.name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        _refuse_sparse(labels, width)
        if labels.shape.ndims is not None and logits.shape.ndims is not None and labels.shape.ndims == logits.shape.ndims - 1:
            labels = engine.expand_dims(labels, -1)
        got, wanted = basics.shape(labels), basics.shape(logits)
        message = "labels shape must be [D0, D1, ... DN, {}]. Suggested Fix: check your n_classes argument to the estimator and/or the shape of your label.".format(width)
        rank = engine.assert_rank_at_least(labels, 2, message=message)
        if labels.shape.ndims is not None and labels.shape.as_list()[-1] is not None and labels.shape.as_list()[-1] != width:
            raise ValueError("Mismatched label shape. Expected labels dimension=%s.  Received %s. Suggested Fix:If your classifier expects one-hot encoding label,check your "
                             "n_classes argument to the estimator and/or the shape of your label. Otherwise, check the shape of your label." % (width, labels.shape.as_list()[-1]))
        with ops.control_dependencies([rank]):
            expected = engine.concat([wanted[:-1], [width]], axis=0)
            check = engine.assert_equal(expected, got, message=message, data=["expected_labels_shape: ", expected, "labels_shape: ", got])
            with ops.control_dependencies([check]):
                return engine.identity(labels, name=scope)


def _in_range(labels, classes, message=None):
    with ops.name_scope(None, "assert_range", (labels,)):
        less = engine.assert_less_equal(labels, ops.convert_to_tensor(classes - 1, dtype=labels.dtype), message=message or "Labels must <= n_classes - 1")
        greater = engine.assert_non_negative(labels, message=message or "Labels must >= 0")
        with ops.control_dependencies((less, greater)):
            return engine.identity(labels)


def _weights(features, column, logits, per_logit=False):
    """The weights of examples, with the rank of the logits; 1 without a column. `per_logit`: there may be one for each logit."""
    with ops.name_scope(None, "weights", tuple(features.values()) + (logits,)) as scope:
        if column is None:
            return 1.
        if isinstance(column, str):
            column = numeric_column(key=column, shape=(1,))
        if not isinstance(column, NumericColumn):
            raise TypeError("Weight column must be either a string or _NumericColumn. Given type: {}.".format(type(column)))
        weights = _LazyBuilder(features).get(column)
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError("Weight column should be castable to float. Given dtype: {}".format(weights.dtype))
        weights = _number(weights, "weights")
        got, wanted = basics.shape(weights, name="weights_shape"), basics.shape(logits, name="logits_shape")
        message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
        if per_logit:
            message = "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
        data = ["logits_shape: ", wanted, "weights_shape: ", got]
        if weights.shape.ndims is not None and logits.shape.ndims is not None and weights.shape.ndims == logits.shape.ndims - 1:
            check = engine.assert_equal(wanted[:-1], got, message=message, data=data)
            with ops.control_dependencies([check]):
                return engine.expand_dims(weights, -1, name=scope)
        one_each = engine.concat([wanted[:-1], [1]], axis=0)
        if per_logit:
            fits = engine.reduce_any([engine.reduce_all(engine.equal(wanted, got)), engine.reduce_all(engine.equal(one_each, got))])
            check = Assert(condition=fits, data=[message] + data)
        else:
            check = engine.assert_equal(one_each, got, message=message, data=data)
        with ops.control_dependencies([check]):
            return engine.identity(weights, name=scope)


def _broadcast(weights, values):
    return weights * engine.ones_like(values)


def _fitting_logits(logits, width):
    """Logits with `width` values in the last dimension. ValueError, or a check in each step where that is not known yet."""
    with ops.name_scope(None, "logits", (logits,)) as scope:
        logits = basics.to_float(logits)
        shape = basics.shape(logits)
        message = "logits shape must be [D0, D1, ... DN, logits_dimension]"
        rank = engine.assert_rank_at_least(logits, 2, data=[shape], message=message)
        with ops.control_dependencies([rank]):
            static = logits.shape
            if static.ndims is not None and static.as_list()[-1] is not None:
                if static.as_list()[-1] != width:
                    raise ValueError(message + ", got %s." % (static,))
                return logits
            check = engine.assert_equal(width, shape[-1], data=[shape], message=message)
            with ops.control_dependencies([check]):
                return engine.identity(logits, name=scope)


class Head:
    """Base of the heads."""

    _per_logit_weights = False

    def __init__(self, logits_dimension, weight_column, loss_reduction, loss_fn, name=None):
        self.logits_dimension, self._weight_column, self._reduction, self._loss_fn, self._name = logits_dimension, weight_column, loss_reduction, loss_fn, name
        Reduction.validate(loss_reduction)

    name = property(lambda self: self._name)

    def _key(self, what):
        """The name of a metric or summary of this head."""
        return "%s/%s" % (what, self._name) if self._name else what

    def _loss(self, labels, logits, features):
        """(loss for training, losses, weights, labels)"""
        logits = ops.convert_to_tensor(logits)
        labels = self._labels(_fitting_labels(labels, logits, self._label_width()))
        losses = self._given_losses(labels, logits, features) if self._loss_fn else self._losses(labels, logits)
        weights = _weights(features, self._weight_column, logits, self._per_logit_weights)
        return LossSpec(engine.losses.compute_weighted_loss(losses, weights=weights, reduction=self._reduction), losses, weights, labels)

    def create_loss(self, features, mode, logits, labels):
        """The loss of these logits, with its parts."""
        del mode
        return self._loss(labels, ops.convert_to_tensor(logits), features)

    def _given_losses(self, labels, logits, features):
        """The losses computed by the program's function, with a shape check."""
        given = {"features": features} if "features" in inspect.signature(self._loss_fn).parameters else {}
        width = self._loss_width()
        with ops.name_scope(None, "call_loss_fn", values=[labels, logits] + list(features.values())):
            losses = self._loss_fn(labels=labels, logits=logits, **given)
            logits_shape = basics.shape(logits, name="logits_shape")
            expected = engine.concat([logits_shape[:-1], [width]], axis=0, name="expected_loss_shape")
            shape = basics.shape(losses, name="loss_shape")
            check = Assert(engine.reduce_all(engine.equal(shape, expected)), name="check_loss_shape",
                           data=["loss_fn must return Tensor of shape [D0, D1, ... DN, {}]. ".format(width), "logits_shape: ", logits_shape, "loss_shape: ", shape])
            with ops.control_dependencies([check]):
                return engine.identity(losses)

    def _label_width(self):
        return 1

    def _loss_width(self):
        return 1

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None, regularization_losses=None):
        with ops.name_scope(self._name, "head"):
            logits, predictions = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._outputs(predictions))
            training, losses, weights, labels = self._loss(labels, logits, features)
            loss, extra = training, None
            if regularization_losses:
                extra = engine.add_n(regularization_losses)
                loss = engine.add_n([training, extra])
            step = mean = None
            if mode == ModeKeys.TRAIN:
                step, mean = self._step(loss, optimizer, train_op_fn), self._mean(training, weights, losses)
        if mode == ModeKeys.EVAL:  # metrics are outside the head's scope
            metrics = self._metrics(labels, predictions, weights, losses)
            if extra is not None:
                metrics["regularization_loss"] = engine.metrics.mean(values=extra, name="regularization_loss")
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops={self._key(k): v for k, v in metrics.items()})
        with ops.name_scope(""):
            summary.scalar(self._key("loss"), loss)
            if mean is not None:
                summary.scalar(self._key("average_loss"), mean)
            if extra is not None:
                summary.scalar(self._key("regularization_loss"), extra)
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=step)

    @staticmethod
    def _step(loss, optimizer, train_op_fn):
        if optimizer is not None and train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        if optimizer is None and train_op_fn is None:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        step = optimizer.minimize(loss, global_step=get_global_step()) if optimizer is not None else train_op_fn(loss)
        updates = ops.get_collection(GraphKeys.UPDATE_OPS)
        return group(step, *updates) if updates else step

    def _mean(self, training, weights, losses):
        return training / engine.reduce_sum(weights * engine.ones_like(losses)) if self._reduction == Reduction.SUM else None


class _Classes(Head):
    def __init__(self, n_classes, dimension, weight_column, label_vocabulary, loss_reduction, loss_fn, name=None):
        super().__init__(dimension, weight_column, loss_reduction, loss_fn, name)
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError("label_vocabulary should be a list or a tuple. Given type: {}".format(type(label_vocabulary)))
        self._n, self._vocabulary = n_classes, label_vocabulary

    def _listed(self, logits):
        batch = basics.shape(logits)[0]
        return engine.tile(input=engine.expand_dims(input=engine.range(self._n), axis=0), multiples=[batch, 1]), self._names(logits)

    def _names(self, scores):
        batch = basics.shape(scores)[0]
        names = list(self._vocabulary) if self._vocabulary else engine.as_string(engine.range(self._n))
        return engine.tile(input=engine.expand_dims(input=names, axis=0), multiples=[batch, 1])

    def _text(self, ids):
        if self._vocabulary:
            return index_to_string_table_from_tensor(list(self._vocabulary), name="class_string_lookup").lookup(ids)
        return engine.as_string(ids, name="str_classes")

    def _lookup(self, labels):
        if labels.dtype != dtypes.string:
            raise ValueError("Labels dtype should be string if there is a vocabulary. Instead got {}".format(labels.dtype))
        return index_table_from_tensor(tuple(self._vocabulary), name="class_id_lookup").lookup(labels)


class MultiClass(_Classes):
    """One of several classes, by softmax."""

    def __init__(self, n_classes, weight_column=None, label_vocabulary=None, loss_reduction="weighted_sum", loss_fn=None, name=None):
        super().__init__(n_classes, n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)

    def _predictions(self, logits):
        logits = _fitting_logits(logits, self.logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            all_ids, all_names = self._listed(logits)
            ids = engine.expand_dims(engine.argmax(logits, axis=-1, name="class_ids"), axis=-1)
            probabilities_of = self._text(ids)
            probabilities = engine.nn.softmax(logits, name="probabilities")
        predictions = {"logits": logits, "probabilities": probabilities, "class_ids": ids, "classes": probabilities_of, "all_class_ids": all_ids, "all_classes": all_names}
        return logits, predictions

    def _outputs(self, predictions):
        output = ClassificationOutput(scores=predictions["probabilities"], classes=self._names(predictions["probabilities"]))
        return {_DEFAULT: output, "classification": output, "predict": PredictOutput(predictions)}

    def _labels(self, labels):
        if self._vocabulary is None and not labels.dtype.is_integer:
            raise ValueError("Labels dtype should be integer. Instead got {}.".format(labels.dtype))
        return _in_range(labels if self._vocabulary is None else self._lookup(labels), self._n)

    def _losses(self, labels, logits):
        return engine.expand_dims(engine.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits, reduction=Reduction.NONE), axis=-1)

    def _metrics(self, labels, predictions, weights, losses):
        with ops.name_scope(None, "metrics", (labels, predictions["class_ids"], weights, losses)):
            return {"average_loss": engine.metrics.mean(values=losses, weights=weights, name="average_loss"),
                    "accuracy": engine.metrics.accuracy(labels=labels, predictions=predictions["class_ids"], weights=weights, name="accuracy")}


class Binary(_Classes):
    """One of two classes, by the logistic function."""

    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction="weighted_sum", loss_fn=None, name=None):
        super().__init__(2, 1, weight_column, label_vocabulary, loss_reduction, loss_fn, name)
        self._thresholds = tuple(thresholds or ())
        for t in self._thresholds:
            if t <= 0.0 or t >= 1.0:
                raise ValueError("thresholds not in (0, 1): {}.".format((self._thresholds,)))

    def _predictions(self, logits):
        with ops.name_scope(None, "predictions", (logits,)):
            logits = _fitting_logits(logits, self.logits_dimension)
            logistic = engine.sigmoid(logits, name="logistic")
            both = engine.concat((engine.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            probabilities = engine.nn.softmax(both, name="probabilities")
            ids = engine.expand_dims(engine.argmax(both, axis=-1, name="class_ids"), axis=-1)
            all_ids, all_names = self._listed(logits)
            classes = self._text(ids)
        predictions = {"logits": logits, "logistic": logistic, "probabilities": probabilities, "class_ids": ids, "classes": classes, "all_class_ids": all_ids,
                       "all_classes": all_names}
        return logits, predictions

    def _outputs(self, predictions):
        output = ClassificationOutput(scores=predictions["probabilities"], classes=self._names(predictions["probabilities"]))
        return {_DEFAULT: output, "classification": output, "regression": RegressionOutput(value=predictions["logistic"]), "predict": PredictOutput(predictions)}

    def _labels(self, labels):
        return _in_range(basics.to_float(labels if self._vocabulary is None else self._lookup(labels)), 2)

    def _losses(self, labels, logits):
        return engine.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _metrics(self, labels, predictions, weights, losses):
        ids, logistic = predictions["class_ids"], predictions["logistic"]
        m = engine.metrics
        with ops.name_scope(None, "metrics", (labels, predictions["logits"], logistic, ids, weights, losses)):
            with ops.name_scope("label/mean") as scope:
                mean = m.mean(labels, weights=_broadcast(weights, labels), name=scope)
            made = {"average_loss": m.mean(values=losses, weights=weights, name="average_loss"),
                    "accuracy": m.accuracy(labels=labels, predictions=ids, weights=weights, name="accuracy"),
                    "precision": m.precision(labels=labels, predictions=ids, weights=weights, name="precision"),
                    "recall": m.recall(labels=labels, predictions=ids, weights=weights, name="recall")}
            made["prediction/mean"] = m.mean(logistic, weights=_broadcast(weights, logistic), name="prediction/mean")
            made["label/mean"] = mean
            with ops.name_scope("accuracy_baseline"):
                made["accuracy_baseline"] = (engine.maximum(mean[0], 1. - mean[0], name="value"), engine.maximum(mean[1], 1 - mean[1], name="update_op"))
            for key, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
                made[key] = m.auc(labels=labels, predictions=logistic, weights=_broadcast(weights, logistic), curve=curve, name=key)
            for t in self._thresholds:
                said = basics.cast(engine.greater_equal(logistic, t), dtypes.float32)
                key = "accuracy/positive_threshold_%g" % t
                made[key] = m.accuracy(labels=labels, predictions=said, weights=weights, name=key)
                for kind, function in (("precision", m.precision_at_thresholds), ("recall", m.recall_at_thresholds)):
                    key = "%s/positive_threshold_%g" % (kind, t)
                    value, update = function(labels=labels, predictions=logistic, thresholds=(t,), weights=weights, name=key)
                    made[key] = (engine.squeeze(value), engine.squeeze(update))
        return made


class Regression(Head):
    """Numbers, by squared differences."""

    _per_logit_weights = True

    def __init__(self, weight_column=None, label_dimension=1, loss_reduction="weighted_sum", loss_fn=None, inverse_link_fn=None, name=None):
        if label_dimension < 1:
            raise ValueError("Invalid label_dimension %s." % label_dimension)
        super().__init__(label_dimension, weight_column, loss_reduction, loss_fn, name)
        self._inverse = inverse_link_fn

    def _label_width(self):
        return self.logits_dimension

    _loss_width = _label_width

    def _predictions(self, logits):
        logits = _fitting_logits(logits, self.logits_dimension)
        value = self._inverse(logits) if self._inverse else logits
        predictions = {"predictions": value, "logits": logits} if self._inverse else {"predictions": value}
        return logits, predictions

    def _outputs(self, predictions):
        output = RegressionOutput(value=predictions["predictions"])
        return {_DEFAULT: output, "regression": output, "predict": PredictOutput(predictions)}

    def _labels(self, labels):
        return basics.to_float(labels)

    def _losses(self, labels, logits):
        return engine.losses.mean_squared_error(labels=labels, predictions=logits, reduction=Reduction.NONE)

    def _metrics(self, labels, predictions, weights, losses):
        value = predictions["predictions"]
        return {"average_loss": engine.metrics.mean(values=losses, weights=weights), "label/mean": engine.metrics.mean(values=labels, weights=weights),
                "prediction/mean": engine.metrics.mean(value, weights=_broadcast(weights, value), name="prediction/mean")}


def classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction):
    if n_classes == 2:
        return Binary(weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    if n_classes is None or n_classes < 2:
        raise ValueError("n_classes must be > 2 for classification: %s." % n_classes)
    return MultiClass(n_classes, weight_column, label_vocabulary, loss_reduction)
