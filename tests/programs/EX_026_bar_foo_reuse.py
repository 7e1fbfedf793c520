import tensorflow as tf

from check import raises

with tf.variable_scope("bar"):
    foo1 = tf.get_variable("a", initializer=0)
    raises(ValueError, "Variable bar/a already exists, disallowed. Did you mean", lambda: tf.get_variable("a", initializer=0))
with tf.variable_scope("foo"):
    v1 = tf.get_variable("a", initializer=0)
with tf.name_scope("bar"):
    with tf.variable_scope("foo", reuse=True):
        v2 = tf.get_variable("a", dtype=tf.int32)
assert v1 is v2 and [v.name for v in tf.trainable_variables()] == ["bar/a:0", "foo/a:0"]
