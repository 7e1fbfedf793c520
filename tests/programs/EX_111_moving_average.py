import tensorflow as tf

from check import close, run

v = tf.Variable(0, dtype=tf.float32)
step = tf.Variable(0, trainable=False)
ema = tf.train.ExponentialMovingAverage(0.99, step)
apply = ema.apply([v])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    got = [sess.run(ema.average(v))]
    sess.run(tf.assign(v, 5))
    sess.run(apply)
    got.append(sess.run(ema.average(v)))
    sess.run(tf.assign(step, 10000))
    sess.run(tf.assign(v, 10))
    for _ in range(2):
        sess.run(apply)
        got.append(sess.run(ema.average(v)))
close(got, [0.0, 4.5, 4.555, 4.60945], 1e-5)
