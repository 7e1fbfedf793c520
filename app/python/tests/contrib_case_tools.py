"""How a case of contrib_graphs_test.py is registered, and what cases have in common."""

import numpy as np
import tensorflow as tf

CASES = {}
slim = tf.contrib.slim
layers = tf.contrib.layers


def case(runs=1, fill=True, shown=None, names=True):
    """Registers a case: how often what it gives is run (0: only its graph counts), whether variables get set numbers, or what is shown of it instead of running it;
    names=False: only values are compared."""
    def register(function):
        function.runs, function.fill, function.shown, function.names = runs, fill, shown, names
        CASES[function.__name__] = function
        return function

    return register


def numbers(*shape, **kwargs):
    """Set numbers in a shape."""
    size = int(np.prod(shape))
    return tf.constant((np.cos(np.arange(size) * 1.3) * kwargs.get("scale", 1.0)).reshape(shape), tf.float32)
