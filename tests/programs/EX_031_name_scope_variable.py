import tensorflow as tf

with tf.name_scope("a"):
    v = tf.Variable([1])
    w = tf.Variable("b", [1])
assert (v.name, w.name, w.dtype.base_dtype) == ("a/Variable:0", "a/Variable_1:0", tf.string)
