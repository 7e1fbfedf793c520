import tensorflow as tf

from check import run


def model(scope):
    x, label = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", shape=[1, 1])
    loss = tf.reduce_mean(tf.reduce_sum(tf.square(label - tf.matmul(x, w)), axis=1))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    tf.summary.scalar("loss", loss)
    return x, label, train, tf.summary.merge(tf.get_collection(tf.GraphKeys.SUMMARIES, scope))


with tf.name_scope("train") as a, tf.variable_scope("var1", dtype=tf.float32):
    m1 = model(a)
with tf.name_scope("test") as b, tf.variable_scope("var1", reuse=True, dtype=tf.float32):
    m2 = model(b)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for m, tag in ((m1, "train/var1/loss"), (m2, "test/var1/loss")):
        _, text = sess.run([m[2], m[3]], {m[0]: [[1.]], m[1]: [[2.]]})
        assert [v.tag for v in tf.Summary.FromString(text).value] == [tag]
