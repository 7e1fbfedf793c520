import tensorflow as tf

from check import close, run

step = tf.placeholder(tf.int64, [])
stairs = tf.train.exponential_decay(.2, step, 100000, .95, staircase=True)
smooth = tf.train.exponential_decay(.2, step, 100000, .95)
close([run(stairs, {step: s}) for s in (0, 99999, 100000, 200000)], [.2, .2, .19, .1805])
close(run(smooth, {step: 50000}), 0.19493589)
