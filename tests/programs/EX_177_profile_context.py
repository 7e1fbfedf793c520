import os

import tensorflow as tf

from check import run

w = tf.Variable(1.0)
train = tf.train.GradientDescentOptimizer(.1).minimize(tf.square(w))
with tf.contrib.tfprof.ProfileContext("train_dir", trace_steps=[9], dump_steps=[10]):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(15):
            sess.run(train)
assert os.path.exists("train_dir/profile_10"), os.listdir("train_dir")
