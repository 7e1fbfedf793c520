import tensorflow as tf

x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
with tf.name_scope("abc") as scope:
    z = tf.add(x, y, name=scope)
assert (z.name, z.op.name) == ("abc:0", "abc")
