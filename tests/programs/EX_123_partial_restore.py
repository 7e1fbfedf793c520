import os

import tensorflow as tf

from check import run

with tf.Graph().as_default(), tf.Session() as sess:
    tf.Variable(1., name="a"), tf.Variable(2., name="b")
    sess.run(tf.global_variables_initializer())
    saver = tf.train.Saver(max_to_keep=None)
    for i in range(7):
        path = saver.save(sess, "./m", global_step=i)
assert len([f for f in os.listdir(".") if f.endswith(".index")]) == 7
with tf.Graph().as_default(), tf.Session() as sess:
    a, b, c = (tf.Variable(0., name=n) for n in "abc")
    sess.run(tf.global_variables_initializer())
    tf.train.Saver([a]).restore(sess, path)
    assert [float(x) for x in sess.run([a, b, c])] == [1.0, 0.0, 0.0]
