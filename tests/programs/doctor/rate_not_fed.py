# The learning rate is a number of Python that changes after the optimizer was made.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))


def not_fed():
    rate = 0.05
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step, (rows, labels) in enumerate(batches(60)):
            session.run(train, {x: rows, y: labels})
            if step % 20 == 19:
                rate *= 0.5  # finds: rate-not-fed
                print("step %d: rate %g" % (step, rate))


def fed():
    rate = 0.05
    given = tf.placeholder(tf.float32, [])
    train = tf.train.MomentumOptimizer(given, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step, (rows, labels) in enumerate(batches(60)):
            session.run(train, {x: rows, y: labels, given: rate})
            if step % 20 == 19:
                rate *= 0.5


not_fed() if SICK else fed()
