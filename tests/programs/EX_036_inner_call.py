import tensorflow as tf


def my_func():
    with tf.variable_scope("te1"):
        return tf.get_variable("var1", shape=[2], dtype=tf.float32)


with tf.variable_scope("te2"):
    v2 = tf.get_variable("var2", shape=[2], dtype=tf.float32)
    v1 = my_func()
assert (v2.name, v1.name) == ("te2/var2:0", "te2/te1/var1:0")
