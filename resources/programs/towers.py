"""The same network on several devices: each tower takes a part of the batch, the gradients are averaged, the variables are shared."""

import numpy as np
import tensorflow as tf

DEVICES = ["/gpu:0", "/gpu:1"]  # one tower on each; a device that is not there is replaced by the CPU
BATCH = 64

features = tf.placeholder(tf.float32, [BATCH, 2], name="features")
labels = tf.placeholder(tf.float32, [BATCH, 1], name="labels")


def network(x):
    hidden = tf.layers.dense(x, 16, tf.nn.relu, name="hidden")
    return tf.layers.dense(hidden, 1, name="output")


with tf.device("/cpu:0"):  # where variables and averages live
    optimizer = tf.train.AdamOptimizer(0.01)
    parts = list(zip(tf.split(features, len(DEVICES)), tf.split(labels, len(DEVICES))))

towers = []
for i, (device, (x, y)) in enumerate(zip(DEVICES, parts)):
    with tf.device(device), tf.name_scope("tower_%d" % i), tf.variable_scope("network", reuse=i > 0):
        loss = tf.losses.mean_squared_error(y, network(x))
        towers.append((loss, optimizer.compute_gradients(loss)))

with tf.device("/cpu:0"), tf.name_scope("average"):
    loss = tf.add_n([tower[0] for tower in towers]) / len(towers)
    averaged = []
    for pairs in zip(*[tower[1] for tower in towers]):  # one variable, its gradient in each tower
        averaged.append((tf.add_n([gradient for gradient, _ in pairs]) / len(pairs), pairs[0][1]))
    train_op = optimizer.apply_gradients(averaged)

random = np.random.RandomState(1)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    session.run(tf.global_variables_initializer())
    for step in range(300):
        batch = random.uniform(-1, 1, [BATCH, 2])
        value, _ = session.run([loss, train_op], {features: batch, labels: batch[:, :1] * batch[:, 1:]})
        if step % 100 == 0:
            print("step %d: loss %.4f, of the towers %s" % (step, value, session.run([t[0] for t in towers], {features: batch, labels: batch[:, :1] * batch[:, 1:]})))
    print("last loss %.4f" % value)
