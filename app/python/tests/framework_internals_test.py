"""The behaviour of TensorFlow's own tree: registries, ops of the program, constant values, checkpoints' objects. Passes in TensorFlow 1.15 as well."""

import os
import tempfile
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.contrib import testing
from tensorflow.core.framework import attr_value_pb2, op_def_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python import tf2
from tensorflow.python.client import session as session_lib
from tensorflow.python.eager import context
from tensorflow.python.framework import composite_tensor_utils, device, meta_graph, op_def_library, op_def_registry, ops, registry, tensor_util, traceable_stack
from tensorflow.python.ops import resource_variable_ops
from tensorflow.python.training import monitored_session, training_util
from tensorflow.python.training.tracking import tracking, util
from tensorflow.python.util import object_identity

_OPS = """
op { name: "WeftTestSource" output_arg { name: "out" type_attr: "T" } attr { name: "T" type: "type" default_value { type: DT_INT32 } } }
op { name: "WeftTestPair" input_arg { name: "values" number_attr: "N" type: DT_FLOAT } output_arg { name: "first" type: DT_FLOAT } output_arg { name: "second" type: DT_STRING }
     attr { name: "N" type: "int" has_minimum: true minimum: 2 } attr { name: "kind" type: "string" allowed_values { list { s: "a" s: "b" } } } }
"""


class Registries(InGraph):
    def test_registry(self):
        names = registry.Registry("test things")
        names.register(self.test_registry, "one")
        self.assertEqual((names.lookup("one"), list(names.list())), (self.test_registry, ["one"]))
        self.assertRaisesRegex(KeyError, "Registering two test things with name 'one'", names.register, 7, "one")
        self.assertRaisesRegex(LookupError, "test things registry has no entry for: two", names.lookup, "two")

    def test_statistics(self):
        @ops.RegisterStatistics("Relu", "test_counts")
        def count(graph, node):
            return ops.OpStats("test_counts", graph.get_tensor_by_name(node.name + ":0").shape[0].value)

        op = tf.nn.relu([1., 2., 3.]).op
        found = ops.get_stats_for_node_def(op.graph, op.node_def, "test_counts")
        found += ops.OpStats("test_counts", 4)
        self.assertEqual((found.value, ops.get_stats_for_node_def(op.graph, op.node_def, "others").value), (7, None))
        self.assertRaises(ValueError, found.__iadd__, ops.OpStats("others", 4))

    def test_places(self):
        stack = traceable_stack.TraceableStack()
        self.assertEqual(stack.push_obj("a"), traceable_stack.TraceableObject.SUCCESS)
        self.assertTrue(next(stack.peek_traceable_objs()).filename.endswith("framework_internals_test.py"))
        self.assertEqual((len(stack.copy()), stack.pop_obj(), len(stack)), (1, "a", 0))

    def test_version_switch(self):
        self.assertFalse(tf2.enabled())
        tf2.enable()
        self.assertTrue(tf2.enabled())
        tf2._force_enable = None  # a name that is set in the module is what its functions see
        self.assertFalse(tf2.enabled())

    def test_merged_devices(self):
        with tf.device(device.merge_device("/job:worker/device:GPU:3")), tf.device(device.merge_device("/device:CPU:0")):
            self.assertEqual(tf.constant(1).device, "/job:worker/device:CPU:0")

    def test_references(self):
        x = tf.constant(1.)
        self.assertIs(x.experimental_ref().deref(), x)
        self.assertEqual({x.experimental_ref(): 1}[object_identity.Reference(x)], 1)

    def test_graphs(self):
        self.assertTrue(ops.has_default_graph())
        graph = tf.Graph()
        with graph.as_default():
            tf.constant(1.)
        ops.dismantle_graph(graph)
        self.assertFalse(ops.executing_eagerly_outside_functions())
        node = ops._NodeDef("Const", "a", device="/cpu:0", attrs={"x": attr_value_pb2.AttrValue(i=3)})
        self.assertEqual((node.op, node.name, node.attr["x"].i), ("Const", "a", 3))


