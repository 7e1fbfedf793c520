# Labels from 1 to 10 made one-hot in the graph: no error, but the last class has no 1 anywhere.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
wanted = tf.one_hot(y, 10)  # finds: labels-not-probabilities
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=wanted, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run(train, {x: rows, y: labels + (1 if SICK else 0)})
