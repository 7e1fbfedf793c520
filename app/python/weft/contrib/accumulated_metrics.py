"""tf.contrib.metrics: metrics of everything seen so far, kept in arrays that grow."""

import collections
import statistics

import tensorflow as tf

from .metric_parts import EPSILON, collected, fitting, metric_variable
from .metrics import metric

_Auc = collections.namedtuple("AucData", ["auc", "lower", "upper"])
_Counts = collections.namedtuple("PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"])


def _next_size(required, growth=1.5):
    exponent = tf.ceil(tf.log(tf.cast(required, tf.float32)) / tf.log(tf.cast(growth, tf.float32)))
    return tf.cast(tf.ceil(growth ** exponent), tf.int32)


@metric("streaming_concat")
def streaming_concat(values, axis=0, max_size=None, metrics_collections=None, updates_collections=None, name=None):
    """All values seen so far along an axis, at most `max_size` of them."""
    with tf.variable_scope(name, "streaming_concat", (values,)):
        shape = values.get_shape()
        if shape.ndims is None:
            raise ValueError("`values` must have known statically known rank")
        rank = shape.ndims
        axis = axis + rank if axis < 0 else axis
        if not 0 <= axis < rank:
            raise ValueError("axis = %r not in [0, %r)" % (axis, rank))
        fixed = [size for n, size in enumerate(shape.as_list()) if n != axis]
        if any(size is None for size in fixed):
            raise ValueError("all dimensions of `values` other than the dimension to concatenate along must have statically known size")
        array = metric_variable([0 if max_size is None else max_size] + fixed, values.dtype, validate_shape=False, name="array")
        size = metric_variable([], tf.int32, name="size")
        seen = array[:size]
        seen.set_shape([None] + fixed)
        value = tf.transpose(seen, [0 if n == axis else n + 1 if n < axis else n for n in range(rank)], name="concat")
        batch_size = tf.shape(values)[axis]
        if max_size is not None:
            batch_size = tf.minimum(batch_size, max_size - size)
        batch = tf.transpose(values, [axis] + [n for n in range(rank) if n != axis])[:batch_size]
        new_size = size + batch_size

        def reallocate():
            room = tf.zeros(tf.stack([_next_size(new_size)] + fixed), dtype=values.dtype)
            old = array.value()
            with tf.control_dependencies([old]):
                larger = tf.assign(array, room, validate_shape=False)
            with tf.control_dependencies([larger]):
                copied = array[:size].assign(old[:size])
            with tf.control_dependencies([copied]):
                return tf.no_op()

        room = tf.raw_ops.Shape(input=array)[0]  # its size now, not the one that its initial value says
        enough = tf.cond(new_size > room, reallocate, tf.no_op)
        with tf.control_dependencies([enough]):
            appended = array[size:new_size].assign(batch)
        with tf.control_dependencies([appended]):
            update = size.assign(new_size)
        return collected(value, update, metrics_collections, updates_collections)


def _zero_or_one(labels):
    return [tf.assert_greater_equal(labels, tf.zeros_like(labels, tf.int64), message="labels must be 0 or 1, at least one is <0"),
            tf.assert_less_equal(labels, tf.ones_like(labels, tf.int64), message="labels must be 0 or 1, at least one is >1")]


def _dynamic_auc(labels, predictions, curve, weights):
    size = tf.size(predictions)
    if weights is None:
        weights = tf.ones_like(labels, dtype=tf.float64)
    labels, predictions, weights = fitting(labels, predictions, weights)
    total = tf.reduce_sum(weights)
    positive = tf.reduce_sum(tf.where(tf.greater(labels, 0), weights, tf.zeros_like(labels, dtype=tf.float64)))

    def area():
        ordered, indices = tf.nn.top_k(predictions, k=size)
        ordered_labels = tf.gather(labels, indices)
        ordered_weights = tf.gather(weights, indices)
        _, _, counts = tf.unique_with_counts(ordered)
        splits = tf.cast(tf.pad(tf.cumsum(counts), paddings=[[1, 0]]), tf.int32)

        def sums(of):
            return tf.gather(tf.pad(tf.cumsum(of), paddings=[[1, 0]]), splits)

        right = sums(tf.where(tf.greater(ordered_labels, 0), ordered_weights, tf.zeros_like(ordered_labels, dtype=tf.float64)))
        if curve == "ROC":
            wrong = sums(tf.where(tf.less(ordered_labels, 1), ordered_weights, tf.zeros_like(ordered_labels, dtype=tf.float64)))
            negative = total - positive
            x = tf.truediv(wrong, negative)
            y = tf.truediv(right, positive)
        else:
            x = tf.truediv(right, positive)
            said = sums(ordered_weights)
            y = tf.where(tf.greater(splits, 0), tf.truediv(right, said), tf.ones_like(right, dtype=tf.float64))
        heights = tf.add(y[1:], y[:-1]) / 2.0
        widths = tf.abs(tf.subtract(x[1:], x[:-1]))
        return tf.reduce_sum(tf.multiply(heights, widths))

    return tf.cond(tf.logical_or(tf.equal(positive, 0), tf.equal(positive, total)), true_fn=lambda: tf.constant(0, tf.float64), false_fn=area)


