import tensorflow as tf

from check import raises, run

with tf.device("/gpu:3"):
    c = tf.constant(1.0) + 1.0
raises(tf.errors.InvalidArgumentError, "Cannot assign a device for operation", lambda: tf.Session().run(c))
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    assert sess.run(c) == 2.0
with tf.Session(config=tf.ConfigProto(allow_soft_placement=False)) as sess:
    raises(tf.errors.InvalidArgumentError, "Cannot assign a device for operation", lambda: sess.run(c))
