import tensorflow as tf

v1 = tf.Variable(1.0, name="v1")
assert (v1.name, v1.op.name) == ("v1:0", "v1")
