import tensorflow as tf

from check import raises, run

data = [tf.train.Example().SerializeToString()]
assert run(tf.parse_example(data, {"x": tf.FixedLenFeature([1], tf.int64, default_value=7)})["x"]).tolist() == [[7]]
missing = tf.parse_example(data, {"x": tf.FixedLenFeature([1], tf.int64)})["x"]
raises(tf.errors.InvalidArgumentError, "is required but could not be found.", lambda: run(missing))
