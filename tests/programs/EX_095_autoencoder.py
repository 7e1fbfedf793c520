import numpy as np
import tensorflow as tf

from check import run

X = tf.placeholder(tf.float32, [None, 28, 28, 1])
h, shapes = X, []
for n in (32, 32, 16):
    h = tf.layers.conv2d(h, n, 3, padding="same", activation=tf.nn.relu)
    h = tf.layers.max_pooling2d(h, 2, 2, padding="same")
    shapes.append(h.shape.as_list()[1:])
assert shapes == [[14, 14, 32], [7, 7, 32], [4, 4, 16]]
for n, s in ((16, 7), (32, 14), (32, 28)):
    h = tf.image.resize_nearest_neighbor(h, (s, s))
    h = tf.layers.conv2d(h, n, 3, padding="same", activation=tf.nn.relu)
logits = tf.layers.conv2d(h, 1, 3, padding="same")
assert logits.shape.as_list()[1:] == [28, 28, 1]
assert sum(int(np.prod(v.shape.as_list())) for v in tf.trainable_variables()) == 30689
assert sorted({v.op.name.split("/")[0] for v in tf.trainable_variables()}) == ["conv2d"] + ["conv2d_%d" % i for i in range(1, 7)]
assert run(tf.nn.sigmoid(logits), {X: np.zeros([2, 28, 28, 1])}, init=True).shape == (2, 28, 28, 1)