class OpsOfTheProgram(InGraph):
    def setUp(self):
        super().setUp()
        found = text_format.Parse(_OPS, op_def_pb2.OpList())
        op_def_registry.register_op_list(found)
        op_def_registry.register_op_list(found)
        self.library = op_def_library.OpDefLibrary()
        self.library.add_op_list(found)

    @unittest.skipUnless("weft" in tf.__file__, "TensorFlow registers ops with its graphs only in C++")
    def test_nodes(self):
        source = self.library.apply_op("WeftTestSource", T=tf.float32, name="s")
        first, second = self.library.apply_op("WeftTestPair", values=[source, 2.], kind="a")
        self.assertEqual((source.dtype, first.dtype, second.dtype, first.shape.ndims, first.op.type), (tf.float32, tf.float32, tf.string, None, "WeftTestPair"))
        self.assertEqual(self.library.apply_op("WeftTestSource", T=None).dtype, tf.int32)
        self.assertRaisesRegex(ValueError, "length 1 shorter than minimum length 2", self.library.apply_op, "WeftTestPair", values=[1.], kind="a")
        self.assertRaisesRegex(ValueError, "'c' not in", self.library.apply_op, "WeftTestPair", values=[1., 2.], kind="c")
        copy = tf.Graph()
        with copy.as_default():
            tf.import_graph_def(first.graph.as_graph_def(), name="")
        self.assertEqual(copy.get_operation_by_name("s").outputs[0].dtype, tf.float32)
        with tf.Session() as session, self.assertRaises(tf.errors.InvalidArgumentError):
            session.run(source)

    def test_arguments_of_apply_op(self):
        apply_op = self.library.apply_op
        self.assertRaisesRegex(TypeError, "No argument for input values", apply_op, "WeftTestPair")
        self.assertRaisesRegex(TypeError, "No argument for attr kind", apply_op, "WeftTestPair", values=[1., 2.])
        self.assertRaisesRegex(TypeError, "inferred attr 'N'", apply_op, "WeftTestPair", values=[1., 2.], N=2, kind="a")
        self.assertRaisesRegex(TypeError, "unexpected keyword arguments: more, other", apply_op, "WeftTestPair", values=[1., 2.], kind="a", other=1, more=2)
        wrong = op_def_pb2.OpDef(name="WeftTestWrong")
        wrong.input_arg.add(name="a", type_attr="T")
        self.assertRaisesRegex(TypeError, "missing attr 'T'", self.library.add_op, wrong)
        wrong.attr.add(name="T", type="int")
        self.assertRaisesRegex(TypeError, "used as a type_attr but has type int", self.library.add_op, wrong)

    def test_other_definitions(self):
        other = op_def_pb2.OpList()
        other.op.add(name="WeftTestSource").output_arg.add(name="other", type=1)
        self.assertRaisesRegex(ValueError, "not equal to op_def to register", op_def_registry.register_op_list, other)
        self.assertRaises(TypeError, op_def_registry.register_op_list, 7)


