import tensorflow as tf

from check import raises, run

init = tf.global_variables_initializer()
v = tf.Variable(1, name="v")
with tf.Session() as sess:
    sess.run(init)
    raises(tf.errors.FailedPreconditionError, "uninitialized value v", lambda: sess.run(v))
