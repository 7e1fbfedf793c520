# A checkpoint is restored, and then the variables are initialized.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
hidden = tf.layers.dense(x, 32, tf.nn.relu, name="hidden")  # finds: restored-then-initialized
logits = tf.layers.dense(hidden, 10, name="output")
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
init, saver = tf.global_variables_initializer(), tf.train.Saver()


def fit(session):
    for rows, labels in batches(30):
        session.run(train, {x: rows, y: labels})


with tf.Session() as session:
    session.run(init)
    fit(session)
    path = saver.save(session, "model")
with tf.Session() as session:
    for step in ("restore", "init") if SICK else ("init", "restore"):
        saver.restore(session, path) if step == "restore" else session.run(init)
    fit(session)
