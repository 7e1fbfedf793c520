"""tf.contrib.metrics: rates and curves from counts at thresholds, batch sums and histograms."""

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import Assert, cond, group
from ..internals.weights import broadcast_weights
from ..matrix_functions import histogram_fixed_width
from ..ops import GraphKeys
from ..variable_scope import get_variable, variable_scope
from ..variables import assign_add
from .metric_parts import EPSILON, collected, counts_at_thresholds, fitting, metric_variable, remove_squeezable_dimensions, thresholds_between
from .metrics import metric


def _rate(word, wrong, right):
    """streaming_false_WORD_rate: wrong / (wrong + right)."""
    def rate(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, "false_%s_rate" % word, (predictions, labels, weights)):
            predictions, labels, weights = fitting(basics.cast(predictions, dtypes.bool_), basics.cast(labels, dtypes.bool_), weights)
            bad, bad_update = getattr(engine.metrics, wrong)(labels=labels, predictions=predictions, weights=weights)
            good, good_update = getattr(engine.metrics, right)(labels=labels, predictions=predictions, weights=weights)

            def part(bad, good, name):
                return engine.where(engine.greater(bad + good, 0), engine.div(bad, bad + good), 0, name)

            value = part(bad, good, "value")
            return collected(value, part(bad_update, good_update, "update_op"), metrics_collections, updates_collections)

    rate.__name__, rate.__doc__ = "streaming_false_%s_rate" % word, "Which part of the %s were taken for the opposite." % ("negatives" if word == "positive" else "positives")
    return metric(rate.__name__)(rate)


_rate("positive", "false_positives", "true_negatives")
_rate("negative", "false_negatives", "true_positives")


def _rate_at_thresholds(word, wrong, right, short):
    def rate(predictions, labels, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, "false_%s_rate_at_thresholds" % word, (predictions, labels, weights)):
            values, updates = counts_at_thresholds(predictions, labels, thresholds, weights, includes=(wrong, right))

            def part(counts, name):
                return engine.div(counts[wrong], EPSILON + counts[wrong] + counts[right], name="%s_%s" % (short, name))

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
    with variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
        values, updates = counts_at_thresholds(labels=labels, predictions=predictions, thresholds=thresholds_between(num_thresholds), weights=weights)
        tp, fn, tn, fp, little = values["tp"], values["fn"], values["tn"], values["fp"], 1.0e-6
        recall = engine.div(tp + little, tp + fn + little)
        if curve == "ROC":
            x, y = engine.div(fp, fp + tn + little), recall
        else:
            x, y = recall, engine.div(tp + little, tp + fp + little)
        points = engine.stack([x, y], axis=1)
        return collected(points, group(*updates.values()), metrics_collections, updates_collections)


@metric("f1_score")
def f1_score(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None):
    """The best harmonic mean of precision and recall over thresholds."""
    with variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights, includes=("tp", "fp", "fn"), check=True)

        def best(counts, name):
            precision = engine.div(counts["tp"], EPSILON + counts["tp"] + counts["fp"], name="precision_" + name)
            recall = engine.div(counts["tp"], EPSILON + counts["tp"] + counts["fn"], name="recall_" + name)
            return engine.reduce_max(2.0 * precision * recall / (precision + recall + EPSILON))

        value = best(values, "value")
        return collected(value, best(updates, "update"), metrics_collections, updates_collections)


def _recall_at_precision(counts, precision, name, strict):
    tp, fn = counts["tp"], counts["fn"]
    precisions = engine.div(tp, tp + counts["fp"] + EPSILON)
    if not strict:
        at = engine.argmin(engine.abs(precisions - precision), 0, output_type=dtypes.int32)
        return engine.div(tp[at], tp[at] + fn[at] + EPSILON, name)
    at = engine.argmax(engine.div(1.0, precisions - precision + EPSILON), 0, output_type=dtypes.int32)
    return cond(precisions[at] >= precision, lambda: engine.div(tp[at], tp[at] + fn[at] + EPSILON, name), lambda: 0.0)


