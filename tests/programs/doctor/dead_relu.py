# Biases so low that no unit of the layer is ever above 0.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu, bias_initializer=tf.constant_initializer(-20. if SICK else 0.))  # finds: dead-units
logits = tf.layers.dense(hidden, 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run([train, loss], {x: rows, y: labels})
