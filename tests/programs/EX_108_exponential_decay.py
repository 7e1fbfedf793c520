import tensorflow as tf

from check import close, run

step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(.1, step, 10, .9, staircase=False)
add = step.assign_add(1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    values = []
    for _ in range(11):
        values.append(sess.run(rate))
        sess.run(add)
close(values, [0.1, 0.09895193, 0.09791484, 0.09688862, 0.09587316, 0.09486833, 0.09387404, 0.09289017, 0.09191661, 0.09095325, 0.09], 1e-6)
