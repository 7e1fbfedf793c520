# The moving averages of batch normalization are never updated. In the sound program they are, in a run of their own.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder_with_default(False, [])
hidden = tf.layers.dense(x, 32, use_bias=False)
hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=training))  # finds: updates-not-run
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer().minimize(loss)
updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels, training: True})
        if not SICK:
            session.run(updates, {x: rows, y: labels, training: True})
