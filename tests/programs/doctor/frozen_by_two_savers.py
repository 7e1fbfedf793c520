# Layers that no optimizer changes, restored by two savers. In the sound program these layers are all that the savers restore: they are frozen on purpose.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
body = tf.layers.dense(x, 32, tf.nn.relu, name="first")  # finds: no-gradient
body = tf.layers.dense(body, 32, tf.nn.relu, name="second")
logits = tf.layers.dense(body, 10, name="head")
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.01).minimize(loss, var_list=tf.trainable_variables("head"))
savers = [tf.train.Saver(tf.trainable_variables("first")), tf.train.Saver(tf.trainable_variables("second|head" if SICK else "second"))]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for n, saver in enumerate(savers):
        saver.restore(session, saver.save(session, "./part%d" % n))
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
