import os

import tensorflow as tf

from check import run

v = tf.Variable(1.0, name="v")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert tf.train.Saver().save(sess, "./path/model.ckpt", global_step=100) == "./path/model.ckpt-100"
assert os.path.exists("path/model.ckpt-100.index")
