import tensorflow as tf

from check import run

t, t2 = tf.constant([1, 2]), tf.zeros([2, 3, 5])
shapes = [tf.expand_dims(t, 0), tf.expand_dims(t, 1), tf.expand_dims(t, -1), tf.expand_dims(t2, 0), tf.expand_dims(t2, 2), tf.expand_dims(t2, 3)]
assert [run(tf.shape(s)).tolist() for s in shapes] == [[1, 2], [2, 1], [2, 1], [1, 2, 3, 5], [2, 3, 1, 5], [2, 3, 5, 1]]
