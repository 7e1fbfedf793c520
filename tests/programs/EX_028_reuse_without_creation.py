import tensorflow as tf

from check import raises


def build():
    with tf.variable_scope("foo", reuse=True):
        with tf.variable_scope("bar"):
            tf.get_variable("v", [1], initializer=tf.constant_initializer(1.0))


raises(ValueError, "Variable foo/bar/v does not exist, or was not created with tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in VarScope?", build)
