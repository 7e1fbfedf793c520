# A variational autoencoder multiplies the noise by the variance.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
hidden = tf.layers.dense(x, 32, tf.nn.relu)
mean, log_variance = tf.layers.dense(hidden, 4), tf.layers.dense(hidden, 4)
deviation = tf.exp(log_variance if SICK else 0.5 * log_variance)
code = mean + tf.random_normal(tf.shape(mean)) * deviation  # finds: variance-as-deviation
rebuilt = tf.losses.mean_squared_error(x, tf.layers.dense(tf.layers.dense(code, 32, tf.nn.relu), 20))
near_normal = -0.5 * tf.reduce_mean(1 + log_variance - tf.square(mean) - tf.exp(log_variance))
train = tf.train.AdamOptimizer(0.003).minimize(rebuilt + 0.01 * near_normal)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        session.run(train, {x: rows})
