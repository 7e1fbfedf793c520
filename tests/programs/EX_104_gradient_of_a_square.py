import tensorflow as tf

from check import run

w = tf.Variable(3.0)
assert run(tf.gradients(w ** 2, [w]), init=True) == [6.0]
