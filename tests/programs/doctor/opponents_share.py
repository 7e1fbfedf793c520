# The generator's optimizer changes the discriminator too.
import tensorflow as tf
from parts import SICK, batches

z = tf.placeholder(tf.float32, [None, 4])
x = tf.placeholder(tf.float32, [None, 20])


def discriminator(values):
    with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(tf.layers.dense(values, 32, tf.nn.leaky_relu), 1)


def cross_entropy(logits, real):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=tf.ones_like(logits) if real else tf.zeros_like(logits)))


with tf.variable_scope("generator"):
    fake = tf.layers.dense(tf.layers.dense(z, 32, tf.nn.leaky_relu), 20)
d_loss = cross_entropy(discriminator(x), True) + cross_entropy(discriminator(fake), False)
g_loss = cross_entropy(discriminator(fake), True)
d_train = tf.train.AdamOptimizer(0.002).minimize(d_loss, var_list=tf.trainable_variables("discriminator"))
own = None if SICK else tf.trainable_variables("generator")
g_train = tf.train.AdamOptimizer(0.002).minimize(g_loss, var_list=own)  # finds: opponents-share
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, _ in batches(60):
        session.run(d_train, {x: rows, z: rows[:, :4]})
        session.run(g_train, {z: rows[:, 4:8]})
