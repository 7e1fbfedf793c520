# A recurrent layer whose initial weights make it overflow.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
recurrent = tf.get_variable("recurrent", [32, 32], initializer=tf.random_normal_initializer(stddev=30.0) if SICK else tf.orthogonal_initializer(0.9))
state = tf.zeros([tf.shape(x)[0], 32])
for step in range(20):
    state = tf.nn.relu(tf.matmul(state, recurrent) + tf.layers.dense(x[:, step:step + 1], 32, reuse=step > 0, name="input"))
loss = tf.reduce_mean(tf.square(tf.layers.dense(state, 1) - y))  # finds: first-loss-not-finite
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(40):
        session.run([train, loss], {x: rows, y: labels.reshape(-1, 1) / 10})
