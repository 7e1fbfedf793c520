import tensorflow as tf


def test(name=None):
    with tf.variable_scope(name, default_name="scope"):
        return tf.get_variable("w", shape=[2, 10])


assert [test().name, test().name] == ["scope/w:0", "scope_1/w:0"]
