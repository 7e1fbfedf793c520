import tensorflow as tf

with tf.variable_scope("foo"):
    a = tf.get_variable("bar", [1])
with tf.variable_scope("bar"):
    b = tf.get_variable("bar", [1])
assert (a.name, b.name) == ("foo/bar:0", "bar/bar:0")
