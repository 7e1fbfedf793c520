# The value of a metric is read, and nothing updates it.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
accuracy, update = tf.metrics.accuracy(y, tf.argmax(logits, 1))  # finds: metric-not-updated
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
        if not SICK:
            session.run(update, {x: rows, y: labels})
    print(session.run(accuracy))
