# The last output of a recurrent layer, which is 0 for rows that are shorter than the longest.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
lengths = tf.placeholder(tf.int32, [None])
steps = tf.reshape(x, [-1, 10, 2])
outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(16), steps, sequence_length=lengths, dtype=tf.float32)
last = outputs[:, -1] if SICK else state  # finds: last-of-padded
logits = tf.layers.dense(last, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.01).minimize(loss)
random = np.random.RandomState(2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels, lengths: random.randint(6, 11, len(rows))})
