import tensorflow as tf

from check import close, run

y, p = tf.constant([1., -1.]), tf.constant([.5, .5])
each = tf.exp(-y * p)
close(run(each), [0.60653067, 1.6487212])
close(run(tf.reduce_mean(each)), 1.127626)
