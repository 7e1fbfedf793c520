import tensorflow as tf

from check import run

with tf.name_scope("summary_gradients"):
    h = tf.summary.histogram("name", tf.constant([1., 2.]))
assert tf.Summary.FromString(run(h)).value[0].tag == "summary_gradients/name"
