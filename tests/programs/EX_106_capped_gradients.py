import tensorflow as tf

from check import close, run

w = tf.Variable(0.0)
loss = tf.square(w - 3.0) * 10
opt = tf.train.GradientDescentOptimizer(.1)
pairs = opt.compute_gradients(loss)
step = opt.apply_gradients([(tf.clip_by_value(g, -1., 1.), v) for g, v in pairs])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert sess.run(pairs[0][0]) == -60.0
    sess.run(step)
    close(sess.run(w), .1)
