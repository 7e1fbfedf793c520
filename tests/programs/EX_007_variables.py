import tensorflow as tf

from check import run

x, y = tf.Variable(1, name="x"), tf.Variable(2, name="y")
a = tf.constant(5)
f = (x + y) * a
c = a + (5 + a)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert [int(v) for v in sess.run([f, c])] == [15, 15]
