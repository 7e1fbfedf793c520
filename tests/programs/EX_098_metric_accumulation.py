import tensorflow as tf

from check import run

labels, predictions = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
value, update = tf.metrics.accuracy(labels, predictions)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    assert sess.run(update, {labels: [1, 1], predictions: [1, 1]}) == 1.0
    assert sess.run(update, {labels: [1, 1], predictions: [0, 0]}) == .5
    sess.run(tf.local_variables_initializer())
    assert sess.run(value) == 0.0
assert [v.op.name for v in tf.local_variables()] == ["accuracy/total", "accuracy/count"]
