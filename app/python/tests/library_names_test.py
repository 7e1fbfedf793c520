"""Names that libraries for TensorFlow 1.x need: ragged modules, type specs, nests, devices. Passes in TensorFlow 1.15 as well."""

import collections
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.python import tf2
from tensorflow.python.framework import composite_tensor, tensor_spec, type_spec
from tensorflow.python.ops.ragged import (ragged_array_ops, ragged_concat_ops, ragged_conversion_ops, ragged_factory_ops, ragged_gather_ops, ragged_math_ops, ragged_squeeze_op,
                                          ragged_tensor, ragged_util, ragged_where_op)
from tensorflow.python.util import nest


class Listed(InGraph):
    def listed(self, value):
        with tf.Session() as s:
            value = s.run(value)
        return value.to_list() if hasattr(value, "to_list") else np.asarray(value).tolist()


class Ragged(Listed):
    def test_reductions_and_segments(self):
        r = ragged_factory_ops.constant([[3, 1, 4], [], [1, 5]])
        self.assertEqual([self.listed(getattr(ragged_math_ops, "reduce_" + f)(r, axis=1)) for f in ("sum", "prod")], [[8, 0, 6], [12, 1, 5]])
        self.assertEqual(self.listed(ragged_math_ops.reduce_sum(r, axis=0)), [4, 6, 4])
        self.assertEqual(self.listed(ragged_math_ops.reduce_max(ragged_factory_ops.constant([[3, 1], [7]]), axis=1)), [3, 7])
        self.assertEqual(self.listed(ragged_math_ops.reduce_mean(ragged_factory_ops.constant([[3., 1.], [7.]]), axis=1)), [2., 7.])
        self.assertEqual(self.listed(ragged_math_ops.reduce_any(ragged_factory_ops.constant([[True, False], [False]]), axis=1)), [True, False])
        self.assertEqual(self.listed(ragged_math_ops.segment_sum(r, [0, 1, 0], 2)), [[4, 6, 4], []])
        self.assertEqual(self.listed(ragged_math_ops.segment_mean(ragged_factory_ops.constant([[2.], [4.]]), [0, 0], 1)), [[3.]])
        self.assertEqual(self.listed(ragged_math_ops.range([1, 5], [3, 6])), [[1, 2], [5]])

    def test_arrays(self):
        r = ragged_factory_ops.constant([[1, 2], [3]])
        self.assertEqual(self.listed(ragged_concat_ops.concat([r, [[9], [8]]], axis=1)), [[1, 2, 9], [3, 8]])
        self.assertEqual(self.listed(ragged_concat_ops.stack([r, r])), [[[1, 2], [3]], [[1, 2], [3]]])
        self.assertEqual(self.listed(ragged_array_ops.expand_dims(r, axis=0)), [[[1, 2], [3]]])
        self.assertEqual(self.listed(ragged_array_ops.tile(r, [1, 2])), [[1, 2, 1, 2], [3, 3]])
        self.assertEqual([self.listed(ragged_array_ops.size(r)), self.listed(ragged_array_ops.rank(r))], [3, 2])
        self.assertEqual(self.listed(ragged_array_ops.boolean_mask(r, ragged_factory_ops.constant([[True, False], [True]]))), [[1], [3]])
        self.assertEqual(self.listed(ragged_gather_ops.gather(r, [1, 0])), [[3], [1, 2]])
        self.assertEqual(self.listed(ragged_gather_ops.gather_nd(r, [[0, 1], [1, 0]])), [2, 3])
        self.assertEqual(self.listed(ragged_squeeze_op.squeeze(ragged_factory_ops.constant([[[1], [2]], [[3]]]), [2])), [[1, 2], [3]])
        self.assertEqual(self.listed(ragged_where_op.where(ragged_factory_ops.constant([[True, False], [True]]), r, ragged_factory_ops.constant([[7, 8], [9]]))), [[1, 8], [3]])

    def test_conversions(self):
        r = ragged_conversion_ops.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0)
        self.assertEqual(self.listed(r), [[1, 2], [3]])
        self.assertIs(ragged_conversion_ops.from_tensor(r), r)
        self.assertEqual(self.listed(ragged_conversion_ops.to_tensor(r, default_value=7)), [[1, 2], [3, 7]])
        self.assertEqual(self.listed(ragged_conversion_ops.to_tensor(tf.constant([1]))), [1])
        self.assertEqual(self.listed(ragged_conversion_ops.from_sparse(ragged_conversion_ops.to_sparse(r))), [[1, 2], [3]])
        self.assertTrue(ragged_tensor.is_ragged(r))
        self.assertFalse(ragged_tensor.is_ragged(tf.constant(1)))
        self.assertIs(ragged_tensor.convert_to_tensor_or_ragged_tensor(r), r)
        self.assertEqual(self.listed(ragged_util.repeat([1, 2], [2, 1], axis=0)), [1, 1, 2])
        self.assertEqual(self.listed(ragged_util.lengths_to_splits([2, 0, 1])), [0, 2, 2, 3])
        self.assertRaisesRegex(TypeError, "x must be an integer tensor", ragged_util.convert_to_int_tensor, 1.5, "x")


