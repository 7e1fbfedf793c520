"""tensorflow.python.ops.metrics_impl and confusion_matrix: what metrics of programs are made of."""

import tensorflow as tf


def metric_variable(shape, dtype, validate_shape=True, name=None):
    """A variable of zeros among the local and metric variables."""
    return tf.Variable(lambda: tf.zeros(shape, dtype), trainable=False, collections=["local_variables", "metric_variables"], validate_shape=validate_shape,
                       synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM, name=name)


def _streaming_confusion_matrix(labels, predictions, num_classes, weights=None):
    """(the confusion matrix so far, the operation that adds a batch to it)"""
    total = metric_variable([num_classes, num_classes], tf.float64, name="total_confusion_matrix")
    predictions, labels, num_classes = tf.cast(predictions, tf.int64), tf.cast(labels, tf.int64), tf.cast(num_classes, tf.int64)
    if predictions.get_shape().ndims > 1:
        predictions = tf.reshape(predictions, [-1])
    if labels.get_shape().ndims > 1:
        labels = tf.reshape(labels, [-1])
    if weights is not None and weights.get_shape().ndims > 1:
        weights = tf.reshape(weights, [-1])
    current = tf.math.confusion_matrix(labels, predictions, num_classes, weights=weights, dtype=tf.float64)
    return total, tf.assign_add(total, current)


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """Both, without the last dimension of the one that has one too many (and it is 1)."""
    with tf.name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        known = [x.get_shape().ndims for x in (predictions, labels)]
        if None not in known:
            difference = known[0] - known[1]
            if difference == expected_rank_diff + 1:
                predictions = tf.squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = tf.squeeze(labels, [-1])
            return labels, predictions
        difference = tf.rank(predictions) - tf.rank(labels)
        if known[0] is None or predictions.get_shape()[-1].is_compatible_with(1):
            whole = predictions
            predictions = tf.cond(tf.equal(expected_rank_diff + 1, difference), lambda: tf.squeeze(whole, [-1]), lambda: whole)
        if known[1] is None or labels.get_shape()[-1].is_compatible_with(1):
            all_labels = labels
            labels = tf.cond(tf.equal(expected_rank_diff - 1, difference), lambda: tf.squeeze(all_labels, [-1]), lambda: all_labels)
        return labels, predictions
