import tensorflow as tf

from check import raises, run

x, k = tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1])
for n in (8, 7):
    assert run(tf.nn.conv2d_transpose(x, k, [1, n, n, 1], [1, 2, 2, 1])).shape == (1, n, n, 1)
raises((ValueError, tf.errors.InvalidArgumentError), "", lambda: run(tf.nn.conv2d_transpose(x, k, [1, 6, 6, 1], [1, 2, 2, 1])))