class Pair(composite_tensor.CompositeTensor):
    def __init__(self, a, b):
        self.a, self.b = tf.convert_to_tensor(a), tf.convert_to_tensor(b)

    @property
    def _type_spec(self):
        return PairSpec(self.a.shape, self.b.shape)


class PairSpec(type_spec.TypeSpec):
    def __init__(self, a, b):
        self.a_shape, self.b_shape = tf.TensorShape(a), tf.TensorShape(b)

    value_type = property(lambda self: Pair)
    _component_specs = property(lambda self: (tf.TensorSpec(self.a_shape, tf.float32), tf.TensorSpec(self.b_shape, tf.float32)))

    def _serialize(self):
        return (self.a_shape, self.b_shape)

    def _to_components(self, value):
        return (value.a, value.b)

    def _from_components(self, components):
        return Pair(*components)


class Types(Listed):
    def test_types_of_ones_own(self):
        pair = Pair([1., 2.], [3.])
        flat = nest.flatten([pair], expand_composites=True)
        self.assertEqual([t.shape.as_list() for t in flat], [[2], [1]])
        self.assertEqual(nest.flatten([pair]), [pair])
        again = nest.pack_sequence_as([pair], [t * 2 for t in flat], expand_composites=True)[0]
        self.assertIsInstance(again, Pair)
        self.assertEqual(self.listed(again.a), [2., 4.])
        spec = type_spec.type_spec_from_value(pair)
        self.assertEqual(spec, PairSpec([2], [1]))
        self.assertNotEqual(spec, PairSpec([3], [1]))
        self.assertEqual(len({spec, PairSpec([2], [1])}), 1)
        self.assertTrue(PairSpec([None], [1]).is_compatible_with(pair))
        self.assertFalse(PairSpec([3], [1]).is_compatible_with(spec))
        self.assertEqual(spec.most_specific_compatible_type(PairSpec([3], [1])), PairSpec([None], [1]))
        self.assertRaises(ValueError, spec.most_specific_compatible_type, tf.TensorSpec([1]))
        self.assertEqual(self.listed(spec._from_tensor_list([tf.constant([5., 6.]), tf.constant([7.])]).b), [7.])
        self.assertRaisesRegex(ValueError, "wrong number of tensors", spec._from_tensor_list, [tf.constant([1.])])
        self.assertRaisesRegex(ValueError, "Incompatible input: tensor 1", spec._from_tensor_list, [tf.constant([5., 6.]), tf.constant(7.)])
        self.assertRaises(TypeError, type_spec.TypeSpec)
        self.assertRaises(TypeError, composite_tensor.CompositeTensor)

    def test_types_that_are_there(self):
        sparse = tf.SparseTensor([[0]], [1.], [2])
        for value in (sparse, tf.IndexedSlices(tf.constant([1.]), tf.constant([0])), tf.ragged.constant([[1]])):
            self.assertIsInstance(value, composite_tensor.CompositeTensor)
        self.assertNotIsInstance(tf.constant(1), composite_tensor.CompositeTensor)
        self.assertTrue(issubclass(tensor_spec.TensorSpec, type_spec.BatchableTypeSpec) and issubclass(tf.SparseTensorSpec, tf.TypeSpec))
        self.assertEqual(type_spec.type_spec_from_value(tf.constant([1, 2])), tf.TensorSpec([2], tf.int32))
        self.assertRaises(TypeError, type_spec.type_spec_from_value, object())

        class Own:
            pass

        type_spec.register_type_spec_from_value_converter(Own, lambda value: tf.TensorSpec([9], tf.int8))
        self.assertEqual(type_spec.type_spec_from_value(Own()), tf.TensorSpec([9], tf.int8))

    def test_types_of_slices(self):
        slices = tf.IndexedSlices(tf.constant([[1., 2.]]), tf.constant([3]), tf.constant([5, 2]))
        spec = tf.IndexedSlicesSpec([5, 2], tf.float32, tf.int32, tf.int32, [1])
        self.assertEqual(type_spec.type_spec_from_value(slices), spec)
        self.assertTrue(spec.is_compatible_with(slices))
        self.assertFalse(tf.IndexedSlicesSpec([5, 2], tf.float64, tf.int32, tf.int32, [1]).is_compatible_with(slices))
        self.assertEqual([s.shape.as_list() for s in spec._component_specs], [[1, 2], [1], [2]])
        self.assertEqual(self.listed(spec._from_components(spec._to_components(slices)).indices), [3])


