import tensorflow as tf

from check import raises, run

v = tf.Variable([1., 2.], name="v")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    raises(AssertionError, "nope is not in graph", lambda: tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, ["nope"]))
