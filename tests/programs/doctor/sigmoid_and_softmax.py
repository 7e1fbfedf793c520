# A sigmoid in the last layer, then a loss that does a softmax.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
logits = tf.layers.dense(hidden, 10, tf.nn.sigmoid if SICK else None)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)  # finds: softmax-twice
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels})