class Others(Listed):
    def test_nests(self):
        Point = collections.namedtuple("Point", ["x", "y"])
        self.assertTrue(nest._is_namedtuple(Point(1, 2)))
        self.assertFalse(nest._is_namedtuple((1, 2)))
        self.assertTrue(nest._is_mapping({"a": 1}))
        self.assertEqual(nest._sequence_like(Point(1, 2), [3, 4]), Point(3, 4))
        self.assertEqual(list(nest._yield_value({"b": 1, "a": 2})), [2, 1])
        framework = tf.contrib.framework.nest
        self.assertEqual(framework.flatten_up_to([0, 0], [[1, 2], 3]), [[1, 2], 3])
        self.assertEqual(framework.map_structure_up_to([0, 0], len, ["ab", "c"]), [2, 1])
        self.assertEqual(framework.flatten_dict_items({(1, 2): (3, 4)}), {1: 3, 2: 4})
        self.assertRaises(TypeError, framework.assert_shallow_structure, [1], 1)

    def test_devices_of_operations(self):
        graph = tf.get_default_graph()
        op = tf.constant(1).op
        with tf.device("/job:worker/device:CPU:1"), tf.device("/device:GPU:0"):
            graph._apply_device_functions(op)
        self.assertEqual(op.device, "/job:worker/device:GPU:0")
        op = tf.constant(1).op
        with tf.device("/device:CPU:1"), tf.device(lambda o: "/device:CPU:7" if o.type == "Const" else ""):
            graph._apply_device_functions(op)
        self.assertIn("CPU:7", op.device)

    def test_the_default_strategy(self):
        d = tf.distribute
        strategy, replica = d.get_strategy(), d.get_replica_context()
        self.assertEqual((type(strategy).__name__, strategy.num_replicas_in_sync, d.has_strategy(), d.in_cross_replica_context()), ("_DefaultDistributionStrategy", 1, False, False))
        self.assertIsInstance(strategy, d.Strategy)
        self.assertIsInstance(replica, d.ReplicaContext)
        self.assertEqual((replica.replica_id_in_sync_group, replica.num_replicas_in_sync, replica.strategy), (0, 1, strategy))
        with strategy.scope() as inside:
            self.assertIs(inside, strategy)
            self.assertFalse(d.has_strategy() or d.in_cross_replica_context())
        self.assertEqual(replica.merge_call(lambda s, a: (s is strategy, d.in_cross_replica_context(), d.get_replica_context(), a), args=(3,)), (True, True, None, 3))
        self.assertEqual(strategy.experimental_run_v2(lambda a, b=1: a + b, args=(2,), kwargs=dict(b=5)), 7)
        value = tf.constant([1., 2.])
        self.assertIs(strategy.reduce(d.ReduceOp.SUM, value, axis=None), value)
        self.assertEqual([self.listed(strategy.reduce(op, value, axis=0)) for op in (d.ReduceOp.SUM, d.ReduceOp.MEAN)], [3., 1.5])
        self.assertEqual(replica.all_reduce(d.ReduceOp.SUM, tf.constant(3)).op.type, "IdentityN")
        self.assertEqual((strategy.experimental_local_results(3), strategy.extended.call_for_each_replica(lambda x: x * 2, args=(4,)), d.get_loss_reduction()), ((3,), 8, d.ReduceOp.SUM))
        self.assertEqual(strategy.extended.update(tf.get_variable("v", [1]), lambda v, a: a, args=(7,)), 7)
        self.assertEqual(d.ReduceOp.from_variable_aggregation(tf.VariableAggregation.MEAN), d.ReduceOp.MEAN)

    def test_tridiagonal_systems(self):
        matrix, rhs = tf.constant([[4., 1., 0.], [1., 5., 2.], [0., 2., 6.]]), tf.constant([1., 2., 3.])
        parts = (tf.constant([1., 2.]), tf.constant([4., 5., 6.]), tf.constant([1., 2.]))
        solve, expected = tf.linalg.tridiagonal_solve, np.linalg.solve([[4., 1., 0.], [1., 5., 2.], [0., 2., 6.]], [1., 2., 3.])
        for x in (solve(matrix, rhs, "matrix"), solve(parts, rhs, "sequence"), solve(tf.constant([[1., 2., 0.], [4., 5., 6.], [0., 1., 2.]]), rhs)):
            np.testing.assert_allclose(self.listed(x), expected, rtol=1e-5)
        np.testing.assert_allclose(self.listed(solve(matrix, rhs[tf.newaxis], "matrix", transpose_rhs=True)), [expected], rtol=1e-5)
        self.assertRaisesRegex(ValueError, "Unrecognized diagonals_format: x", solve, matrix, rhs, "x")
        self.assertRaisesRegex(ValueError, "sequence of length 3", solve, parts[:2], rhs, "sequence")
        self.assertRaisesRegex(ValueError, "to be equal, got 3 and 2", solve, matrix, tf.constant([1., 2.]), "matrix")
        self.assertRaisesRegex(ValueError, "Expected the rank of rhs to be 1 or 2, got 0", solve, matrix, tf.constant(1.), "matrix")

    def test_messages_of_summaries(self):
        self.assertEqual([getattr(tf.summary, n).DESCRIPTOR.name for n in ("SessionLog", "TaggedRunMetadata")], ["SessionLog", "TaggedRunMetadata"])

    def test_version_switch(self):
        self.assertFalse(tf2.enabled())


if __name__ == "__main__":
    unittest.main()
