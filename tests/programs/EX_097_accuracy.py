import tensorflow as tf

from check import run

value, update = tf.metrics.accuracy(labels=[1, 0, 1], predictions=[1, 0, 1])
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    assert sess.run(value) == 0.0
    assert sess.run(update) == 1.0 and sess.run(value) == 1.0
