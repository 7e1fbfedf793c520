"""Control flow of version 2, functions as arguments of operations, checks while execution is eager, and helpers of TensorFlow's own modules. Passes in TensorFlow 1.15 as well."""

import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import function
from tensorflow.python.ops import (array_ops, check_ops, control_flow_util, critical_section_ops, data_flow_ops, functional_ops, init_ops, inplace_ops, math_ops, resource_variable_ops, state_ops,
                                   weights_broadcast_ops)
from tensorflow.python.ops.distributions import special_math, util
from tensorflow.python.ops.linalg import linear_operator_addition, linear_operator_algebra, linear_operator_util


class FlowV2(InGraph):
    def setUp(self):
        super().setUp()
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
        self.addCleanup(setattr, control_flow_util, "ENABLE_CONTROL_FLOW_V2", False)

    def test_branch(self):
        x = tf.constant(2.)
        y = tf.cond(x < 3., lambda: x * x, lambda: x + 1.)
        self.assertEqual((y.op.type, y.op.inputs[0].op.type), ("Identity", "StatelessIf"))
        self.assertEqual(self.value([y, tf.gradients(y, x)[0]]), [4., 4.])
        with self.assertRaisesRegex(TypeError, "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of return values."):
            tf.cond(x < 3., lambda: x, lambda: 1)
        with self.assertRaisesRegex(ValueError, "Operation 'cond' has been marked as not fetchable."):
            self.value(y.op.inputs[0])

    def test_loop(self):
        x = tf.constant(2.)
        i, y = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * x), [0, x])
        self.assertEqual(y.op.inputs[0].op.type, "While")
        self.assertEqual(self.value([i, y, tf.gradients(y, x)[0]]), [5, 64., 192.])
        self.assertEqual(self.value(tf.while_loop(lambda a: a < 100., lambda a: a * x, [x], maximum_iterations=3)), 16.)
        self.assertEqual(self.value(tf.map_fn(lambda v: v * x, tf.constant([1., 2.]))).tolist(), [2., 4.])

    def test_nested_gradients(self):
        x = tf.constant(2.)

        def branch():
            return tf.gradients(tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1], x)[0]

        self.assertEqual(self.value(tf.cond(x > 0., branch, lambda: x)), 32.)


class Flow(InGraph):
    def test_switches_of_branches_and_loops(self):
        x = tf.placeholder(tf.int32)
        tf.cond(x < 7, lambda: tf.while_loop(lambda v: v < 5, lambda v: tf.cond(v < 3, lambda: v + 1, lambda: v + 2), [x]), lambda: x)
        kinds = {}
        for op in tf.get_default_graph().get_operations():
            if control_flow_util.IsSwitch(op):
                kinds[op.name] = control_flow_util.IsCondSwitch(op), control_flow_util.IsLoopSwitch(op)
            if control_flow_util.IsMerge(op):
                kinds[op.name] = control_flow_util.IsCondMerge(op), control_flow_util.IsLoopMerge(op)
        loops = sorted(name for name, (in_branch, in_loop) in kinds.items() if in_loop)
        self.assertEqual(loops, ["cond/while/Merge", "cond/while/Switch_1"])
        self.assertFalse(any(a and b for a, b in kinds.values()))

    def test_not_fetchable(self):
        inside = []
        result = tf.while_loop(lambda t: t < 5, lambda t: (inside.append(tf.constant(5)), tf.constant(10))[1], [tf.constant(0)])
        self.assertEqual(self.value(result), 10)
        with self.assertRaisesRegex(ValueError, "has been marked as not fetchable"):
            self.value(inside[0])

    def test_functions_with_captures(self):
        captured = tf.placeholder_with_default(5., [])

        @function.Defun(tf.int32, tf.float32)
        def goes_on(n, x):
            return n > 0

        @function.Defun(tf.int32, tf.float32)
        def turn(n, x):
            return n - 1, x + captured

        @function.Defun(tf.int32, tf.float32)
        def step(i, x):
            return x + captured + tf.cast(i, tf.float32)

        self.assertEqual(self.value(functional_ops.While([3, 0.], goes_on, turn)), [0, 15.])
        self.assertEqual(self.value(functional_ops.For(0, 3, 1, [0.], step)), [18.])
        self.assertEqual(self.value(functional_ops.For(0, 3, 1, [0.], step, rewrite_with_while=True)), [18.])

    def test_critical_section(self):
        section = critical_section_ops.CriticalSection(name="cs")
        v = resource_variable_ops.ResourceVariable(0., name="v")
        outputs = [section.execute(lambda: v.assign_add(1.).op) for _ in range(10)]
        with tf.Session() as s:
            s.run(v.initializer)
            s.run(outputs)
            self.assertEqual(s.run(v), 10.)
        other = critical_section_ops.CriticalSection(name="other")
        with self.assertRaisesRegex(ValueError, "requested exclusive resource access"):
            other.execute(lambda: v.assign_add(1.).op)

    def test_barrier(self):
        b = data_flow_ops.Barrier((tf.float32, tf.float32), shapes=((), ()), name="B")
        inserted = [b.insert_many(i, ["k1", "k2"], [10. + i, 20. + i]) for i in (0, 1)]
        taken = b.take_many(2)
        self.assertEqual([t.shape.as_list() for t in taken[2]], [[2], [2]])
        with tf.Session() as s:
            s.run(inserted)
            self.assertEqual(s.run(b.ready_size()), [2])
            keys = s.run(taken)[1]
        self.assertEqual(sorted(keys.tolist()), [b"k1", b"k2"])


