# The learning rate is to fall by epochs, and falls by steps.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 3 if SICK else 120, 0.5)  # finds: rate-decayed
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(200):
        session.run([train, loss], {x: rows, y: labels})
