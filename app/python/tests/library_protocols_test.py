"""What libraries for TensorFlow 1.x rely on beyond public names. Passes in TensorFlow 1.15 as well."""

import collections
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.feature_column import feature_column as old_columns
from tensorflow.python.feature_column import feature_column_v2
from tensorflow.python.ops import array_ops, rnn, rnn_cell_impl, standard_ops, variable_scope
from tensorflow.python.ops.rnn import rnn_cell_impl as through_rnn


class _Lengths(old_columns._DenseColumn, feature_column_v2.DenseColumn, collections.namedtuple("_Lengths", ["key", "scale"])):
    """The scaled length of a text, as libraries define columns."""

    _is_v2_column = property(lambda self: False)  # abstract in TensorFlow's newer base class, as are the five names after it
    name = property(lambda self: "lengths_of_" + self.key)
    _variable_shape = variable_shape = property(lambda self: tf.TensorShape([1]))
    _parse_example_spec = parse_example_spec = property(lambda self: {self.key: tf.FixedLenFeature([1], tf.string)})
    parents = property(lambda self: [self.key])

    def _transform_feature(self, inputs):
        return tf.cast(tf.strings.length(inputs.get(self.key)), tf.float32) * self.scale

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return inputs.get(self)

    def transform_feature(self, transformation_cache, state_manager):
        return self._transform_feature(transformation_cache)

    def get_dense_tensor(self, transformation_cache, state_manager):
        return transformation_cache.get(self, state_manager)

    def _get_config(self):
        return self._asdict()

    @classmethod
    def _from_config(cls, config, custom_objects=None, columns_by_name=None):
        return cls(**config)


class Protocols(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_modules_have_the_modules_that_they_import(self):
        self.assertIs(through_rnn, rnn_cell_impl)
        self.assertIs(rnn.rnn_cell_impl, rnn_cell_impl)
        self.assertIs(rnn.vs, variable_scope)
        self.assertTrue(callable(standard_ops.reduce_sum))
        with self.assertRaises(ImportError):
            from tensorflow.python.ops.rnn import image_ops  # noqa: F401

    def test_optimizers_derive_directly_from_optimizer(self):
        for name in ("Adadelta", "Adagrad", "AdagradDA", "Adam", "Ftrl", "GradientDescent", "Momentum", "ProximalAdagrad", "ProximalGradientDescent", "RMSProp"):
            self.assertIs(getattr(tf.train, name + "Optimizer").__base__, tf.train.Optimizer)

    def test_shapes_that_are_not_optimized(self):
        x = tf.zeros([2, 3])
        self.assertEqual([array_ops.shape_internal(x, optimize=o).op.type for o in (True, False)], ["Const", "Shape"])
        self.assertEqual([array_ops.size_internal(x, optimize=o).op.type for o in (True, False)], ["Const", "Size"])
        self.assertEqual([array_ops.rank_internal(x, optimize=o).op.type for o in (True, False)], ["Const", "Rank"])
        self.assertEqual(array_ops.shape_internal(tf.placeholder(tf.float32, [None, 3])).op.type, "Shape")
        sparse = tf.SparseTensor([[0, 1]], [1.], [3, 4])
        with tf.Session() as s:
            self.assertEqual([np.asarray(v).tolist() for v in s.run([f(sparse) for f in (array_ops.shape_internal, array_ops.size_internal, array_ops.rank_internal)])], [[3, 4], 12, 2])

    def test_a_cell_may_set_trainable_before_its_base_class_is_initialized(self):
        class Cell(tf.nn.rnn_cell.RNNCell):
            def __init__(self):
                self.trainable = False

            state_size = output_size = property(lambda self: 2)

            def __call__(self, inputs, state, scope=None):
                return inputs + state, state + 1

        cell = Cell()
        self.assertFalse(cell.trainable)
        outputs, state = tf.nn.static_rnn(cell, [tf.ones([1, 2])] * 3, dtype=tf.float32)
        with tf.Session() as s:
            self.assertEqual(s.run([outputs[2], state])[0].tolist(), [[3., 3.]])

    def test_columns_that_libraries_define(self):
        column = _Lengths("word", 0.5)
        self.assertIsInstance(tf.feature_column.numeric_column("x"), old_columns._DenseColumn)
        self.assertNotIsInstance(tf.feature_column.categorical_column_with_identity("i", 3), old_columns._DenseColumn)
        features = {"word": tf.constant([["a"], ["four"]]), "x": tf.constant([[1.], [2.]])}
        row = tf.feature_column.input_layer(features, [tf.feature_column.numeric_column("x"), column])
        self.assertEqual(sorted(tf.feature_column.make_parse_example_spec([column])), ["word"])
        with tf.Session() as s:
            self.assertEqual(s.run(row).tolist(), [[0.5, 1.], [2., 2.]])
        with self.assertRaises(TypeError):
            type("Incomplete", (old_columns._DenseColumn,), {})()

    def test_a_builder_of_columns_makes_each_once(self):
        column = tf.feature_column.bucketized_column(tf.feature_column.numeric_column("x"), [1.5])
        builder = old_columns._LazyBuilder({"x": tf.constant([[1.], [2.]])})
        self.assertIs(builder.get(column), builder.get(column))


if __name__ == "__main__":
    unittest.main()
