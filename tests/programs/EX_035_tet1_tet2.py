import tensorflow as tf

with tf.variable_scope("tet1"):
    v3 = tf.get_variable("var3", shape=[2], dtype=tf.float32)
    with tf.variable_scope("tet2"):
        v4 = tf.get_variable("var4", shape=[2], dtype=tf.float32)
assert (v3.name, v4.name) == ("tet1/var3:0", "tet1/tet2/var4:0")
