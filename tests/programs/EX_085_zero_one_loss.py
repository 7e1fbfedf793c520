import tensorflow as tf

from check import close, run

real, pred = tf.constant([1, 0, 1]), tf.constant([1, 1, 1])
accuracy = tf.reduce_mean(tf.cast(tf.equal(real, pred), tf.float32))
close(run(accuracy), 0.6666667)
close(run(1 - accuracy), 0.33333334)
