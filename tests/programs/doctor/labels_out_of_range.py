# Labels from 1 to 10 for ten classes: the step fails, and the doctor says why before.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])  # finds: labels-out-of-range
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels + (1 if SICK else 0)})
