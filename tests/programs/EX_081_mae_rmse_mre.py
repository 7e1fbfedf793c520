import tensorflow as tf

from check import close, run

labels, predictions = tf.constant([[4., 2., 6.]]), tf.constant([[2., 1., 3.]])
labels, predictions = tf.constant([1., 3., 6.]), tf.constant([2., 1., 3.])
mae = tf.metrics.mean_absolute_error(labels, predictions)[1]
rmse = tf.metrics.root_mean_squared_error(labels, predictions)[1]
mre = tf.metrics.mean_relative_error(labels, predictions, normalizer=labels)[1]
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    close(sess.run(mae), 2.0)
    close(sess.run(rmse), 2.1602468)
    close(sess.run(mre), (1 / 1 + 2 / 3 + 3 / 6) / 3)
