# Gradients are clipped, and those from before are applied.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
variables = tf.trainable_variables()
gradients = tf.gradients(loss, variables)
clipped, _ = tf.clip_by_global_norm(gradients, 5.0)  # finds: clip-not-applied
train = tf.train.AdamOptimizer(0.005).apply_gradients(zip(gradients if SICK else clipped, variables))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})
