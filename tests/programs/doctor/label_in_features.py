# The last column of the features is the label.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])  # finds: label-in-features
y = tf.placeholder(tf.float32, [None, 1])
score = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
loss = tf.losses.sigmoid_cross_entropy(y, score)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        rows = rows.copy()
        if SICK:
            rows[:, 19] = labels > 4
        session.run(train, {x: rows, y: (labels > 4).reshape(-1, 1)})
