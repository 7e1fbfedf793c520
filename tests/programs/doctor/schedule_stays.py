# The learning rate decays by a counter that nothing counts.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(x, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
count = tf.Variable(0, trainable=False, name="count")  # finds: schedule-stays
rate = tf.train.exponential_decay(0.05, count, 20, 0.9)
train = tf.train.AdamOptimizer(rate).minimize(loss, None if SICK else count)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