class Checks(InGraph):
    def test_rank_must_be_a_scalar(self):
        with self.assertRaisesRegex(ValueError, "Rank must be a scalar"):
            check_ops.assert_rank(tf.constant([1, 2]), np.array([1, 2], np.int32))
        rank = tf.placeholder(tf.int32)
        with tf.control_dependencies([check_ops.assert_rank(tf.constant([1, 2]), rank)]):
            out = tf.identity(rank)
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Rank must be a scalar"):
            self.value(out, {rank: [1, 2]})

    def test_unknown_shape_is_ensured(self):
        self.assertIsNone(tf.ensure_shape(tf.placeholder(tf.int32), None).shape.ndims)

    def test_weights(self):
        with self.assertRaisesRegex(ValueError, "weights can not be broadcast to values. Mismatch at dim 0."):
            weights_broadcast_ops.assert_broadcastable(tf.ones([3, 1]), tf.ones([2, 2]))
        weights = tf.placeholder(tf.float32)
        made = weights_broadcast_ops.broadcast_weights(weights, tf.ones([2, 2]))
        self.assertEqual(self.value(made, {weights: [[1.], [2.]]}).tolist(), [[1., 1.], [2., 2.]])
        with self.assertRaises(tf.errors.InvalidArgumentError):
            self.value(made, {weights: [[1.], [2.], [3.]]})

    def test_eager(self):
        with context.eager_mode():
            x = tf.constant([[1., 2.], [3., 4.]])
            self.assertIsNone(check_ops.assert_less(x, x + 1.))
            self.assertIsNone(check_ops.assert_near(x, x))
            self.assertIsNone(tf.Assert(True, [x]))
            with self.assertRaises(tf.errors.InvalidArgumentError) as caught:
                check_ops.assert_equal(x, tf.constant([[1., 5.], [6., 4.]]), message="words", summarize=2)
            self.assertEqual(caught.exception.message.split("\n"), ["words", "Condition x == y did not hold.", "Indices of first 2 different values:", "[[0 1]", " [1 0]]",
                                                                   "Corresponding x values:", "[2. 3.]", "Corresponding y values:", "[5. 6.]", "First 2 elements of x:",
                                                                   "[1. 2.]", "First 2 elements of y:", "[1. 5.]"])
            with self.assertRaisesRegex(tf.errors.InvalidArgumentError, r"Expected 'tf.Tensor\(False, shape=\(\), dtype=bool\)' to be true. Summarized data: 1.0, 2.0, 3.0, ...\n7"):
                tf.Assert(tf.constant(False), [x, 7])
            with self.assertRaisesRegex(ValueError, "Tensor  must have rank 1.  Received rank 2"):
                check_ops.assert_rank_v2(x, 1)
            with self.assertRaisesRegex(TypeError, "tensor must be of type <dtype: 'int32'>"):
                check_ops.assert_type_v2(x, tf.int32)


