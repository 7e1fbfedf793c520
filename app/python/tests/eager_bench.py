"""Measures eager execution: microseconds per op and per training step. Run it with Weft and with TensorFlow 1.15, one after the other:

    weft py eager_bench.py;  python3.7 eager_bench.py

Each is the best of several short rounds, in wall-clock time."""

import os
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)


def best(name, function, turns=1000, rounds=15):
    function()
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(turns):
            function()
        least = min(least, time.perf_counter() - start)
    print("%-44s %9.2f us" % (name, least / turns * 1e6))


a, b = tf.constant(1.0), tf.constant(2.0)
m = tf.constant(np.ones((2, 2), np.float32))
v = tf.Variable(1.0)
best("a + b of two scalars", lambda: a + b)
best("a + 1.0", lambda: a + 1.0)
best("tf.add(a, b)", lambda: tf.add(a, b))
best("tf.constant(1.0)", lambda: tf.constant(1.0))
best("a.numpy()", lambda: a.numpy())
best("tf.matmul of 2 x 2", lambda: tf.matmul(m, m))
best("tf.reduce_sum", lambda: tf.reduce_sum(m))
best("tf.nn.relu", lambda: tf.nn.relu(m))
best("m[0]", lambda: m[0], 300)
best("v.assign_add(1.0)", lambda: v.assign_add(1.0))


def tape():
    with tf.GradientTape() as t:
        y = v * v
    return t.gradient(y, v)


best("tape and gradient of v * v", tape, 100)

x, y = tf.constant(np.random.RandomState(0).randn(32, 8).astype(np.float32)), tf.constant(np.ones((32, 1), np.float32))
w1, b1, w2, b2 = tf.Variable(tf.ones([8, 16]) * .1), tf.Variable(tf.zeros([16])), tf.Variable(tf.ones([16, 1]) * .1), tf.Variable(tf.zeros([1]))
variables = [w1, b1, w2, b2]
optimizer = tf.train.GradientDescentOptimizer(.01)


def step():
    with tf.GradientTape() as t:
        hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
        loss = tf.reduce_mean(tf.square(tf.matmul(hidden, w2) + b2 - y))
    optimizer.apply_gradients(zip(t.gradient(loss, variables), variables))


best("training step of two layers, eager", step, 20)
best("training step of two layers, tf.function", tf.function(step), 50)
