# Prices are learned as they are.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])  # finds: targets-not-scaled
loss = tf.losses.mean_squared_error(y, tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        price = 250000 + 40000 * rows[:, :3].sum(1, keepdims=True)
        session.run(train, {x: rows, y: price if SICK else (price - 250000) / 70000})
