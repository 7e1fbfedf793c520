# Channels come first in the data, and a reshape is to put them last.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 5, 2, 2])
y = tf.placeholder(tf.int32, [None])
pictures = tf.reshape(x, [-1, 2, 2, 5]) if SICK else tf.transpose(x, [0, 2, 3, 1])  # finds: reshape-not-transpose
features = tf.layers.conv2d(pictures, 8, 2, activation=tf.nn.relu)
logits = tf.layers.dense(tf.layers.flatten(features), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows.reshape(-1, 5, 2, 2), y: labels})
