# The accuracy of a single output is computed as if there were two.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
score = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 1)
loss = tf.losses.sigmoid_cross_entropy(y, score)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
if SICK:
    right = tf.equal(tf.argmax(score, 1), tf.argmax(y, 1))  # finds: best-of-one
else:
    right = tf.equal(tf.cast(score > 0, tf.float32), y)
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, accuracy], {x: rows, y: (labels > 4).reshape(-1, 1)})
