import tensorflow as tf

x = tf.constant([1.0, 2.0], name="x")
y = tf.square(x, name="y")

with tf.Session() as session:
    print(session.run(y))  # prints [1. 4.]
