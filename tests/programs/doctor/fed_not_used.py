# Whether it trains is fed, but the dropout does not ask.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
training = tf.placeholder(tf.bool, [])  # finds: fed-not-used
hidden = tf.layers.dense(x, 32, tf.nn.relu)
hidden = tf.layers.dropout(hidden, 0.3) if SICK else tf.layers.dropout(hidden, 0.3, training=training)
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels, training: True})
