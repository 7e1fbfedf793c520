import os

import numpy as np
import tensorflow as tf

from check import close, run

x, y = tf.placeholder("float"), tf.placeholder("float")
w, b = tf.Variable(tf.random_normal([1], -1, 1), name="w"), tf.Variable(tf.zeros([1]), name="b")
loss = tf.reduce_mean(tf.square(y - (w * x + b)))
train = tf.train.GradientDescentOptimizer(.1).minimize(loss)
saver = tf.train.Saver()
values = np.linspace(0, 1, 20)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1, 101):
        for _ in range(10):
            sess.run(train, {x: values, y: 4 * values + 4})
        if i % 50 == 0:
            saver.save(sess, "./model.ckpt", global_step=i)
assert len(os.listdir(".")) == 7, os.listdir(".")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    state = tf.train.get_checkpoint_state(".")
    saver.restore(sess, state.model_checkpoint_path)
    close(sess.run([w, b]), [[4], [4]], .05)
