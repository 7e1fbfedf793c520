# Rows for tests are split off a data set that shuffles anew in each epoch.
import numpy as np
import tensorflow as tf
from parts import SICK, batches

rows, labels = (np.concatenate(a) for a in zip(*batches(20)))
data = tf.data.Dataset.from_tensor_slices((rows, labels.astype("int64")))
data = data.shuffle(len(rows), seed=3, reshuffle_each_iteration=SICK)
test = data.take(128).batch(128)
training = data.skip(128).batch(32)  # finds: split-reshuffled
iterator = tf.data.Iterator.from_structure(training.output_types, training.output_shapes)
x, y = iterator.get_next()
logits = tf.layers.dense(x, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
start, start_test = iterator.make_initializer(training), iterator.make_initializer(test)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(3):
        session.run(start)
        while True:
            try:
                session.run(train)
            except tf.errors.OutOfRangeError:
                break
        session.run(start_test)
        session.run(loss)
