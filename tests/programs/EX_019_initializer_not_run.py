import tensorflow as tf

from check import raises, run

y = tf.Variable([5.3])
tf.global_variables_initializer()
with tf.Session() as sess:
    raises(tf.errors.FailedPreconditionError, "Attempting to use uninitialized value Variable", lambda: sess.run(y))
