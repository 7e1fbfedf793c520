# The dropout has a constant rate, in tests as well.
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
keep = tf.placeholder_with_default(1.0, [])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
hidden = tf.nn.dropout(hidden, 0.7 if SICK else keep)  # finds: dropout-in-tests
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, y, 1), tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60, order=ORDER[:1500]):
        session.run(train, {x: rows, y: labels, keep: 0.7} if not SICK else {x: rows, y: labels})
    print(session.run(accuracy, {x: ROWS[ORDER[1500:]], y: LABELS[ORDER[1500:]]}))
