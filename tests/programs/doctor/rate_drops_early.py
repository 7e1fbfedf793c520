# Boundaries of a schedule are meant as epochs.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
step = tf.train.get_or_create_global_step()
each = 1 if SICK else 20
rate = tf.train.piecewise_constant(step, [10 * each, 20 * each], [0.1, 0.01, 0.001])  # finds: rate-drops-early
train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, step)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(600):
        session.run(train, {x: rows, y: labels})
