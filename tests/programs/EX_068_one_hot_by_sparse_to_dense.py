import tensorflow as tf

from check import run

labels = tf.expand_dims(tf.constant([0, 2, 3, 6, 7, 9]), 1)
index = tf.expand_dims(tf.range(0, 6), 1)
pairs = tf.concat([index, labels], 1)
dense = tf.sparse_to_dense(pairs, tf.stack([6, 10]), 1.0, 0.0)
p, d = run([pairs, dense])
assert p.tolist() == [[0, 0], [1, 2], [2, 3], [3, 6], [4, 7], [5, 9]]
assert d.shape == (6, 10) and d.sum() == 6 and all(d[i, j] == 1 for i, j in p)
