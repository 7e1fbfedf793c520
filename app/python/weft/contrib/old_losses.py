"""tf.contrib.losses (tf.contrib.slim.losses): the losses before tf.losses. Predictions come first, and a mean is over what is weighted."""

import tensorflow as tf

from .. import ops
from ..exports import export
from ..ops import GraphKeys
from .arg_scope import add_arg_scope


def _losses(name):
    return export("contrib.slim.losses." + name, "contrib.losses." + name)


def _summed(losses, weights):
    """The sum of losses, each row of them with its weight."""
    rows = tf.reduce_sum(losses, axis=list(range(max(0, weights.get_shape().ndims), losses.get_shape().ndims)))
    return tf.reduce_sum(tf.multiply(rows, weights))


def _counted(losses, weights, per_batch=False):
    """How many losses have a weight that is not zero."""
    rank = weights.get_shape().ndims
    if rank == 0:
        rows = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), [])
        each = tf.div(tf.cast(tf.size(losses), tf.float32), tf.cast(rows, tf.float32))
        each = tf.where(tf.equal(weights, 0), 0.0, each)
        each = tf.multiply(tf.ones(tf.reshape(rows, [1])), each)
    else:
        weighted = tf.reduce_sum(tf.cast(tf.not_equal(weights, 0), tf.float32), axis=list(range(1, rank)))
        rest = tf.slice(tf.shape(losses), [rank], [-1])
        each = tf.multiply(weighted, tf.cast(tf.reduce_prod(rest), tf.float32))
    return each if per_batch else tf.reduce_sum(each)


@_losses("add_loss")
@add_arg_scope
def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    if loss_collection:
        ops.add_to_collection(loss_collection, loss)


@_losses("get_losses")
def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    return ops.get_collection(loss_collection, scope)


@_losses("get_regularization_losses")
def get_regularization_losses(scope=None):
    return ops.get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@_losses("get_total_loss")
def get_total_loss(add_regularization_losses=True, name="total_loss"):
    """The sum of all losses, those of regularization with them."""
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return tf.add_n(losses, name=name)


@_losses("compute_weighted_loss")
def compute_weighted_loss(losses, weights=1.0, scope=None):
    with tf.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = tf.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = tf.cast(losses, tf.float32)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        for what, shape in (("losses", losses.get_shape()), ("weights", weights.get_shape())):
            if shape.ndims is None:
                raise ValueError("%s.get_shape().ndims cannot be None" % what)
        shape = weights.get_shape()
        if shape.ndims > 1 and shape[-1].is_compatible_with(1):
            weights = tf.squeeze(weights, [-1])
        total = _summed(losses, weights)
        count = _counted(losses, weights)
        mean = tf.cast(tf.div_no_nan(tf.reduce_sum(total), count, name="value"), dtype)
        add_loss(mean)
        return mean


def _pair(predictions, labels):
    """Both as float32, after a look at their shapes."""
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


@_losses("absolute_difference")
def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    with tf.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(tf.abs(tf.subtract(predictions, labels)), weights, scope=scope)


@_losses("mean_squared_error")
def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with tf.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(tf.squared_difference(predictions, labels), weights, scope=scope)


@_losses("log_loss")
def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    with tf.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        losses = -tf.multiply(labels, tf.log(predictions + epsilon)) - tf.multiply((1 - labels), tf.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("cosine_distance")
def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with tf.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(1 - tf.reduce_sum(tf.multiply(predictions, labels), axis=[axis]), weights, scope=scope)


@_losses("hinge_loss")
def hinge_loss(logits, labels=None, scope=None):
    """The hinge of every element; nothing is summed or collected."""
    with tf.name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = tf.cast(labels, tf.float32)
        ones = tf.ones_like(labels)
        labels = tf.subtract(2 * labels, ones)
        return tf.nn.relu(tf.subtract(ones, tf.multiply(labels, logits)))


@_losses("softmax_cross_entropy")
def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    with tf.name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        onehot_labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(onehot_labels)[1], logits.dtype)
            onehot_labels = onehot_labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = tf.nn.softmax_cross_entropy_with_logits(labels=onehot_labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    with tf.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("sigmoid_cross_entropy")
def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    with tf.name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@_losses("mean_pairwise_squared_error")
def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with tf.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        differences = tf.subtract(predictions, labels)
        axis = list(range(1, differences.get_shape().ndims))
        squares = tf.reduce_sum(tf.square(differences), axis=axis)
        count = _counted(differences, weights, per_batch=True)
        first = 2.0 * tf.div_no_nan(squares, count, name="value")
        sums = tf.reduce_sum(differences, axis=axis)
        second = 2.0 * tf.div_no_nan(tf.square(sums), tf.square(count), name="value")
        loss = _summed(first - second, weights)
        mean = tf.where(tf.reduce_sum(count) > 0, loss, tf.zeros_like(loss), name="value")
        add_loss(mean)
        return mean
