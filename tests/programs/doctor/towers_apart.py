# Two pictures are compared by two networks that were to be one.
import numpy as np
import tensorflow as tf
from parts import SICK, batches


def tower(x, name):
    with tf.variable_scope("tower" if not SICK else name, reuse=tf.AUTO_REUSE):
        return tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu, name="a"), 8, name="b")


first, second = tf.placeholder(tf.float32, [None, 20]), tf.placeholder(tf.float32, [None, 20])
same = tf.placeholder(tf.float32, [None])
squares = tf.reduce_sum(tf.square(tower(first, "one") - tower(second, "two")), 1)  # finds: towers-apart
loss = tf.reduce_mean(same * squares + (1 - same) * tf.square(tf.maximum(0.0, 1 - tf.sqrt(squares + 1e-6))))
train = tf.train.AdamOptimizer(0.003).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        other = np.roll(np.arange(len(rows)), 1)
        session.run(train, {first: rows, second: rows[other], same: labels == labels[other]})
