"""tensorflow.python.ops.parallel_for, tf.vectorized_map and tf.compat.v2.test.compute_gradient. All but test_columns passes in TensorFlow 1.15 as well."""

import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.ops import gradient_checker_v2, parallel_for
from tensorflow.python.ops.parallel_for import control_flow_ops as loops


class Case(InGraph):
    def same(self, function, types, count=3):
        """pfor computes what a loop computes."""
        found, wanted = self.value([parallel_for.pfor(function, count), parallel_for.for_loop(function, types, count)])
        for a, b in zip(tf.contrib.framework.nest.flatten(found), tf.contrib.framework.nest.flatten(wanted)):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


class Loops(Case):
    def test_rows(self):
        x = tf.constant([[1., 2.], [3., 4.], [5., 6.]])
        got = parallel_for.pfor(lambda i: tf.reduce_sum(tf.gather(x, i) * [1., 10.]), 3)
        self.assertEqual(self.value(got).tolist(), [21., 43., 65.])
        self.assertEqual([op.type for op in got.graph.get_operations() if op.type in ("While", "Enter", "LoopCond")], [])
        self.assertEqual(self.value(tf.vectorized_map(lambda row: row[0] - row[1], x)).tolist(), [-1., -1., -1.])
        self.assertEqual(self.value(parallel_for.pfor(lambda i: 7, 2)).tolist(), [7, 7])

    def test_shapes(self):
        x = tf.constant(np.arange(24, dtype=np.float32).reshape(3, 2, 4))
        y = tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2))

        def body(i):
            a, b = tf.gather(x, i), tf.gather(y, i)
            return (tf.transpose(a), tf.reshape(a, [-1]), tf.expand_dims(a, -1), tf.concat([a, a], 1), a[:, 1:3], tf.tile(a, [1, 2]), tf.stack([b, b], 1),
                    tf.gather(x[0], tf.cast(b, tf.int32) // 3, axis=1), a * b[:, tf.newaxis], a + 1., tf.squeeze(a[:1]), tf.where(b > 2., b, -b), tf.pad(a, [[1, 0], [0, 2]]),
                    tf.one_hot(tf.cast(b, tf.int32), 4), tf.reduce_max(a, -1), tf.cumsum(a, 1), tf.shape(a), tf.size(a))

        types = [tf.float32] * 16 + [tf.int32] * 2
        self.same(body, types)

    def test_columns(self):
        """TensorFlow's pfor refuses these."""
        x, columns = tf.constant(np.arange(24, dtype=np.float32).reshape(3, 2, 4)), tf.constant([[1, 0], [2, 2], [0, 3]])
        self.same(lambda i: (tf.gather(tf.gather(x, i), [1, 0], axis=1), tf.gather(tf.gather(x, i), tf.gather(columns, i), axis=1)), [tf.float32] * 2)

    def test_products(self):
        x, y = (tf.constant(np.random.RandomState(n).rand(3, 4, 4), tf.float32) for n in (1, 2))
        self.same(lambda i: (tf.matmul(x[0], tf.gather(y, i), transpose_a=True), tf.matmul(tf.gather(x, i), y[0], transpose_b=True), tf.matmul(tf.gather(x, i), tf.gather(y, i)),
                             tf.matmul(tf.gather(x, i), tf.gather(y, i), transpose_a=True, transpose_b=True)), [tf.float32] * 4)

    def test_loop_inside(self):
        x = tf.constant([[1., 2.], [3., 4.], [5., 6.]])

        def body(i):
            same = tf.while_loop(lambda j, s: j < 3, lambda j, s: (j + 1, s + tf.gather(x, i)), [0, tf.zeros(2)])[1]
            different = tf.while_loop(lambda j, s: j < i, lambda j, s: (j + 1, s * 2. + tf.gather(x, i)), [0, tf.zeros(2)])[1]
            return same, different

        self.same(body, [tf.float32] * 2)

    def test_groups(self):
        x = tf.constant([1., 2., 3., 4., 5.])
        got = loops.pfor(lambda i: tf.gather(x, i) * 2., 5, parallel_iterations=2)
        self.assertEqual(self.value(got).tolist(), [2., 4., 6., 8., 10.])
        for count, words in ((0, "positive integer"), (1, "Use for_loop instead")):
            with self.assertRaisesRegex(ValueError, words):
                loops.pfor(lambda i: i, 5, parallel_iterations=count)

    def test_reductions(self):
        x = tf.constant([1., 2., 6.])
        got = loops.pfor(lambda i, pfor_config: tf.gather(x, i) - pfor_config.reduce_mean(tf.gather(x, i)), 3)
        self.assertEqual(self.value(got).tolist(), [-2., -1., 3.])

    def test_random(self):
        got = self.value(parallel_for.pfor(lambda i: tf.random_uniform([4]), 2))
        self.assertEqual(got.shape, (2, 4))
        self.assertFalse(np.array_equal(got[0], got[1]))

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "No converter defined for Unique"):
            parallel_for.pfor(lambda i: tf.unique(tf.reshape(i, [1]))[0], 3)
        with self.assertRaisesRegex(ValueError, "Number of expected outputs, 1, does not match the number of actual outputs, 2, from loop_fn"):
            parallel_for.for_loop(lambda i: (i, i), [tf.int32], 3)


