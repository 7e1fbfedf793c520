# The losses of rows, [N], are weighted by a column, [N, 1]: that gives every pair of rows.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
weights = tf.placeholder(tf.float32, [None, 1])
logits = tf.layers.dense(x, 10)
rows_loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
loss = tf.reduce_mean(rows_loss * (weights if SICK else weights[:, 0]))  # finds: rows-broadcast
train = tf.train.AdamOptimizer(0.01).minimize(loss)
random = np.random.RandomState(2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(40):
        session.run(train, {x: rows, y: labels, weights: random.uniform(0.5, 1.5, [len(rows), 1])})
