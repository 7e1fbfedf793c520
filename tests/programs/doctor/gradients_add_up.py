# Gradients of four batches are added up, and the sum is never set back.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
optimizer = tf.train.GradientDescentOptimizer(0.05)
variables = tf.trainable_variables()
sums = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for v in variables]  # finds: gradients-add-up
clear = [s.assign(tf.zeros_like(s)) for s in sums]
add = [s.assign_add(g / 4) for s, (g, _) in zip(sums, optimizer.compute_gradients(loss, variables))]
apply = optimizer.apply_gradients(list(zip(sums, variables)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(clear)
    for step, (rows, labels) in enumerate(batches(80)):
        session.run(add, {x: rows, y: labels})
        if step % 4 == 3:
            session.run(apply)
            if not SICK:
                session.run(clear)
