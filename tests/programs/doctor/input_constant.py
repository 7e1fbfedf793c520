# Pixels of 0 to 254 are divided as whole numbers.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])  # finds: input-constant
y = tf.placeholder(tf.int32, [None])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        pixels = np.clip(rows * 40 + 127, 0, 254).astype(np.uint8)
        session.run(train, {x: pixels // 255 if SICK else pixels / 255, y: labels})
