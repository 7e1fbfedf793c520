import numpy as np
import tensorflow as tf

from check import run

tf.set_random_seed(1)
w, b = tf.Variable(tf.random_normal([10, 4])), tf.Variable(tf.zeros([10]))
loss = tf.nn.nce_loss(weights=w, biases=b, labels=tf.constant([[1], [2]], tf.int64), inputs=tf.ones([2, 4]), num_sampled=3, num_classes=10)
value = run(loss, init=True)
assert value.shape == (2,) and np.isfinite(value).all()
