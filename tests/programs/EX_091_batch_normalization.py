import tensorflow as tf

from check import close, run

x = tf.constant([1., 2., 3.])
y = tf.nn.batch_normalization(x, 2., .6666667, 0., 1., 1e-3)
close(run(y), [-1.2238274, 0, 1.2238274], 1e-5)
