import tensorflow as tf


def my_image_filter(x):
    w = tf.Variable(tf.random_normal([5, 5, 32, 32]), name="conv1_weights")
    b = tf.Variable(tf.zeros([32]), name="conv1_biases")
    return tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME") + b)


for _ in range(2):
    my_image_filter(tf.placeholder(tf.float32, [1, 5, 5, 32]))
assert [v.op.name for v in tf.global_variables()] == ["conv1_weights", "conv1_biases", "conv1_weights_1", "conv1_biases_1"]
