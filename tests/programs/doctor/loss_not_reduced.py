# minimize() of one loss per row: the gradient is that of their sum.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)  # finds: loss-not-scalar
if not SICK:
    loss = tf.reduce_mean(loss)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run([train, loss], {x: rows, y: labels})
