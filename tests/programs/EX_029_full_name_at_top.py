import tensorflow as tf

from check import raises

with tf.variable_scope("foo"):
    with tf.variable_scope("bar"):
        tf.get_variable("v", [1])
raises(ValueError, "Variable foo/bar/v already exists, disallowed", lambda: tf.get_variable("foo/bar/v", [1]))
