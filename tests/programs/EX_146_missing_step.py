import glob

import tensorflow as tf

from check import close, run

summary = tf.summary.scalar("x", tf.constant(1.0))
writer = tf.summary.FileWriter("log")
with tf.Session() as sess:
    for _ in range(3):
        writer.add_summary(sess.run(summary))
writer.close()
assert [e.step for e in tf.train.summary_iterator(glob.glob("log/events*")[0]) if e.summary.value] == [0, 0, 0]
