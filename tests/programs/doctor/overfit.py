# Labels drawn at random: the training rows are learned by heart, while the loss on other rows grows.
import numpy as np
import tensorflow as tf
from parts import LABELS, ROWS, SICK

labels = np.random.RandomState(3).randint(0, 10, 2000) if SICK else LABELS
x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(x, 256, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(.01).minimize(loss)
order = np.random.RandomState(4)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(600):
        at = order.randint(0, 200, 50)
        session.run(train, {x: ROWS[at], y: labels[at]})  # finds: overfit
        if i % 50 == 0:
            session.run(loss, {x: ROWS[1000:], y: labels[1000:]})
