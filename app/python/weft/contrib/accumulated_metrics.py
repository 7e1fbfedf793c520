"""tf.contrib.metrics: metrics over all values so far, which are kept in growing arrays."""

import collections
import statistics

from .. import basics, dtypes, engine, ops
from ..control_flow import cond, group, no_op
from ..variable_scope import variable_scope
from ..variables import assign, scatter_add
from .metric_parts import EPSILON, collected, fitting, metric_variable
from .metrics import metric

_Auc = collections.namedtuple("AucData", ["auc", "lower", "upper"])
_Counts = collections.namedtuple("PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"])


def _next_size(required, growth=1.5):
    exponent = engine.ceil(engine.log(basics.cast(required, dtypes.float32)) / engine.log(basics.cast(growth, dtypes.float32)))
    return basics.cast(engine.ceil(growth ** exponent), dtypes.int32)


@metric("streaming_concat")
def streaming_concat(values, axis=0, max_size=None, metrics_collections=None, updates_collections=None, name=None):
    """All values seen so far along an axis, at most `max_size` of them."""
    with variable_scope(name, "streaming_concat", (values,)):
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
        size = metric_variable([], dtypes.int32, name="size")
        seen = array[:size]
        seen.set_shape([None] + fixed)
        value = engine.transpose(seen, [0 if n == axis else n + 1 if n < axis else n for n in range(rank)], name="concat")
        batch_size = basics.shape(values)[axis]
        if max_size is not None:
            batch_size = engine.minimum(batch_size, max_size - size)
        batch = engine.transpose(values, [axis] + [n for n in range(rank) if n != axis])[:batch_size]
        new_size = size + batch_size

        def reallocate():
            room = engine.zeros(engine.stack([_next_size(new_size)] + fixed), dtype=values.dtype)
            old = array.value()
            with ops.control_dependencies([old]):
                larger = assign(array, room, validate_shape=False)
            with ops.control_dependencies([larger]):
                copied = array[:size].assign(old[:size])
            with ops.control_dependencies([copied]):
                return no_op()

        room = engine.raw_ops.Shape(input=array)[0]  # the current size, not that of the initial value
        enough = cond(new_size > room, reallocate, no_op)
        with ops.control_dependencies([enough]):
            appended = array[size:new_size].assign(batch)
        with ops.control_dependencies([appended]):
            update = size.assign(new_size)
        return collected(value, update, metrics_collections, updates_collections)


def _zero_or_one(labels):
    return [engine.assert_greater_equal(labels, engine.zeros_like(labels, dtypes.int64), message="labels must be 0 or 1, at least one is <0"),
            engine.assert_less_equal(labels, engine.ones_like(labels, dtypes.int64), message="labels must be 0 or 1, at least one is >1")]


def _dynamic_auc(labels, predictions, curve, weights):
    size = basics.size(predictions)
    if weights is None:
        weights = engine.ones_like(labels, dtype=dtypes.float64)
    labels, predictions, weights = fitting(labels, predictions, weights)
    total = engine.reduce_sum(weights)
    positive = engine.reduce_sum(engine.where(engine.greater(labels, 0), weights, engine.zeros_like(labels, dtype=dtypes.float64)))

    def area():
        ordered, indices = engine.nn.top_k(predictions, k=size)
        ordered_labels = engine.gather(labels, indices)
        ordered_weights = engine.gather(weights, indices)
        _, _, counts = engine.unique_with_counts(ordered)
        splits = basics.cast(engine.pad(engine.cumsum(counts), paddings=[[1, 0]]), dtypes.int32)

        def sums(of):
            return engine.gather(engine.pad(engine.cumsum(of), paddings=[[1, 0]]), splits)

        right = sums(engine.where(engine.greater(ordered_labels, 0), ordered_weights, engine.zeros_like(ordered_labels, dtype=dtypes.float64)))
        if curve == "ROC":
            wrong = sums(engine.where(engine.less(ordered_labels, 1), ordered_weights, engine.zeros_like(ordered_labels, dtype=dtypes.float64)))
            negative = total - positive
            x = engine.truediv(wrong, negative)
            y = engine.truediv(right, positive)
        else:
            x = engine.truediv(right, positive)
            said = sums(ordered_weights)
            y = engine.where(engine.greater(splits, 0), engine.truediv(right, said), engine.ones_like(right, dtype=dtypes.float64))
        heights = engine.add(y[1:], y[:-1]) / 2.0
        widths = engine.abs(engine.subtract(x[1:], x[:-1]))
        return engine.reduce_sum(engine.multiply(heights, widths))

    return cond(engine.logical_or(engine.equal(positive, 0), engine.equal(positive, total)), true_fn=lambda: ops.constant(0, dtypes.float64), false_fn=area)


