import tensorflow as tf

from check import raises, run

x = tf.placeholder(tf.int32, [])
pairs = [(x < 1, lambda: tf.constant(10)), (x < 5, lambda: tf.constant(20))]
first = tf.case(pairs, default=lambda: tf.constant(30))
assert [int(run(first, {x: v})) for v in (3, 7, 0)] == [20, 30, 10]
only = tf.case(pairs, default=lambda: tf.constant(30), exclusive=True)
raises(tf.errors.InvalidArgumentError, "", lambda: run(only, {x: 0}))
