"""Eager execution: the programs of eager_cases.py against the output of TensorFlow 1.15.5 (eager.json), and what only Weft's implementation has to keep.

weft py eager_test.py; `eager_test.py --write` with the Python of TensorFlow 1.15.5 writes the file anew."""

import contextlib
import gc
import io
import os
import re
import sys
import threading
import unittest
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import eager_cases as cases
import stored_output
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

_GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "eager.json")
_VOLATILE = re.compile(r"id=\d+, | name: [\w/]+$")  # numbers of tensors; names that TensorFlow's own functions give their ops


def measured(name):
    """The output of a program, line by line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        cases.CASES[name]()
    return [_VOLATILE.sub("", line) for line in out.getvalue().splitlines()]


class Programs(stored_output.StoredOutput):
    """One test for each program."""


def _test(name, expected):
    def test(self):
        self.same_lines(measured(name), expected)

    return test


class Tensors(unittest.TestCase):
    """Values, memory and threads."""

    def test_values_are_freed_with_their_tensors(self):
        from weft import _weft
        from weft.context import eager_graph

        x = tf.constant(np.ones(1000, np.float32))
        for _ in range(3000):
            x = tf.nn.relu(x * 1.0) + tf.reduce_sum(x) * 0.0  # engine functions, which build nodes
        gc.collect()
        self.assertLess(eager_graph()._core.size(), 2100)
        self.assertLess(_weft.eager_kept_bytes(eager_graph()._core), 80 << 20)

    def test_a_variable_is_destroyed_with_its_object(self):
        v = tf.Variable(1.0)
        handle = v.handle
        del v
        gc.collect()
        with self.assertRaises(tf.errors.NotFoundError):
            tf.raw_ops.DestroyResourceOp(resource=handle, ignore_lookup_error=False)

    def test_threads_compute_at_the_same_time(self):
        wrong = []

        def work(k):
            for i in range(200):
                with tf.GradientTape() as tape:
                    x = tf.constant(float(k + i))
                    tape.watch(x)
                    y = x * x
                if float(y) != float(k + i) ** 2:
                    wrong.append((k, i))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_a_tensor_with_a_value_is_refused_in_a_graph(self):
        x = tf.constant(1.0)
        with tf.Graph().as_default(), self.assertRaisesRegex(RuntimeError, "Attempting to capture an EagerTensor without building a function"):
            tf.add(x, 1.0)

    def test_enabling_too_late_is_refused(self):
        tf.compat.v1.disable_eager_execution()
        try:
            tf.constant(1.0)
            with self.assertRaisesRegex(ValueError, "must be called at program startup"):
                tf.enable_eager_execution()
        finally:
            from weft import context

            context.eager_by_default = True

    def test_variables_made_on_a_later_call_of_a_function_are_refused(self):
        @tf.function
        def f(x):
            return tf.Variable(x)

        with self.assertRaisesRegex(ValueError, "tried to create variables on non-first call"):
            f(1.0)


if __name__ == "__main__":
    stored_output.main(_GOLDEN, cases.CASES, measured, _test)
