# Batches are shuffled, and the rows of each stay together.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

rows, labels = (np.concatenate(a) for a in zip(*batches(20)))
data = tf.data.Dataset.from_tensor_slices((rows, labels.astype("int64")))
data = data.batch(50).shuffle(20) if SICK else data.shuffle(1000).batch(50)  # finds: batches-shuffled
x, y = data.repeat(3).make_one_shot_iterator().get_next()
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        session.run(train)
