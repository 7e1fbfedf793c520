"""tf.contrib.estimator: heads as functions, several labels at once, several heads at once."""

import inspect

from .. import basics, dtypes, engine, ops
from ..control_flow import no_op
from ..data.vocabularies import index_table_from_tensor
from ..exports import export
from ..losses import Reduction
from ..sparse_tensor import SparseTensor
from ..summaries import ops as summary
from ..training.global_step import get_global_step
from .export_outputs import ClassificationOutput, PredictOutput
from .heads import _DEFAULT, Binary, Head, LossSpec, MultiClass, Regression, _broadcast, _fitting_labels, _weights
from .spec import EstimatorSpec, ModeKeys

_MEAN = Reduction.SUM_OVER_BATCH_SIZE


def _head(name):
    return export("contrib.estimator." + name)


def _checked(loss_fn, loss_reduction):
    if loss_fn:
        names = list(inspect.signature(loss_fn).parameters)
        for required in ("labels", "logits"):
            if required not in names:
                raise ValueError("loss_fn must contain argument: {}. Given arguments: {}".format(required, tuple(names)))
        unknown = sorted(set(names) - {"labels", "logits", "features"})
        if unknown:
            raise ValueError("loss_fn has unexpected args: {}".format(unknown))
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError("Invalid loss_reduction: {}".format(loss_reduction))


