import tensorflow as tf

with tf.variable_scope("var"):
    v1 = tf.get_variable("var1", [1], dtype=tf.float32)
    with tf.name_scope("name"):
        v2 = tf.Variable(1, name="var2", dtype=tf.float32)
        r = tf.add(v2, v1)
assert [x.name for x in (v1, v2, r)] == ["var/var1:0", "var/name/var2:0", "var/name/Add:0"]
