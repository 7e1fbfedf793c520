"""Names of TensorFlow's own training and framework modules: loss scales, side effects of tensors, builders of SavedModels, messages in event files. Passes in TensorFlow 1.15 as well."""

import collections
import os
import shutil
import tempfile
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.core.protobuf import struct_pb2
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.eager import context
from tensorflow.python.framework import auto_control_deps, device_spec, error_interpolation, errors, errors_impl, function, function_def_to_graph, graph_to_function_def, smart_cond, sparse_tensor, subscribe
from tensorflow.python.saved_model import builder, loader_impl, nested_structure_coder, revived_types
from tensorflow.python.saved_model.model_utils import export_utils, mode_keys
from tensorflow.python.training import learning_rate_decay, tensorboard_logging
from tensorflow.python.training.experimental import loss_scale
from tensorflow.python.util import nest

Pair = collections.namedtuple("Pair", ["left", "right"])


class WithFolder(InGraph):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)


class LossScales(WithFolder):
    def test_dynamic(self):
        scale = loss_scale.get("dynamic")
        self.assertEqual(scale.get_config(), {"initial_loss_scale": 32768.0, "increment_period": 2000, "multiplier": 2.0})
        scale = tf.train.experimental.DynamicLossScale(initial_loss_scale=8.0, increment_period=2, multiplier=4.0)
        gradient = tf.placeholder(tf.float32, [])
        update, apply = scale.update([gradient, None])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            seen = []
            for value in (1.0, 2.0, np.inf, 3.0, np.nan):
                applied, _ = session.run([apply, update], {gradient: value})
                seen.append((applied, session.run(scale())))
        self.assertEqual(seen, [(True, 8.0), (True, 32.0), (False, 8.0), (True, 8.0), (False, 2.0)])

    def test_fixed(self):
        self.assertEqual(repr(loss_scale.get(4)), "FixedLossScale(4.0)")
        self.assertIsNone(loss_scale.get(None))
        for bad in (0.5, "4", "static"):
            with self.assertRaises(ValueError):
                loss_scale.FixedLossScale(bad)
        with self.assertRaisesRegex(ValueError, "Could not interpret loss scale identifier: x"):
            loss_scale.get("x")

    def test_optimizer(self):
        v = tf.Variable(2.0)
        optimizer = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.5), "dynamic")
        step = optimizer.minimize(v * 3.0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            self.assertEqual(session.run(v), 0.5)
        with self.assertRaisesRegex(ValueError, '"opt" must be an instance of Optimizer'):
            tf.train.experimental.MixedPrecisionLossScaleOptimizer("sgd", 1)
        with self.assertRaisesRegex(ValueError, '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer'):
            tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer)


