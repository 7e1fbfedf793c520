import tensorflow as tf

from check import raises, run


def example(values):
    return tf.train.Example(features=tf.train.Features(feature={"ft": tf.train.Feature(float_list=tf.train.FloatList(value=values))})).SerializeToString()


data = [example([1, 2]), example([]), example([3])]
raises(ValueError, "", lambda: tf.parse_example(data, {"ft": tf.FixedLenFeature([2], tf.float32, default_value=-1)}))
fixed = tf.parse_example(data, {"ft": tf.FixedLenFeature([2], tf.float32, default_value=[-1, -1])})["ft"]
raises(tf.errors.InvalidArgumentError, "Number of float values != expected.", lambda: run(fixed))
padded = tf.parse_example(data, {"ft": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True, default_value=-1)})["ft"]
assert run(padded).tolist() == [[1, 2], [-1, -1], [3, -1]]
