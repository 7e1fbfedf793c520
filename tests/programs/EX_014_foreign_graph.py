import tensorflow as tf

from check import raises, run

g1, g2 = tf.Graph(), tf.Graph()
with g1.as_default():
    c = tf.constant(1.0)
with g2.as_default():
    tf.constant(2.0)
raises(ValueError, "is not an element of this graph.", lambda: tf.Session(graph=g2).run(c))
raises(ValueError, "cannot be interpreted as a Tensor", lambda: tf.Session(graph=g2).run(c))
