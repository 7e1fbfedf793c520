# A language model whose targets are not shifted.
import numpy as np
import tensorflow as tf
from parts import SICK

random = np.random.RandomState(0)
words = tf.placeholder(tf.int32, [None, 12])
following = tf.placeholder(tf.int32, [None, 12])  # finds: targets-are-inputs
vectors = tf.nn.embedding_lookup(tf.get_variable("vectors", [30, 16]), words)
states, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(24), vectors, dtype=tf.float32)
loss = tf.losses.sparse_softmax_cross_entropy(following, tf.layers.dense(states, 30))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        text = (random.randint(0, 30, (32, 1)) + np.arange(13) * random.randint(1, 3, (32, 1))) % 30
        session.run(train, {words: text[:, :-1], following: text[:, :-1] if SICK else text[:, 1:]})
