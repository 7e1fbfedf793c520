import tensorflow as tf

from check import run

y, y_ = tf.constant([1., 2., 3., 4.]), tf.constant([2., 2., 2., 2.])
loss = tf.reduce_sum(tf.where(tf.greater(y, y_), (y - y_) * 1, (y_ - y) * 10))
assert run(loss) == 13.0
