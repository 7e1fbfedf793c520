"""Registration of the cases of contrib_graphs_test.py, and shared helpers."""

import numpy as np
import tensorflow as tf

CASES = {}
slim = tf.contrib.slim
layers = tf.contrib.layers


def case(runs=1, fill=True, shown=None, names=True):
    """Decorator: registers a case. The parameters say how often its result is run (0: only its graph is compared), whether variables get fixed numbers, and
    what to show instead of running it. names=False: only values are compared."""
    def register(function):
        function.runs, function.fill, function.shown, function.names = runs, fill, shown, names
        CASES[function.__name__] = function
        return function

    return register


def numbers(*shape, **kwargs):
    """Fixed numbers in a shape."""
    size = int(np.prod(shape))
    return tf.constant((np.cos(np.arange(size) * 1.3) * kwargs.get("scale", 1.0)).reshape(shape), tf.float32)
