# The weight of a rare class is upside down.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
score = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
loss = tf.reduce_mean(tf.nn.weighted_cross_entropy_with_logits(y, score, 1 / 9 if SICK else 9.0))  # finds: rare-class-light
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: (labels == 3).reshape(-1, 1)})
