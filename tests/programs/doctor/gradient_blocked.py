# The loss is made of classes, which have no gradient; only the weight decay trains the kernels.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])

decay = tf.contrib.layers.l2_regularizer(1e-3)
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu, kernel_regularizer=decay), 10, kernel_regularizer=decay)
wanted = tf.cast(y, tf.float32)
if SICK:
    guess = tf.cast(tf.argmax(logits, 1), tf.float32)  # finds: gradient-blocked
else:
    guess = tf.reduce_sum(tf.nn.softmax(logits) * tf.range(10, dtype=tf.float32), 1)
loss = tf.reduce_mean(tf.square(guess - wanted)) + tf.losses.get_regularization_loss()
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})