@metric("streaming_dynamic_auc")
def streaming_dynamic_auc(labels, predictions, curve="ROC", metrics_collections=(), updates_collections=(), name=None, weights=None):
    """The exact area under a curve, of all predictions seen so far."""
    if curve not in ("PR", "ROC"):
        raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
    with tf.variable_scope(name, default_name="dynamic_auc"):
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        predictions = tf.reshape(tf.cast(predictions, tf.float64), [-1])
        labels = tf.reshape(tf.cast(labels, tf.int64), [-1])
        with tf.control_dependencies(_zero_or_one(labels)):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, updates = None, [update_labels, update_predictions]
            if weights is not None:
                weights = tf.reshape(tf.cast(weights, tf.float64), [-1])
                all_weights, update_weights = streaming_concat(weights, name="concat_weights")
                updates.append(update_weights)
            update = tf.group(*updates)
            return collected(_dynamic_auc(all_labels, all_predictions, curve, all_weights), update, metrics_collections, updates_collections)


def _placement_auc(labels, predictions, weights, alpha, logit_transformation, is_valid):
    """AUC and its bounds by the placements of each class among the other (DeLong's estimate of the variance)."""
    size = tf.size(predictions, out_type=tf.int32)
    total_0 = tf.reduce_sum(tf.cast(1 - labels, weights.dtype) * weights)
    total_1 = tf.reduce_sum(tf.cast(labels, weights.dtype) * weights)
    ordered, indices = tf.nn.top_k(predictions, k=size, sorted=True)
    ordered = tf.reverse(ordered, axis=tf.zeros(1, tf.int32))
    indices = tf.reverse(indices, axis=tf.zeros(1, tf.int32))
    labels, weights = tf.gather(labels, indices), tf.gather(weights, indices)
    _, segments = tf.unique(ordered)
    is_1 = tf.cast(labels, tf.float32)
    is_0 = 1.0 - is_1
    of_1, of_0 = weights * is_1, weights * is_0

    sums_of_0 = tf.segment_sum(of_0, segments)
    sums_of_1 = tf.segment_sum(of_1, segments)
    before_1 = tf.cumsum(sums_of_0, exclusive=True)
    before_0 = tf.cumsum(sums_of_1, exclusive=True)
    placed_1 = (before_1 + sums_of_0 / 2.0) / (tf.reduce_sum(sums_of_0) + EPSILON)
    placed_0 = (before_0 + sums_of_1 / 2.0) / (tf.reduce_sum(sums_of_1) + EPSILON)
    placed_1, placed_0 = tf.gather(placed_1, segments), tf.gather(placed_0, segments)
    placed = placed_1 * is_1 + placed_0 * is_0
    values_0 = placed * tf.cast(1 - labels, weights.dtype)
    weights_0 = weights * tf.cast(1 - labels, weights.dtype)
    values_1 = placed * tf.cast(labels, weights.dtype)
    weights_1 = weights * tf.cast(labels, weights.dtype)
    auc_0 = tf.reduce_sum(weights_0 * (1.0 - values_0)) / (total_0 + EPSILON)
    auc_1 = tf.reduce_sum(weights_1 * values_1) / (total_1 + EPSILON)
    auc = tf.where(tf.less(total_0, total_1), auc_1, auc_0)
    var_0 = tf.reduce_sum(weights_0 * tf.square(1.0 - values_0 - auc_0)) / (total_0 - 1.0 + EPSILON)
    var_1 = tf.reduce_sum(weights_1 * tf.squared_difference(values_1, auc_1)) / (total_1 - 1.0 + EPSILON)
    error = tf.sqrt(var_0 / (total_0 + EPSILON) + var_1 / (total_1 + EPSILON))
    z = statistics.NormalDist().inv_cdf((1.0 - alpha) / 2.0)
    if logit_transformation:
        estimate = tf.log(auc / (1.0 - auc + EPSILON))
        error = error / (auc * (1.0 - auc + EPSILON))
        bounds = [1.0 / (1.0 + tf.exp(tf.negative(x)) + EPSILON) for x in (estimate + z * error, estimate - z * error)]
    else:
        bounds = [auc + z * error, auc - z * error]
    bounds = [tf.where(tf.logical_or(tf.equal(auc, tf.ones_like(auc)), tf.equal(auc, tf.zeros_like(auc))), auc, b) for b in bounds]
    nothing = tf.constant(0.0)
    return _Auc(*tf.cond(is_valid, lambda: [auc] + bounds, lambda: [nothing] * 3))


