# Each epoch has an optimizer of its own.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
rate = tf.placeholder(tf.float32, [])
with tf.Session() as session:
    if not SICK:
        train = tf.train.AdamOptimizer(rate).minimize(loss)
    session.run(tf.global_variables_initializer())
    for epoch in range(5):
        if SICK:
            optimizer = tf.train.AdamOptimizer(rate)
            train = optimizer.minimize(loss)  # finds: optimizer-remade
            session.run(tf.variables_initializer(optimizer.variables()))
        for rows, labels in batches(20):
            session.run(train, {x: rows, y: labels, rate: 0.01 * 0.9 ** epoch})
