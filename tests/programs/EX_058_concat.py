import tensorflow as tf

from check import raises, run

t1, t2 = [[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]
assert run(tf.concat([t1, t2], 0)).tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]
assert run(tf.concat([t1, t2], 1)).tolist() == [[1, 2, 3, 7, 8, 9], [4, 5, 6, 10, 11, 12]]
raises(ValueError, "Shape (2, 2, 3) must have rank 0", lambda: tf.concat(0, [t1, t2]))  # the argument order before 1.0
