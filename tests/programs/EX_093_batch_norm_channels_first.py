import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3, 4, 4])
y = tf.layers.batch_normalization(x, axis=1, training=True, name="bn")
shapes = {v.op.name: v.shape.as_list() for v in tf.global_variables()}
assert shapes["bn/gamma"] == [3] and shapes["bn/beta"] == [3] and y.shape == x.shape
