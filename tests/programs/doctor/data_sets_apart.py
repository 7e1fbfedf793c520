# Rows and labels are shuffled, and then zipped.
import tensorflow as tf
from parts import LABELS, ROWS, SICK

rows, labels = tf.data.Dataset.from_tensor_slices(ROWS), tf.data.Dataset.from_tensor_slices(LABELS)
if SICK:
    pairs = tf.data.Dataset.zip((rows.shuffle(2000), labels.shuffle(2000)))  # finds: shuffled-apart
else:
    pairs = tf.data.Dataset.zip((rows, labels)).shuffle(2000)
x, y = pairs.repeat().batch(50).make_one_shot_iterator().get_next()
logits = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
train = tf.train.AdamOptimizer(0.005).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(60):
        session.run(train)
