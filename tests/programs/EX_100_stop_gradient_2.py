import tensorflow as tf

from check import run

a, b = tf.constant(0.), tf.constant(0.)
b = 2 * a
g = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
assert [float(v) for v in run(g)] == [1.0, 1.0]
