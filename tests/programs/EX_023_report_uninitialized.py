import tensorflow as tf

from check import run

v1, v2 = tf.Variable(1, name="v1"), tf.Variable(2, name="v2")
report, ready = tf.report_uninitialized_variables(), tf.is_variable_initialized(v1)
with tf.Session() as sess:
    sess.run(v1.initializer)
    assert sess.run(report).tolist() == [b"v2"] and sess.run(ready)
