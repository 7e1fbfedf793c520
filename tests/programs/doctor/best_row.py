# The accuracy compares the best rows of the classes, not the best classes of the rows.
import tensorflow as tf
from parts import SICK, batches, one_hot

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 10])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
axis = 0 if SICK else 1
guesses = tf.argmax(logits, axis)  # finds: best-row-not-class
accuracy = tf.reduce_mean(tf.cast(tf.equal(guesses, tf.argmax(y, axis)), tf.float32))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, accuracy], {x: rows, y: one_hot(labels)})
