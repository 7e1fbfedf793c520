# The initializer runs in each epoch.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
init = tf.global_variables_initializer()  # finds: initialized-again
with tf.Session() as session:
    session.run(init)
    for epoch in range(5):
        if SICK:
            session.run(init)
        for rows, labels in batches(20):
            session.run(train, {x: rows, y: labels})