@metric("recall_at_precision")
def recall_at_precision(labels, predictions, precision, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None, strict_mode=False):
    """The recall at the threshold whose precision is nearest to `precision`."""
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    with variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights)
        value = _recall_at_precision(values, precision, "value", strict_mode)
        return collected(value, _recall_at_precision(updates, precision, "update_op", strict_mode), metrics_collections, updates_collections)


@metric("precision_at_recall")
def precision_at_recall(labels, predictions, target_recall, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None):
    """The precision at the highest threshold that still reaches `target_recall`."""
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")
    with variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(predictions, labels, thresholds_between(num_thresholds), weights)

        def precision(counts, name):
            tp = counts["tp"]
            recalls = engine.div(tp, tp + counts["fn"] + EPSILON)
            at = engine.reduce_sum(basics.cast(engine.greater_equal(recalls, target_recall), dtypes.int64)) - 1
            return engine.div(tp[at] + EPSILON, tp[at] + counts["fp"][at] + EPSILON, name)

        value = precision(values, "value")
        return collected(value, precision(updates, "update_op"), metrics_collections, updates_collections)


@metric("streaming_covariance")
def streaming_covariance(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The unbiased covariance; batches are merged by Chan's method."""
    with variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        count = metric_variable([], dtypes.float32, name="count")
        mean_prediction = metric_variable([], dtypes.float32, name="mean_prediction")
        mean_label = metric_variable([], dtypes.float32, name="mean_label")
        comoment = metric_variable([], dtypes.float32, name="comoment")
        if weights is None:
            batch_count, weighted_predictions, weighted_labels = basics.cast(basics.size(labels), dtypes.float32), predictions, labels
        else:
            weights = broadcast_weights(weights, labels)
            batch_count = engine.reduce_sum(weights)
            weighted_predictions, weighted_labels = engine.multiply(predictions, weights), engine.multiply(labels, weights)
        new_count = assign_add(count, batch_count)
        old_count = new_count - batch_count

        def moved(mean, weighted):
            of_batch = engine.div_no_nan(engine.reduce_sum(weighted), batch_count)
            change = engine.div_no_nan((of_batch - mean) * batch_count, new_count)
            new = assign_add(mean, change)
            return of_batch, new - change

        batch_prediction, old_prediction = moved(mean_prediction, weighted_predictions)
        batch_label, old_label = moved(mean_label, weighted_labels)
        products = (predictions - batch_prediction) * (labels - batch_label)
        batch_comoment = engine.reduce_sum(products if weights is None else products * weights)
        change = batch_comoment + (old_prediction - batch_prediction) * (old_label - batch_label) * (old_count * batch_count / new_count)
        update_comoment = assign_add(comoment, change)

        def covariance(name):
            return engine.where(engine.less_equal(count, 1.0), float("nan"), engine.truediv(comoment, count - 1), name=name)

        value = covariance("covariance")
        with ops.control_dependencies([update_comoment]):
            update = covariance("update_op")
    return collected(value, update, metrics_collections, updates_collections)


@metric("streaming_pearson_correlation")
def streaming_pearson_correlation(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Pearson's correlation coefficient."""
    with variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        both = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        of_predictions = streaming_covariance(predictions, predictions, weights=weights, name="variance_predictions")
        of_labels = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value, update = [engine.truediv(both[i], engine.multiply(engine.sqrt(of_predictions[i]), engine.sqrt(of_labels[i])), name=n) for i, n in enumerate(("pearson_r", "update_op"))]
    return collected(value, update, metrics_collections, updates_collections)


@metric("count")
def count(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The number of values, or the sum of their weights."""
    with variable_scope(name, "count", (values, weights)):
        counted = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            number = basics.cast(basics.size(values), dtypes.float32)
        else:
            values, _, weights = fitting(basics.cast(values, dtypes.float32), None, weights)
            number = engine.reduce_sum(broadcast_weights(basics.cast(weights, dtypes.float32), values))
        with ops.control_dependencies([values]):
            update = assign_add(counted, number)
        return collected(engine.identity(counted), update, metrics_collections, updates_collections)


@metric("cohen_kappa")
def cohen_kappa(labels, predictions_idx, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """Cohen's kappa: agreement beyond chance."""
    if num_classes < 2:
        raise ValueError("`num_classes` must be >= 2.Found: {}".format(num_classes))
    with variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = engine.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = fitting(predictions_idx, labels, weights)
        predictions_idx.get_shape().assert_is_compatible_with(labels.get_shape())
        dtype = dtypes.int64 if weights is None or weights.dtype.is_integer else dtypes.float32
        variables = [metric_variable((num_classes,), dtype, name=n) for n in ("po", "pe_row", "pe_col")]
        table = engine.confusion_matrix(labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table")
        sums = [engine.diag_part(table), engine.reduce_sum(table, axis=0), engine.reduce_sum(table, axis=1)]
        updates = [assign_add(v, s) for v, s in zip(variables, sums)]

        def kappa(po, row, column, name):
            agreed, total = engine.reduce_sum(po), engine.reduce_sum(row)
            by_chance = engine.reduce_sum(engine.div_no_nan(basics.cast(row * column, dtypes.float64), basics.cast(total, dtypes.float64)))
            agreed, by_chance, total = basics.cast(agreed, dtypes.float64), basics.cast(by_chance, dtypes.float64), basics.cast(total, dtypes.float64)
            return engine.div_no_nan(agreed - by_chance, total - by_chance, name=name)

        value = kappa(*variables, name="value")
        return collected(value, kappa(*updates, name="update_op"), metrics_collections, updates_collections)


def _checked_scores(labels, scores, check_shape):
    with ops.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = ops.convert_to_tensor(labels, name="boolean_labels")
        scores = ops.convert_to_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool_:
            raise ValueError("Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype)
        if not check_shape:
            return labels, scores
        checks = [Assert(engine.equal(1, basics.rank(t)), ["Argument %s should have rank 1.  Found: " % n, t.name, basics.shape(t)]) for n, t in (("boolean_labels", labels), ("scores", scores))]
        with ops.control_dependencies(checks):
            return labels, scores


def _running_sum(x, size):
    """The cumulative sum, computed by a convolution with ones as in TensorFlow 1.15."""
    with ops.name_scope("strict_1d_cumsum", values=[x]):
        if size == 0:
            return ops.constant([])
        x = engine.pad(x, [[size - 1, 0]])
        h = engine.ones_like(x)
        with ops.name_scope("strict_conv1d", values=[x, h]):
            x = engine.reshape(x, (1, -1, 1, 1))
            h = engine.reshape(h, (-1, 1, 1, 1))
            summed = engine.reshape(engine.nn.conv2d(x, h, [1, 1, 1, 1], "SAME"), [-1])
        return summed[:size]


@metric("auc_using_histogram")
def auc_using_histogram(boolean_labels, scores, score_range, nbins=100, collections=None, check_shape=True, name=None):
    """The area under the ROC curve, by histograms of the scores."""
    collections = [GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = ops.convert_to_tensor(score_range, name="score_range")
        boolean_labels, scores = _checked_scores(boolean_labels, scores, check_shape)
        with variable_scope(None, "make_auc_histograms", [boolean_labels, scores, nbins]):
            yes = histogram_fixed_width(engine.boolean_mask(scores, boolean_labels), score_range, nbins=nbins, dtype=dtypes.int64, name="hist_true")
            no = histogram_fixed_width(engine.boolean_mask(scores, engine.logical_not(boolean_labels)), score_range, nbins=nbins, dtype=dtypes.int64, name="hist_false")
        with variable_scope(None, "hist_accumulate", [yes, no]):
            sums = [get_variable(n, shape=[nbins], dtype=yes.dtype, initializer=initializers.zeros_initializer(), collections=collections, trainable=False)
                    for n in ("hist_true_acc", "hist_false_acc")]
            update = group(sums[0].assign_add(yes), sums[1].assign_add(no), name="update_op")
        parts = [engine.truediv(s, engine.reduce_sum(s)) for s in sums]
        parts = [engine.reverse_v2(p, [0], name=n) for p, n in zip(parts, ("delta_y_t", "delta_x_t"))]
        height, width = [basics.cast(p, dtypes.float32) for p in parts]
        y = _running_sum(height, nbins)
        first = width[0] * y[0] / 2.0
        others = width[1:] * (y[1:] + y[:nbins - 1]) / 2.0
        return engine.add(first, engine.reduce_sum(others), name="auc"), update
