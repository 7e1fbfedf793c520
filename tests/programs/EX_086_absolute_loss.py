import tensorflow as tf

from check import close, run

labels, predictions = tf.constant([4., 2., 6.]), tf.constant([2., 1., 3.])
close(run(tf.reduce_mean(tf.abs(labels - predictions))), 2.0)
close(run(tf.losses.absolute_difference(labels, predictions)), 2.0)
