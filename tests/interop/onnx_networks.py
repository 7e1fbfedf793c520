#!/usr/bin/env python3
"""Writes frozen networks with their inputs and outputs, for onnx_export.py. Runs in TensorFlow 1.15:

    PYTHON_WITH_TF115 tests/interop/onnx_networks.py FOLDER

FOLDER gets NAME.pb, NAME.npz (the fed and the fetched values, by tensor) and NAME.txt (the tensors: one line of inputs, one of outputs)."""

import os
import sys

import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)


def variable(shape, scale=0.3):
    return tf.Variable(tf.random.normal(shape, stddev=scale, seed=1))


def mlp():
    x = tf.placeholder(tf.float32, [None, 20], "x")
    y = x
    for size, activation in ((32, tf.nn.relu), (16, tf.nn.tanh), (5, tf.nn.softmax)):
        y = tf.layers.dense(y, size, activation)
    return {x: [7, 20]}, [y]


def lenet():
    x = tf.placeholder(tf.float32, [None, 28, 28, 1], "x")
    y = tf.layers.max_pooling2d(tf.layers.conv2d(x, 6, 5, padding="same", activation=tf.nn.relu), 2, 2)
    y = tf.layers.max_pooling2d(tf.layers.conv2d(y, 16, 5, activation=tf.nn.relu), 2, 2)
    y = tf.layers.dense(tf.layers.flatten(y), 84, tf.nn.relu)
    return {x: [3, 28, 28, 1]}, [tf.nn.softmax(tf.layers.dense(y, 10))]


def mobilenet():
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], "x")
    y = tf.layers.conv2d(x, 8, 3, 2, padding="same", use_bias=False)
    for filters, stride in ((16, 1), (32, 2), (32, 1)):
        y = tf.nn.relu6(tf.layers.batch_normalization(y))
        y = tf.nn.depthwise_conv2d(y, variable([3, 3, y.shape[-1].value, 1]), [1, stride, stride, 1], "SAME")
        y = tf.nn.relu6(tf.layers.batch_normalization(y))
        y = tf.layers.conv2d(y, filters, 1, use_bias=False)
    y = tf.reduce_mean(y, [1, 2])
    return {x: [2, 32, 32, 3]}, [tf.nn.softmax(tf.layers.dense(y, 10))]


def resnet():
    x = tf.placeholder(tf.float32, [None, 16, 16, 4], "x")
    y = tf.layers.conv2d(x, 8, 3, padding="same")
    for _ in range(2):
        z = tf.nn.relu(tf.layers.batch_normalization(y))
        z = tf.layers.conv2d(z, 8, 3, padding="same")
        z = tf.layers.conv2d(tf.nn.relu(tf.layers.batch_normalization(z)), 8, 3, padding="same")
        y = y + z
    y = tf.concat([tf.layers.average_pooling2d(y, 3, 2, "same"), tf.layers.max_pooling2d(y, 3, 2, "same")], -1)
    return {x: [2, 16, 16, 4]}, [tf.layers.dense(tf.layers.flatten(y), 3)]


def lstm_unrolled():
    x = tf.placeholder(tf.float32, [None, 6, 5], "x")
    cell = tf.nn.rnn_cell.LSTMCell(8)
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    return {x: [3, 6, 5]}, [tf.stack(outputs, 1), state.c]


def gru_unrolled():
    x = tf.placeholder(tf.float32, [None, 4, 5], "x")
    outputs, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(7), tf.unstack(x, axis=1), dtype=tf.float32)
    return {x: [3, 4, 5]}, [outputs[-1], state]


def attention():
    x = tf.placeholder(tf.float32, [None, 6, 16], "x")
    q, k, v = (tf.layers.dense(x, 16) for _ in range(3))

    def heads(t):
        return tf.transpose(tf.reshape(t, [-1, 6, 4, 4]), [0, 2, 1, 3])

    weights = tf.nn.softmax(tf.matmul(heads(q), heads(k), transpose_b=True) / 2.0)
    y = tf.reshape(tf.transpose(tf.matmul(weights, heads(v)), [0, 2, 1, 3]), [-1, 6, 16])
    mean, variance = tf.nn.moments(x + y, [-1], keep_dims=True)
    y = (x + y - mean) * tf.rsqrt(variance + 1e-6)
    return {x: [2, 6, 16]}, [0.5 * y * (1 + tf.erf(y / np.sqrt(2.0)))]


