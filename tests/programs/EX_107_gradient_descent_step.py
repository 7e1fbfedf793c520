import tensorflow as tf

from check import close, run

w = tf.Variable(0.0)
step = tf.train.GradientDescentOptimizer(.01).minimize(tf.square(w - 3.0))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    close(sess.run(w), .06)
