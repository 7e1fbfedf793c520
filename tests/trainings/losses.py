"""Training objectives: labels, a loss, and additional terms."""

import numpy as np
import tensorflow as tf

from draw import width


def make(net, draw, x, rows, steps):
    """The loss of features [batch, n]; `rows`: the batch size of the fed labels."""
    kind = draw.pick(["sparse", "dense", "sparse nn", "sigmoid", "mse", "huber", "absolute", "log", "hinge", "cosine", "weighted", "own", "nce", "sampled", "l2", "poisson",
                      "pairwise", "logits v2", "weighted sigmoid", "kl"])
    classes = draw.whole(2, 4)
    if net.dtype != tf.float32 and kind in ("sampled", "nce", "mse", "huber", "absolute", "log", "hinge", "cosine", "weighted", "pairwise"):
        kind = "own"  # samplers, and most of tf.losses, compute in float32
    draw.note("loss " + kind)

    def fed(name, dtype, shape, values):
        p = tf.placeholder(dtype, [net.fed_batch] + shape, name=name)
        net.feeds[p] = values
        return p

    def numbers(shape, f=lambda a: a):
        return fed("y", net.dtype, shape, [f(draw.array([rows] + shape)) for _ in range(steps)])

    def labels(end, shape=()):
        return fed("y", draw.pick([tf.int32, tf.int64]), list(shape), [draw.integers([rows] + list(shape), end) for _ in range(steps)])

    if kind in ("nce", "sampled"):
        w = tf.get_variable("class_w", [7, width(x)], net.dtype, net.initializer(draw, [7, width(x)]))
        b = tf.get_variable("class_b", [7], net.dtype, tf.zeros_initializer())
        y = fed("y", tf.int64, [1], [draw.integers([rows, 1], 7) for _ in range(steps)])
        f = tf.nn.nce_loss if kind == "nce" else tf.nn.sampled_softmax_loss
        return tf.reduce_mean(f(w, b, y, x, 3, 7))
    if draw.chance(0.5):
        out = tf.layers.dense(x, classes, name="out")
    else:
        w = net.variable(draw, "out_w", [width(x), classes])
        out = tf.matmul(x, w) + net.bias(draw, "out_b", classes)
    if kind == "sparse":
        return tf.losses.sparse_softmax_cross_entropy(labels(classes), out)
    if kind == "sparse nn":
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels(classes), logits=out))
    if kind == "dense":
        return tf.losses.softmax_cross_entropy(tf.one_hot(labels(classes), classes, dtype=net.dtype), out, label_smoothing=draw.pick([0, 0.1]))
    if kind == "logits v2":
        y = numbers([classes], lambda a: np.exp(a) / np.exp(a).sum(-1, keepdims=True))
        f = tf.nn.softmax_cross_entropy_with_logits_v2 if draw.chance(0.6) else tf.nn.softmax_cross_entropy_with_logits
        return tf.reduce_mean(f(labels=y, logits=out))
    if kind == "sigmoid":
        return tf.losses.sigmoid_cross_entropy(tf.cast(labels(2, [classes]), net.dtype), out)
    if kind == "weighted sigmoid":
        return tf.reduce_mean(tf.nn.weighted_cross_entropy_with_logits(labels=tf.cast(labels(2, [classes]), net.dtype), logits=out, pos_weight=2.5))
    if kind == "mse":
        return tf.losses.mean_squared_error(numbers([classes]), out)
    if kind == "huber":
        return tf.losses.huber_loss(numbers([classes]), out, delta=0.7)
    if kind == "absolute":
        return tf.losses.absolute_difference(numbers([classes]), out)
    if kind == "log":
        return tf.losses.log_loss(tf.cast(labels(2, [classes]), net.dtype), tf.sigmoid(out))
    if kind == "hinge":
        return tf.losses.hinge_loss(tf.cast(labels(2, [classes]), net.dtype), out)
    if kind == "cosine":
        return tf.losses.cosine_distance(tf.nn.l2_normalize(numbers([classes]), 1), tf.nn.l2_normalize(out, 1, epsilon=0.01), axis=1)
    if kind == "weighted":
        return tf.losses.mean_squared_error(numbers([classes]), out, weights=tf.constant(draw.array([1, classes]) ** 2, net.dtype),
                                            reduction=draw.pick([tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS, tf.losses.Reduction.MEAN, tf.losses.Reduction.SUM]))
    if kind == "l2":
        return tf.nn.l2_loss(out - numbers([classes])) / float(rows)
    if kind == "poisson":
        y = numbers([classes], lambda a: np.floor(np.abs(a) * 2))
        return tf.reduce_mean(tf.nn.log_poisson_loss(y, tf.clip_by_value(out, -3.0, 3.0)))
    if kind == "pairwise":
        return tf.losses.mean_pairwise_squared_error(numbers([classes]), out)
    if kind == "kl":
        y = numbers([classes], lambda a: np.exp(a) / np.exp(a).sum(-1, keepdims=True))
        p = tf.nn.softmax(out)
        return -tf.reduce_mean(tf.reduce_sum(y * tf.log(tf.maximum(p, 1e-6)), 1))
    y = numbers([classes])
    return tf.reduce_mean(tf.sqrt(tf.reduce_sum(tf.square(out - y), 1) + 0.1)) + 0.01 * tf.reduce_logsumexp(out)


def total(net, draw, loss):
    """The loss plus the losses of regularizers and layers."""
    how = draw.pick(["sum", "add_n", "collection", "mean of regularizers"])
    regularizers = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) + net.added_losses
    draw.note("total loss by " + how if regularizers else "no regularizer")
    if how == "collection" and tf.losses.get_losses():
        return tf.losses.get_total_loss() + (tf.add_n(net.added_losses) if net.added_losses else 0.0)
    if not regularizers:
        return loss
    if how == "sum":
        return loss + sum(regularizers)
    if how == "add_n":
        return tf.add_n([loss] + regularizers)
    return loss + tf.reduce_mean(tf.stack(regularizers))
