# The network ends in a softmax, and the loss does another one.
import tensorflow as tf
from parts import SICK, batches, one_hot

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 10])
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
output = tf.nn.softmax(logits)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=output if SICK else logits))  # finds: softmax-twice
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run([train, loss], {x: rows, y: one_hot(labels)})
