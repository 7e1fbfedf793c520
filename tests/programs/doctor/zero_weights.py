# All weights of a layer start at 0, in a MonitoredSession.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu, kernel_initializer=tf.zeros_initializer() if SICK else None)  # finds: constant-weights dead-units
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss, global_step=tf.train.get_or_create_global_step())
with tf.train.MonitoredSession() as session:
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels})
