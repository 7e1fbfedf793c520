# training=True is written down, so that tests are normalized by their own rows.
import tensorflow as tf
from parts import LABELS, ORDER, ROWS, SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder_with_default(False, [])
pictures = tf.layers.conv2d(tf.reshape(x, [-1, 4, 5, 1]), 8, 3)
normed = tf.layers.batch_normalization(pictures, training=True if SICK else training)  # finds: norm-in-tests
loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(tf.layers.flatten(tf.nn.relu(normed)), 10))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(0.005).minimize(loss)
test = ORDER[1500:]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run(train, {x: rows, y: labels, training: True})
    session.run(loss, {x: ROWS[test], y: LABELS[test]})
