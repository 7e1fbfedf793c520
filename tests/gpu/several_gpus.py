"""Two towers of one training, on two GPUs of the host build, give what the CPU gives, in whatever order queued work runs."""
import os
import subprocess
import sys

import numpy as np
import tensorflow as tf

SEED = os.environ.get("WEFT_GPU_HOST_SEED")


def train(devices):
    rows = np.random.RandomState(0)
    x, y = rows.rand(8, 4).astype("f"), rows.rand(8, 2).astype("f")
    tf.reset_default_graph()
    weights = tf.get_variable("weights", [4, 2], initializer=tf.constant_initializer(0.1))
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    xs, ys = tf.placeholder(tf.float32, x.shape), tf.placeholder(tf.float32, y.shape)
    losses, gradients = [], []
    for i, device in enumerate(devices):
        with tf.device(device):
            mine = slice(i * 4, (i + 1) * 4)
            losses.append(tf.reduce_mean(tf.square(tf.matmul(tf.tanh(xs[mine]), weights) - ys[mine])))
            gradients.append(optimizer.compute_gradients(losses[-1], [weights])[0][0])
    with tf.device(devices[-1]):
        mean = tf.add_n(gradients) / 2.0
    step = optimizer.apply_gradients([(mean, weights)])
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        steps = [session.run([losses, step], {xs: x, ys: y})[0] for _ in range(5)]
        return np.array(steps), session.run(weights)


def main():
    devices = [d.name for d in tf.config.experimental.list_physical_devices("GPU")]
    assert len(devices) == 2, devices
    here, there = train(["/cpu:0", "/cpu:0"]), train(["/gpu:0", "/gpu:1"])
    for a, b in zip(here, there):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7)
    if SEED is None:
        for seed in ("3", "17", "99"):
            subprocess.run([os.environ["WEFT"], "py", os.path.abspath(__file__)], env=dict(os.environ, WEFT_GPU_HOST_SEED=seed), check=True)


if __name__ == "__main__":
    sys.exit(main())
