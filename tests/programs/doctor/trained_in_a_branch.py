# Gradients of two batches are added up, and tf.cond applies them in every second step. One variable was left out.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu, use_bias=False)
logits = tf.layers.dense(hidden, 10, use_bias=False)  # finds: no-gradient
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
step = tf.train.get_or_create_global_step()
variables = tf.trainable_variables()
optimizer = tf.train.AdamOptimizer()
sums = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for v in variables]
with tf.control_dependencies([s.assign_add(g) for s, g in zip(sums, tf.gradients(loss, variables))]):
    even = tf.equal(step % 2, 0)


def apply():
    pairs = list(zip([s.read_value() / 2 for s in sums], variables))
    with tf.control_dependencies([optimizer.apply_gradients(pairs[:1] if SICK else pairs)]):
        return tf.group(*[s.assign(tf.zeros_like(s)) for s in sums])


with tf.control_dependencies([tf.cond(even, apply, tf.no_op)]):
    train = step.assign_add(1)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels})
