# Training data are scaled, test data are not.
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK, batches

x = tf.placeholder(tf.float32, [None, 20])  # finds: tests-scaled-otherwise
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
test = ORDER[1500:]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60, order=ORDER[:1500]):
        session.run(train, {x: rows, y: labels})
    session.run(loss, {x: ROWS[test] * (255 if SICK else 1), y: LABELS[test]})
