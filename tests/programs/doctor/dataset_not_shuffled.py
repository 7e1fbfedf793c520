# The same with tf.data.
import numpy as np
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK

order = np.argsort(LABELS, kind="stable")
data = tf.data.Dataset.from_tensor_slices((ROWS[order], LABELS[order]))
if not SICK:
    data = data.shuffle(2000, seed=1)
rows, labels = data.repeat().batch(50).make_one_shot_iterator().get_next()  # finds: rows-not-shuffled
logits = tf.layers.dense(tf.layers.dense(rows, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(200):
        session.run(train)
