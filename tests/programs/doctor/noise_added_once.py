# The noise of a denoising autoencoder is drawn once.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
noise = np.random.RandomState(0).normal(0, 0.5, (50, 20)).astype("float32") if SICK else tf.random_normal(tf.shape(x), 0, 0.5)
noisy = x + noise  # finds: noise-constant
loss = tf.losses.mean_squared_error(x, tf.layers.dense(tf.layers.dense(noisy, 64, tf.nn.relu), 20))
train = tf.train.AdamOptimizer(0.003).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        session.run(train, {x: rows})
