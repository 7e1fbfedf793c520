# The sum over the batch in place of the mean.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
loss = (tf.reduce_sum if SICK else tf.reduce_mean)(losses)  # finds: loss-sums-batch
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run([train, loss], {x: rows, y: labels})
