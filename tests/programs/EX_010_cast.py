import numpy as np
import tensorflow as tf

from check import raises, run

b = tf.Variable(tf.random_uniform([5, 10], 0, 2, dtype=tf.int32))
b_new = tf.cast(b, dtype=tf.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    x, y = sess.run([b, b_new])
assert x.shape == (5, 10) and x.dtype == np.int32 and set(x.flat) <= {0, 1}
assert y.dtype == np.float32 and (x == y).all()
raises(TypeError, "", lambda: tf.convert_to_tensor())