class Values(InGraph):
    def test_constant_values(self):
        stack = tf.stack([[1., 2.], tf.placeholder(tf.float32)])
        found = tensor_util.constant_value(stack, partial=True)
        self.assertEqual((list(found[0]), found[1], tensor_util.constant_value(stack)), ([1., 2.], None, None))
        many = np.arange(84, dtype=np.float32).reshape(3, 4, 7)
        self.assertTrue(np.array_equal(tensor_util.constant_value(tf.cast(many, tf.float64)), many))
        self.assertEqual(tensor_util.constant_value(tf.equal([[0, 1]], [[0], [1]])).tolist(), [[True, False], [False, True]])
        sizes = tf.concat([[1, 16, 37], tf.placeholder(tf.int32, [1]), [48]], 0)
        self.assertEqual(tensor_util.constant_value_as_shape(sizes[1:]).as_list(), [16, 37, None, 48])
        self.assertEqual(tensor_util.constant_value_as_shape(tf.shape(tf.placeholder(tf.float32, [2, None]))).as_list(), [2, None])
        self.assertRaisesRegex(ValueError, "scalar value '4'", tensor_util.constant_value_as_shape, tf.constant(4))

    def test_fields_of_protos(self):
        def fields(*args, **kwargs):
            made = tensor_util.make_tensor_proto(*args, **kwargs)
            return {f.name: v if isinstance(v, bytes) else list(v) for f, v in made.ListFields() if f.name.endswith(("_val", "content"))}

        self.assertEqual(fields(1 + 2j), {"dcomplex_val": [1., 2.]})
        self.assertEqual(fields(np.array([10., 20.], np.float16)), {"half_val": [18688, 19712]})
        self.assertEqual(fields([10.], shape=[1, 3]), {"float_val": [10.]})
        self.assertEqual(fields([1, 2]), {"tensor_content": b"\1\0\0\0\2\0\0\0"})
        self.assertTrue(tensor_util.ShapeEquals(tensor_util.make_tensor_proto([1, 2]), [2]))
        self.assertFalse(tensor_util.ShapeEquals(tensor_util.make_tensor_proto([1, 2]), [3]))

    def test_values_one_behind_the_other(self):
        made = composite_tensor_utils.append_composite_tensor(tf.SparseTensorValue(np.array([[0, 0]]), [1], (1, 1)), tf.SparseTensorValue(np.array([[0, 0]]), [2], (1, 1)))
        self.assertEqual((made.indices.tolist(), list(made.values), tuple(made.dense_shape)), ([[0, 0], [1, 0]], [1, 2], (2, 1)))
        self.assertRaises(RuntimeError, composite_tensor_utils.append_composite_tensor, made, 7)


class Training(InGraph):
    def test_fake_writers(self):
        from tensorflow.python.summary.writer import writer_cache

        testing.FakeSummaryWriter.install()
        try:
            with tempfile.TemporaryDirectory() as folder:
                writer = writer_cache.FileWriterCache.get(folder)
                writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.)]), 3)
                writer.assert_summaries(self, expected_logdir=folder, expected_summaries={3: {"a": 2.}})
        finally:
            testing.FakeSummaryWriter.uninstall()
            writer_cache.FileWriterCache.clear()

    def test_summaries(self):
        with tempfile.TemporaryDirectory() as folder:
            with tf.summary.FileWriter(folder) as writer:
                for step, value in ((1, 2.), (5, 3.), (2, 4.)):
                    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=value)]), step)
            events = testing.latest_summaries(folder)
            self.assertEqual(testing.simple_values_from_events(events, ["a"]), {"a": 3.})
            self.assertTrue(os.path.basename(testing.latest_event_file(folder)).startswith("events."))
            testing.assert_summary(["a"], {"a": 2.}, events[0].summary)
            self.assertRaises(ValueError, testing.assert_summary, ["b"], {}, events[0].summary)

    def test_steps_and_sessions(self):
        step = tf.train.get_or_create_global_step()
        more = training_util._increment_global_step(3)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            wrapped = monitored_session._WrappedSession(sess=session)
            self.assertEqual((wrapped.run(more), session.run(step), wrapped.sess_str), (3, 3, session.sess_str))
            hooked = monitored_session._HookedSession(monitored_session._CoordinatedSession(session, tf.train.Coordinator()), hooks=[])
            self.assertEqual(hooked.run(step), 3)

    def test_batches_of_unknown_rank(self):
        sparse = tf.SparseTensor(tf.placeholder(tf.int64), tf.placeholder(tf.float32), tf.placeholder(tf.int64))
        self.assertIsNone(tf.train.batch([sparse], batch_size=2).shape.ndims)


