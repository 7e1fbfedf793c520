# Targets are a vector, predictions a column: each row is compared with all others.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None])
predictions = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
if not SICK:
    predictions = tf.squeeze(predictions, 1)
error = predictions - y  # finds: rows-broadcast
loss = tf.reduce_mean(tf.square(error))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels / 10})
