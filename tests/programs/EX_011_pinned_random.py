import tensorflow as tf

from check import close, run

with tf.device("/cpu:0"):
    rand_t = tf.random_uniform([50, 50], 0, 10, dtype=tf.float32, seed=0)
    a, b = tf.Variable(rand_t), tf.Variable(rand_t)
    c = tf.matmul(a, b)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())
    x, y, z = sess.run([a, b, c])
assert (x == y).all() and x.min() >= 0 and x.max() < 10 and z.shape == (50, 50)
close(z, x @ x, 1e-4)
