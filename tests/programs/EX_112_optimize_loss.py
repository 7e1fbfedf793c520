import tensorflow as tf

from check import run

w = tf.Variable(1.0)
step = tf.train.get_or_create_global_step()
train = tf.contrib.layers.optimize_loss(tf.square(w), step, learning_rate=.1, optimizer="SGD")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train)
    assert sess.run(step) == 3
