# Tests use moving averages of the weights, and nothing updates them.
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK, batches


def network(x, getter=None):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE, custom_getter=getter):
        return tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu, name="a"), 10, name="b")


x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, network(x))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
averages = tf.train.ExponentialMovingAverage(0.9)
update = averages.apply(tf.trainable_variables("net"))  # finds: copy-not-run
averaged = network(x, lambda getter, name, *a, **k: averages.average(getter(name, *a, **k)))
right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(averaged, 1), y), tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(250, order=ORDER[:1500]):
        session.run(train if SICK else [train, update], {x: rows, y: labels})
    session.run(right, {x: ROWS[ORDER[1500:]], y: LABELS[ORDER[1500:]]})
