import numpy as np
import tensorflow as tf

from check import run

array = np.arange(12, dtype=np.uint8).reshape(3, 4)
features = {"raw": tf.train.Feature(bytes_list=tf.train.BytesList(value=[array.tobytes()])),
            "shape": tf.train.Feature(int64_list=tf.train.Int64List(value=array.shape))}
data = tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()
parsed = tf.parse_single_example(data, {"raw": tf.FixedLenFeature([], tf.string), "shape": tf.FixedLenFeature([2], tf.int64)})
assert (run(tf.reshape(tf.decode_raw(parsed["raw"], tf.uint8), parsed["shape"])) == array).all()
assert run(tf.decode_raw(parsed["raw"], tf.float32)).shape == (3,)
