import tensorflow as tf

x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
with tf.name_scope("abc"):
    s = x + y
    z = tf.identity(s, name="z")
assert (s.name, z.name) == ("abc/add:0", "abc/z:0")