@metric("streaming_dynamic_auc")
def streaming_dynamic_auc(labels, predictions, curve="ROC", metrics_collections=(), updates_collections=(), name=None, weights=None):
    """The exact area under a curve, of all predictions seen so far."""
    if curve not in ("PR", "ROC"):
        raise ValueError("curve must be either ROC or PR, %s unknown" % curve)
    with variable_scope(name, default_name="dynamic_auc"):
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        predictions = engine.reshape(basics.cast(predictions, dtypes.float64), [-1])
        labels = engine.reshape(basics.cast(labels, dtypes.int64), [-1])
        with ops.control_dependencies(_zero_or_one(labels)):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, updates = None, [update_labels, update_predictions]
            if weights is not None:
                weights = engine.reshape(basics.cast(weights, dtypes.float64), [-1])
                all_weights, update_weights = streaming_concat(weights, name="concat_weights")
                updates.append(update_weights)
            update = group(*updates)
            return collected(_dynamic_auc(all_labels, all_predictions, curve, all_weights), update, metrics_collections, updates_collections)


def _placement_auc(labels, predictions, weights, alpha, logit_transformation, is_valid):
    """AUC and its bounds by the placements of each class among the other (DeLong's estimate of the variance)."""
    size = basics.size(predictions, out_type=dtypes.int32)
    total_0 = engine.reduce_sum(basics.cast(1 - labels, weights.dtype) * weights)
    total_1 = engine.reduce_sum(basics.cast(labels, weights.dtype) * weights)
    ordered, indices = engine.nn.top_k(predictions, k=size, sorted=True)
    ordered = engine.reverse(ordered, axis=engine.zeros(1, dtypes.int32))
    indices = engine.reverse(indices, axis=engine.zeros(1, dtypes.int32))
    labels, weights = engine.gather(labels, indices), engine.gather(weights, indices)
    _, segments = engine.unique(ordered)
    is_1 = basics.cast(labels, dtypes.float32)
    is_0 = 1.0 - is_1
    of_1, of_0 = weights * is_1, weights * is_0

    sums_of_0 = engine.segment_sum(of_0, segments)
    sums_of_1 = engine.segment_sum(of_1, segments)
    before_1 = engine.cumsum(sums_of_0, exclusive=True)
    before_0 = engine.cumsum(sums_of_1, exclusive=True)
    placed_1 = (before_1 + sums_of_0 / 2.0) / (engine.reduce_sum(sums_of_0) + EPSILON)
    placed_0 = (before_0 + sums_of_1 / 2.0) / (engine.reduce_sum(sums_of_1) + EPSILON)
    placed_1, placed_0 = engine.gather(placed_1, segments), engine.gather(placed_0, segments)
    placed = placed_1 * is_1 + placed_0 * is_0
    values_0 = placed * basics.cast(1 - labels, weights.dtype)
    weights_0 = weights * basics.cast(1 - labels, weights.dtype)
    values_1 = placed * basics.cast(labels, weights.dtype)
    weights_1 = weights * basics.cast(labels, weights.dtype)
    auc_0 = engine.reduce_sum(weights_0 * (1.0 - values_0)) / (total_0 + EPSILON)
    auc_1 = engine.reduce_sum(weights_1 * values_1) / (total_1 + EPSILON)
    auc = engine.where(engine.less(total_0, total_1), auc_1, auc_0)
    var_0 = engine.reduce_sum(weights_0 * engine.square(1.0 - values_0 - auc_0)) / (total_0 - 1.0 + EPSILON)
    var_1 = engine.reduce_sum(weights_1 * engine.squared_difference(values_1, auc_1)) / (total_1 - 1.0 + EPSILON)
    error = engine.sqrt(var_0 / (total_0 + EPSILON) + var_1 / (total_1 + EPSILON))
    z = statistics.NormalDist().inv_cdf((1.0 - alpha) / 2.0)
    if logit_transformation:
        estimate = engine.log(auc / (1.0 - auc + EPSILON))
        error = error / (auc * (1.0 - auc + EPSILON))
        bounds = [1.0 / (1.0 + engine.exp(engine.negative(x)) + EPSILON) for x in (estimate + z * error, estimate - z * error)]
    else:
        bounds = [auc + z * error, auc - z * error]
    bounds = [engine.where(engine.logical_or(engine.equal(auc, engine.ones_like(auc)), engine.equal(auc, engine.zeros_like(auc))), auc, b) for b in bounds]
    nothing = ops.constant(0.0)
    return _Auc(*cond(is_valid, lambda: [auc] + bounds, lambda: [nothing] * 3))


