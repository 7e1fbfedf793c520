# A softmax cross entropy over one output, which flattens its logits.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
score = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
if SICK:
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=score)  # finds: loss-fits-not
else:
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=score)
loss = tf.reduce_mean(losses)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: (labels > 4).reshape(-1, 1)})
