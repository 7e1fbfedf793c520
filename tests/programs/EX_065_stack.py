import tensorflow as tf

from check import run

a, b = tf.constant([1, 2, 3]), tf.constant([4, 5, 6])
assert run(tf.stack([a, b], axis=1)).tolist() == [[1, 4], [2, 5], [3, 6]]
assert run(tf.stack([a, b], axis=0)).tolist() == [[1, 2, 3], [4, 5, 6]]
