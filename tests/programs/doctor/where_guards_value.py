# tf.where keeps the logarithm of 0 out of the loss, but not out of the gradient.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.nn.relu(tf.layers.dense(x, 1, bias_initializer=tf.ones_initializer()))
safe = rate if SICK else tf.where(rate > 0, rate, tf.ones_like(rate))
least = tf.fill(tf.shape(rate), -10.0)
logarithm = tf.where(rate > 0, tf.log(safe), least)  # finds: where-guards-value gradient-not-finite
loss = tf.reduce_mean(rate - y * logarithm)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels.reshape(-1, 1)})
