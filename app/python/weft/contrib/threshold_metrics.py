"""tf.contrib.metrics: rates and curves from counts at thresholds, sums over batches, histograms."""

import tensorflow as tf

from ..ops import GraphKeys
from .metric_parts import EPSILON, broadcast_weights, collected, counts_at_thresholds, fitting, metric_variable, remove_squeezable_dimensions, thresholds_between
from .metrics import metric


def _rate(word, wrong, right):
    """streaming_false_WORD_rate: wrong / (wrong + right)."""
    def rate(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with tf.variable_scope(name, "false_%s_rate" % word, (predictions, labels, weights)):
            predictions, labels, weights = fitting(tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights)
            bad, bad_update = getattr(tf.metrics, wrong)(labels=labels, predictions=predictions, weights=weights)
            good, good_update = getattr(tf.metrics, right)(labels=labels, predictions=predictions, weights=weights)

            def part(bad, good, name):
                return tf.where(tf.greater(bad + good, 0), tf.div(bad, bad + good), 0, name)

            value = part(bad, good, "value")
            return collected(value, part(bad_update, good_update, "update_op"), metrics_collections, updates_collections)

    rate.__name__, rate.__doc__ = "streaming_false_%s_rate" % word, "Which part of the %s were taken for the opposite." % ("negatives" if word == "positive" else "positives")
    return metric(rate.__name__)(rate)


_rate("positive", "false_positives", "true_negatives")
_rate("negative", "false_negatives", "true_positives")


def _rate_at_thresholds(word, wrong, right, short):
    def rate(predictions, labels, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with tf.variable_scope(name, "false_%s_rate_at_thresholds" % word, (predictions, labels, weights)):
            values, updates = counts_at_thresholds(predictions, labels, thresholds, weights, includes=(wrong, right))

            def part(counts, name):
                return tf.div(counts[wrong], EPSILON + counts[wrong] + counts[right], name="%s_%s" % (short, name))

            value = part(values, "value")
            return collected(value, part(updates, "update_op"), metrics_collections, updates_collections)

    rate.__name__, rate.__doc__ = "streaming_false_%s_rate_at_thresholds" % word, "streaming_false_%s_rate at each threshold." % word
    return metric(rate.__name__)(rate)


_rate_at_thresholds("positive", "fp", "tn", "fpr")
_rate_at_thresholds("negative", "fn", "tp", "fnr")


def _count_at_thresholds(key, what):
    def counted(predictions, labels, thresholds, weights=None):
        values, updates = counts_at_thresholds(predictions, labels, thresholds, weights=weights, includes=(key,))
        return values[key], updates[key]

    counted.__name__, counted.__doc__ = "streaming_%s_at_thresholds" % what, "How many %s there are at each threshold." % what.replace("_", " ")
    return metric(counted.__name__)(counted)


for _key, _what in (("tp", "true_positives"), ("fn", "false_negatives"), ("fp", "false_positives"), ("tn", "true_negatives")):
    _count_at_thresholds(_key, _what)


@metric("streaming_curve_points")
def streaming_curve_points(labels=None, predictions=None, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, curve="ROC", name=None):
    """The points of a ROC or precision-recall curve."""
    with tf.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
        values, updates = counts_at_thresholds(labels=labels, predictions=predictions, thresholds=thresholds_between(num_thresholds), weights=weights)
        tp, fn, tn, fp, little = values["tp"], values["fn"], values["tn"], values["fp"], 1.0e-6
        recall = tf.div(tp + little, tp + fn + little)
        if curve == "ROC":
            x, y = tf.div(fp, fp + tn + little), recall
        else:
            x, y = recall, tf.div(tp + little, tp + fp + little)
        points = tf.stack([x, y], axis=1)
        return collected(points, tf.group(*updates.values()), metrics_collections, updates_collections)


@metric("f1_score")
def f1_score(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None):
    """The best harmonic mean of precision and recall over thresholds."""
    with tf.variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights, includes=("tp", "fp", "fn"), check=True)

        def best(counts, name):
            precision = tf.div(counts["tp"], EPSILON + counts["tp"] + counts["fp"], name="precision_" + name)
            recall = tf.div(counts["tp"], EPSILON + counts["tp"] + counts["fn"], name="recall_" + name)
            return tf.reduce_max(2.0 * precision * recall / (precision + recall + EPSILON))

        value = best(values, "value")
        return collected(value, best(updates, "update"), metrics_collections, updates_collections)


def _recall_at_precision(counts, precision, name, strict):
    tp, fn = counts["tp"], counts["fn"]
    precisions = tf.div(tp, tp + counts["fp"] + EPSILON)
    if not strict:
        at = tf.argmin(tf.abs(precisions - precision), 0, output_type=tf.int32)
        return tf.div(tp[at], tp[at] + fn[at] + EPSILON, name)
    at = tf.argmax(tf.div(1.0, precisions - precision + EPSILON), 0, output_type=tf.int32)
    return tf.cond(precisions[at] >= precision, lambda: tf.div(tp[at], tp[at] + fn[at] + EPSILON, name), lambda: 0.0)


@metric("recall_at_precision")
def recall_at_precision(labels, predictions, precision, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None, strict_mode=False):
    """The recall at the threshold whose precision is nearest to the one asked for."""
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    with tf.variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights)
        value = _recall_at_precision(values, precision, "value", strict_mode)
        return collected(value, _recall_at_precision(updates, precision, "update_op", strict_mode), metrics_collections, updates_collections)