def autoencoder():
    x = tf.placeholder(tf.float32, [None, 16, 16, 1], "x")
    y = tf.layers.conv2d(x, 4, 3, 2, "same", activation=tf.nn.elu)
    y = tf.layers.conv2d(y, 8, 3, 2, "same", activation=tf.nn.leaky_relu)
    y = tf.nn.conv2d_transpose(y, variable([3, 3, 4, 8]), tf.stack([tf.shape(x)[0], 8, 8, 4]), [1, 2, 2, 1], "SAME")
    y = tf.image.resize_nearest_neighbor(tf.nn.selu(y), [16, 16])
    return {x: [2, 16, 16, 1]}, [tf.sigmoid(tf.layers.conv2d(y, 1, 3, padding="same"))]


def dilated():
    x = tf.placeholder(tf.float32, [2, 20, 20, 3], "x")
    y = tf.nn.convolution(x, variable([3, 3, 3, 4]), "SAME", dilation_rate=[2, 2])
    y = tf.nn.conv2d(y, variable([3, 3, 4, 4]), [1, 1, 1, 1], "VALID")
    return {x: [2, 20, 20, 3]}, [tf.nn.lrn(y, 2, 1.0, 0.1, 0.5)]


def embedding():
    x = tf.placeholder(tf.int32, [None, 5], "x")
    y = tf.reduce_mean(tf.nn.embedding_lookup(variable([50, 8]), x), 1)
    return {x: ([4, 5], 50)}, [tf.nn.log_softmax(tf.layers.dense(y, 3)), tf.argmax(y, -1)]


def arrays():
    x = tf.placeholder(tf.float32, [None, 6, 4], "x")
    shape = tf.shape(x)
    flat = tf.reshape(x, [shape[0], -1])
    parts = tf.split(x, 2, 1)
    values, places = tf.nn.top_k(flat, 3)
    outputs = [x[:, ::2, 1:], x[:, -1], x[:, tf.newaxis, ..., 0], tf.concat([parts[1], parts[0]], 1), tf.pad(x, [[0, 0], [1, 2], [0, 1]], constant_values=3.0),
               tf.pad(x, [[0, 0], [2, 1], [1, 1]], "REFLECT"), tf.tile(x, [1, 2, 1]), tf.reverse(x, [1]), tf.cumsum(x, 1, reverse=True), values, places,
               tf.one_hot(places, 24), tf.gather(x, [3, 0], axis=1), tf.gather_nd(x, [[0, 1], [1, 2]]), tf.where(x > 0.0, x, -x), tf.unstack(x, axis=2)[2],
               tf.fill(shape, 2.5), tf.zeros_like(x), tf.reduce_max(x, [0, 2]), tf.reduce_prod(flat, 1, keep_dims=True), tf.reduce_any(x > 1.0, 1), tf.squeeze(x[:, :1], 1),
               tf.slice(x, [0, 1, 0], [-1, 2, 3]), tf.cast(x, tf.int32), tf.broadcast_to(x[:1], [3, 6, 4]), tf.space_to_depth(tf.reshape(x, [-1, 2, 4, 3]), 2),
               tf.depth_to_space(tf.reshape(x, [-1, 2, 3, 4]), 2), tf.where(flat > 0.5), tf.range(shape[1])]
    return {x: [3, 6, 4]}, outputs


