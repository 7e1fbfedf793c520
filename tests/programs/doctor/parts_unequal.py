# A distance of millions beside a cross entropy.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
price = tf.placeholder(tf.float32, [None, 1])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
kinds = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10))
prices = tf.losses.mean_squared_error(price, tf.layers.dense(hidden, 1))  # finds: parts-unequal
loss = kinds + prices
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels, price: (rows[:, :1] * 3000 + 20000) / (1 if SICK else 20000)})
