import tensorflow as tf

from check import run

x = tf.reshape(tf.range(24), [2, 3, 4])
assert run(tf.reshape(x, [-1])).tolist() == list(range(24))
assert run(tf.reshape(x, [4, 6]))[0].tolist() == [0, 1, 2, 3, 4, 5]
