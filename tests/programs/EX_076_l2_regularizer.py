import tensorflow as tf

from check import raises, run

assert run(tf.contrib.layers.l2_regularizer(.5)(tf.constant([[1., -2.], [-3., 4.]]))) == 7.5
raises(ValueError, "scale cannot be an integer: 1", lambda: tf.contrib.layers.l2_regularizer(1))
