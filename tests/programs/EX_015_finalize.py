import tensorflow as tf

from check import raises

g = tf.Graph()
with g.as_default():
    g.finalize()
    raises(RuntimeError, "Graph is finalized and cannot be modified.", lambda: tf.constant(1))
assert g.finalized is True
