# The layers have regularizers, and the loss does not.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])

decay = tf.contrib.layers.l2_regularizer(1e-3)
hidden = tf.layers.dense(x, 32, tf.nn.relu, kernel_regularizer=decay)  # finds: penalty-not-added
logits = tf.layers.dense(hidden, 10, kernel_regularizer=decay)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
if not SICK:
    loss += tf.losses.get_regularization_loss()
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})
