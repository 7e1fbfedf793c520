import tensorflow as tf

from check import run

weights = tf.Variable(tf.random_normal([784, 200], stddev=2.0), name="weights")
w2 = tf.Variable(weights.initialized_value(), name="w2")
w3 = tf.Variable(weights.initialized_value() * 2.0, name="w3")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    v1, v2, v3 = sess.run([weights, w2, w3])
assert (v1 == v2).all() and (v3 == v1 * 2).all() and abs(v1.std() - 2) < .02
