import tensorflow as tf

from check import close, raises, run

logits = tf.constant([[1., 2., 3.]] * 3)
close(run(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 2, 2], logits=logits)), [0.407606] * 3, 1e-5)
raises(ValueError, "Rank mismatch: Rank of labels (received 2) should equal rank of logits minus 1 (received 2).",
       lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[2], [2], [2]], logits=logits))
