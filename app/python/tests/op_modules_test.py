"""Functions of tensorflow.python.ops that have no public name, tf.einsum, tf.case and ragged rows. Passes in TensorFlow 1.15 as well."""

import collections
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import function
from tensorflow.python.ops import array_ops, control_flow_ops, control_flow_util, custom_gradient, gen_bitwise_ops, gen_math_ops, gradients_impl, image_ops_impl, init_ops, math_ops, nn_grad, nn_impl, nn_ops, op_selector
from tensorflow.python.ops.losses import util


class Sums(InGraph):
    def test_axes_of_many_inputs(self):
        rng = np.random.RandomState(1)
        for equation in ("ij,ij,jk,kl->il", "eb,cb,fb->cef", "ba,ac,da->bcd", "bca,cdb,dbf,afc->", "ab,ab,ab"):
            inputs = [rng.rand(*(3 + "abcdefijkl".index(a) for a in part)) for part in equation.partition("->")[0].split(",")]
            np.testing.assert_allclose(self.value(tf.einsum(equation, *(tf.constant(v) for v in inputs))), np.einsum(equation, *inputs), rtol=1e-9)
        with self.assertRaisesRegex(ValueError, "Dimension mismatch on axis: b"):
            tf.einsum("ab,cb,db->acd", tf.ones([2, 3]), tf.ones([2, 3]), tf.ones([2, 4]))

    def test_unknown_size(self):
        x = tf.placeholder(tf.float32, [None, 2])
        got = self.value(tf.einsum("ab,cb,db->acd", x, tf.ones([1, 2]), tf.ones([3, 2])), {x: [[1., 2.], [3., 4.]]})
        self.assertEqual(got.tolist(), [[[3.] * 3], [[7.] * 3]])


class Choices(InGraph):
    def test_last_case_is_the_default(self):
        x = tf.placeholder(tf.int32, [])
        chosen = tf.case([(tf.equal(x, k), lambda k=k: tf.constant(10 * k)) for k in (1, 2, 3)], exclusive=True)
        self.assertEqual([self.value(chosen, {x: k}) for k in (1, 2, 3)], [10, 20, 30])
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Input error: None of conditions evaluated as True"):
            self.value(chosen, {x: 4})

    def test_one_result(self):
        pair = collections.namedtuple("Single", "a")
        got = tf.cond(tf.constant(True), lambda: pair(tf.constant(1)), lambda: pair(tf.constant(3)))
        self.assertEqual(self.value(got), 1)
        self.assertIsInstance(tf.cond(tf.constant(True), lambda: pair(tf.constant(1)), lambda: pair(tf.constant(3)), strict=True), pair)

    def test_eager_switch(self):
        with context.eager_mode():
            x, y = tf.constant(2.), tf.constant(3.)
            for index, wanted in ((0, (4., None)), (1, (None, 3.)), (7, (None, 3.)), (-1, (None, 3.))):
                with tf.GradientTape() as tape:
                    tape.watch([x, y])
                    chosen = control_flow_ops.switch_case(tf.constant(index), [lambda: x * x, lambda: y * 3.])
                self.assertEqual(tuple(None if g is None else g.numpy() for g in tape.gradient(chosen, [x, y])), wanted)


