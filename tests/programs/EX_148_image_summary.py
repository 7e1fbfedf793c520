import tensorflow as tf

from check import run

x = tf.random_uniform([20, 784])
with tf.name_scope("input_reshape"):
    image = tf.summary.image("input", tf.reshape(x, [-1, 28, 28, 1]), 10)
found = tf.Summary.FromString(run(image))
assert [v.tag for v in found.value] == ["input_reshape/input/image/%d" % i for i in range(10)]
