import tensorflow as tf

from check import close, run

cell = tf.nn.rnn_cell.BasicLSTMCell(1)


def step(c):
    with tf.variable_scope("lstm", reuse=tf.AUTO_REUSE, initializer=tf.zeros_initializer()):
        _, state = cell(tf.ones([1, 3]), tf.nn.rnn_cell.LSTMStateTuple(tf.constant([[c]]), tf.zeros([1, 1])))
    return state


a, b = step(0.), step(1.)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    x, y = sess.run([a, b])
close([x.c[0, 0], x.h[0, 0]], [0, 0])
close([y.c[0, 0], y.h[0, 0]], [0.7310586, 0.3118563])
