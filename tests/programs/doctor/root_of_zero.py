# The distance of two equal rows is 0, where a root has no finite gradient.
import tensorflow as tf
from parts import SICK, batches

a = tf.placeholder(tf.float32, [None, 20])
b = tf.placeholder(tf.float32, [None, 20])
layer = tf.layers.Dense(8)
squares = tf.reduce_sum(tf.square(layer(a) - layer(b)), 1)
distance = tf.sqrt(squares if SICK else squares + 1e-8)  # finds: root-of-zero
loss = tf.reduce_mean(tf.square(distance - 1))
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(30):
        others = rows[::-1].copy()
        others[:5] = rows[:5]
        session.run([train, loss], {a: rows, b: others})
