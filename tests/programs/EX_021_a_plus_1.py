import tensorflow as tf

from check import run

w = tf.Variable(0)
w2 = w + 1
up = tf.assign(w, w + 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert [int(sess.run(w2)) for _ in range(3)] == [1, 1, 1] and sess.run(w) == 0
    assert [int(sess.run(up)) for _ in range(3)] == [1, 2, 3]
assert str(w) == "<tf.Variable 'Variable:0' shape=() dtype=int32_ref>"
