"""tf_debug: watched runs and what they dump, DebugDumpDir, gradients' debugger, dumping sessions and hooks. Passes in TensorFlow 1.15 as well."""

import os
import shutil
import tempfile
import unittest

import numpy as np
from graph_case import InGraph
import tensorflow as tf
from tensorflow.python import debug as tf_debug
from tensorflow.python.debug.lib import debug_data, debug_gradients, debug_graphs, source_utils


def plain_session():
    """A session whose run computes every node of the program."""
    rewrites = tf.compat.v1.ConfigProto().graph_options.rewrite_options
    rewrites.disable_model_pruning = True
    rewrites.arithmetic_optimization = rewrites.dependency_optimization = rewrites.constant_folding = 2
    config = tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=rewrites))
    return tf.Session(config=config)


class Dumped(InGraph):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)

    def run_watched(self, session, fetches, feeds=None, **watch):
        options, metadata = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
        tf_debug.watch_graph(options, session.graph, debug_urls="file://" + self.folder, **watch)
        value = session.run(fetches, feeds, options=options, run_metadata=metadata)
        return value, metadata.partition_graphs

    def refused(self, session, fetches, reason, **watch):
        with self.assertRaisesRegex(tf.errors.FailedPreconditionError, reason):
            self.run_watched(session, fetches, **watch)


class WatchedRuns(Dumped):
    def test_values_graph_and_facts(self):
        with plain_session() as session:
            v = tf.Variable([1.0, 2.0], name="v")
            x = tf.placeholder(tf.float32, name="x")
            y = tf.multiply(v, x, name="scope/y")
            session.run(v.initializer)
            value, graphs = self.run_watched(session, [y], {x: 3.0}, global_step=7)
        np.testing.assert_array_equal(value, [[3.0, 6.0]])
        dump = tf_debug.DebugDumpDir(self.folder, partition_graphs=graphs)
        np.testing.assert_array_equal(dump.get_tensors("scope/y", 0, "DebugIdentity"), [[3.0, 6.0]])
        self.assertEqual(dump.core_metadata[0], 7)
        self.assertEqual((dump.core_metadata.input_names, dump.core_metadata.output_names, dump.core_metadata.target_nodes), (["x:0"], ["scope/y:0"], []))
        self.assertEqual(dump.node_inputs("v/read"), ["v"])
        self.assertIn("scope/y", dump.node_recipients("v/read"))
        self.assertEqual(dump.debug_watch_keys("scope/y"), ["scope/y:0:DebugIdentity"])
        self.assertEqual(dump.devices(), ["/job:localhost/replica:0/task:0/device:CPU:0"])
        copies = {node.name: node for node in graphs[0].node if debug_graphs.is_copy_node(node.name)}
        self.assertEqual(copies["__copy_v/read_0"].attr["debug_ops_spec"].list.s[0].decode(), "DebugIdentity;file://%s;0" % self.folder)
        self.assertFalse([node.name for node in tf_debug.reconstruct_non_debug_graph_def(graphs[0]).node if node.name.startswith("__")])

    def test_variables_before_their_initialization(self):
        with plain_session() as session:
            v = tf.Variable([[1.0, 2.0]], name="v")
            self.run_watched(session, v.initializer, node_name_regex_whitelist="v$")
        found, = tf_debug.DebugDumpDir(self.folder).get_tensors("v", 0, "DebugIdentity")
        self.assertIsInstance(found, debug_data.InconvertibleTensorProto)
        self.assertFalse(found.initialized)

    def test_loops_and_branches(self):
        with plain_session() as session:
            loop = tf.while_loop(lambda i: tf.less(i, 3), lambda i: tf.add(i, 1, name="next"), [tf.constant(0, name="start")])
            taken = tf.cond(tf.constant(True), lambda: tf.constant(1, name="one"), lambda: tf.constant(2, name="two"))
            self.run_watched(session, [loop, taken])
        dump = tf_debug.DebugDumpDir(self.folder)
        self.assertEqual([int(v) for v in dump.get_tensors("while/next", 0, "DebugIdentity")], [1, 2, 3])
        self.assertEqual([len(dump.watch_key_to_data("cond/%s:0:DebugIdentity" % name)) for name in ("one", "two")], [1, 0])

    def test_summaries(self):
        with plain_session() as session:
            x = tf.Variable([np.nan, -np.inf, np.inf, -2.0, 0.0, 4.0], name="x")
            y = tf.identity(x, name="y")
            session.run(x.initializer)
            self.run_watched(session, y, debug_ops=["DebugNumericSummary(upper_bound=4.0)", "DebugNanCount"], node_name_regex_whitelist="y$")
        dump = tf_debug.DebugDumpDir(self.folder)
        np.testing.assert_allclose(dump.get_tensors("y", 0, "DebugNumericSummary")[0], [1, 6, 1, 1, 1, 1, 0, 2, -2, 4, 2 / 3, 56 / 9, 1, 1, 6])
        self.assertEqual(dump.get_tensors("y", 0, "DebugNanCount")[0].tolist(), [1])
        self.assertEqual([d.node_name for d in dump.find(lambda datum, value: value[0] > 5 if datum.debug_op == "DebugNumericSummary" else False)], [])

    def test_bad_watches(self):
        with plain_session() as session:
            x, text = tf.constant(1.0, name="x"), tf.constant("a", name="text")
            self.refused(session, x, r"1 attribute key\(s\) were not valid for debug node __dbg_x:0_0_DebugIdentity: foo", debug_ops="DebugIdentity(foo=1)")
            self.refused(session, x, r'Invalid value string for bool-type attribute mute_if_healthyof debug node', debug_ops="DebugNumericSummary(mute_if_healthy=maybe)")
            self.refused(session, x, r'Malformed attributes in debug op name "DebugIdentity\(gated_grpc\)"', debug_ops="DebugIdentity(gated_grpc)")
            self.refused(session, x, r"Failed to create node definition for debug op Foo on watched tensor x:0", debug_ops="Foo")
            self.refused(session, text, r"Failed to find kernel definition for debug op DebugNanCount on watched tensor text:0", debug_ops="DebugNanCount")
            self.run_watched(session, text, debug_ops="DebugNanCount", tolerate_debug_op_creation_failures=True)
            with self.assertRaisesRegex(ValueError, "debug_urls must not be empty"):
                tf_debug.watch_graph(tf.RunOptions(), session.graph)

    def test_failed_runs_are_dumped_up_to_the_failure(self):
        with plain_session() as session:
            x = tf.placeholder(tf.float32, name="x")
            good = tf.add(x, 1.0, name="good")
            with self.assertRaises(tf.errors.InvalidArgumentError):
                self.run_watched(session, tf.matmul(good, good, name="bad"), {x: np.zeros([2, 3])})
        dump = tf_debug.DebugDumpDir(self.folder)
        self.assertEqual(len(dump.watch_key_to_data("good:0:DebugIdentity")), 1)

    def test_paths_and_lines(self):
        with plain_session() as session:
            v = tf.Variable(1.0, name="v")
            y = tf.add(v, 2.0, name="y")
            session.run(v.initializer)
            self.run_watched(session, y)
            dump = tf_debug.DebugDumpDir(self.folder)
            self.assertEqual(dump.find_some_path("v", "y"), ["v", "v/read", "y"])
            with self.assertRaisesRegex(LookupError, "Python graph is not available"):
                dump.node_traceback("y")
            dump.set_python_graph(session.graph)
        names = [name for found in source_utils.annotate_source(dump, __file__).values() for name in found]
        self.assertIn("y", names)


