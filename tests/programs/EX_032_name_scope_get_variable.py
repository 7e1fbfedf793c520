import tensorflow as tf

with tf.name_scope("b"):
    v = tf.get_variable("b", [1])
with tf.name_scope("c"):
    w = tf.get_variable("d", [1])
assert (v.name, w.name) == ("b_1:0", "d:0")
