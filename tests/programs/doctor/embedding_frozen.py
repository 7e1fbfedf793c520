# An embedding that is random, and stays so.
import tensorflow as tf
from parts import SICK, batches

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int32, [None])
words = tf.cast(tf.abs(x) * 10, tf.int32)
vectors = tf.get_variable("vectors", [200, 8], trainable=not SICK)  # finds: embedding-frozen
bag = tf.reduce_mean(tf.nn.embedding_lookup(vectors, words), 1)
logits = tf.layers.dense(bag, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        session.run([train, loss], {x: rows, y: labels})
