import os

import tensorflow as tf
from tensorflow.core.profiler import tfprof_log_pb2

from check import run

w = tf.Variable(tf.ones([16, 16]))
train = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(tf.square(tf.matmul(w, w))))
with tf.contrib.tfprof.ProfileContext("train_dir", trace_steps=[9], dump_steps=[10]):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(15):
            sess.run(train)
assert os.path.exists("train_dir/profile_10"), os.listdir("train_dir")
profile = tfprof_log_pb2.ProfileProto()
with open("train_dir/profile_10", "rb") as f:
    profile.ParseFromString(f.read())
assert list(profile.steps), profile.steps
products = [n for n in profile.nodes.values() if n.op == "MatMul"]
for step in profile.steps:
    times = [t.int64_values for n in products for device in n.execs[step].cpu_execs.values() for t in device.times]
    assert times and all(start > 0 and micros > 0 for start, micros in times), (step, times)
