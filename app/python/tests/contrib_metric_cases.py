"""Cases of contrib_graphs_test.py: metrics."""

import tensorflow as tf

from contrib_case_tools import case, numbers

# Metrics, each updated twice.
P, L, W = lambda: tf.constant([0.1, 0.8, 0.4, 0.9]), lambda: tf.constant([0.0, 1.0, 1.0, 1.0]), lambda: tf.constant([1.0, 0.5, 2.0, 1.0])
B, C = lambda: tf.constant([False, True, True, True]), lambda: tf.constant([True, True, False, True])
I, J = lambda: tf.constant([0, 2, 1, 2], tf.int64), lambda: tf.constant([0, 1, 1, 2], tf.int64)
K = lambda: tf.constant([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
m = tf.contrib.metrics


def _metric(name, build, names=True):
    def metric():
        value, update = build()
        return {"value": value, "update": update}

    metric.__name__ = "metric_" + name
    case(runs=2, names=names)(metric)


for _name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(B(), C(), W()), names=False)
for _name in ("accuracy", "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "auc", "pearson_correlation", "covariance"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(P(), L(), W()))
_metric("covariance_unweighted", lambda: m.streaming_covariance(P(), L()))
for _name in ("false_positive_rate", "false_negative_rate"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(B(), C()))
for _name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall", "false_positive_rate", "false_negative_rate"):
    _metric(_name + "_at_thresholds", lambda f=getattr(m, "streaming_%s_at_thresholds" % _name): f(P(), tf.cast(L(), tf.bool), [0.2, 0.5, 0.85], weights=W()))
_metric("mean", lambda: m.streaming_mean(P(), W()))
_metric("mean_tensor", lambda: m.streaming_mean_tensor(P(), W()))
_metric("percentage_less", lambda: m.streaming_percentage_less(P(), 0.5))
_metric("mean_relative_error", lambda: m.streaming_mean_relative_error(P(), L(), tf.constant([1.0, 2.0, 3.0, 4.0])))
_metric("mean_iou", lambda: m.streaming_mean_iou(I(), J(), 3))
_metric("mean_cosine_distance", lambda: m.streaming_mean_cosine_distance(numbers(2, 3), numbers(2, 3, scale=0.5), 1))
_metric("specificity_at_sensitivity", lambda: m.streaming_specificity_at_sensitivity(P(), tf.cast(L(), tf.bool), 0.6))
_metric("sensitivity_at_specificity", lambda: m.streaming_sensitivity_at_specificity(P(), tf.cast(L(), tf.bool), 0.6, num_thresholds=50))
_metric("recall_at_k", lambda: m.streaming_recall_at_k(K(), tf.constant([1, 2]), 2))
_metric("sparse_recall_at_k", lambda: m.streaming_sparse_recall_at_k(K(), tf.constant([[1], [2]], tf.int64), 2))
_metric("sparse_precision_at_k", lambda: m.streaming_sparse_precision_at_k(K(), tf.constant([[1], [2]], tf.int64), 2, class_id=1))
_metric("sparse_precision_at_top_k", lambda: m.streaming_sparse_precision_at_top_k(tf.constant([[1, 2], [0, 2]], tf.int64), tf.constant([[1], [2]], tf.int64)))
_metric("sparse_recall_at_top_k", lambda: m.sparse_recall_at_top_k(tf.constant([[1], [2]], tf.int64), tf.constant([[1, 2], [0, 2]], tf.int64), class_id=2))
_metric("curve_points", lambda: m.streaming_curve_points(L(), P(), num_thresholds=5, curve="PR"))
_metric("curve_points_roc", lambda: m.streaming_curve_points(tf.cast(L(), tf.bool), P(), W(), num_thresholds=5))
_metric("f1_score", lambda: m.f1_score(L(), P(), W(), num_thresholds=11))
_metric("recall_at_precision", lambda: m.recall_at_precision(L(), P(), 0.8, num_thresholds=11))
_metric("recall_at_precision_strict", lambda: m.recall_at_precision(L(), P(), 0.8, num_thresholds=11, strict_mode=True))
_metric("precision_at_recall", lambda: m.precision_at_recall(L(), P(), 0.8, num_thresholds=11))
_metric("concat", lambda: m.streaming_concat(numbers(2, 3), axis=1))
_metric("concat_most", lambda: m.streaming_concat(numbers(3), max_size=4))
_metric("dynamic_auc", lambda: m.streaming_dynamic_auc(L(), P()))
_metric("dynamic_auc_pr", lambda: m.streaming_dynamic_auc(L(), P(), curve="PR", weights=W()))
_metric("auc_with_confidence", lambda: m.auc_with_confidence_intervals(tf.constant([0.0, 1.0, 1.0, 0.0, 1.0]), tf.constant([0.1, 0.8, 0.4, 0.5, 0.9])), names=False)
_metric("equal_thresholds", lambda: m.precision_recall_at_equal_thresholds(B(), P(), num_thresholds=5))
_metric("count", lambda: m.count(P(), W()))
_metric("cohen_kappa", lambda: m.cohen_kappa(J(), I(), 3))
_metric("cohen_kappa_weighted", lambda: m.cohen_kappa(J(), I(), 3, weights=W()))
_metric("auc_histogram", lambda: m.auc_using_histogram(B(), P(), [0.0, 1.0], nbins=10))


@case()
def metric_of_a_batch():
    return m.accuracy(I(), J()), m.accuracy(I(), J(), W()), m.confusion_matrix(J(), I(), 3), m.set_size(m.set_union(tf.constant([[1, 2]]), tf.constant([[2, 3]])))


@case(runs=2)
def metric_maps():
    values, updates = m.aggregate_metric_map({"a": m.streaming_mean(P()), "b": m.streaming_accuracy(I(), J())})
    more = m.aggregate_metrics(m.streaming_mean(P()), m.count(P()))
    return {"value": [values, more[0]], "update": [updates, more[1]]}


@case()
def metric_unknown_shapes():
    weights = tf.placeholder_with_default(W(), tf.TensorShape(None))
    predictions = tf.placeholder_with_default(tf.constant([[0.1], [0.8], [0.4], [0.9]]), tf.TensorShape(None))
    return m.streaming_covariance(predictions, L(), weights)[1]
