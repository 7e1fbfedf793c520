"""Types of data sets' elements, options, ragged tensors in data sets and the names behind them. Passes in TensorFlow 1.15.5, too."""

import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import cardinality, distribute, optimization
from tensorflow.python.data.ops import dataset_ops, optional_ops
from tensorflow.python.data.util import convert, nest, options, structure, traverse
from tensorflow.python.eager import context
from tensorflow.python.framework import sparse_tensor, tensor_spec, type_spec
from tensorflow.python.ops.ragged import ragged_batch_gather_with_default_op, ragged_conversion_ops, ragged_map_ops, ragged_tensor, ragged_tensor_shape


class Specs(tf.test.TestCase):
    def testStructures(self):
        ragged, sparse = tf.ragged.constant([[1], [2, 3]]), tf.SparseTensor([[0, 1]], [1.0], [2, 3])
        spec = structure.type_spec_from_value({"r": ragged, "s": sparse, "t": (1, np.zeros([2]))})
        self.assertEqual(spec["r"], tf.RaggedTensorSpec([2, None], tf.int32))
        self.assertEqual(spec["s"], tf.SparseTensorSpec([2, 3], tf.float32))
        self.assertEqual(spec["t"], (tf.TensorSpec([], tf.int32), tf.TensorSpec([2], tf.float64)))
        self.assertEqual([s.dtype for s in structure.get_flat_tensor_specs(spec)], [tf.variant, tf.variant, tf.int32, tf.float64])
        tensors = structure.to_tensor_list(spec["r"], ragged)
        self.assertEqual(self.evaluate(structure.from_tensor_list(spec["r"], tensors)).to_list(), [[1], [2, 3]])
        self.assertTrue(structure.are_compatible(tf.TensorSpec([None]), tf.TensorSpec([3])))
        self.assertFalse(structure.are_compatible(tf.TensorSpec([]), (tf.TensorSpec([]),)))

    def testTensorSpecs(self):
        self.assertIsInstance(tf.TensorSpec([]), type_spec.BatchableTypeSpec)
        self.assertEqual(tf.TensorSpec([2])._batch(3), tf.TensorSpec([3, 2]))
        self.assertEqual(hash(tf.TensorSpec([2])), hash(tf.TensorSpec([2])))
        with self.assertRaisesRegex(ValueError, "rank >= 1"):
            tf.TensorSpec([])._unbatch()
        bounded = tensor_spec.BoundedTensorSpec([2], tf.int32, 0, [3, 4])
        self.assertAllEqual(bounded.maximum, [3, 4])
        with self.assertRaisesRegex(ValueError, "minimum is not compatible"):
            tensor_spec.BoundedTensorSpec([2], tf.int32, [0, 0, 0], 1)

    def testRaggedElements(self):
        values = tf.data.Dataset.range(10).map(lambda x: tf.ragged.constant([[[0]]], dtype=tf.int64) + x).batch(5)
        self.assertEqual(values.element_spec, tf.RaggedTensorSpec([None, 1, None, None], tf.int64, 3))
        step = values.make_one_shot_iterator().get_next()
        with self.cached_session() as session:
            self.assertEqual(session.run(step).to_list(), [[[[i]]] for i in range(5)])
            self.assertEqual(session.run(step).to_list(), [[[[i]]] for i in range(5, 10)])

    def testOptions(self):
        one, two = tf.data.Options(), tf.data.Options()
        one.experimental_optimization.autotune, two.experimental_optimization.autotune = True, False
        with self.assertRaisesRegex(ValueError, "Cannot merge incompatible values"):
            tf.data.Dataset.range(1).with_options(one).with_options(two)
        with self.assertRaisesRegex(TypeError, "must be of type"):
            one.experimental_slack = 1
        with self.assertRaises(AttributeError):
            one.no_such_option = True
        self.assertIs(options.merge_options(one, tf.data.Options()).experimental_optimization.autotune, True)

    def testOptionals(self):
        spec = optional_ops.OptionalSpec(tf.TensorSpec([], tf.int32))
        values = tf.data.Dataset.from_tensors(optional_ops.Optional.from_value(37))
        self.assertEqual(values.element_spec, spec)
        self.assertEqual(self.evaluate(values.make_one_shot_iterator().get_next().get_value()), 37)

    def testNesting(self):
        with self.assertRaisesRegex(ValueError, "don't have the same nested structure"):
            nest.assert_same_structure((1, 2), (1, (2,)))
        nest.assert_same_structure({"a": 1}, (1,), check_types=False)
        with self.assertRaisesRegex(ValueError, "same nested structure"):
            nest.map_structure(lambda x, y: None, 3, (3,))
        with self.assertRaisesRegex(TypeError, "same sequence type"):
            nest.assert_shallow_structure({"a": 1}, (1,))

    def testNames(self):
        class Own(dataset_ops.UnaryUnchangedStructureDataset):
            def __init__(self, source):
                super().__init__(source, source._variant_tensor)

        own = Own(dataset_ops.MapDataset(dataset_ops.Dataset.range(3), lambda x: x + 1))
        self.assertIsInstance(own, dataset_ops.DatasetV2)
        self.assertIsInstance(dataset_ops.DatasetV1Adapter(own), dataset_ops.DatasetV1)
        self.assertEqual(self.evaluate(cardinality.cardinality(own)), 3)
        self.assertEqual([o.type for o in traverse.obtain_all_variant_tensor_ops(own)], ["MapDataset", "RangeDataset"])
        batches = distribute._RebatchDataset(dataset_ops.Dataset.range(8).batch(4, drop_remainder=True), num_replicas=2)
        self.assertEqual(batches.element_spec, tf.TensorSpec([2], tf.int64))
        checked = dataset_ops.Dataset.range(3).apply(optimization.assert_next(["Map"])).map(lambda x: x)
        checked.make_one_shot_iterator()
        self.assertAllEqual(convert.partial_shape_to_tensor([None, 2]), [-1, 2])
        self.assertTrue(sparse_tensor.is_sparse(tf.SparseTensorValue([[0]], [1], [1])))
        self.assertIn("tensorflow.python.framework.errors_impl.OutOfRangeError", str(tf.errors.OutOfRangeError))

    def testEagerIteration(self):
        with context.eager_mode(), self.cached_session() as session:
            iterator = iter(tf.data.Dataset.range(2))
            self.assertEqual([session.run(iterator._next_internal()) for _ in range(2)], [0, 1])
            with self.assertRaises(tf.errors.OutOfRangeError):
                iterator._next_internal()
            with self.assertRaises(RuntimeError):
                session.run(tf.constant(1), feed_dict={"x": 1})


