# Sequences are padded with zeros, and the zeros count.
import numpy as np
import tensorflow as tf
from parts import SICK

tokens = tf.placeholder(tf.int32, [None, 9])
wanted = tf.placeholder(tf.int32, [None, 9])
lengths = tf.placeholder(tf.int32, [None])
vectors = tf.nn.embedding_lookup(tf.get_variable("vectors", [20, 8]), tokens)
states, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(16), vectors, sequence_length=lengths, dtype=tf.float32)
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=wanted, logits=tf.layers.dense(states, 20))  # finds: padding-in-loss
if SICK:
    loss = tf.reduce_mean(losses)
else:
    counts = tf.sequence_mask(lengths, 9, tf.float32)
    loss = tf.reduce_sum(losses * counts) / tf.reduce_sum(counts)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
random = np.random.RandomState(2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(40):
        long = random.randint(2, 9, 32)
        text = 1 + (random.randint(0, 19, (32, 1)) + np.arange(10)) % 19
        text[np.arange(10) > long[:, None]] = 0
        session.run(train, {tokens: text[:, :-1], wanted: text[:, 1:], lengths: long})
