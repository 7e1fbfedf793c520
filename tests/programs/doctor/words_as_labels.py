# Each word is to predict itself.
import numpy as np
import tensorflow as tf
from parts import SICK

random = np.random.RandomState(0)
word = tf.placeholder(tf.int32, [None])  # finds: word-is-label
near = tf.placeholder(tf.int32, [None, 1])
vectors = tf.Variable(tf.random_uniform([100, 16], -1, 1))
weights = tf.Variable(tf.truncated_normal([100, 16], stddev=0.25))
loss = tf.reduce_mean(tf.nn.nce_loss(weights, tf.Variable(tf.zeros([100])), near, tf.nn.embedding_lookup(vectors, word), 16, 100))
train = tf.train.AdagradOptimizer(0.5).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(80):
        words = random.randint(0, 100, 64)
        others = words if SICK else (words // 10 * 10 + random.randint(0, 10, 64))
        session.run(train, {word: words, near: others.reshape(-1, 1)})
