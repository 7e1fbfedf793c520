# ctc_loss takes logits, and gets probabilities.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
labels = tf.sparse_placeholder(tf.int32)
logits = tf.layers.dense(tf.layers.dense(tf.reshape(x, [-1, 10, 2]), 32, tf.nn.relu), 11)
scores = tf.nn.softmax(logits) if SICK else logits
loss = tf.reduce_mean(tf.nn.ctc_loss(labels, tf.transpose(scores, [1, 0, 2]), tf.fill([tf.shape(x)[0]], 10)))  # finds: softmax-twice
train = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, classes in batches(40):
        places = np.stack([np.arange(len(rows)), np.zeros(len(rows), np.int64)], 1)
        session.run(train, {x: rows, labels: tf.SparseTensorValue(places, classes.astype(np.int32), [len(rows), 1])})
