# Inputs and labels are taken by two calls of get_next().
import numpy as np
import tensorflow as tf
from parts import SICK, batches

rows, labels = (np.concatenate(a) for a in zip(*batches(20)))
iterator = tf.data.Dataset.from_tensor_slices((rows, labels.astype("int64"))).shuffle(1000).repeat().batch(50).make_one_shot_iterator()
x, y = iterator.get_next()
if SICK:
    y = iterator.get_next()[1]  # finds: batches-apart
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        session.run(train)
