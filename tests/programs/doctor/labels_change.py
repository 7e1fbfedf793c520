# Rows and labels are shuffled each for itself.
import numpy as np
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])  # finds: labels-change
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
rows, labels = ROWS[ORDER[:500]].copy(), LABELS[ORDER[:500]].copy()
random = np.random.RandomState(4)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(6):
        order = random.permutation(500)
        rows, labels = rows[order], labels[random.permutation(500) if SICK else order]
        for i in range(0, 500, 50):
            session.run(train, {x: rows[i:i + 50], y: labels[i:i + 50]})
