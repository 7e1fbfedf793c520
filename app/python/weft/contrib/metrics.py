"""tf.contrib.metrics: the metrics of tf.metrics under their old names, with predictions before labels."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from .metric_parts import collected, fitting


def metric(name):
    return export("contrib.metrics." + name, "contrib.slim.metrics." + name)


def _renamed(name, source, first=("predictions", "labels"), extra="", defaults=""):
    """Makes streaming_NAME(…), which takes parameters in the old order and calls tf.metrics.SOURCE."""
    words = list(first) + ([extra] if extra else [])
    given = ", ".join("%s=%s" % (w, w) for w in words + ["weights"] + ([defaults.partition("=")[0]] if defaults else []) + ["metrics_collections", "updates_collections", "name"])
    source_text = "def streaming_%s(%s, weights=None, %smetrics_collections=None, updates_collections=None, name=None):\n    return metrics.%s(%s)\n" % (
        name, ", ".join(words), defaults + ", " if defaults else "", source, given)
    made = {"metrics": engine.metrics}
    exec(compile(source_text, __file__, "exec"), made)
    function = made["streaming_" + name]
    function.__doc__ = "tf.metrics.%s, with the parameters in their old order." % source
    function.__module__ = __name__
    return metric("streaming_" + name)(function)


for _name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "accuracy", "precision", "recall", "mean_absolute_error", "mean_squared_error",
              "root_mean_squared_error"):
    _renamed(_name, _name)
_renamed("mean_tensor", "mean_tensor", first=("values",))
streaming_mean = _renamed("mean", "mean", first=("values",))
_renamed("percentage_less", "percentage_below", first=("values",), extra="threshold")
_renamed("mean_relative_error", "mean_relative_error", extra="normalizer")
_renamed("mean_iou", "mean_iou", extra="num_classes")
_renamed("precision_at_thresholds", "precision_at_thresholds", extra="thresholds")
_renamed("recall_at_thresholds", "recall_at_thresholds", extra="thresholds")
_renamed("specificity_at_sensitivity", "specificity_at_sensitivity", extra="sensitivity", defaults="num_thresholds=200")
_renamed("sensitivity_at_specificity", "sensitivity_at_specificity", extra="specificity", defaults="num_thresholds=200")


@metric("streaming_auc")
def streaming_auc(predictions, labels, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, curve="ROC", name=None):
    """tf.metrics.auc, with the parameters in their old order."""
    return engine.metrics.auc(labels=labels, predictions=predictions, weights=weights, num_thresholds=num_thresholds, metrics_collections=metrics_collections,
                              updates_collections=updates_collections, curve=curve, name=name)


@metric("streaming_sparse_recall_at_k")
def streaming_sparse_recall_at_k(predictions, labels, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """tf.metrics.recall_at_k, with the parameters in their old order."""
    return engine.metrics.recall_at_k(labels=labels, predictions=predictions, k=k, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
                                      updates_collections=updates_collections, name=name)


@metric("streaming_sparse_precision_at_k")
def streaming_sparse_precision_at_k(predictions, labels, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """tf.metrics.precision_at_k, with the parameters in their old order."""
    return engine.metrics.precision_at_k(labels=labels, predictions=predictions, k=k, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
                                         updates_collections=updates_collections, name=name)


def _at_k(name, k=None, class_id=None):
    name = "%s_at_k" % name if k is None else "%s_at_%d" % (name, k)
    return name if class_id is None else "%s_class%d" % (name, class_id)


@metric("streaming_sparse_precision_at_top_k")
def streaming_sparse_precision_at_top_k(top_k_predictions, labels, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The fraction of the predicted classes that is correct."""
    with ops.name_scope(name, _at_k("precision", class_id=class_id), (top_k_predictions, labels, weights)) as scope:
        return engine.metrics.precision_at_top_k(labels=labels, predictions_idx=top_k_predictions, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
                                                 updates_collections=updates_collections, name=scope)


@metric("sparse_recall_at_top_k")
def sparse_recall_at_top_k(labels, top_k_predictions, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The fraction of the correct classes that was predicted."""
    with ops.name_scope(name, _at_k("recall", class_id=class_id), (top_k_predictions, labels, weights)) as scope:
        return engine.metrics.recall_at_top_k(labels=labels, predictions_idx=top_k_predictions, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
                                              updates_collections=updates_collections, name=scope)


@metric("streaming_recall_at_k")
def streaming_recall_at_k(predictions, labels, k, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """How often a label is among the k highest predictions."""
    hits = basics.cast(engine.nn.in_top_k(predictions, labels, k), dtypes.float32)
    return streaming_mean(hits, weights, metrics_collections, updates_collections, name or _at_k("recall", k))


@metric("streaming_mean_cosine_distance")
def streaming_mean_cosine_distance(predictions, labels, dim, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """One minus the mean of the dot products along a dimension."""
    predictions, labels, weights = fitting(predictions, labels, weights)
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    products = engine.reduce_sum(engine.multiply(predictions, labels), axis=[dim], keepdims=True)
    mean, update = streaming_mean(products, weights, None, None, name or "mean_cosine_distance")
    return collected(engine.subtract(1.0, mean), engine.subtract(1.0, update), metrics_collections, updates_collections)


@metric("aggregate_metrics")
def aggregate_metrics(*value_update_tuples):
    """(All values, all updates) of metrics."""
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


@metric("aggregate_metric_map")
def aggregate_metric_map(names_to_tuples):
    """(Values by name, updates by name) of metrics."""
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names_to_tuples, values)), dict(zip(names_to_tuples, updates))


@metric("accuracy")
def accuracy(predictions, labels, weights=None, name=None):
    """The fraction of this batch's predictions that equals the labels."""
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool_, dtypes.string)):
        raise ValueError("Labels should have bool, integer, or string dtype, not %r" % labels.dtype)
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError("Dtypes of predictions and labels should match. Given: predictions (%r) and labels (%r)" % (predictions.dtype, labels.dtype))
    with ops.name_scope(name, "accuracy", values=[predictions, labels]):
        right = basics.cast(engine.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return engine.reduce_mean(right)
        right = engine.multiply(right, weights)
        of = engine.multiply(weights, engine.ones_like(right))
        return engine.div(engine.reduce_sum(right), engine.reduce_sum(of))


@metric("confusion_matrix")
def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None, weights=None):
    """tf.confusion_matrix, with the parameters in their old order."""
    return engine.confusion_matrix(labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name, weights=weights)


for _name, _function in (("set_difference", engine.sets.difference), ("set_intersection", engine.sets.intersection), ("set_size", engine.sets.size), ("set_union", engine.sets.union)):
    metric(_name)(_function)
