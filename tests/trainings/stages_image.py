"""Stages of images [batch, height, width, channels], and stages that reduce images to vectors."""

import tensorflow as tf

from draw import activation, plain_activation, width
from stages_dense import batch_norm, dropout


def _kernel(draw, x):
    h, w = x.shape.as_list()[1:3]
    return min(draw.whole(1, 3), h), min(draw.whole(1, 3), w)


def layers_conv(net, draw, x):
    n = draw.whole(1, 4)
    return tf.layers.conv2d(x, n, _kernel(draw, x), strides=draw.pick([1, 1, 2]), padding=draw.pick(["same", "valid"]), activation=plain_activation(draw),
                            use_bias=draw.chance(0.8), kernel_initializer=tf.glorot_uniform_initializer(draw.whole(1, 99)), kernel_regularizer=net.regularizer(draw))


def dilated_conv(net, draw, x):
    return tf.layers.conv2d(x, draw.whole(1, 3), (2, 2), padding="same", dilation_rate=2, activation=plain_activation(draw))


def raw_conv(net, draw, x):
    n = draw.whole(1, 4)
    kh, kw = _kernel(draw, x)
    k = net.variable(draw, "k", [kh, kw, width(x), n])
    y = tf.nn.conv2d(x, k, [1, draw.pick([1, 2]), draw.pick([1, 1]), 1] if draw.chance(0.3) else [1, 1, 1, 1], draw.pick(["SAME", "VALID"]))
    y = tf.nn.bias_add(y, net.bias(draw, "b", n)) if draw.chance(0.7) else y
    return activation(net, draw, y)


def keras_conv(net, draw, x):
    layer = tf.keras.layers.Conv2D(draw.whole(1, 4), _kernel(draw, x), padding=draw.pick(["same", "valid"]), activation=draw.pick([None, "relu", "tanh"]),
                                   kernel_regularizer=net.regularizer(draw), dtype=net.dtype)
    y = layer(x)
    net.added_losses += layer.losses
    return y


def depthwise(net, draw, x):
    kh, kw = _kernel(draw, x)
    k = net.variable(draw, "k", [kh, kw, width(x), draw.whole(1, 2)])
    return tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], draw.pick(["SAME", "VALID"]))


def separable(net, draw, x):
    return tf.layers.separable_conv2d(x, draw.whole(1, 4), _kernel(draw, x), padding="same", depth_multiplier=draw.whole(1, 2), activation=plain_activation(draw))


def transposed(net, draw, x):
    return tf.layers.conv2d_transpose(x, draw.whole(1, 3), draw.pick([2, 3]), strides=draw.pick([1, 2]), padding="same", activation=plain_activation(draw))


def pooled(net, draw, x):
    size = [min(2, n) for n in x.shape.as_list()[1:3]]
    f = draw.pick([tf.layers.max_pooling2d, tf.layers.average_pooling2d])
    return f(x, size, draw.pick([1, 2]), padding=draw.pick(["same", "valid"]))


def raw_pooled(net, draw, x):
    f = draw.pick([tf.nn.max_pool, tf.nn.avg_pool])
    return f(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")


def resized(net, draw, x):
    how = draw.pick(["bilinear", "nearest", "flip", "pad", "space_to_depth", "crop"])
    draw.note("image " + how)
    h, w = x.shape.as_list()[1:3]
    if how == "bilinear":
        net.single = True
        return tf.cast(tf.image.resize_bilinear(x, [h + 1, w + 1], align_corners=draw.chance(0.5)), net.dtype)
    if how == "nearest":
        return tf.image.resize_nearest_neighbor(x, [2 * h, w])
    if how == "flip":
        return x + tf.reverse(x, [2])
    if how == "pad":
        return tf.pad(x, [[0, 0], [1, 0], [0, 1], [0, 0]])
    if how == "space_to_depth" and h % 2 == 0 and w % 2 == 0:
        return tf.space_to_depth(x, 2)
    return x[:, :max(1, h - 1), :, :]


def residual_block(net, draw, x):
    y = tf.layers.conv2d(x, width(x), 3, padding="same", activation=tf.nn.relu, name="c1")
    y = tf.layers.conv2d(y, width(x), 1, padding="same", name="c2")
    return tf.nn.relu(x + y)


def normalized(net, draw, x):
    return batch_norm(net, draw, x)


def response_norm(net, draw, x):
    if net.dtype != tf.float32:
        return x
    draw.note("lrn")
    return tf.nn.lrn(x, depth_radius=draw.whole(1, 2), bias=1.0, alpha=0.01, beta=draw.pick([0.5, 0.75]))


STAGES = [layers_conv, layers_conv, raw_conv, raw_conv, keras_conv, depthwise, separable, transposed, dilated_conv, pooled, raw_pooled, resized, residual_block, normalized,
          normalized, response_norm, dropout]


def to_vector(net, draw, x):
    how = draw.pick(["flatten", "mean", "max", "reshape", "keras"])
    draw.note("images to vectors by " + how)
    if how == "flatten":
        return tf.layers.flatten(x)
    if how == "mean":
        return tf.reduce_mean(x, [1, 2])
    if how == "max":
        return tf.reduce_max(x, [1, 2])
    if how == "keras":
        return tf.keras.layers.GlobalAveragePooling2D(dtype=net.dtype)(x)
    shape = x.shape.as_list()
    return tf.reshape(x, [-1, shape[1] * shape[2] * shape[3]])
