# The mean over the batch is added to each row: rows influence each other.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])  # finds: mixes-rows
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
hidden += tf.reduce_mean(hidden, 0 if SICK else 1, keepdims=True)
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels})
