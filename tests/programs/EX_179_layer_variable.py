import tensorflow as tf

from check import raises, run

x = tf.placeholder(tf.float32, [None, 2])
tf.layers.dense(x, 3, name="layer", kernel_initializer=tf.ones_initializer())


def eval_variable(sess, layer_name, var_name):
    with tf.variable_scope(layer_name, reuse=True):
        return sess.run(tf.get_variable(var_name))


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert eval_variable(sess, "layer", "kernel").tolist() == [[1., 1., 1.]] * 2
    raises(ValueError, "Variable wrong/kernel does not exist", lambda: eval_variable(sess, "wrong", "kernel"))
