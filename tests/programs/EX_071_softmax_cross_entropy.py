import tensorflow as tf

from check import close, raises, run

logits = tf.constant([[1., 2., 3.], [1., 2., 3.], [1., 2., 3.]])
y_ = tf.constant([[0., 0., 1.], [0., 0., 1.], [0., 0., 1.]])
y = tf.nn.softmax(logits)
by_hand = -tf.reduce_sum(y_ * tf.log(y))
per_row = tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=logits)
p, a, b, rows = run([y, by_hand, tf.reduce_sum(per_row), per_row])
close(p, [[0.09003057, 0.24472848, 0.66524094]] * 3, 1e-6)
close([a, b], [1.2228179] * 2, 1e-6)
close(rows, [0.40760598] * 3, 1e-6)
raises(ValueError, "Only call `softmax_cross_entropy_with_logits` with named arguments", lambda: tf.nn.softmax_cross_entropy_with_logits(logits, y_))
