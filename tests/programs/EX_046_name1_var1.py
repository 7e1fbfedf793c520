import tensorflow as tf

with tf.name_scope("name1"):
    with tf.variable_scope("var1"):
        w = tf.get_variable("w", shape=[2])
        res = tf.add(w, [3])
assert (w.name, res.name) == ("var1/w:0", "name1/var1/Add:0")
