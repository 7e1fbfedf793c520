"""Measures graph building and small runs: bench.py [SCRIPTS FOLDER]. Run it with Weft and with TensorFlow 1.15, one after the other:

    weft py bench.py FOLDER;  python3.7 bench.py FOLDER

Prints microseconds per node and per step, and milliseconds per script and for a net of 1,000 layers; each the best of several rounds. Building is measured in
processor time, steps in wall-clock time in short rounds: both tolerate a busy machine."""

import os
import sys
import tempfile
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
SCRIPTS = ["EX-045_variable_scope_program", "names_constants", "scopes_get_variable_scope", "mlp_with_everything", "cnn_lenet", "optimizers_minimize_sgd", "gradients_names",
           "control_flow_while", "rnn_dynamic", "variables_variable"]


def best(function, turns, clock=time.process_time):
    times = []
    for _ in range(turns):
        start = clock()
        function()
        times.append(clock() - start)
    return min(times)


def in_graph(function):
    def run():
        with tf.Graph().as_default():
            function()
    return run


def additions(n=500):
    x = tf.constant(1.0)
    for _ in range(n):
        x = x + x


def layers(n=1000):
    x = tf.placeholder(tf.float32, [None, 8])
    for i in range(n):
        w = tf.get_variable("w%d" % i, [8, 8])
        b = tf.get_variable("b%d" % i, [8], initializer=tf.zeros_initializer())
        x = tf.nn.relu(tf.matmul(x, w) + b)


def script(path):
    with open(path) as f:
        code = compile(f.read(), os.path.basename(path), "exec")

    def raises(f):
        try:
            f()
        except Exception as e:
            return str(e)

    def run():
        exec(code, {"tf": tf, "np": np, "show": lambda *a: None, "raises": raises, "__name__": "example"})
    return run


def steps(n):
    with tf.Graph().as_default(), tf.Session() as sess:
        c = tf.constant(1.0) + tf.constant(2.0)
        p = tf.placeholder(tf.float32, [3])
        d = p * 2.0
        feed = {p: np.ones(3, np.float32)}
        for _ in range(200):
            sess.run(c)
            sess.run(d, feed)

        def fetch():
            for _ in range(n):
                sess.run(c)

        def fed():
            for _ in range(n):
                sess.run(d, feed)

        print("run, three nodes           %8.1f us" % (best(fetch, 40, time.perf_counter) / n * 1e6))
        print("run, one feed              %8.1f us" % (best(fed, 40, time.perf_counter) / n * 1e6))


print("x + x                      %8.1f us per node" % (best(in_graph(additions), 5) / 500 * 1e6))
print("net of 1,000 layers        %8.1f ms" % (best(in_graph(layers), 2) * 1e3))
steps(100)
if len(sys.argv) > 1:
    folder, total = os.path.abspath(sys.argv[1]), 0
    os.chdir(tempfile.mkdtemp())
    for name in SCRIPTS:
        t = best(in_graph(script(os.path.join(folder, name + ".py"))), 3)
        total += t
        print("%-34s %8.1f ms" % (name, t * 1e3))
    print("%-34s %8.1f ms" % ("together", total * 1e3))
