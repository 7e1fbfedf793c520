# Weight decay with a factor of 5.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
cross_entropy = tf.losses.sparse_softmax_cross_entropy(y, logits)
decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
penalty = (5.0 if SICK else 1e-4) * decay  # finds: penalty-outweighs
loss = cross_entropy + penalty
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})
