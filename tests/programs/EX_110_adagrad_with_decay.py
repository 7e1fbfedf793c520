import tensorflow as tf

from check import close, run

x = tf.Variable(tf.constant(2, dtype=tf.float32), name="x")
step = tf.Variable(0, name="global_step", trainable=False)
rate = tf.train.exponential_decay(.1, step, 1000, .9, staircase=True)
y = x ** 2 + 2 * x + 1
train = tf.train.AdagradOptimizer(rate).minimize(y, global_step=step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1001):
        sess.run(train)
        if i == 0:
            close(sess.run(x), 1.9001386, 1e-5)
            close(sess.run(y), 8.4108, 1e-4)
            close(sess.run(rate), .1)
            assert sess.run(step) == 1
        if i == 999:
            close(sess.run(rate), .09, 1e-5)
            assert sess.run(step) == 1000
    for _ in range(9999 - 1000):
        sess.run(train)
    value, r, s = sess.run([x, rate, step])
assert s == 10000 and abs(value + .99999) < 1e-4
close(r, 0.03486783, 1e-5)
