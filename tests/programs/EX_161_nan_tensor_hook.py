import tensorflow as tf

from check import raises, run

tf.train.get_or_create_global_step()
x = tf.placeholder(tf.float32, [])
loss = tf.log(x)


def train():
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.NanTensorHook(loss)]) as sess:
        sess.run(loss, {x: -1.0})


raises(tf.train.NanLossDuringTrainingError, "NaN loss during training.", train)
