import tensorflow as tf

from check import run

a, b = tf.constant([[1., 2.], [3., 4.]]), tf.constant([[5., 6.], [7., 8.]])
assert run(a * b).tolist() == [[5, 12], [21, 32]] and run(tf.matmul(a, b)).tolist() == [[19, 22], [43, 50]]