class Wrappers(Dumped):
    def test_dumping_session(self):
        root = os.path.join(self.folder, "runs")
        with plain_session() as plain:
            session = tf_debug.DumpingDebugWrapperSession(plain, root, watch_fn=lambda fetches, feeds: tf_debug.WatchOptions(node_name_regex_whitelist="x$"))
            v = tf.Variable(1.0, name="v")
            x = tf.add(v, v, name="x")
            plain.run(v.initializer)
            self.assertEqual(session.run(x), 2.0)
            self.assertEqual(session.run([x]), [2.0])
        runs = sorted(os.listdir(root))
        self.assertEqual(len(runs), 2)
        dump = tf_debug.DebugDumpDir(os.path.join(root, runs[0]))
        self.assertEqual((dump.run_fetches_info, dump.run_feed_keys_info, dump.size), (repr(x), "None", 1))
        with tf.Session() as plain, self.assertRaisesRegex(ValueError, "non-empty directory"):
            tf_debug.DumpingDebugWrapperSession(plain, root)

    def test_dumping_hook(self):
        root = os.path.join(self.folder, "hooked")
        x = tf.identity(tf.constant(1.0), name="x")
        with tf.train.MonitoredSession(hooks=[tf_debug.DumpingDebugHook(root)]) as session:
            session.run(x)
        run, = os.listdir(root)
        self.assertEqual(len(tf_debug.DebugDumpDir(os.path.join(root, run)).watch_key_to_data("x:0:DebugIdentity")), 1)

    def test_gradients(self):
        debug_gradients.clear_gradient_debuggers()
        with tf.Session() as session:
            x = tf.Variable(3.0, name="x")
            square = tf.square(x, name="square")
            double = square * 2.0
            debugger = tf_debug.GradientsDebugger()
            with debugger.watch_gradients_by_tensors(session.graph, square):
                tf.gradients(double, x)
            session.run(x.initializer)
            self.assertEqual(session.run(debugger.gradient_tensor(square)), 2.0)
            with self.assertRaisesRegex(LookupError, "has not received any gradient tensor"):
                debugger.gradient_tensor(x)
            with self.assertRaisesRegex(ValueError, "already contains an op named"):
                debugger.identify_gradient(square)


if __name__ == "__main__":
    unittest.main()