@_head("multi_class_head")
def multi_class_head(n_classes, weight_column=None, label_vocabulary=None, loss_reduction=_MEAN, loss_fn=None, name=None):
    """One of several classes, by softmax."""
    if n_classes is None or n_classes <= 2:
        raise ValueError("n_classes must be > 2: %s." % n_classes)
    _checked(loss_fn, loss_reduction)
    return MultiClass(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


@_head("binary_classification_head")
def binary_classification_head(weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction=_MEAN, loss_fn=None, name=None):
    """One of two classes, by the logistic function."""
    _checked(loss_fn, loss_reduction)
    return Binary(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


@_head("regression_head")
def regression_head(weight_column=None, label_dimension=1, loss_reduction=_MEAN, loss_fn=None, inverse_link_fn=None, name=None):
    """Numbers, by squared differences."""
    _checked(loss_fn, loss_reduction)
    return Regression(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


@_head("poisson_regression_head")
def poisson_regression_head(weight_column=None, label_dimension=1, loss_reduction=_MEAN, compute_full_loss=True, name=None):
    """Counts, by the Poisson likelihood; the logits are the logarithm of the mean."""
    def loss_fn(labels, logits):
        return engine.nn.log_poisson_loss(targets=labels, log_input=logits, compute_full_loss=compute_full_loss)

    return regression_head(weight_column, label_dimension, loss_reduction, loss_fn, engine.exp, name)


def _assert_range(labels, n_classes, message):
    with ops.name_scope(None, "assert_range", (labels,)):
        less = engine.assert_less_equal(labels, ops.convert_to_tensor(n_classes - 1, dtype=labels.dtype), message=message)
        greater = engine.assert_non_negative(labels, message=message)
        with ops.control_dependencies((less, greater)):
            return engine.identity(labels)


@_head("logistic_regression_head")
def logistic_regression_head(weight_column=None, loss_reduction=_MEAN, name=None):
    """Numbers from 0 to 1, by cross entropy."""
    def loss_fn(labels, logits):
        labels = _assert_range(labels, 2, "Labels must be in range [0, 1]")
        return engine.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return regression_head(weight_column, 1, loss_reduction, loss_fn, engine.sigmoid, name)


@_head("multi_label_head")
def multi_label_head(n_classes, weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction=_MEAN, loss_fn=None, classes_for_class_based_metrics=None, name=None):
    """Any of several classes at once, each by the logistic function."""
    thresholds = tuple(thresholds or ())
    if n_classes is None or n_classes < 2:
        raise ValueError("n_classes must be > 1 for multi-class classification. Given: {}".format(n_classes))
    for threshold in thresholds:
        if threshold <= 0.0 or threshold >= 1.0:
            raise ValueError("thresholds must be in (0, 1) range. Given: {}".format(threshold))
    if label_vocabulary is not None:
        if not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError("label_vocabulary must be a list or tuple. Given type: {}".format(type(label_vocabulary)))
        if len(label_vocabulary) != n_classes:
            raise ValueError("Length of label_vocabulary must be n_classes ({}). Given: {}".format(n_classes, len(label_vocabulary)))
    _checked(loss_fn, loss_reduction)
    classes = tuple(classes_for_class_based_metrics or ())
    if classes and isinstance(classes[0], str):
        if not label_vocabulary:
            raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are sting.")
        classes = tuple(label_vocabulary.index(c) for c in classes)
    for c in classes:
        if c < 0 or c >= n_classes:
            raise ValueError("All classes_for_class_based_metrics must be in range [0, {}]. Given: {}".format(n_classes - 1, c))
    return _MultiLabel(n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, classes, name)


class _MultiLabel(Head):
    """Any of several classes at once."""

    def __init__(self, n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, classes, name):
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)
        self._n, self._thresholds, self._vocabulary, self._classes = n_classes, thresholds, label_vocabulary, classes

    def _predictions(self, logits):
        with ops.name_scope(None, "predictions", (logits,)):
            probabilities = engine.sigmoid(logits, name="probabilities")
        return logits, {"logits": logits, "probabilities": probabilities}

    def _outputs(self, predictions):
        probabilities = predictions["probabilities"]
        batch = basics.shape(probabilities)[0]
        names = list(self._vocabulary) if self._vocabulary else engine.as_string(engine.range(self._n))
        output = ClassificationOutput(scores=probabilities, classes=engine.tile(input=engine.expand_dims(input=names, axis=0), multiples=[batch, 1]))
        return {_DEFAULT: output, "classification": output, "predict": PredictOutput(predictions)}

    def _indicators(self, labels):
        """Labels as a row of zeros and ones for each example."""
        if labels is None:
            raise ValueError("You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data contain your label feature. Check that your "
                             "input_fn properly parses and returns labels.")
        if not isinstance(labels, SparseTensor):
            return _assert_range(labels, 2, "labels must be an integer indicator Tensor with values in [0, 1]")
        if labels.dtype == dtypes.string:
            table = index_table_from_tensor(tuple(self._vocabulary), name="class_id_lookup")
            ids = SparseTensor(indices=labels.indices, values=table.lookup(labels.values), dense_shape=labels.dense_shape)
            return basics.to_int64(engine.sparse_to_indicator(ids, self._n))
        message = "labels must be an integer SparseTensor with values in [0, {})".format(self._n)
        checks = [engine.assert_integer(labels.values, message=message), engine.assert_less(labels.values, ops.convert_to_tensor(self._n, dtype=labels.dtype), message=message),
                  engine.assert_non_negative(labels.values, message=message)]
        with ops.control_dependencies(checks):
            return basics.to_int64(engine.sparse_to_indicator(labels, self._n))

    def _loss(self, labels, logits, features):
        labels = _fitting_labels(self._indicators(labels), logits, self._n)
        if self._loss_fn:
            losses = self._given_losses(labels, logits, features)
        else:
            losses = engine.losses.sigmoid_cross_entropy(multi_class_labels=labels, logits=logits, reduction=Reduction.NONE)
            losses = engine.reduce_mean(losses, axis=-1, keepdims=True)
        weights = _weights(features, self._weight_column, logits)
        return LossSpec(engine.losses.compute_weighted_loss(losses, weights=weights, reduction=self._reduction), losses, weights, labels)

    def _metrics(self, labels, predictions, weights, losses):
        m, probabilities = engine.metrics, predictions["probabilities"]
        with ops.name_scope(None, "metrics", [labels, probabilities, weights, losses]):
            made = {"average_loss": m.mean(values=losses, weights=weights, name="average_loss"),
                    "auc": m.auc(labels=labels, predictions=probabilities, weights=weights, name="auc"),
                    "auc_precision_recall": m.auc(labels=labels, predictions=probabilities, weights=weights, curve="PR", name="auc_precision_recall")}
            for t in self._thresholds:
                key = "accuracy/positive_threshold_%g" % t
                with ops.name_scope(key, "", (probabilities, labels, weights, t)) as scope:
                    said = basics.to_float(engine.greater_equal(probabilities, t))
                    made[key] = m.accuracy(labels=labels, predictions=said, weights=weights, name=scope)
                for kind, function in (("precision", m.precision_at_thresholds), ("recall", m.recall_at_thresholds)):
                    key = "%s/positive_threshold_%g" % (kind, t)
                    with ops.name_scope(key, "", (probabilities, labels, weights, t)) as scope:
                        value, update = function(labels=labels, predictions=probabilities, thresholds=(t,), weights=weights, name=scope)
                        made[key] = (engine.squeeze(value), engine.squeeze(update))
            for c in self._classes:
                self._class_metrics(made, c, labels, probabilities, weights)
        return made

    def _class_metrics(self, made, c, labels, probabilities, weights):
        rank = basics.rank(probabilities) - 1
        begin = engine.concat([engine.zeros([rank], dtype=dtypes.int32), [c]], axis=0)
        size = engine.concat([-1 * engine.ones([rank], dtype=dtypes.int32), [1]], axis=0)
        said = engine.slice(probabilities, begin=begin, size=size)
        right = engine.slice(labels, begin=begin, size=size)
        suffix = "class%d" % c if self._vocabulary is None else self._vocabulary[c]
        key = "probability_mean/%s" % suffix
        with ops.name_scope(key, "predictions_mean", (said, weights)) as scope:
            value = basics.to_float(said, name="predictions")
            made[key] = engine.metrics.mean(value, weights=_broadcast(weights, value), name=scope)
        for kind, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
            key = "%s/%s" % (kind, suffix)
            with ops.name_scope(key, "auc", (said, right, weights)) as scope:
                value = basics.to_float(said, name="predictions")
                made[key] = engine.metrics.auc(labels=right, predictions=value, weights=_broadcast(weights, value), curve=curve, name=scope)


@_head("multi_head")
def multi_head(heads, head_weights=None):
    """Combines several named heads; the loss is the weighted sum of theirs."""
    if head_weights and len(head_weights) != len(heads):
        raise ValueError("heads and head_weights must have the same size. Given len(heads): {}. Given len(head_weights): {}.".format(len(heads), len(head_weights)))
    if not heads:
        raise ValueError("Must specify heads. Given: {}".format(heads))
    for head in heads:
        if not head.name:
            raise ValueError("All given heads must have name specified. Given: {}".format(head))
    return _Heads(tuple(heads), tuple(head_weights or ()))


class _Heads:
    """The result of multi_head()."""

    def __init__(self, heads, weights):
        self._heads, self._head_weights = heads, weights

    name = property(lambda self: "_".join(h.name for h in self._heads))
    logits_dimension = property(lambda self: sum(h.logits_dimension for h in self._heads))

    def create_loss(self, features, mode, logits, labels):
        """The loss of all heads, with its parts by head name."""
        logits = logits if isinstance(logits, dict) else self._split(logits)
        training, losses, weights, processed = [], {}, {}, {}
        for i, head in enumerate(self._heads):
            one, losses[head.name], weights[head.name], processed[head.name] = head.create_loss(features, mode, logits[head.name], labels[head.name])
            training.append(one)
            if self._head_weights:
                losses[head.name] = engine.multiply(losses[head.name], self._head_weights[i])
                weights[head.name] = engine.multiply(weights[head.name], self._head_weights[i])
        return LossSpec(self._merged(training), losses, weights, processed)

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None):
        logits = logits if isinstance(logits, dict) else self._split(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError("labels must be a dict. Given: {}".format(labels))
        specs = [h.create_estimator_spec(features=features, mode=mode, logits=logits[h.name], labels=labels[h.name] if labels else None, train_op_fn=lambda loss: no_op())
                 for h in self._heads]
        if mode == ModeKeys.TRAIN:
            spec = self._train(specs, optimizer, train_op_fn)
            with ops.name_scope(""):
                summary.scalar("loss", spec.loss)
            return spec
        if mode == ModeKeys.PREDICT:
            return self._predict(specs)
        if mode == ModeKeys.EVAL:
            return self._eval(specs)
        raise ValueError("mode={} unrecognized".format(mode))

    def _split(self, logits):
        """The logits of each head, by its name."""
        found = {}
        with ops.name_scope(None, "split_logits", values=[logits]):
            logits = ops.convert_to_tensor(logits)
            sizes, shape = [h.logits_dimension for h in self._heads], logits.shape.as_list()
            if shape[-1] is not None and shape[-1] != sum(sizes):
                raise ValueError("Could not split logits of shape %r among the heads with individual logits dimensions: %r. The last dimension of the logits tensor should equal "
                                 "%d but is %d." % (shape, sizes, sum(sizes), shape[-1]))
            batch = basics.shape(logits)[:-1]
            zeros = engine.zeros_like(batch)
            all_of_it = -1 * engine.ones_like(batch)
            at = 0
            for head in self._heads:
                begin = engine.concat([zeros, [at]], axis=0)
                size = engine.concat([all_of_it, [head.logits_dimension]], axis=0)
                found[head.name] = engine.slice(logits, begin=begin, size=size)
                at += head.logits_dimension
        return found

    def _merged(self, losses):
        with ops.name_scope("merge_losses", values=list(losses) + list(self._head_weights)):
            return engine.add_n([engine.multiply(loss, w) for loss, w in zip(losses, self._head_weights)] if self._head_weights else list(losses))

    def _all_predictions(self, specs):
        return {(head.name, k): v for head, spec in zip(self._heads, specs) for k, v in spec.predictions.items()}

    def _train(self, specs, optimizer, train_op_fn):
        loss = self._merged([s.loss for s in specs])
        if optimizer is not None and train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        if optimizer is None and train_op_fn is None:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        step = optimizer.minimize(loss, global_step=get_global_step()) if optimizer is not None else train_op_fn(loss)
        return EstimatorSpec(ModeKeys.TRAIN, loss=loss, train_op=step, predictions=self._all_predictions(specs))

    def _predict(self, specs):
        outputs, merged = {_DEFAULT: specs[0].export_outputs[_DEFAULT]}, {}
        for head, spec in zip(self._heads, specs):
            for key, value in spec.export_outputs.items():
                outputs[head.name if key == _DEFAULT else "%s/%s" % (head.name, key)] = value
                if key == "predict" and isinstance(value, PredictOutput):
                    merged.update(("%s/%s" % (head.name, k), v) for k, v in value.outputs.items())
        outputs["predict"] = PredictOutput(merged)
        return EstimatorSpec(ModeKeys.PREDICT, predictions=self._all_predictions(specs), export_outputs=outputs)

    def _eval(self, specs):
        metrics, losses = {}, []
        with ops.name_scope("merge_eval"):
            for head, spec in zip(self._heads, specs):
                losses.append(spec.loss)
                name = "loss/%s" % head.name
                metrics[name] = engine.metrics.mean(spec.loss, name=name)
                metrics.update(spec.eval_metric_ops or {})
            loss = self._merged(losses)
        return EstimatorSpec(ModeKeys.EVAL, predictions=self._all_predictions(specs), loss=loss, eval_metric_ops=metrics)