class Gradients(InGraph):
    def test_dependent_variables(self):
        v, other = tf.Variable([1., 2.]), tf.Variable([3., 4.], trainable=False)
        x = tf.identity(v)
        self.assertEqual(custom_gradient.get_dependent_variables([x], [x * 2.]), [])
        self.assertEqual(custom_gradient.get_dependent_variables([x], {"y": x * v + other}), [v])
        self.assertEqual(custom_gradient.get_dependent_variables([x], [x + tf.ones_like(v)]), [])
        self.assertTrue(op_selector.is_differentiable((x * x).op))
        self.assertFalse(op_selector.is_differentiable(tf.shape(v).op))
        with self.assertRaisesRegex(ValueError, "Unsuccessful at finding variable none."):
            custom_gradient.get_variable_by_name("none")

    def test_recomputed(self):
        x = tf.constant([1., 2.])
        with tf.variable_scope("", use_resource=True):
            v = tf.get_variable("v", initializer=[3., 4.])
            y = tf.recompute_grad(lambda a: a * a * v)(x)
        self.assertEqual([g.tolist() for g in self.value(tf.gradients(y, [x, v]))], [[6., 16.], [1., 4.]])

    def test_hessian_product(self):
        x = tf.constant([1., 2.])
        self.assertEqual(self.value(gradients_impl._hessian_vector_product(tf.reduce_sum(x * x * x), [x], [tf.constant([1., 10.])])[0]).tolist(), [6., 120.])
        with self.assertRaisesRegex(ValueError, "xs and v must have the same length."):
            gradients_impl._hessian_vector_product(x, [x], [])


    def test_functions_have_their_own_gradients(self):
        def square(x):
            return x * x

        x = tf.constant(2.)
        plain, tripled = (function.Defun(tf.float32, **more)(square) for more in ({}, {"python_grad_func": lambda op, g: 3. * g * op.inputs[0]}))
        self.assertEqual(self.value([tf.gradients(f(x), x)[0] for f in (plain, tripled, plain)]), [4., 6., 4.])
        twice = function.Defun(tf.float32, grad_func=function.Defun(tf.float32, tf.float32)(lambda x, g: g), python_grad_func=lambda op, g: g)(square)
        with self.assertRaisesRegex(ValueError, "Gradient defined twice"):
            twice.add_to_graph(tf.Graph())

    def test_of_variables(self):
        v = tf.get_variable("v", initializer=[1., 2.], use_resource=True)
        self.assertEqual(self.value(tf.gradients(v, v)[0]).tolist(), [1., 1.])
        other = tf.get_variable("other", initializer=[1., 2.], use_resource=True)
        self.assertIsNone(tf.gradients(tf.assign(v, other * 2.), other)[0])
        zeros = tf.gradients(tf.constant(0.), v, unconnected_gradients=tf.UnconnectedGradients.ZERO)[0]
        self.assertEqual((zeros.dtype, self.value(zeros).tolist()), (tf.float32, [0., 0.]))

    def test_two_of_a_condition(self):
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
        self.addCleanup(setattr, control_flow_util, "ENABLE_CONTROL_FLOW_V2", False)
        x, y = tf.constant(1.), tf.constant(5.)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            first, second = (tf.cond(tf.constant(p), lambda: x ** 2., lambda: y ** 2.) for p in (True, False))
        self.assertEqual(self.value([tape.gradient(t, [x, y], output_gradients=3.) for t in (first, second)]), [[6., 0.], [0., 30.]])

    def test_jacobian_of_unknown_size(self):
        x = tf.placeholder(tf.float32, [None])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        self.assertEqual(self.value(tape.jacobian(y, x), {x: [1., 2.]}).tolist(), [[3., 0.], [0., 12.]])


    def test_batch_normalization(self):
        rng = np.random.RandomState(2)
        x, scale = tf.constant(rng.rand(2, 3, 3, 2), tf.float32), tf.constant([1., 2.])
        for is_training in (True, False):
            mean, variance = (None, None) if is_training else (tf.constant([.2, .3]), tf.constant([.5, .6]))
            y = tf.nn.fused_batch_norm(x, scale, tf.zeros(2), mean=mean, variance=variance, epsilon=0.01, is_training=is_training)[0]
            given = tf.constant(rng.rand(2, 3, 3, 2), tf.float32)
            for got, wanted in zip(*self.value([nn_grad._BatchNormGrad(given, x, scale, mean, variance, 0.01, b"NHWC", is_training)[:2], tf.gradients(y, [x, scale], given)])):
                np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