class Framework(WithFolder):
    def test_side_effects(self):
        seen = []
        a, b = tf.constant(1.0), tf.constant(2.0)
        total = tf.add(a, b)
        negative = tf.negative(total)
        watched = subscribe.subscribe(total, lambda t: tf.py_func(lambda value: seen.append(float(value)) or value, [t], [t.dtype]))
        self.assertIs(negative.op.inputs[0], watched)
        with tf.Session() as session:
            session.run(negative)
        self.assertEqual(seen, [3.0])
        self.assertIs(subscribe.subscribe(total, []), watched)
        with self.assertRaisesRegex(TypeError, "has invalid type"):
            subscribe.subscribe("total", [])

    def test_order(self):
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        with auto_control_deps.AutomaticControlDependencies() as order:
            v.assign_add(1.0)
            v.assign(v * 10.0)
            value = order.mark_as_return(v.read_value())
        with tf.Session() as session:
            session.run(v.initializer)
            self.assertEqual(session.run(value), 20.0)

    def test_known_cases(self):
        x = tf.placeholder(tf.int32, [])
        unreached = lambda: self.fail("called")
        first = smart_cond.smart_case([(False, unreached), (True, lambda: tf.constant(1)), (tf.equal(x, 0), unreached)], default=unreached)
        with tf.Session() as session:
            self.assertEqual(session.run(first), 1)
        with self.assertRaisesRegex(TypeError, "pred must be a Tensor or bool, got: 1"):
            smart_cond.smart_case([(1, unreached)])

    def test_devices(self):
        spec = device_spec.DeviceSpecV2.from_string("/job:a/cpu:1")
        self.assertEqual(spec.replace(task=2).to_string(), "/job:a/task:2/device:CPU:1")
        for change in (lambda: setattr(spec, "job", "b"), lambda: spec.merge_from(spec)):
            self.assertRaises(AttributeError, change)
        self.assertIsInstance(tf.DeviceSpec(), device_spec.DeviceSpecV2)

    def test_errors(self):
        self.assertIsInstance(errors_impl._make_specific_exception(None, None, "gone", errors.NOT_FOUND), tf.errors.NotFoundError)
        self.assertNotEqual(tf.int32, int)
        self.assertRaises(TypeError, tf.as_dtype, int)

    def test_graphs_are_compared(self):
        def graph(**constants):
            with tf.Graph().as_default() as made:
                for name, value in sorted(constants.items()):
                    tf.constant(value, name=name)
            return made.as_graph_def()

        both = graph(a=1, b=2)
        for other, words in ((graph(a=1, b=2), ""), (graph(a=1), "Did not find expected node '{{node b}}"), (graph(a=1, b=2, c=3), "Found unexpected node '{{node c}}"),
                             (graph(a=1, b=2.0), "Node named 'b' has attr '")):
            found = pywrap_tensorflow.EqualGraphDefWrapper(other.SerializeToString(), both.SerializeToString()).decode()
            self.assertEqual(found[:len(words)], words)
            self.assertEqual(bool(found), bool(words))

    def test_imported_graphs_get_defaults(self):
        definition = tf.GraphDef()
        definition.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
        tf.import_graph_def(definition, name="")
        self.assertTrue(definition.node[0].attr["shape"].shape.unknown_rank)


    def test_order_in_branches(self):
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        p = tf.placeholder(tf.bool, [])
        with auto_control_deps.AutomaticControlDependencies() as order:
            def changed(by):
                v.assign_add(by)
                return tf.constant(0.0)
            tf.cond(p, lambda: changed(1.0), lambda: changed(4.0))
            value = order.mark_as_return(v.read_value())
        with tf.Session() as session:
            session.run(v.initializer)
            self.assertEqual([session.run(value, {p: False}), session.run(value, {p: True})], [5.0, 6.0])

    def test_places(self):
        with tf.device("/cpu:0"):
            a = tf.constant(1.0, name="a")
        with tf.colocate_with(a.op):
            b = tf.constant(2.0, name="b")
        noted, = a.op._device_assignments
        self.assertEqual((noted.obj, os.path.basename(noted.filename)), ("/cpu:0", os.path.basename(__file__)))
        self.assertEqual(list(b.op._colocation_dict), ["a"])
        self.assertEqual(error_interpolation.interpolate("no marks", tf.get_default_graph()), "no marks")

    def test_types_of_composite_tensors(self):
        sparse = tf.SparseTensor([[0]], [1.0], [3])
        nest.assert_same_structure(sparse, sparse_tensor.SparseTensorSpec([3], tf.float32), expand_composites=True)
        with self.assertRaises(ValueError):
            nest.assert_same_structure(sparse, sparse_tensor.SparseTensorSpec([3], tf.int32), expand_composites=True)

    def test_functions_of_a_library(self):
        @function.Defun(tf.float32, func_name="twice_")
        def twice(x):
            return x * 2.0

        twice(tf.constant(1.0))
        library = tf.get_default_graph().as_graph_def().library
        with tf.Graph().as_default(), tf.Session() as session:
            read, = function.from_library(library)
            self.assertEqual((read.name, read.declared_input_types), ("twice_", (tf.float32,)))
            self.assertEqual(session.run(read(tf.constant(4.0))), 8.0)
        library.gradient.add(function_name="twice_", gradient_func="lost")
        with self.assertRaisesRegex(ValueError, "FunctionDefLibrary missing 'lost' FunctionDef"):
            function.from_library(library)
        library.gradient[0].gradient_func = "twice_"
        with self.assertRaisesRegex(ValueError, "cyclic gradient functions"):
            function.from_library(library)


    def test_graphs_as_functions(self):
        with tf.Graph().as_default() as graph:
            x, y = (tf.placeholder(tf.float32, name=name) for name in "xy")
            total = tf.add_n([tf.square(x), tf.square(y)], name="total")
        made = graph_to_function_def.graph_to_function_def(graph, graph.get_operations(), [x, y], [total])
        self.assertEqual((made.signature.name, dict(made.ret)), ("_", {"total": "total:sum:0"}))
        flat, names = function_def_to_graph.function_def_to_graph_def(made)
        self.assertEqual((names["total:sum:0"], [n.op for n in flat.node][:2]), ("total:0", ["Placeholder"] * 2))
        read = function_def_to_graph.function_def_to_graph(made, [tf.TensorShape([2]), None])
        self.assertEqual((read.name, read.inputs[0].shape.as_list()), ("_", [2]))
        with tf.Session(graph=read) as session:
            self.assertEqual(list(session.run(read.outputs[0], {"x:0": [1, 2], "y:0": [3, 4]})), [10.0, 20.0])
        with self.assertRaisesRegex(ValueError, "must match the number of input_args"):
            function_def_to_graph.function_def_to_graph(made, [None])
        with self.assertRaisesRegex(ValueError, "Must not have duplicates in out_names: a, a"):
            graph_to_function_def.graph_to_function_def(graph, graph.get_operations(), [x, y], [total, total], ["a", "a"])