@metric("auc_with_confidence_intervals")
def auc_with_confidence_intervals(labels, predictions, weights=None, alpha=0.95, logit_transformation=True, metrics_collections=(), updates_collections=(), name=None):
    """The area under the ROC curve and the bounds of its confidence interval."""
    if not 0 < alpha < 1:
        raise ValueError("alpha must be between 0 and 1; currently %.02f" % alpha)
    if weights is None:
        weights = tf.ones_like(predictions)
    with tf.variable_scope(name, default_name="auc_with_confidence_intervals", values=[labels, predictions, weights]):
        predictions, labels, weights = fitting(predictions, labels, weights)
        total = tf.reduce_sum(weights)
        weights = tf.reshape(weights, [-1])
        predictions = tf.reshape(tf.cast(predictions, tf.float64), [-1])
        labels = tf.reshape(tf.cast(labels, tf.int64), [-1])
        with tf.control_dependencies(_zero_or_one(labels)):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, update_weights = streaming_concat(weights, name="concat_weights")
            updates = tf.group(update_labels, update_predictions, update_weights)
            both = tf.logical_and(tf.equal(tf.reduce_min(labels), 0), tf.equal(tf.reduce_max(labels), 1))
            enough = tf.greater_equal(total, 1.0)
            is_valid = tf.logical_and(both, enough)
            update = tf.cond(enough, lambda: updates, tf.no_op)
            auc = _placement_auc(all_labels, all_predictions, all_weights, alpha, logit_transformation, is_valid)
            return collected(auc, update, metrics_collections, updates_collections)


@metric("precision_recall_at_equal_thresholds")
def precision_recall_at_equal_thresholds(labels, predictions, weights=None, num_thresholds=None, use_locking=None, name=None):
    """Counts, precision and recall at thresholds in equal steps from 0 to 1, in linear time."""
    count = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    use_locking = True if use_locking is None else use_locking
    tf.assert_type(labels, tf.bool)
    with tf.variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        checks = [tf.assert_greater_equal(predictions, tf.cast(0.0, predictions.dtype), message="predictions must be in [0, 1]"),
                  tf.assert_less_equal(predictions, tf.cast(1.0, predictions.dtype), message="predictions must be in [0, 1]")]
        with tf.control_dependencies(checks):
            predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        is_true = tf.cast(labels, tf.float64)
        weights = tf.cast(weights, tf.float64)
        true, false = is_true * weights, (1.0 - is_true) * weights
        predictions, true, false = tf.reshape(predictions, [-1]), tf.reshape(true, [-1]), tf.reshape(false, [-1])
        buckets = tf.cast(tf.floor(predictions * (count - 1)), tf.int32)
        with tf.name_scope("variables"):
            sums = [metric_variable([count], tf.float64, name=n) for n in ("tp_buckets", "fp_buckets")]
        with tf.name_scope("update_op"):
            updates = [tf.scatter_add(s, buckets, v, use_locking=use_locking) for s, v in zip(sums, (true, false))]
        tp, fp = [tf.cumsum(s, reverse=True, name=n) for s, n in zip(sums, ("tp", "fp"))]
        tn = fp[0] - fp
        fn = tp[0] - tp
        little = tf.convert_to_tensor(1e-7, dtype=tf.float64)
        precision = tp / tf.maximum(little, tp + fp)
        recall = tp / tf.maximum(little, tp + fn)
        steps = [tp, fp, tn, fn, precision, recall]
        steps = [tf.cast(t, predictions.dtype) for t in steps] + [tf.cast(tf.lin_space(0.0, 1.0, count), predictions.dtype)]
        return _Counts(*steps), tf.group(*updates)
