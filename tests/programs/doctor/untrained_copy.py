# The network for tests has variables of its own.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])


def network(rows):
    hidden = tf.layers.dense(rows, 32, tf.nn.relu)  # finds: untrained-copy
    return tf.layers.dense(hidden, 10)


with tf.variable_scope("network"):
    logits = network(x)
with tf.variable_scope("test" if SICK else "network", reuse=not SICK):
    tested = network(x)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(tested, y, 1), tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
    print(session.run(accuracy, {x: rows, y: labels}))
