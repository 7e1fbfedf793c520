import tensorflow as tf

from check import run


def my_image_filter(x):
    w = tf.get_variable("conv1_weights", [5, 5, 3, 3], initializer=tf.random_normal_initializer())
    b = tf.get_variable("conv1_biases", [3], initializer=tf.constant_initializer(0.0))
    return tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME") + b)


image = tf.ones([1, 5, 5, 3])
with tf.variable_scope("image_filters") as scope:
    r1 = my_image_filter(image)
    scope.reuse_variables()
    r2 = my_image_filter(image)
assert [v.name for v in tf.global_variables()] == ["image_filters/conv1_weights:0", "image_filters/conv1_biases:0"]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    x, y = sess.run([r1, r2])
assert (x == y).all()
