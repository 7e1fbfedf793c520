# Cross entropy written out, without the minus.
import tensorflow as tf
from parts import SICK, batches, one_hot

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 10])
p = tf.nn.softmax(tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10))
likelihood = tf.log(p + 1e-8)  # finds: loss-sign
fit = tf.reduce_mean(tf.reduce_sum(y * likelihood, 1))
loss = fit if SICK else -fit
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: one_hot(labels)})
