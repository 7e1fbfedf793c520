import tensorflow as tf

feature = {"feature_key": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2, 3, 4]))}
example = tf.train.Example(features=tf.train.Features(feature=feature))
data = example.SerializeToString()
assert data.hex() == "0a190a170a0b666561747572655f6b657912081a060a0401020304" and len(data) == 27
with tf.python_io.TFRecordWriter("one.tfrecord") as writer:
    writer.write(data)
record = open("one.tfrecord", "rb").read()
assert len(record) == 43 and record.hex().startswith("1b000000000000001a0d9e13") and record.hex().endswith("768c6a63")
assert list(tf.python_io.tf_record_iterator("one.tfrecord")) == [data]
