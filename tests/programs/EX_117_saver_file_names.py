import os

import tensorflow as tf

from check import run

v = tf.Variable(1.0, name="v")
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert saver.save(sess, "my-model", global_step=0) == "my-model-0"
    assert saver.save(sess, "my-model.ckpt", global_step=0) == "my-model.ckpt-0"
    assert saver.save(sess, "my-model", global_step=1000) == "my-model-1000"
for name in ("my-model-0.meta", "my-model-0.index", "my-model-0.data-00000-of-00001", "checkpoint"):
    assert os.path.exists(name), name
