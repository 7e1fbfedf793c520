import tensorflow as tf

with tf.name_scope("hidden"):
    a = tf.constant(5, name="alpha")
    w = tf.Variable(tf.random_uniform([1, 2], -1.0, 1.0), name="weights")
    b = tf.Variable(tf.zeros([1]), name="biases")
assert [x.op.name for x in (a, w, b)] == ["hidden/alpha", "hidden/weights", "hidden/biases"]
assert [x.name for x in (a, w, b)] == ["hidden/alpha:0", "hidden/weights:0", "hidden/biases:0"]
