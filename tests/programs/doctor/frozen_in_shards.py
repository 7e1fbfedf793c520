# Layers that no optimizer changes, restored by a saver in shards: with all of the network, or alone. Alone, they are frozen on purpose.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
with tf.variable_scope("body"):
    with tf.device("/cpu:0"):
        body = tf.layers.dense(x, 32, tf.nn.relu)  # finds: no-gradient
    with tf.device("/cpu:1"):
        body = tf.layers.dense(body, 32, tf.nn.relu)
logits = tf.layers.dense(body, 10, name="head")
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.01).minimize(loss, var_list=tf.trainable_variables("head"))
saver = tf.train.Saver(None if SICK else tf.trainable_variables("body"), sharded=True)
with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
    session.run(tf.global_variables_initializer())
    saver.restore(session, saver.save(session, "./body"))
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
