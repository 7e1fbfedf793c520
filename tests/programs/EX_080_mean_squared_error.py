import tensorflow as tf

from check import close, run

a, b = tf.constant([[4., 4., 4.], [3., 3., 3.]]), tf.constant([[1., 1., 1.], [2., 2., 2.]])
a, b = tf.constant([1., 2., 3.]), tf.constant([1., 5., 7.])
labels, predictions = tf.constant([[4., 2., 6.]]), tf.constant([[2., 1., 3.]])
c = tf.losses.mean_squared_error(labels, predictions)
value, update = tf.metrics.mean_squared_error(labels, predictions)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    close(sess.run(c), 4.6666665)
    close(sess.run(update), 4.6666665)
    close(sess.run(value), 4.6666665)
