import tensorflow as tf

from check import raises, run

x = tf.placeholder(tf.float32, [])
y, a, b = tf.constant(2.), tf.constant(3.), tf.constant(4.)
z = tf.multiply(a, b)
result = tf.cond(x < y, lambda: tf.add(x, z), lambda: tf.square(y))
assert run(z) == 12 and run(result, {x: 1.}) == 13 and run(result, {x: 3.}) == 4
raises(TypeError, "pred must not be a Python bool", lambda: tf.cond(True, lambda: x, lambda: y))
