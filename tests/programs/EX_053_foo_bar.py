import tensorflow as tf


def build(make):
    with tf.variable_scope("foo"):
        with tf.name_scope("bar"):
            v = make()
            return v.name, (1.0 + v).op.name


with tf.Graph().as_default():
    assert build(lambda: tf.Variable(0.0, name="v")) == ("foo/bar/v:0", "foo/bar/add")
    assert build(lambda: tf.get_variable("v", [1])) == ("foo/v:0", "foo_1/bar/add")
with tf.Graph().as_default():
    assert build(lambda: tf.get_variable("v", [1])) == ("foo/v:0", "foo/bar/add")