@metric("precision_at_recall")
def precision_at_recall(labels, predictions, target_recall, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None):
    """The precision at the highest threshold that still has the recall asked for."""
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")
    with tf.variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights)

        def precision(counts, name):
            tp = counts["tp"]
            recalls = tf.div(tp, tp + counts["fn"] + EPSILON)
            at = tf.reduce_sum(tf.cast(tf.greater_equal(recalls, target_recall), tf.int64)) - 1
            return tf.div(tp[at] + EPSILON, tp[at] + counts["fp"][at] + EPSILON, name)

        value = precision(values, "value")
        return collected(value, precision(updates, "update_op"), metrics_collections, updates_collections)


@metric("streaming_covariance")
def streaming_covariance(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The unbiased covariance; batches are joined as Chan's method does."""
    with tf.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        count = metric_variable([], tf.float32, name="count")
        mean_prediction = metric_variable([], tf.float32, name="mean_prediction")
        mean_label = metric_variable([], tf.float32, name="mean_label")
        comoment = metric_variable([], tf.float32, name="comoment")
        if weights is None:
            batch_count, weighted_predictions, weighted_labels = tf.cast(tf.size(labels), tf.float32), predictions, labels
        else:
            weights = broadcast_weights(weights, labels)
            batch_count = tf.reduce_sum(weights)
            weighted_predictions, weighted_labels = tf.multiply(predictions, weights), tf.multiply(labels, weights)
        new_count = tf.assign_add(count, batch_count)
        old_count = new_count - batch_count

        def moved(mean, weighted):
            of_batch = tf.div_no_nan(tf.reduce_sum(weighted), batch_count)
            change = tf.div_no_nan((of_batch - mean) * batch_count, new_count)
            new = tf.assign_add(mean, change)
            return of_batch, new - change

        batch_prediction, old_prediction = moved(mean_prediction, weighted_predictions)
        batch_label, old_label = moved(mean_label, weighted_labels)
        products = (predictions - batch_prediction) * (labels - batch_label)
        batch_comoment = tf.reduce_sum(products if weights is None else products * weights)
        change = batch_comoment + (old_prediction - batch_prediction) * (old_label - batch_label) * (old_count * batch_count / new_count)
        update_comoment = tf.assign_add(comoment, change)

        def covariance(name):
            return tf.where(tf.less_equal(count, 1.0), float("nan"), tf.truediv(comoment, count - 1), name=name)

        value = covariance("covariance")
        with tf.control_dependencies([update_comoment]):
            update = covariance("update_op")
    return collected(value, update, metrics_collections, updates_collections)


@metric("streaming_pearson_correlation")
def streaming_pearson_correlation(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Pearson's coefficient of correlation."""
    with tf.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        both = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        of_predictions = streaming_covariance(predictions, predictions, weights=weights, name="variance_predictions")
        of_labels = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value, update = [tf.truediv(both[i], tf.multiply(tf.sqrt(of_predictions[i]), tf.sqrt(of_labels[i])), name=n) for i, n in enumerate(("pearson_r", "update_op"))]
    return collected(value, update, metrics_collections, updates_collections)


@metric("count")
def count(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """How many values there were, or the sum of their weights."""
    with tf.variable_scope(name, "count", (values, weights)):
        counted = metric_variable([], tf.float32, name="count")
        if weights is None:
            number = tf.cast(tf.size(values), tf.float32)
        else:
            values, _, weights = fitting(tf.cast(values, tf.float32), None, weights)
            number = tf.reduce_sum(broadcast_weights(tf.cast(weights, tf.float32), values))
        with tf.control_dependencies([values]):
            update = tf.assign_add(counted, number)
        return collected(tf.identity(counted), update, metrics_collections, updates_collections)


@metric("cohen_kappa")
def cohen_kappa(labels, predictions_idx, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Cohen's kappa: agreement beyond chance."""
    if num_classes < 2:
        raise ValueError("`num_classes` must be >= 2.Found: {}".format(num_classes))
    with tf.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = tf.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = fitting(predictions_idx, labels, weights)
        predictions_idx.get_shape().assert_is_compatible_with(labels.get_shape())
        dtype = tf.int64 if weights is None or weights.dtype.is_integer else tf.float32
        variables = [metric_variable((num_classes,), dtype, name=n) for n in ("po", "pe_row", "pe_col")]
        table = tf.confusion_matrix(labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table")
        sums = [tf.diag_part(table), tf.reduce_sum(table, axis=0), tf.reduce_sum(table, axis=1)]
        updates = [tf.assign_add(v, s) for v, s in zip(variables, sums)]

        def kappa(po, row, column, name):
            agreed, total = tf.reduce_sum(po), tf.reduce_sum(row)
            by_chance = tf.reduce_sum(tf.div_no_nan(tf.cast(row * column, tf.float64), tf.cast(total, tf.float64)))
            agreed, by_chance, total = tf.cast(agreed, tf.float64), tf.cast(by_chance, tf.float64), tf.cast(total, tf.float64)
            return tf.div_no_nan(agreed - by_chance, total - by_chance, name=name)

        value = kappa(*variables, name="value")
        return collected(value, kappa(*updates, name="update_op"), metrics_collections, updates_collections)


def _checked_scores(labels, scores, check_shape):
    with tf.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = tf.convert_to_tensor(labels, name="boolean_labels")
        scores = tf.convert_to_tensor(scores, name="scores")
        if labels.dtype != tf.bool:
            raise ValueError("Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype)
        if not check_shape:
            return labels, scores
        checks = [tf.Assert(tf.equal(1, tf.rank(t)), ["Argument %s should have rank 1.  Found: " % n, t.name, tf.shape(t)]) for n, t in (("boolean_labels", labels), ("scores", scores))]
        with tf.control_dependencies(checks):
            return labels, scores


def _running_sum(x, size):
    """As TensorFlow 1.15 sums here: by a convolution with ones."""
    with tf.name_scope("strict_1d_cumsum", values=[x]):
        if size == 0:
            return tf.constant([])
        x = tf.pad(x, [[size - 1, 0]])
        h = tf.ones_like(x)
        with tf.name_scope("strict_conv1d", values=[x, h]):
            x = tf.reshape(x, (1, -1, 1, 1))
            h = tf.reshape(h, (-1, 1, 1, 1))
            summed = tf.reshape(tf.nn.conv2d(x, h, [1, 1, 1, 1], "SAME"), [-1])
        return summed[:size]


@metric("auc_using_histogram")
def auc_using_histogram(boolean_labels, scores, score_range, nbins=100, collections=None, check_shape=True, name=None):
    """The area under the ROC curve, by histograms of the scores."""
    collections = [GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with tf.variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = tf.convert_to_tensor(score_range, name="score_range")
        boolean_labels, scores = _checked_scores(boolean_labels, scores, check_shape)
        with tf.variable_scope(None, "make_auc_histograms", [boolean_labels, scores, nbins]):
            yes = tf.histogram_fixed_width(tf.boolean_mask(scores, boolean_labels), score_range, nbins=nbins, dtype=tf.int64, name="hist_true")
            no = tf.histogram_fixed_width(tf.boolean_mask(scores, tf.logical_not(boolean_labels)), score_range, nbins=nbins, dtype=tf.int64, name="hist_false")
        with tf.variable_scope(None, "hist_accumulate", [yes, no]):
            sums = [tf.get_variable(n, shape=[nbins], dtype=yes.dtype, initializer=tf.zeros_initializer(), collections=collections, trainable=False)
                    for n in ("hist_true_acc", "hist_false_acc")]
            update = tf.group(sums[0].assign_add(yes), sums[1].assign_add(no), name="update_op")
        parts = [tf.truediv(s, tf.reduce_sum(s)) for s in sums]
        parts = [tf.reverse_v2(p, [0], name=n) for p, n in zip(parts, ("delta_y_t", "delta_x_t"))]
        height, width = [tf.cast(p, tf.float32) for p in parts]
        y = _running_sum(height, nbins)
        first = width[0] * y[0] / 2.0
        others = width[1:] * (y[1:] + y[:nbins - 1]) / 2.0
        return tf.add(first, tf.reduce_sum(others), name="auc"), update
