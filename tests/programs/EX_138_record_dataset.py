import tensorflow as tf

from check import run

feature = {"feature_key": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2, 3, 4]))}
data = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
for name in ("a.tfrecord", "b.tfrecord"):
    with tf.python_io.TFRecordWriter(name) as writer:
        writer.write(data)
dataset = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"]).map(lambda r: tf.parse_single_example(r, {"feature_key": tf.FixedLenFeature([4], tf.int64)}))
iterator = dataset.make_one_shot_iterator()
element = iterator.get_next()
with tf.Session() as sess:
    assert [sess.run(element)["feature_key"].tolist() for _ in range(2)] == [[1, 2, 3, 4]] * 2