@metric("auc_with_confidence_intervals")
def auc_with_confidence_intervals(labels, predictions, weights=None, alpha=0.95, logit_transformation=True, metrics_collections=(), updates_collections=(), name=None):
    """The area under the ROC curve and the bounds of its confidence interval."""
    if not 0 < alpha < 1:
        raise ValueError("alpha must be between 0 and 1; currently %.02f" % alpha)
    if weights is None:
        weights = engine.ones_like(predictions)
    with variable_scope(name, default_name="auc_with_confidence_intervals", values=[labels, predictions, weights]):
        predictions, labels, weights = fitting(predictions, labels, weights)
        total = engine.reduce_sum(weights)
        weights = engine.reshape(weights, [-1])
        predictions = engine.reshape(basics.cast(predictions, dtypes.float64), [-1])
        labels = engine.reshape(basics.cast(labels, dtypes.int64), [-1])
        with ops.control_dependencies(_zero_or_one(labels)):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, update_weights = streaming_concat(weights, name="concat_weights")
            updates = group(update_labels, update_predictions, update_weights)
            both = engine.logical_and(engine.equal(engine.reduce_min(labels), 0), engine.equal(engine.reduce_max(labels), 1))
            enough = engine.greater_equal(total, 1.0)
            is_valid = engine.logical_and(both, enough)
            update = cond(enough, lambda: updates, no_op)
            auc = _placement_auc(all_labels, all_predictions, all_weights, alpha, logit_transformation, is_valid)
            return collected(auc, update, metrics_collections, updates_collections)


@metric("precision_recall_at_equal_thresholds")
def precision_recall_at_equal_thresholds(labels, predictions, weights=None, num_thresholds=None, use_locking=None, name=None):
    """Counts, precision and recall at thresholds in equal steps from 0 to 1, in linear time."""
    count = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    use_locking = True if use_locking is None else use_locking
    engine.assert_type(labels, dtypes.bool_)
    with variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        checks = [engine.assert_greater_equal(predictions, basics.cast(0.0, predictions.dtype), message="predictions must be in [0, 1]"),
                  engine.assert_less_equal(predictions, basics.cast(1.0, predictions.dtype), message="predictions must be in [0, 1]")]
        with ops.control_dependencies(checks):
            predictions, labels, weights = fitting(predictions, labels, weights)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        is_true = basics.cast(labels, dtypes.float64)
        weights = basics.cast(weights, dtypes.float64)
        true, false = is_true * weights, (1.0 - is_true) * weights
        predictions, true, false = engine.reshape(predictions, [-1]), engine.reshape(true, [-1]), engine.reshape(false, [-1])
        buckets = basics.cast(engine.floor(predictions * (count - 1)), dtypes.int32)
        with ops.name_scope("variables"):
            sums = [metric_variable([count], dtypes.float64, name=n) for n in ("tp_buckets", "fp_buckets")]
        with ops.name_scope("update_op"):
            updates = [scatter_add(s, buckets, v, use_locking=use_locking) for s, v in zip(sums, (true, false))]
        tp, fp = [engine.cumsum(s, reverse=True, name=n) for s, n in zip(sums, ("tp", "fp"))]
        tn = fp[0] - fp
        fn = tp[0] - tp
        little = ops.convert_to_tensor(1e-7, dtype=dtypes.float64)
        precision = tp / engine.maximum(little, tp + fp)
        recall = tp / engine.maximum(little, tp + fn)
        steps = [tp, fp, tn, fn, precision, recall]
        steps = [basics.cast(t, predictions.dtype) for t in steps] + [basics.cast(engine.lin_space(0.0, 1.0, count), predictions.dtype)]
        return _Counts(*steps), group(*updates)
