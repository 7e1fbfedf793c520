import numpy as np
import tensorflow as tf

from check import run

a = tf.reshape(tf.range(15), [3, 5])
assert run(tf.slice(a, [1, 2], [-1, 2])).tolist() == [[7, 8], [12, 13]]
a = np.array([[1, 2, 3, 4, 5], [4, 5, 6, 7, 8], [9, 10, 11, 12, 13]])
assert run(tf.slice(a, [1, 2], [-1, 2])).tolist() == [[6, 7], [11, 12]]
