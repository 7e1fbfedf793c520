# The same, fed; only the optimizer's op is run, so that the program never sees its loss.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
rate = tf.placeholder(tf.float32, [], name="rate")  # finds: learning-rate-high
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))  # finds: loss-not-finite
train = tf.train.MomentumOptimizer(rate, .9).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(200):
        session.run(train, {x: rows, y: labels, rate: 1e3 if SICK else .01})
