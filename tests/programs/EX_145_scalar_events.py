import glob

import tensorflow as tf

from check import close, run

x = tf.placeholder(tf.float32, [])
summary = tf.summary.scalar("MSE", x)
writer = tf.summary.FileWriter("log")
with tf.Session() as sess:
    for i in range(10):
        writer.add_summary(sess.run(summary, {x: float(i)}), i)
writer.close()
events = [e for e in tf.train.summary_iterator(glob.glob("log/events*")[0]) if e.summary.value]
assert [(e.step, e.summary.value[0].tag, e.summary.value[0].simple_value) for e in events] == [(i, "MSE", float(i)) for i in range(10)]
