"""A step on GPUs with little memory, from far too little to plenty: each run ends with its results or with one error that names the largest tensors, and the session lives on."""
import os
import subprocess
import sys

PROGRAM = """
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 256])
with tf.device("/gpu:0"):
    h = x
    for i in range(4):
        h = tf.nn.relu(tf.matmul(h, tf.get_variable("w%d" % i, [256, 256])))
    gradients = tf.gradients(tf.reduce_sum(h), tf.trainable_variables())
with tf.Session() as session:
    try:
        session.run(tf.global_variables_initializer())
        session.run(gradients, {x: np.ones((2000, 256), "f")})
        print("done")
    except tf.errors.ResourceExhaustedError as e:
        assert "OOM when allocating" in e.message and "the largest tensors held are" in e.message, e.message
        print("full")
    assert session.run(tf.constant(1) + 1) == 2
"""
MEGABYTES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 40, 64, 128)


def main():
    outcomes = []
    for size in MEGABYTES:
        environment = dict(os.environ, WEFT_GPU_HOST_MEMORY=str(size * 1000000))
        run = subprocess.run([os.environ["WEFT"], "py", "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert run.returncode == 0 and run.stdout.strip() in ("done", "full"), (size, run.returncode, run.stdout, run.stderr[-2000:])
        outcomes.append(run.stdout.strip())
    print(dict(zip(MEGABYTES, outcomes)))
    assert outcomes[0] == "full" and outcomes[-1] == "done" and outcomes == sorted(outcomes, reverse=True), outcomes


if __name__ == "__main__":
    sys.exit(main())