class Layers(WithFolder):
    def test_normalization_as_if_unfused(self):
        x = tf.placeholder(tf.float32, [2, 2, 2, 3])
        with_correction, without = tf.Graph(), tf.Graph()
        for graph, corrected in ((with_correction, True), (without, False)):
            with graph.as_default():
                layer = tf.layers.BatchNormalization(fused=True)
                layer._bessels_correction_test_only = corrected
                layer.apply(tf.zeros(x.shape), training=True)
        more = {op.type for op in without.get_operations()} - {op.type for op in with_correction.get_operations()}
        self.assertIn("RealDiv", more)

    def test_refused(self):
        with self.assertRaises(ValueError):
            tf.layers.max_pooling2d(tf.zeros([1, 4, 4, 1]), 2, strides=None)
        layer = tf.layers.Layer()
        with self.assertRaisesRegex(ValueError, "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable"):
            layer.add_weight("v", [], synchronization=tf.VariableSynchronization.ON_READ, trainable=True)


class Training(WithFolder):
    def test_rates_while_execution_is_eager(self):
        with context.eager_mode():
            step = tf.Variable(0)
            rate = learning_rate_decay.exponential_decay(1.0, step, 1, 0.5)
            self.assertEqual(float(rate()), 1.0)
            step.assign(2)
            self.assertEqual(float(rate()), 0.25)

    def test_messages(self):
        tensorboard_logging._clear_summary_writer()
        self.assertRaises(RuntimeError, tensorboard_logging.error, "no writer")
        with tf.summary.FileWriter(self.folder) as writer:
            tensorboard_logging.set_summary_writer(writer)
            tensorboard_logging.info("too quiet")
            tensorboard_logging.error("%d things", 3)
        path, = (os.path.join(self.folder, name) for name in os.listdir(self.folder))
        self.assertEqual([e.log_message.message for e in tf.train.summary_iterator(path) if e.HasField("log_message")], ["3 things"])
        self.assertRaises(ValueError, tensorboard_logging.set_verbosity, "LOUD")


class SavedModels(WithFolder):
    def test_builder_without_collections(self):
        asset = os.path.join(self.folder, "words.txt")
        with open(asset, "w") as f:
            f.write("a b")
        made = builder._SavedModelBuilder(os.path.join(self.folder, "model"))
        v = tf.Variable(1.0, name="v")
        path = tf.constant(asset, name="path")
        init = tf.assign(v, 5.0, name="init").op
        with tf.Session() as session:
            session.run(v.initializer)
            with self.assertRaisesRegex(AssertionError, "has not been saved yet"):
                made.add_meta_graph(["a"])
            made.add_meta_graph_and_variables(session, ["a"], assets_list=[path], init_op=init)
        made.save()
        loader = loader_impl.SavedModelLoader(os.path.join(self.folder, "model"))
        meta = loader.get_meta_graph_def_from_tags(["a"])
        self.assertEqual([(a.filename, a.tensor_info.name) for a in meta.asset_file_def], [("words.txt", "path:0")])
        self.assertNotIn("saved_model_assets", meta.collection_def)
        with tf.Session(graph=tf.Graph()) as session:
            loader.load(session, ["a"])
            self.assertEqual((session.run("v:0"), loader_impl.get_init_op(meta).name, loader_impl.get_train_op(meta)), (5.0, "init", None))

    def test_structures(self):
        coder = nested_structure_coder.StructureCoder()
        value = {"a": [1, 2.5, None, True, "x"], "b": Pair(tf.TensorShape([None, 3]), (tf.int64, tf.TensorSpec([2], tf.string, "t")))}
        decoded = coder.decode_proto(coder.encode_structure(value))
        self.assertEqual((decoded["a"], decoded["b"].right), (value["a"], value["b"].right))
        self.assertEqual((type(decoded["b"]).__name__, decoded["b"].left.as_list()), ("Pair", [None, 3]))
        self.assertFalse(coder.can_encode([object()]))
        unknown = struct_pb2.StructuredValue()
        unknown.type_spec_value.type_spec_class_name = "Later"
        with self.assertRaisesRegex(ValueError, "The type 'Later' is not supported"):
            coder.decode_proto(unknown)

    def test_modes_and_revived_types(self):
        modes = mode_keys.ModeKeyMap(predict=1, train=2)
        self.assertEqual((modes["infer"], modes["train"], len(modes)), (1, 2, 2))
        with self.assertRaisesRegex(ValueError, "Multiple keys/values found"):
            mode_keys.ModeKeyMap(predict=1, infer=2)
        self.assertEqual(export_utils.EXPORT_TAG_MAP["eval"], ["eval"])
        revived_types.register_revived_type("weft test", lambda value: isinstance(value, Pair), versions=[
            revived_types.VersionedTypeRegistration(lambda proto: Pair(1, 2), version=1, min_producer_version=1, min_consumer_version=1)])
        made, setter = revived_types.deserialize(revived_types.serialize(Pair(3, 4)))
        self.assertEqual((made, setter), (Pair(1, 2), setattr))
        self.assertIsNone(revived_types.serialize(5))


if __name__ == "__main__":
    unittest.main()
