import tensorflow as tf

from check import run

data = tf.train.Example(features=tf.train.Features(feature={"m": tf.train.Feature(float_list=tf.train.FloatList(value=[1, 2, 3]))})).SerializeToString()
assert run(tf.parse_single_example(data, {"m": tf.FixedLenFeature([1, 3], tf.float32)})["m"]).tolist() == [[1, 2, 3]]