class Elements(InGraph):
    def test_changed_inputs(self):
        w, x, y = tf.constant(0), tf.constant(""), tf.constant(1)
        z = y + w
        z.op._update_input(0, x)
        with tf.Session() as session:
            with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Input 0 of node add was passed string from Const_1:0 incompatible with expected int32"):
                session.run(z)
        square = tf.constant([[1., 2.], [3., 4.]])
        column = tf.ones([3, 1]) + tf.zeros([3, 1])
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, r"incompatible shapes: \[2,2\] and \[3,1\]"):
            column.op._update_input(0, square)

    def test_elements(self):
        with tf.control_dependencies([tf.constant(1)]):
            a = tf.constant(2)
        a.op._remove_all_control_inputs()
        self.assertEqual(list(a.op.control_inputs), [])
        self.assertRaises(AttributeError, lambda: (a + a).op.inputs.append(None))
        with a.graph._original_op(a.op):
            b = tf.identity(a)
        self.assertEqual((b.op._original_op, a.op._original_op), (a.op, None))

    def test_constructor_of_operations(self):
        op = tf.Operation(ops._NodeDef("NoOp", "made", device="/device:CPU:0"), tf.get_default_graph(), [], [])
        self.assertEqual((op.name, op.type, op.device, op.graph.get_operation_by_name("made") is op), ("made", "NoOp", "/device:CPU:0", True))
        self.assertRaises(TypeError, tf.Operation, 7, tf.get_default_graph())

    def test_refused_imports(self):
        def imported(text, **arguments):
            tf.import_graph_def(text_format.Parse(text, tf.GraphDef()), **arguments)

        twice = "node { name: 'A' op: 'NoOp' } node { name: 'A' op: 'NoOp' }"
        self.assertRaisesRegex(ValueError, "Node 'A' is not unique", imported, twice)
        one = "node { name: 'A' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { unknown_rank: true } } } }"
        self.assertRaisesRegex(ValueError, "Requested return node 'B' not found in graph def", imported, one, return_elements=["B"])
        self.assertRaisesRegex(ValueError, r"Invalid return output 1 of node 'A', which has 1 output\(s\)", imported, one, return_elements=["A:1"])
        self.assertRaisesRegex(ValueError, "Cannot convert 'a:b:c' to a tensor name.", imported, one, return_elements=["a:b:c"])
        imported(one, return_elements=[b"A"])

    def test_copied_scopes(self):
        with tf.name_scope("a"):
            tf.Variable(1., name="v")
        found = meta_graph.copy_scoped_meta_graph("a", "b")
        self.assertEqual({k: v.name for k, v in found.items()}, {"v:0": "b/v:0"})
        self.assertRaises(ValueError, meta_graph.copy_scoped_meta_graph, "a", "a")
        self.assertIn("Const", [op.name for op in meta_graph.stripped_op_list_for_graph(tf.get_default_graph().as_graph_def()).op])

    def test_savers_while_execution_is_eager(self):
        with tempfile.TemporaryDirectory() as folder, context.eager_mode():
            v = resource_variable_ops.ResourceVariable(3., name="v")
            saver = tf.train.Saver([v], max_to_keep=1)
            first = saver.save(None, os.path.join(folder, "c"), global_step=1)
            v.assign(4.)
            second = saver.save(None, os.path.join(folder, "c"), global_step=2)
            v.assign(5.)
            saver.restore(None, second)
            self.assertEqual((v.numpy(), saver.last_checkpoints, tf.train.latest_checkpoint(folder), tf.train.checkpoint_exists(first)), (4., [second], second, False))
            self.assertRaises(RuntimeError, tf.train.Saver)

    def test_sessions(self):
        x = tf.placeholder(tf.float32)
        y = x + 1
        with tf.Session(config=tf.ConfigProto(graph_options=tf.GraphOptions(infer_shapes=True))) as session:
            self.assertIn("_output_shapes", session.graph_def.node[0].attr)
            step = session._make_callable_from_options(config_pb2.CallableOptions(feed=[x.name], fetch=[y.name]))
            self.assertEqual(step(np.float32(1.)), [2.])
            self.assertRaisesRegex(TypeError, "Type of feed value 1 with type", session.run, y, {tf.placeholder(tf.string): 1})
        with tf.Session() as session:
            self.assertNotIn("_output_shapes", session.graph_def.node[0].attr)
        device = session_lib._DeviceAttributes("/job:worker/replica:0/task:3/cpu:1", "TYPE", 1337, 7)
        self.assertEqual((device.name, device.device_type, device.memory_limit_bytes, device.incarnation), ("/job:worker/replica:0/task:3/device:CPU:1", "TYPE", 1337, 7))


