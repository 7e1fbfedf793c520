# A checkpoint of the weights, without the moving averages of batch normalization.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder_with_default(False, [])
hidden = tf.layers.dense(x, 32, use_bias=False)
hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=training))  # finds: saver-incomplete
logits = tf.layers.dense(hidden, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver(tf.trainable_variables() if SICK else None)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(40):
        session.run(train, {x: rows, y: labels, training: True})
    saver.save(session, "./model")
