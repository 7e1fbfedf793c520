import tensorflow as tf

with tf.name_scope("s"):
    m = tf.reduce_mean(tf.placeholder(tf.float32, [4]))
    t = tf.summary.scalar("mean", m)
assert (m.op.name, t.op.name) == ("s/Mean", "s/mean_1")