class Eagerly(unittest.TestCase):
    def test_rows(self):
        with context.eager_mode():
            x = tf.constant([[1., 2.], [3., 4.]])
            self.assertEqual(tf.vectorized_map(lambda row: row * row[0], x).numpy().tolist(), [[1., 2.], [9., 12.]])
            self.assertEqual(parallel_for.for_loop(lambda i: tf.gather(x, i) + 1., tf.float32, 2).numpy().tolist(), [[2., 3.], [4., 5.]])

    def test_tape_of_the_caller(self):
        """A tape that was entered before also records what iterations compute."""
        with context.eager_mode():
            x = tf.constant([[1., 2.], [3., 4.]])
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)

            def body(i):
                with tape:
                    row = tf.gather(x, i)
                    y = tf.reduce_sum(row * row)
                return tape.gradient(y, row)

            self.assertEqual(parallel_for.pfor(body, 2).numpy().tolist(), [[2., 4.], [6., 8.]])
            self.assertEqual(parallel_for.for_loop(body, tf.float32, 2).numpy().tolist(), [[2., 4.], [6., 8.]])


class Jacobians(Case):
    def test_jacobian(self):
        x = tf.constant([[1., 2.], [3., 4.]])
        y = tf.matmul(x, x)
        wanted = np.array([self.value(tf.gradients(tf.reshape(y, [-1])[i], x)[0]) for i in range(4)]).reshape(2, 2, 2, 2)
        for use_pfor in (True, False):
            got = parallel_for.jacobian(y, x, use_pfor=use_pfor)
            self.assertEqual(got.shape.as_list(), [2, 2, 2, 2])
            np.testing.assert_allclose(self.value(got), wanted)
        self.assertIsNone(parallel_for.jacobian(y, [tf.constant(1.)])[0])

    def test_batch_jacobian(self):
        x = tf.constant([[1., 2.], [3., 4.]])
        for use_pfor in (True, False):
            self.assertEqual(self.value(parallel_for.batch_jacobian(x * x, x, use_pfor=use_pfor)).tolist(), [[[2., 0.], [0., 4.]], [[6., 0.], [0., 8.]]])
        with self.assertRaisesRegex(ValueError, "Need first dimension of output"):
            parallel_for.batch_jacobian(tf.zeros([3, 2]), x)

    def test_through_a_loop(self):
        x = tf.constant([[1., 2., 3.]])
        w = tf.constant(np.arange(9, dtype=np.float32).reshape(3, 3) / 10.)
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.matmul(a, w)), [0, x])[1]
        got = self.value(parallel_for.jacobian(y, x))
        np.testing.assert_allclose(got.reshape(3, 3), self.value(tf.matmul(tf.matmul(w, w), w)).T, rtol=1e-5)


class FunctionGradients(Case):
    def test_jacobians(self):
        with tf.Session():
            theory, numeric = gradient_checker_v2.compute_gradient(lambda x, y: x * x * y, [tf.constant([1., 2.]), tf.constant([3., 4.])])
            self.assertEqual([t.tolist() for t in theory], [[[6., 0.], [0., 16.]], [[1., 0.], [0., 4.]]])
            self.assertLess(gradient_checker_v2.max_error(theory, numeric), 1e-2)
            with self.assertRaisesRegex(ValueError, "`x` must be a list of Tensors"):
                gradient_checker_v2.compute_gradient(lambda x: x, 1.)


if __name__ == "__main__":
    unittest.main()
