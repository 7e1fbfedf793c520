"""Data and a loop for the programs of this folder. `SICK`: whether the program has its fault; its sound neighbour is run with the argument `sound`."""

import sys

import numpy as np
import tensorflow as tf

SICK = sys.argv[1:] != ["sound"]
_random = np.random.RandomState(0)
CENTERS = _random.randn(10, 20).astype(np.float32)
LABELS = np.arange(2000) % 10
ROWS = CENTERS[LABELS] + _random.randn(2000, 20).astype(np.float32) * .3
ORDER = _random.permutation(2000)
tf.set_random_seed(1)


def batches(count, size=50, order=ORDER):
    """Rows and labels, `size` at a time."""
    for i in range(count):
        at = order[np.arange(i * size, (i + 1) * size) % len(order)]
        yield ROWS[at], LABELS[at]


def one_hot(labels):
    return np.eye(10, dtype=np.float32)[labels]
