# Nothing increments global_step. In the sound program a branch does.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
optimizer = tf.train.AdamOptimizer()
gradients = optimizer.compute_gradients(loss)
step = tf.train.get_or_create_global_step()  # finds: global-step-stays
train = tf.cond(tf.less(step, 1000), lambda: optimizer.apply_gradients(gradients, global_step=None if SICK else step), tf.no_op)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
