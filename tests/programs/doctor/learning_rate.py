# A learning rate with which the loss grows until it is NaN.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
logits = tf.layers.dense(hidden, 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))  # finds: loss-not-finite
train = tf.train.GradientDescentOptimizer(1e3 if SICK else .1).minimize(loss)  # finds: learning-rate-high
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(200):
        session.run([train, loss], {x: rows, y: labels})
