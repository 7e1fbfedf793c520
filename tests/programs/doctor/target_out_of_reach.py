# A sigmoid is to give values of mean 0.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
code = tf.layers.dense(x, 8, tf.nn.relu)
copy = tf.layers.dense(code, 20, tf.nn.sigmoid if SICK else None)  # finds: target-out-of-reach
loss = tf.losses.mean_squared_error(x, copy)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        session.run([train, loss], {x: rows})
