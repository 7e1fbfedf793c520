# The first weights are all 0. Two kinds of steps train: one takes part in the input pipeline, the other is fed features. None may need or take more than without the doctor.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

count = tf.data.Dataset.range(1000).make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 20])
features = tf.stop_gradient(tf.nn.relu(x + tf.cast(tf.minimum(count, 0), tf.float32)))
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(features, 32, tf.nn.relu, kernel_initializer=tf.zeros_initializer() if SICK else None)  # finds: constant-weights
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10))
train = tf.train.AdamOptimizer().minimize(loss)
taken = 0
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i, (rows, labels) in enumerate(batches(60)):
        if i % 3 == 0:
            session.run([train, loss], {x: rows, y: labels})
            taken += 1
        else:
            session.run([train, loss], {features: np.maximum(rows, 0), y: labels})
    assert session.run(count) == taken
