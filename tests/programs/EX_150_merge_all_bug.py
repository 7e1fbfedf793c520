import tensorflow as tf

from check import raises, run


def model():
    x, label = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", shape=[1, 1])
    loss = tf.reduce_mean(tf.reduce_sum(tf.square(label - tf.matmul(x, w)), axis=1))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    tf.summary.scalar("loss", loss)
    return x, label, train, tf.summary.merge_all()


with tf.name_scope("train"), tf.variable_scope("var1", dtype=tf.float32):
    m1 = model()
with tf.name_scope("test"), tf.variable_scope("var1", reuse=True, dtype=tf.float32):
    m2 = model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([m1[2], m1[3]], {m1[0]: [[1.]], m1[1]: [[2.]]})
    raises(tf.errors.InvalidArgumentError, "You must feed a value for placeholder tensor 'train/var1/Placeholder",
           lambda: sess.run([m2[2], m2[3]], {m2[0]: [[1.]], m2[1]: [[2.]]}))
