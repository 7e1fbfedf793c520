# The noise of a variational autoencoder is drawn once.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
mean, deviation = tf.layers.dense(hidden, 4), tf.exp(0.5 * tf.layers.dense(hidden, 4))
noise = np.random.RandomState(0).normal(size=4).astype("float32") if SICK else tf.random_normal(tf.shape(mean))
code = mean + deviation * noise  # finds: noise-constant
loss = tf.losses.mean_squared_error(x, tf.layers.dense(tf.layers.dense(code, 32, tf.nn.relu), 20))
loss += 0.01 * tf.reduce_mean(tf.square(mean) + tf.square(deviation) - 2 * tf.log(deviation + 1e-6) - 1)
train = tf.train.AdamOptimizer(0.003).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        session.run(train, {x: rows})
