"""Trains a line, saves and restores it, and checks what the environment says about TensorFlow."""

import importlib.util
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf

site = sys.argv[1]  # the environment's folder of packages

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [3, 1], initializer=tf.ones_initializer())
loss = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()
rows = np.random.RandomState(0).rand(64, 3).astype(np.float32)
truth = rows.dot(np.array([[1], [2], [3]], np.float32))
with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(1000):
        _, last = session.run([step, loss], {x: rows, y: truth})
    path = saver.save(session, os.path.join(folder, "line"))
    learned = session.run(w)
    session.run(w.assign(tf.zeros([3, 1])))
    saver.restore(session, path)
    assert np.array_equal(session.run(w), learned)
assert last < 1e-4, last

if sys.version_info >= (3, 8):
    from importlib import metadata

    assert metadata.version("tensorflow").partition("+")[0] == tf.__version__, (metadata.version("tensorflow"), tf.__version__)
assert tf.__version__.startswith("1.15"), tf.__version__
assert os.path.dirname(os.path.dirname(importlib.util.find_spec("weft").origin)) == site, importlib.util.find_spec("weft").origin

# Libraries come from the wheel, or from the system's libraries that every distribution has.
with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if ".so" in line}
ours = {name for name in loaded if "weft" in os.path.basename(name)}
assert ours and all(name.startswith(site) for name in ours), ours
bundled = {os.path.basename(name) for name in os.listdir(os.path.join(site, "weft", "lib"))} - {"libcrypto.so.3", "libssl.so.3"}  # Python has loaded its own of these
outside = {name for name in loaded if os.path.basename(name) in bundled and not name.startswith(site)}
print("fine", tf.__version__, np.__version__, sys.version.split()[0], *sorted(outside))
assert not outside or "--system" in sys.argv, outside