class Ragged(tf.test.TestCase):
    def testMapFn(self):
        rows = tf.ragged.constant([[1, 2, 3], [4], [5, 6]])
        kind = ragged_tensor.RaggedTensorType(tf.int32, 1)
        self.assertEqual(self.evaluate(ragged_map_ops.map_fn(lambda x: x * 2, rows, dtype=kind, infer_shape=False)).to_list(), [[2, 4, 6], [8], [10, 12]])
        self.assertAllEqual(ragged_map_ops.map_fn(tf.reduce_sum, rows, dtype=tf.int32), [6, 4, 11])
        with self.assertRaisesRegex(ValueError, "declared ragged rank"):
            ragged_map_ops.map_fn(lambda x: x, rows, dtype=ragged_tensor.RaggedTensorType(tf.int32, 2))

    def testDefaults(self):
        params, indices = tf.ragged.constant([["a", "b", "c"], ["d"], [], ["e"]]), tf.ragged.constant([[1, 2, -1], [], [], [0, 10]])
        found = ragged_batch_gather_with_default_op.batch_gather_with_default(params, indices, "?")
        self.assertEqual(self.evaluate(found).to_list(), [[b"b", b"c", b"?"], [], [], [b"e", b"?"]])

    def testDense(self):
        rows = tf.ragged.constant([[1, 2, 3], [], [4]])
        self.assertAllEqual(ragged_conversion_ops.ragged_to_dense(rows, default_value=9), [[1, 2, 3], [9, 9, 9], [4, 9, 9]])
        self.assertAllEqual(ragged_conversion_ops.ragged_to_dense(rows, shape=[4, None]), [[1, 2, 3], [0, 0, 0], [4, 0, 0], [0, 0, 0]])

    def testBroadcast(self):
        shape = ragged_tensor_shape.RaggedTensorDynamicShape.from_dim_sizes([3, [1, 0, 2], 2])
        self.assertEqual(self.evaluate(ragged_tensor_shape.broadcast_to([7, 7], shape)).to_list(), [[[7, 7]], [], [[7, 7], [7, 7]]])


if __name__ == "__main__":
    tf.test.main()
