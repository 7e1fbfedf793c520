import tensorflow as tf

from check import run

x, w, b = tf.constant([[1., 2.]]), tf.constant([[1., 0.], [0., 1.]]), tf.constant([1., -3.])
assert run(tf.nn.bias_add(x, b)).tolist() == [[2, -1]] and run(tf.nn.relu_layer(x, w, b)).tolist() == [[2, 0]]
