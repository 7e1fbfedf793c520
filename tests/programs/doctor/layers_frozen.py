# Layers from a checkpoint that no optimizer changes: on purpose, as a note says. In the sound program all layers are trained.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
with tf.variable_scope("body"):
    body = tf.layers.dense(x, 32, tf.nn.relu)  # finds: layers-frozen
logits = tf.layers.dense(body, 10, name="head")
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.01).minimize(loss, var_list=tf.trainable_variables("head") if SICK else None)
saver = tf.train.Saver(tf.trainable_variables("body"))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    saver.restore(session, saver.save(session, "./body"))
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels})
