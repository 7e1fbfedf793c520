import tensorflow as tf

lines = []
with tf.variable_scope("foo"):
    with tf.variable_scope("bar"):
        v0 = tf.get_variable("v", [1], initializer=tf.constant_initializer(1.0))
with tf.variable_scope("foo", reuse=True):
    with tf.variable_scope("bar"):
        v1 = tf.get_variable("v", [1])
        lines.append("1:foo/bar reuse: %s" % tf.get_variable_scope().reuse)
with tf.variable_scope("foo"):
    lines.append("2:foo reuse %s" % tf.get_variable_scope().reuse)
    with tf.variable_scope("bar", reuse=tf.AUTO_REUSE):
        v2 = tf.get_variable("v", [1])
        lines.append("3:foo/bar reuse %s" % tf.get_variable_scope().reuse)
        lines.append("v1==v2 is %s" % (v1 is v2))
with tf.variable_scope("", reuse=True):
    v3 = tf.get_variable("foo/bar/v", [1])
    lines.append("v1==v3 is %s" % (v1 is v3))
assert lines == ["1:foo/bar reuse: True", "2:foo reuse False", "3:foo/bar reuse _ReuseMode.AUTO_REUSE", "v1==v2 is True", "v1==v3 is True"], lines
