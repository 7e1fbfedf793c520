# A cross entropy written by hand, whose logarithm meets a probability of 0.
import tensorflow as tf
from parts import SICK, batches, one_hot

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 10])
output = tf.nn.softmax(tf.layers.dense(30. * x, 10, kernel_initializer=tf.glorot_uniform_initializer(seed=2)))
if SICK:
    logarithm = tf.log(output)  # finds: log-of-zero log-of-probability
else:
    logarithm = tf.log(tf.clip_by_value(output, 1e-10, 1.))
loss = tf.reduce_mean(-tf.reduce_sum(y * logarithm, 1))
train = tf.train.GradientDescentOptimizer(.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(100):
        session.run([train, loss], {x: rows, y: one_hot(labels)})
