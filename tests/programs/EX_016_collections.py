import tensorflow as tf

a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
tf.add_to_collection("haha", [a, b])
assert tf.get_collection("haha") == [[a, b]]
tf.add_to_collection("twice", a)
tf.add_to_collection("twice", a)
assert len(tf.get_collection("twice")) == 2
