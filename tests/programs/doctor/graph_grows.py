# The accuracy is made anew each time that it is computed.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)


def make_accuracy():
    return tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, y, 1), tf.float32))


accuracy = make_accuracy()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})  # finds: graph-grows
        session.run(make_accuracy() if SICK else accuracy, {x: rows, y: labels})
