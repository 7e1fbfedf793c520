# The softmax is taken over the rows of a batch.
import tensorflow as tf
from parts import SICK, batches, one_hot

x = tf.placeholder(tf.float32, [None, 20])  # finds: mixes-rows
y = tf.placeholder(tf.float32, [None, 10])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
p = tf.nn.softmax(logits, axis=0 if SICK else 1)
loss = -tf.reduce_mean(tf.reduce_sum(y * tf.log(p + 1e-8), 1))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: one_hot(labels)})
