# Two classes, one output, and a softmax: it is always 1.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
score = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
p = tf.nn.softmax(score) if SICK else tf.nn.sigmoid(score)  # finds: softmax-of-one
loss = -tf.reduce_mean(y * tf.log(p + 1e-7) + (1 - y) * tf.log(1 - p + 1e-7))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: (labels > 4).reshape(-1, 1)})
