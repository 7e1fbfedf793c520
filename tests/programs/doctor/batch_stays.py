# The place in the data is never moved on.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

rows, labels = (np.concatenate(a) for a in zip(*batches(60)))
x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    start = 0
    for step in range(45):
        session.run(train, {x: rows[start : start + 32], y: labels[start : start + 32]})  # finds: batch-stays
        start += 0 if SICK else 32
    session.run(loss, {x: rows[-400:], y: labels[-400:]})
