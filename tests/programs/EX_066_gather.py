import tensorflow as tf

from check import run

temp = tf.range(0, 10) * 10 + tf.constant(1, shape=[10])
value, result = run([temp, tf.gather(temp, [1, 5, 9])])
assert value.tolist() == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91] and result.tolist() == [11, 51, 91]
