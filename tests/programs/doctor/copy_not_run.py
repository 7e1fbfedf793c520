# The target network of a reinforcement learner is never updated.
import numpy as np
import tensorflow as tf
from parts import SICK, batches


def network(x, name):
    with tf.variable_scope(name):
        return tf.layers.dense(tf.layers.dense(x, 24, tf.nn.relu), 2)


now, then = tf.placeholder(tf.float32, [None, 20]), tf.placeholder(tf.float32, [None, 20])
action, reward = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None])
value = tf.reduce_sum(network(now, "online") * tf.one_hot(action, 2), 1)
wanted = reward + 0.9 * tf.stop_gradient(tf.reduce_max(network(then, "target"), 1))
loss = tf.losses.huber_loss(wanted, value)
online, target = (tf.trainable_variables(name) for name in ("online", "target"))
train = tf.train.AdamOptimizer(0.003).minimize(loss, var_list=online)
update = [t.assign(o) for t, o in zip(target, online)]  # finds: copy-not-run
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step, (rows, labels) in enumerate(batches(250)):
        session.run(train, {now: rows, then: np.roll(rows, 1, 0), action: labels % 2, reward: labels > 4})
        if step % 20 == 0 and not SICK:
            session.run(update)