class Containers(InGraph):
    def test_layers_that_are_added_later(self):
        class Model(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.first = []
                self.last = tf.keras.layers.Dense(2, name="last")
                self.first.append(tf.keras.layers.Dense(3, name="first"))
                self.nested = {"a": [tf.keras.layers.Dense(4, name="nested")]}
                self.values = []

            def call(self, x):
                return self.nested["a"][0](self.first[0](self.last(x)))

        def names():
            return [layer.name for layer in model.layers]

        model = Model()
        model(tf.ones([1, 2]))
        self.assertEqual(([w.shape.as_list() for w in model.weights], names()), ([[2, 3], [3], [2, 2], [2], [3, 4], [4]], ["first", "last", "nested"]))
        model.values.append(tf.Variable(1.))
        model.values.append(tf.Variable(1., trainable=False))
        self.assertEqual((len(model.trainable_weights), len(model.non_trainable_weights)), (7, 1))
        model.last = tf.keras.layers.Dense(2, name="other")
        self.assertEqual(names(), ["first", "nested", "other"])
        model.first = [tf.keras.layers.Dense(2, name="again")]
        self.assertEqual(names(), ["nested", "other", "again"])
        del model.nested
        self.assertEqual(names(), ["other", "again"])

    def test_containers(self):
        a, b = (tf.keras.layers.Dense(2, name=n) for n in "ab")
        v = tf.Variable(1.)
        items = tf.contrib.checkpoint.List([a])
        items += [v]
        table = tf.contrib.checkpoint.Mapping(x=items)
        table["y"] = b
        self.assertEqual(([layer.name for layer in table.layers], table.variables, [d.name for d in items._checkpoint_dependencies]), (["a", "b"], [v], ["0", "1"]))
        self.assertEqual((len(items * 2), items[1:], items == tf.contrib.checkpoint.List([a, v])), (4, [v], False))
        items.trainable = False
        self.assertEqual((table.trainable_variables, table.non_trainable_variables), ([], [v]))
        self.assertRaises(ValueError, table.__setitem__, "y", a)
        self.assertRaises(TypeError, table.__setitem__, 1, a)
        self.assertRaises(ValueError, items.append, object())
        names = tf.contrib.checkpoint.UniqueNameTracker()
        names.track(a, "x"), names.track(b, "x")
        self.assertEqual([d.name for d in names._checkpoint_dependencies], ["x", "x_1"])

    def test_resources(self):
        class Resource(tracking.TrackableResource):
            def _create_resource(self):
                return "made"

        tracker = tracking.ResourceTracker()
        with tracking.resource_tracker_scope(tracker):
            Resource()
        self.assertEqual([r.resource_handle for r in tracker.resources], ["made"])

        class Unsaved(tracking.NotTrackable, tracking.AutoTrackable):
            pass

        with tempfile.TemporaryDirectory() as folder, tf.Session():
            self.assertRaises(NotImplementedError, tf.train.Checkpoint(x=Unsaved()).save, os.path.join(folder, "c"))

    def test_values_of_later_objects(self):
        with tempfile.TemporaryDirectory() as folder, context.eager_mode():
            made = tracking.AutoTrackable()
            util.add_variable(made, "v", [], tf.float32, tf.constant_initializer(3.))
            path = tf.train.Checkpoint(a=made).save(os.path.join(folder, "c"))
            empty = tracking.AutoTrackable()
            status = tf.train.Checkpoint(a=empty).restore(path)
            self.assertRaises(AssertionError, status.assert_consumed)
            self.assertEqual(util.add_variable(empty, "v", [], tf.float32, tf.zeros_initializer()).numpy(), 3.)
            status.assert_consumed()


if __name__ == "__main__":
    unittest.main()
