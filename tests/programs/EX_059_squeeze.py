import tensorflow as tf

from check import run

t = tf.zeros([1, 2, 1, 3, 1, 1])
assert run(tf.shape(tf.squeeze(t))).tolist() == [2, 3]
assert run(tf.shape(tf.squeeze(t, [2, 4]))).tolist() == [1, 2, 3, 1]