class Names(InGraph):
    def test_of_version_2(self):
        x = tf.constant([[3., 4.]])
        self.assertEqual(self.value([array_ops.size_v2(x), array_ops.expand_dims_v2(x, 0), nn_impl.l2_normalize_v2(x, axis=1)[0]])[2].tolist(), [np.float32(0.6), np.float32(0.8)])
        self.assertEqual([f.__name__ for f in (array_ops.size_v2, array_ops.gather_v2, nn_ops.softmax_v2)], ["size_v2", "gather_v2", "softmax_v2"])

    def test_raw_ops(self):
        self.assertEqual(self.value(gen_math_ops.Add(x=1, y=2)), 3)
        for add in (gen_math_ops.Add, tf.raw_ops.Add):
            with self.assertRaisesRegex(TypeError, r"Add only takes keyword args \(possible keys: \['x', 'y', 'name'\]\). Please pass these args as kwargs instead."):
                add(1, 2)

    def test_slices(self):
        slices = math_ops._as_indexed_slices(tf.constant([[1.], [2.]]))
        self.assertEqual([t.tolist() for t in self.value([slices.values, slices.indices, slices.dense_shape])], [[[1.], [2.]], [0, 1], [2, 1]])
        with self.assertRaisesRegex(TypeError, "Not a Tensor or IndexedSlices"):
            math_ops._as_indexed_slices(1.)

    def test_transposed_convolutions(self):
        for n in (1, 2, 3):
            got = nn_ops.conv_transpose(tf.ones([1] + [2] * n + [1]), tf.ones([2] * n + [1, 1]), [1] + [4] * n + [1], 2)
            self.assertEqual(self.value(got).ravel().tolist(), [1.] * 4 ** n)
        with self.assertRaisesRegex(ValueError, "output_shape must be of length 3, 4 or 5 but was 2."):
            nn_ops.conv_transpose(None, 2, [2, 3], "SAME")

    def test_losses(self):
        self.assertEqual(self.value(nn_impl.compute_average_loss([1., 2., 6.], sample_weight=[1., 0., .5])), np.float32(4. / 3.))
        self.assertEqual(self.value(nn_impl.compute_average_loss([1, 2, 3, 4, 5], global_batch_size=10)), 1.5)
        self.assertEqual(self.value(tf.nn.scale_regularization_loss([1., 2.])), 3.)
        self.assertEqual(util.squeeze_or_expand_dimensions(tf.ones([2, 3]), None, tf.ones([2]))[2].shape.as_list(), [2, 1])
        with self.assertRaisesRegex(ValueError, "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1, received:"):
            nn_impl.compute_average_loss(2.)

    def test_sampled_logits(self):
        sampled = (tf.constant([1, 2], tf.int64), tf.constant([[.5], [.25]]), tf.constant([1., .5]))
        logits, labels = nn_impl._compute_sampled_logits(tf.constant([[1., 0.], [0., 1.], [1., 1.]]), tf.constant([.5, 1., 2.]), tf.constant([[0], [2]]), tf.constant([[1., 2.], [3., 4.]]), 2, 3,
                                                         sampled_values=sampled, remove_accidental_hits=True)
        logits, labels = self.value([logits, labels])
        np.testing.assert_allclose(logits[:, :2], [[1.5 - np.log(.5), 3.], [9. - np.log(.25), 5.]], rtol=1e-6)
        self.assertAlmostEqual(logits[0, 2], 5. - np.log(.5), places=5)
        self.assertLess(logits[1, 2], -1e30)
        self.assertEqual(labels.tolist(), [[1., 0., 0.], [1., 0., 0.]])

    def test_slices_of_lists(self):
        slices = tf.IndexedSlices(tf.constant([[1.], [2.]]), tf.constant([0, 2]), dense_shape=[3, 1])
        self.assertEqual(self.value(tf.convert_to_tensor(slices)).tolist(), [[1.], [0.], [2.]])
        self.assertEqual(self.value(tf.scalar_mul(3, slices).values).tolist(), [[3.], [6.]])
        with self.assertRaisesRegex(ValueError, "Only scalar multiply works, got shape"):
            tf.scalar_mul([1., 2.], slices)

    def test_images(self):
        shape, _, checks = image_ops_impl._verify_compatible_image_shapes(tf.ones([2, 3, 3, 1]), tf.ones([1, 3, 3, 1]))
        self.assertEqual((self.value(shape).tolist(), len(checks)), ([2, 3, 3, 1], 2))
        with self.assertRaisesRegex(ValueError, "Two images are not compatible"):
            image_ops_impl._verify_compatible_image_shapes(tf.ones([2, 3, 3, 1]), tf.ones([4, 3, 3, 1]))

    def test_images_of_integers(self):
        for values, wanted, kind in ((np.array([0, 2 ** 32]), [0, 1], tf.int32), (np.array([0, 1], np.int32), [0, 2 ** 32], tf.int64), (np.array([0, 255], np.uint8), [0, 32640], tf.int16)):
            self.assertEqual(self.value(tf.image.convert_image_dtype(tf.constant(values, tf.as_dtype(values.dtype)), kind)).tolist(), wanted)

    def test_tests_that_run_in_both_modes(self):
        seen = []

        @tf.contrib.eager.run_all_tests_in_graph_and_eager_modes
        class Both(tf.test.TestCase):
            def test_product(self):
                seen.append(tf.executing_eagerly())
                v = tf.get_variable("v", initializer=2., use_resource=True)
                self.evaluate(tf.global_variables_initializer())
                self.assertEqual(self.evaluate(v * 3.), 6.)

        result = unittest.TestResult()
        Both("test_product").run(result)
        self.assertEqual((seen, result.errors, result.failures), ([False, True], [], []))
        with self.assertRaisesRegex(ValueError, "only supports test methods"):
            tf.contrib.eager.run_test_in_graph_and_eager_modes(Both)

    def test_inverses_and_sums_of_distributions(self):
        self.assertEqual(self.value(tf.distributions.Normal(1., 2.).quantile([0.5, 0.975])).round(4).tolist(), np.float32([1., 4.9199]).tolist())
        classes = tf.distributions.Categorical(probs=[[0.2, 0.3, 0.5], [0.5, 0.25, 0.25]])
        self.assertEqual(self.value(classes.cdf([2, 1])).round(4).tolist(), [0.5, 0.5])
        self.assertEqual(self.value(classes.cdf(0)).tolist(), [0., 0.])

    def test_rows_for_ids_that_may_be_missing(self):
        from tensorflow.python.ops import embedding_ops

        ids = tf.SparseTensor([[0, 0], [2, 0], [2, 1]], tf.constant([1, 0, -1], tf.int64), [3, 2])
        found = embedding_ops.safe_embedding_lookup_sparse_v2(tf.constant([[1., 2.], [3., 4.]]), ids)
        self.assertEqual(self.value(found).tolist(), [[3., 4.], [0., 0.], [1., 2.]])

    def test_labels_of_ctc(self):
        logits = tf.constant(np.random.RandomState(1).rand(6, 2, 4).astype(np.float32))
        for labels, blank, wanted in (([[1, 2, 2], [3, 1, 0]], None, [4.8805, 2.7562]), ([[1, 2, 2], [0, 1, 0]], -1, [5.8148, 2.8503]), ([[0, 2, 2], [3, 2, 0]], 1, [5.309, 3.4108])):
            loss = tf.nn.ctc_loss_v2(labels, logits, [3, 2], [6, 5], blank_index=blank)
            self.assertEqual(self.value(loss).round(4).tolist(), np.float32(wanted).tolist())
        with self.assertRaisesRegex(ValueError, "blank_index must be given when using SparseTensor labels."):
            tf.nn.ctc_loss_v2(tf.SparseTensor([[0, 0]], [1], [1, 1]), logits, None, [6, 5])

    def test_matrices_that_are_operators(self):
        matrix = tf.Variable([[2., 1.], [1., 2.]])
        operator = tf.linalg.LinearOperatorFullMatrix(matrix, is_self_adjoint=True, is_positive_definite=True)
        self.assertEqual(operator.variables, (matrix,))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            x = tf.constant([[1.], [2.]])
            self.assertEqual(session.run(tf.matmul(operator, x)).tolist(), [[4.], [5.]])
            self.assertEqual(session.run(tf.matmul(x, operator, adjoint_a=True)).tolist(), [[4., 5.]])
            self.assertEqual(session.run([tf.linalg.det(operator), tf.linalg.trace(operator)]), [3., 4.])
        with self.assertRaisesRegex(ValueError, "Transposing not supported"):
            tf.matmul(operator, x, transpose_b=True)

    def test_initial_values(self):
        self.assertEqual([init_ops._compute_fans(tf.TensorShape(s)) for s in ([], [3], [2, 3], [5, 6, 4, 2])], [(1, 1), (3, 3), (2, 3), (120, 60)])
        self.assertEqual(tf.constant(1., shape=[0, 3]).shape.as_list(), [0, 3])
        with self.assertRaisesRegex(ValueError, "Too many elements provided. Needed at most 0, but received 1"):
            tf.constant(np.array([1.]), shape=[0, 3])


class Ragged(InGraph):
    def test_rows(self):
        with context.eager_mode():
            ragged = tf.ragged.constant([[1, 2], [3]])
            self.assertEqual([row.numpy().tolist() for row in ragged], [[1, 2], [3]])
            self.assertEqual(repr(ragged), "<tf.RaggedTensor [[1, 2], [3]]>")
            with self.assertRaisesRegex(IndexError, "Row key 2 out of bounds"):
                ragged[2]

    def test_generated_functions(self):
        x, y = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[3, 2], [5]])
        self.assertEqual(self.value(gen_bitwise_ops.bitwise_and(x, y)).to_list(), [[1, 2], [1]])

    def test_cached_values(self):
        with self.assertRaisesRegex(TypeError, "Cached value must be a Tensor or None."):
            tf.RaggedTensor(tf.constant([1, 2]), tf.constant([0, 2], tf.int64), cached_row_lengths=[2], internal=True)


if __name__ == "__main__":
    unittest.main()
