import os

import tensorflow as tf

from check import run

v = tf.Variable(1.0)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(7):
        saver.save(sess, "./m", global_step=i)
assert sorted(f for f in os.listdir(".") if f.endswith(".index")) == ["m-%d.index" % i for i in range(2, 7)]
assert list(tf.train.get_checkpoint_state(".").all_model_checkpoint_paths) == ["./m-%d" % i for i in range(2, 7)]
