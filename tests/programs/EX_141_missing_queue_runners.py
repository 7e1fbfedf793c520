import tensorflow as tf

from check import raises, run

batch = tf.train.batch([tf.constant(1.0)], batch_size=4)
config = tf.ConfigProto(operation_timeout_in_ms=300)
with tf.Session(config=config) as sess:
    raises(tf.errors.DeadlineExceededError, "", lambda: sess.run(batch))
