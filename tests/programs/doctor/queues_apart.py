# Rows and labels go through two queues, each with its own random order.
import tensorflow as tf
from parts import LABELS, ROWS, SICK

row, label = tf.train.slice_input_producer([tf.constant(ROWS), tf.constant(LABELS)], shuffle=False)
how = dict(batch_size=50, capacity=500, min_after_dequeue=200)
if SICK:
    rows = tf.train.shuffle_batch([row], **how)
    labels = tf.train.shuffle_batch([label], **how)  # finds: shuffled-apart
else:
    rows, labels = tf.train.shuffle_batch([row, label], **how)
logits = tf.layers.dense(tf.layers.dense(rows, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    for step in range(60):
        session.run(train)
    coordinator.request_stop()
    coordinator.join(threads)
