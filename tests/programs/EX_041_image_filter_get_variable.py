import tensorflow as tf

from check import raises


def my_image_filter(x):
    w = tf.get_variable("conv1_weights", [5, 5, 32, 32], initializer=tf.random_normal_initializer())
    b = tf.get_variable("conv1_biases", [32], initializer=tf.constant_initializer(0.0))
    return tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME") + b)


my_image_filter(tf.placeholder(tf.float32, [1, 5, 5, 32]))
raises(ValueError, "Variable conv1_weights already exists", lambda: my_image_filter(tf.placeholder(tf.float32, [1, 5, 5, 32])))
