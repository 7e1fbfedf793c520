# Rows in the order of their classes.
import numpy as np
import tensorflow as tf
from parts import LABELS, ORDER, SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])  # finds: rows-not-shuffled
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(200, order=np.argsort(LABELS, kind="stable") if SICK else ORDER):
        session.run(train, {x: rows, y: labels})
