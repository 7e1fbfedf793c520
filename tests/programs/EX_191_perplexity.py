import tensorflow as tf

from check import close, run

labels, logits = [3], tf.zeros([1, 10])
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
close(run([loss, tf.exp(loss)]), [2.302585, 10.0], 1e-5)
