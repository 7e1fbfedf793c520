import tensorflow as tf

from check import run

w = tf.Variable(1)
mul, add = tf.multiply(w, 2), tf.add(w, 2)
group, pair = tf.group(mul, add), tf.tuple([mul, add])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert sess.run(group) is None
    assert [int(v) for v in sess.run(pair)] == [2, 3]
