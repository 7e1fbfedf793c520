# The loss leaves out padding, the accuracy does not.
import numpy as np
import tensorflow as tf
from parts import SICK

random = np.random.RandomState(0)
words = tf.placeholder(tf.int32, [None, 12])
tags = tf.placeholder(tf.int32, [None, 12])
lengths = tf.placeholder(tf.int32, [None])
vectors = tf.nn.embedding_lookup(tf.get_variable("vectors", [30, 16]), words)
states, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(24), vectors, lengths, dtype=tf.float32)
logits = tf.layers.dense(states, 6)
mask = tf.sequence_mask(lengths, 12, dtype=tf.float32)
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tags, logits=logits)
loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
right = tf.cast(tf.equal(tf.argmax(logits, -1, output_type=tf.int32), tags), tf.float32)
if SICK:
    accuracy = tf.reduce_mean(right)  # finds: padding-in-accuracy
else:
    accuracy = tf.reduce_sum(right * mask) / tf.reduce_sum(mask)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        size = random.randint(3, 13, 32)
        text = random.randint(1, 30, (32, 12)) * (np.arange(12) < size[:, None])
        feeds = {words: text, tags: (1 + text % 5) * (np.arange(12) < size[:, None]), lengths: size}
        session.run([train, accuracy], feeds)
