"""Eager execution: the programs of eager_cases.py and function_cases.py against the output of TensorFlow 1.15.5 (eager.json), and what only Weft's implementation has to keep.

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
import function_cases  # noqa: F401 (registers programs)
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

    def test_each_thread_differentiates_its_own_work(self):
        right, wrong = [], []

        def work(k):
            try:
                v = tf.Variable(np.full([60, 60], k + 1.0, np.float32))
                for _ in range(40):
                    with tf.GradientTape() as tape:
                        y = tf.reduce_sum(tf.matmul(v, v)) + tf.reduce_sum(tf.map_fn(lambda row: row * row, v))
                    slope = tape.gradient(y, v).numpy()
                np.testing.assert_allclose(slope, 122.0 * (k + 1), rtol=1e-5)
                right.append(k)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual((sorted(right), wrong), (list(range(6)), []))

    def test_arrays_of_tensors_can_be_changed(self):
        x = tf.constant([1.0, 2.0])
        taken = x.numpy()
        taken[0] = 5.0
        self.assertEqual(x.numpy().tolist(), [1.0, 2.0])
        with self.assertRaises(ValueError):
            np.asarray(x)[0] = 5.0

    def test_a_failed_check_harms_nothing_that_follows(self):
        with self.assertRaises(tf.errors.InvalidArgumentError):
            tf.debugging.assert_equal(1, 2)
        with self.assertRaises(tf.errors.InvalidArgumentError):
            tf.map_fn(lambda x: tf.reshape(x, [7]), tf.constant([1, 2]))
        self.assertIsNone(tf.debugging.assert_equal(1, 1))
        self.assertEqual(tf.where([True, False]).numpy().tolist(), [[0]])
        self.assertEqual(float(tf.reduce_mean([1.0, 3.0])), 2.0)

    def test_checks_with_branches_of_their_own(self):
        lengths = tf.constant([2, 0, 1], tf.int64)
        self.assertIsNone(tf.debugging.assert_non_negative(lengths))
        with self.assertRaises(tf.errors.InvalidArgumentError):
            tf.debugging.assert_non_negative(lengths - 1)
        self.assertEqual(tf.RaggedTensor.from_row_lengths([1, 2, 3], lengths).to_list(), [[1, 2], [], [3]])

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

    def test_modes_are_left_and_entered_again(self):
        from weft import context

        before, context._global_graph = context._global_graph, None
        try:
            tf.compat.v1.disable_v2_behavior()
            self.assertFalse(tf.executing_eagerly())  # asking makes no graph
            tf.enable_eager_execution()
            self.assertTrue(tf.executing_eagerly())
        finally:
            context.eager_by_default, context._global_graph = True, before

    def test_variables_made_on_a_later_call_of_a_function_are_refused(self):
        @tf.function
        def f(x):
            return tf.Variable(x)

        with self.assertRaisesRegex(ValueError, "tried to create variables on non-first call"):
            f(1.0)

class Functions(unittest.TestCase):
    """tf.function."""

    def test_methods_keep_their_objects_while_they_are_called(self):
        class Scale:
            def __init__(self):
                self.factor = tf.Variable(2.0)

            @tf.function
            def call(self, x):
                if x > 0:
                    return x * self.factor
                return -x

        self.assertEqual((float(Scale().call(tf.constant(3.0))), float(Scale().call(tf.constant(-3.0)))), (6.0, 3.0))

    def test_variables_are_changed_in_each_turn_of_a_loop(self):
        total, last = tf.Variable(0), tf.Variable(0)

        @tf.function
        def f(n):
            for i in tf.range(n):
                total.assign_add(i)
                last.assign(total * 10)
            return total + last

        self.assertEqual(int(f(tf.constant(4))), 66)
        self.assertEqual((total.numpy(), last.numpy()), (6, 60))
        data = tf.data.Dataset.range(5).map(lambda x: x * x)

        @tf.function
        def g():
            for x in data:
                total.assign_add(tf.cast(x, tf.int32))

        g()
        self.assertEqual(total.numpy(), 36)

    def test_variables_that_go_while_a_function_is_traced_leave_nothing_in_it(self):
        gone = [tf.Variable(1.0)]

        @tf.function
        def f(x):
            gone.clear()
            gc.collect()
            return x + 1

        concrete = f.get_concrete_function(tf.constant(1.0))
        self.assertEqual(concrete.captured_inputs, [])
        self.assertNotIn("DestroyResourceOp", [op.type for op in concrete.graph.get_operations()])

    def test_names_of_the_function_around_are_written(self):
        calls = 0

        @tf.function
        def f(x):
            nonlocal calls
            calls += 1
            return x if x > 0 else -x

        self.assertEqual((float(f(tf.constant(-2.0))), float(f(tf.constant(3.0))), calls), (2.0, 3.0, 1))


class Models(unittest.TestCase):
    """Keras models."""

    def model(self, optimizer):
        made = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")])
        made.compile(optimizer, "mse", metrics=["mae"])
        return made

    def test_callbacks_of_a_program_see_eager_execution(self):
        seen, model = [], self.model("sgd")

        class Watch(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                seen.append((model(tf.ones([1, 2])).numpy().item(), model.predict(np.ones((1, 2))).item()))

        model.fit(np.ones((4, 2)), np.zeros((4, 1)), callbacks=[Watch()], verbose=0)
        np.testing.assert_allclose(seen, [[1.88, 1.88]], rtol=1e-6)

    def test_optimizers_of_tf_train_train_models(self):
        model = self.model(tf.train.AdamOptimizer(0.1))
        losses = model.fit(np.ones((4, 2)), np.zeros((4, 1)), verbose=0, epochs=3).history["loss"]
        np.testing.assert_allclose(losses, [4.0, 2.89, 1.9663], rtol=1e-4)
        self.assertEqual(model.optimizer.iterations.numpy(), 3)

    def test_optimizers_are_called_inside_functions(self):
        layer, optimizer = tf.keras.layers.Dense(1, kernel_initializer="ones"), tf.keras.optimizers.Adam(0.1)

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(layer(x) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, layer.trainable_variables), layer.trainable_variables))
            return loss

        np.testing.assert_allclose([float(step(tf.ones([1, 2]))) for _ in range(3)], [4.0, 2.89, 1.9663], rtol=1e-4)

    def test_an_empty_data_set_is_refused(self):
        data = tf.data.Dataset.from_tensor_slices((np.ones((0, 2), np.float32), np.ones((0, 1), np.float32))).batch(2)
        with self.assertRaisesRegex(ValueError, "Empty training data"):
            self.model("sgd").fit(data, steps_per_epoch=2, verbose=0)



if __name__ == "__main__":
    stored_output.main(_GOLDEN, cases.CASES, measured, _test)