def elementwise():
    x = tf.placeholder(tf.float32, [None, 4], "x")
    i = tf.placeholder(tf.int32, [None, 4], "i")
    p = tf.abs(x) + 0.5
    small = tf.clip_by_value(x, -0.9, 0.9)
    outputs = [tf.log1p(p), tf.expm1(x), tf.sqrt(p), tf.rsqrt(p), tf.square(x), tf.sign(x), tf.floor(x), tf.ceil(x), tf.round(x * 3), tf.sin(x), tf.cos(x), tf.tan(x),
               tf.asin(small), tf.acos(small), tf.atan(x), tf.sinh(x), tf.cosh(x), tf.asinh(x), tf.acosh(p + 1), tf.atanh(small), tf.erf(x), tf.erfc(x),
               tf.nn.softplus(x), tf.nn.softsign(x), tf.pow(p, x), tf.maximum(x, 0.2), tf.squared_difference(x, p), tf.floordiv(x, p), tf.floormod(x, p), x // 0.5,
               i // 3, i % 3, tf.truncatediv(i, 3), tf.logical_and(x > 0.0, i > 2), tf.not_equal(i, 3), tf.div_no_nan(x, tf.nn.relu(x)), tf.is_finite(x), tf.reciprocal(p),
               tf.add_n([x, p, x])]
    return {x: [3, 4], i: ([3, 4], 9)}, outputs


def pools3d():
    x = tf.placeholder(tf.float32, [2, 6, 8, 8, 2], "x")
    y = tf.nn.conv3d(x, variable([3, 3, 3, 2, 4]), [1, 1, 2, 2, 1], "SAME")
    return {x: [2, 6, 8, 8, 2]}, [tf.nn.max_pool3d(y, 2, 2, "VALID"), tf.nn.avg_pool3d(y, 2, 1, "VALID")]


def resized():
    x = tf.placeholder(tf.float32, [None, 6, 5, 2], "x")
    return {x: [2, 6, 5, 2]}, [tf.image.resize_bilinear(x, [12, 10]), tf.image.resize_bilinear(x, [9, 9], align_corners=True), tf.image.resize_nearest_neighbor(x, [12, 15]),
                               tf.compat.v1.image.resize_bilinear(x, [3, 8], half_pixel_centers=True)]


def corners():
    """Where the op of the same name gives something else."""
    x = tf.placeholder(tf.float32, [None, 4], "x")
    i = tf.placeholder(tf.int32, [None, 4], "i")
    image = tf.placeholder(tf.float32, [1, None, None, 1], "image")
    none = tf.constant([], tf.int32)
    outputs = [tf.floormod(x * 1e6, 0.1), tf.floormod(x, -0.3), tf.floormod(x, np.float32(np.inf)), tf.reduce_any(x > 0.0, none), tf.reduce_all(x > 0.0, none),
               tf.floordiv(i + 2147483639, -2), tf.floordiv(i - 2147483640, 3), tf.floordiv(i - 4, 3), tf.floordiv(tf.cast(i - 4, tf.int8), tf.constant(-3, tf.int8)),
               tf.raw_ops.Round(x=i), tf.nn.conv2d(image, variable([3, 3, 1, 2]), [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1])]
    return {x: [3, 4], i: ([3, 4], 9), image: [1, 9, 8, 1]}, outputs


NETWORKS = [mlp, lenet, mobilenet, resnet, lstm_unrolled, gru_unrolled, attention, autoencoder, dilated, embedding, arrays, elementwise, pools3d, resized, corners]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for network in NETWORKS:
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(3)
            feeds, outputs = network()
            session.run(tf.global_variables_initializer())
            random = np.random.RandomState(7)
            values = {}
            for tensor, shape in feeds.items():
                values[tensor] = random.randint(0, shape[1], shape[0]).astype(np.int32) if isinstance(shape, tuple) else random.randn(*shape).astype(np.float32)
            fetched = session.run(outputs, values)
            frozen = tf.graph_util.convert_variables_to_constants(session, session.graph_def, [o.op.name for o in outputs])
            path = os.path.join(folder, network.__name__)
            with open(path + ".pb", "wb") as file:
                file.write(frozen.SerializeToString())
            arrays_by_name = {t.name: v for t, v in values.items()}
            arrays_by_name.update({t.name: v for t, v in zip(outputs, fetched)})
            np.savez(path + ".npz", **arrays_by_name)
            with open(path + ".txt", "w") as file:
                file.write(" ".join(t.name for t in feeds) + "\n" + " ".join(t.name for t in outputs) + "\n")


if __name__ == "__main__":
    main()
