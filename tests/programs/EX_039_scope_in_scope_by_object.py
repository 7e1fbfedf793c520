import tensorflow as tf

from check import raises

with tf.variable_scope("yin"):
    tf.get_variable("w", shape=[1])
    scope = tf.get_variable_scope()
    def again():
        with tf.variable_scope(scope):
            tf.get_variable("w", shape=[1])
    raises(ValueError, "Variable yin/w already exists", again)
