"""Python's protocols on variables, tensors, shapes, templates and sparse tensors: weft py object_protocols_test.py

The expected values are TensorFlow 1.15.5's."""

import copy
import unittest

import numpy as np
import tensorflow as tf


class ProtocolTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_resource_variables(self):
        v = tf.get_variable("v", [2], use_resource=True, initializer=tf.ones_initializer())
        for call in (lambda: bool(v), lambda: 1 in v, lambda: len(v), lambda: int(v), lambda: float(v), lambda: [0][v], lambda: list(v)):
            self.assertRaises(TypeError, call)
        for method in ("__iadd__", "__isub__", "__imul__", "__itruediv__", "__ipow__"):
            with self.assertRaisesRegex(RuntimeError, "value not supported"):
                getattr(v, method)(1.)
        self.assertRaises(NotImplementedError, v.numpy)
        self.assertRaises(NotImplementedError, lambda: copy.deepcopy(v))
        self.assertIs(copy.copy(v), v)

    def test_reference_variables(self):
        v = tf.Variable(3.)
        x = v
        x += 1.
        self.assertEqual(x.op.type, "AddV2")
        self.assertTrue(bool(v))
        with tf.Session() as session:
            session.run(v.initializer)
            self.assertEqual(session.run([x, v]), [4., 3.])

    def test_shapes_with_unknown_dimensions(self):
        a, b, x = tf.TensorShape([2, None]), tf.TensorShape([2, None]), tf.placeholder(tf.float32, [None, 3])
        self.assertEqual((a == b, a != b, a == a, a != a, a == [2, None]), (False, True, True, False, False))
        self.assertEqual((x.shape == x.shape, x.shape != tf.identity(x).shape, tf.TensorShape(a) == a), (True, True, True))
        self.assertEqual((tf.TensorShape([2, 3]) == [2, 3], tf.TensorShape(None) == tf.TensorShape(None), a in [b]), (True, True, False))
        self.assertRaises(ValueError, lambda: a != tf.TensorShape(None))
        x.set_shape([4, 3])
        self.assertTrue(x.shape == [4, 3])

    def test_template(self):
        def function(x):
            k = tf.get_variable("k", [], initializer=tf.ones_initializer())
            return x * k + tf.get_variable("n", [], trainable=False, initializer=tf.ones_initializer())

        t = tf.make_template("t", function)
        self.assertEqual((t.variable_scope, t.variable_scope_name, t.variables), (None, None, []))
        t(1.)
        t(2.)
        self.assertEqual((t.var_scope.name, t.variable_scope_name, t.name), ("t", "t/", "t"))
        self.assertEqual([[v.op.name for v in vs] for vs in (t.variables, t.trainable_variables, t.non_trainable_variables, t.local_variables, t.weights)],
                         [["t/k", "t/n"], ["t/k"], ["t/n"], [], ["t/k", "t/n"]])
        early = tf.make_template("u", lambda: tf.identity(tf.get_variable("w", []), name="out"), create_scope_now_=True)
        self.assertEqual((early.variable_scope.name, early().op.name, early().op.name), ("u", "u/out", "u_1/out"))
        fails = tf.make_template("f", lambda: tf.Variable(1.))
        fails()
        with self.assertRaisesRegex(ValueError, "(?s)Trainable variable created when calling a template.*originally defined at"):
            fails()

    def test_a_template_that_fails_first_may_be_called_again(self):
        def function(ok):
            v = tf.get_variable("v", [])
            if not ok:
                raise KeyError("no")
            return v

        t = tf.make_template("t", function)
        self.assertRaises(KeyError, t, False)
        self.assertRaises(ValueError, t, True)  # the variable exists, and the scope does not reuse yet

    def test_scopes_without_a_name_scope(self):
        with tf.variable_scope("a", auxiliary_name_scope=False) as scope:
            self.assertEqual(scope.original_name_scope, "")
        with tf.name_scope("n"), tf.variable_scope("b", auxiliary_name_scope=False) as scope:
            self.assertEqual(scope.original_name_scope, "n/")

    def test_profiles_of_before(self):
        analyzer = tf.contrib.tfprof.model_analyzer
        self.assertEqual(analyzer.FLOAT_OPS_OPTIONS["order_by"], "float_ops")
        self.assertEqual(analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS["account_type_regexes"], ["_trainable_variables"])
        self.assertEqual(analyzer.PRINT_ALL_TIMING_MEMORY["min_bytes"], 1)
        tf.get_variable("w", [3, 2])
        options = dict(analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS, output="none")
        self.assertEqual(analyzer.print_model_analysis(tf.get_default_graph(), tfprof_options=options).total_parameters, 6)


class ArgumentTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.value = tf.SparseTensorValue(np.array([[0, 1], [1, 0]], np.int64), np.array([-1., 4.], np.float32), np.array([2, 3], np.int64))
        self.session = tf.Session()

    def tearDown(self):
        self.session.close()

    def run_(self, x):
        return self.session.run(x)

    def test_functions_of_sparse_values(self):
        x = tf.SparseTensor.from_value(self.value)
        for function in (tf.abs, tf.negative, tf.sign, tf.square, tf.sqrt, tf.tanh, tf.erf, tf.math.abs, tf.nn.tanh):
            got, expected = self.run_([function(x), function(self.value.values)])
            np.testing.assert_array_equal(got.values, expected)
            self.assertEqual(got.indices.tolist(), self.value.indices.tolist())
        self.assertEqual(self.run_(tf.to_int64(x)).values.tolist(), [-1, 4])
        self.assertEqual(self.run_(tf.cast(x, tf.int32)).values.dtype, np.int32)
        for function in (tf.sin, tf.exp, tf.floor, tf.zeros_like):
            self.assertRaises(TypeError, function, x)

    def test_sparse_values_as_arguments(self):
        v = self.value
        self.assertEqual([self.run_(f(v)).tolist() for f in (tf.shape, tf.size, tf.rank)], [[2, 3], 6, 2])
        self.assertEqual(self.run_(tf.sparse_reshape(v, [3, 2])).indices.tolist(), [[0, 1], [1, 1]])
        self.assertEqual(self.run_(tf.sparse_retain(v, [True, False])).values.tolist(), [-1.])
        self.assertEqual(self.run_(tf.sparse_concat(0, [v, v])).dense_shape.tolist(), [4, 3])
        self.assertEqual(self.run_(tf.sparse_add(v, v)).values.tolist(), [-2., 8.])
        self.assertEqual(self.run_(tf.sparse_reduce_sum(v, 1)).tolist(), [-1., 4.])
        self.assertEqual(self.run_(tf.sparse_fill_empty_rows(v, 0.)[0]).values.tolist(), [-1., 4.])
        labels = tf.SparseTensorValue(np.array([[0, 0], [1, 0]], np.int64), np.array([1, 0], np.int64), np.array([2, 1], np.int64))
        _, update = tf.metrics.recall_at_k(labels, tf.constant([[.1, .9], [.2, .8]]), 1)
        self.run_(tf.local_variables_initializer())
        self.assertEqual(self.run_(update), 0.5)
        self.assertRaises(TypeError, tf.nn.embedding_lookup_sparse, tf.ones([3, 2]), labels, None)

    def test_old_spellings_that_are_none(self):
        x = tf.constant([[1., -2.], [3., 4.]])
        self.assertEqual(self.run_(tf.reduce_sum(x, axis=1, reduction_indices=None)).tolist(), [-1., 7.])
        self.assertEqual(self.run_(tf.reduce_max(x, None, keep_dims=None)).tolist(), 4.)
        self.assertEqual(self.run_(tf.reduce_sum(x, None, reduction_indices=1)).tolist(), [-1., 7.])
        self.assertEqual(self.run_(tf.argmax(x, axis=1, dimension=None)).tolist(), [0, 1])
        for call in (lambda: tf.reduce_sum(x, axis=0, reduction_indices=1), lambda: tf.reduce_sum(x, 0, reduction_indices=1)):
            self.assertRaisesRegex(ValueError, "Cannot specify both", call)

    def test_a_placeholder_of_any_shape(self):
        p = tf.placeholder_with_default([[1.]], None)
        self.assertIsNone(p.shape.ndims)
        self.assertEqual(self.session.run(p, {p: [1., 2.]}).tolist(), [1., 2.])


if __name__ == "__main__":
    unittest.main()