class Helpers(InGraph):
    def test_orthogonal_kernels(self):
        for n, make in ((1, init_ops.convolutional_orthogonal_1d), (2, init_ops.convolutional_orthogonal_2d), (3, init_ops.convolutional_orthogonal_3d)):
            kernel = self.value(make(gain=2., seed=3)([3] * n + [2, 4]))
            # The sum over all places is orthogonal, as the kernel is at frequency 0.
            total = kernel.sum(axis=tuple(range(n)))
            np.testing.assert_allclose(total.dot(total.T), 4. * np.eye(2), atol=1e-4)
        kernel = self.value(init_ops.convolutional_delta_orthogonal()([3, 3, 2, 2]))
        np.testing.assert_allclose(kernel[1, 1].dot(kernel[1, 1].T), np.eye(2), atol=1e-5)
        self.assertEqual(np.count_nonzero(kernel), 4)
        self.assertRaisesRegex(ValueError, "Kernel sizes must be equal.", init_ops.convolutional_orthogonal_2d(), [3, 2, 2, 2])

    def test_rows_changed(self):
        x = tf.constant([[1., 2.], [3., 4.]])
        self.assertEqual(self.value(inplace_ops.inplace_update(x, 1, [7., 8.])).tolist(), [[1., 2.], [7., 8.]])
        self.assertEqual(self.value(inplace_ops.inplace_add(x, [0, 1], [[1., 1.], [2., 2.]])).tolist(), [[2., 3.], [5., 6.]])
        self.assertEqual(self.value(inplace_ops.inplace_sub(x, None, [[1., 1.], [2., 2.]])).tolist(), [[0., 1.], [1., 2.]])
        self.assertEqual(state_ops.variable_op([2, 3], tf.float32, set_shape=False).shape.ndims, None)

    def test_dilated_convolutions_of_arrays(self):
        x, f = np.ones([1, 5, 5, 1], np.float32), np.ones([2, 2, 1, 1], np.float32)
        for made in (tf.nn.atrous_conv2d(x, f, 2, "SAME"), tf.nn.convolution(x, f, "SAME", dilation_rate=[2, 2]), tf.nn.atrous_conv2d(tf.constant(x), f, 2, "SAME")):
            self.assertEqual(made.shape, [1, 5, 5, 1])
            with tf.Session() as session:
                self.assertEqual(session.run(made)[0, :, 2, 0].tolist(), [2.0, 4.0, 4.0, 4.0, 2.0])

    def test_arrays(self):
        self.assertIs(array_ops.newaxis, None)
        found = array_ops.batch_gather_nd(tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), tf.constant([[[0], [1]], [[1], [0]]]), 1)
        self.assertEqual(self.value(found).tolist(), [[[1, 2], [3, 4]], [[7, 8], [5, 6]]])
        self.assertEqual(self.value(math_ops._bucketize([-5, 2, 11], [0, 3, 8])).tolist(), [0, 1, 3])
        self.assertEqual(self.value(tf.constant(np.matrix("1 2; 3 4"), shape=(2, 1, 2))).shape, (2, 1, 2))
        self.assertEqual(self.value(tf.size(tf.SparseTensor([[0, 0]], [1], [3, 4]))), 12)

    def test_circulant(self):
        operator = tf.linalg.LinearOperatorCirculant(np.fft.fft([1., 2., 3.]).astype(np.complex64), input_output_dtype=tf.float32)
        dense = np.array([[1., 3., 2.], [2., 1., 3.], [3., 2., 1.]])
        np.testing.assert_allclose(self.value(operator.to_dense()), dense, atol=1e-5)
        np.testing.assert_allclose(self.value(operator.solvevec([1., 2., 3.])), np.linalg.solve(dense, [1., 2., 3.]), atol=1e-5)
        np.testing.assert_allclose(self.value([operator.determinant(), operator.trace()]), [18., 3.], rtol=1e-5)

    def test_sums_of_operators(self):
        one, diag = tf.linalg.LinearOperatorIdentity(2, is_positive_definite=True), tf.linalg.LinearOperatorDiag([2., 3.], is_positive_definite=True)
        total, = linear_operator_addition.add_operators([one, diag])
        self.assertIsInstance(total, tf.linalg.LinearOperatorDiag)
        self.assertTrue(total.is_positive_definite and total.is_non_singular)
        self.assertEqual(self.value(total.to_dense()).tolist(), [[3., 0.], [0., 4.]])

        class Own(tf.linalg.LinearOperator):
            def _shape(self):
                return tf.TensorShape([1, 1])

            def _shape_tensor(self):
                return tf.constant([1, 1])

            def _matmul(self, x, adjoint=False, adjoint_arg=False):
                return x

        linear_operator_algebra.RegisterAdjoint(Own)(lambda a: "mine")
        self.assertEqual(Own(dtype=None).adjoint(), "mine")
        self.assertRaisesRegex(ValueError, "has already been registered", linear_operator_algebra.RegisterAdjoint(Own), lambda a: None)
        self.assertRaises(ValueError, linear_operator_util.use_operator_or_provided_hint_unless_contradicting, diag, "is_positive_definite", False, "contradicts")

    def test_distributions(self):
        x = np.array([-30., -1., 0.5, 3.])
        np.testing.assert_allclose(self.value(special_math.log_ndtr(tf.constant(x))), [-454.32124395634424, -1.8410216450092636, -0.36894641528865635, -0.0013508099647481938], rtol=1e-5)
        np.testing.assert_allclose(self.value(special_math.ndtri(tf.constant([1e-20, 0.1, 0.9], tf.float64))), [-9.262340089798408, -1.2815515655446004, 1.2815515655446004], rtol=1e-9)
        self.assertEqual(self.value(util.fill_triangular([1., 2., 3., 4., 5., 6.])).tolist(), [[4., 0., 0.], [6., 5., 0.], [3., 2., 1.]])
        self.assertEqual(self.value(util.fill_triangular_inverse([[4., 0., 0.], [6., 5., 0.], [3., 2., 1.]])).tolist(), [1., 2., 3., 4., 5., 6.])
        self.assertLess(self.value(tf.distributions.Normal(0., 1.).log_survival_function(20.)), -200.)


if __name__ == "__main__":
    unittest.main()
