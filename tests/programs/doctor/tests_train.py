# The loss on the test data is computed together with the training op.
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
test = ORDER[1500:]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(3):
        for rows, labels in batches(30):
            session.run(train, {x: rows, y: labels})  # finds: tests-train
        session.run([loss, train] if SICK else [loss], {x: ROWS[test], y: LABELS[test]})
