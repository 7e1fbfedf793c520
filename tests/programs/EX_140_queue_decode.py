import numpy as np
import tensorflow as tf

from check import close, run

writer = tf.python_io.TFRecordWriter("images.tfrecord")
for label in range(2):
    for i in range(3):
        image = np.full([200, 200, 3], 100 * label + i, np.uint8)
        writer.write(tf.train.Example(features=tf.train.Features(feature={
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()]))})).SerializeToString())
writer.close()
queue = tf.train.string_input_producer(["images.tfrecord"])
_, serialized = tf.TFRecordReader().read(queue)
features = tf.parse_single_example(serialized, {"label": tf.FixedLenFeature([], tf.int64), "image": tf.FixedLenFeature([], tf.string)})
image = tf.reshape(tf.decode_raw(features["image"], tf.uint8), [200, 200, 3])
images, labels = tf.train.batch([image, tf.cast(features["label"], tf.int32)], batch_size=4, capacity=112)
count = 0
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for _ in range(10):
        x, y = sess.run([images, labels])
        assert x.shape == (4, 200, 200, 3) and set(y) <= {0, 1} and all(x[k, 0, 0, 0] // 100 == y[k] for k in range(4))
        count += len(y)
    coord.request_stop()
    coord.join(threads)
assert count == 40
