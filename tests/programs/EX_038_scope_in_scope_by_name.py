import tensorflow as tf

with tf.variable_scope("scope"):
    a = tf.get_variable("w", shape=[1])
    with tf.variable_scope("scope"):
        b = tf.get_variable("w", shape=[1])
assert (a.name, b.name) == ("scope/w:0", "scope/scope/w:0")
