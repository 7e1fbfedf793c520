import tensorflow as tf

with tf.device("/cpu:0"):
    a = tf.constant(1.0)
with tf.device("/gpu:1"):
    b = tf.constant(1.0)
assert (a.op.device, b.op.device) == ("/device:CPU:0", "/device:GPU:1")
