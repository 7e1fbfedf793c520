"""tf.distribute: the programs of distribute_cases.py against the output and graphs of TensorFlow 1.15.5 (distribute.json), and errors.

weft py distribute_test.py; `distribute_test.py --write` with the Python of TensorFlow 1.15.5 writes the file anew."""

import contextlib
import hashlib
import io
import os
import sys
import tempfile
import unittest
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

import distribute_cases as cases
import stored_output

_GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "distribute.json")


def _node_lines(graph):
    """Each node as a line with name, op, device and inputs, sorted."""
    lines = []
    for node in graph.as_graph_def().node:
        plain = [i for i in node.input if not i.startswith("^")]
        lines.append(" ".join([node.name, node.op, node.device] + plain + sorted(i for i in node.input if i.startswith("^"))))
    return sorted(lines)


def measured(name):
    """The output of a program, and its graph."""
    out = io.StringIO()
    with tf.Graph().as_default() as graph, contextlib.redirect_stdout(out):
        cases.CASES[name]()
    found = {"output": out.getvalue().splitlines()}
    if cases.CASES[name].names:
        lines = _node_lines(graph)
        found["nodes"], found["digest"] = len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return found


class Programs(stored_output.StoredOutput):
    """One test for each program."""


def _test(name, expected):
    def test(self):
        found = measured(name)
        self.same_lines(found["output"], expected["output"])
        self.assertEqual((found.get("nodes"), found.get("digest")), (expected.get("nodes"), expected.get("digest")))

    return test


class Errors(unittest.TestCase):
    """Misuse is refused with an error that says what is wrong."""

    def setUp(self):
        self.graph = tf.Graph()
        self._default = self.graph.as_default()
        self._default.__enter__()
        self.strategy = cases.mirrored()

    def tearDown(self):
        self._default.__exit__(None, None, None)

    def refused(self, kind, words, function, *args):
        with self.assertRaises(kind) as caught:
            function(*args)
        self.assertIn(words, str(caught.exception))

    def test_devices(self):
        self.refused(AssertionError, "No duplicates allowed in `devices` argument", tf.distribute.MirroredStrategy, ["/cpu:0", "/device:CPU:0"])
        self.refused(ValueError, "Remote device string must have job specified.", tf.distribute.MirroredStrategy, ["/job:worker/task:0/cpu:0", "/cpu:0"])
        self.refused(ValueError, "devices of other tasks is not supported", tf.distribute.MirroredStrategy, ["/job:worker/task:0/cpu:0"])
        self.refused(TypeError, "cross_device_ops is an instance of tf.distribute.CrossDeviceOps", tf.distribute.MirroredStrategy, ["/cpu:0"], "nccl")

    def test_a_missing_device_is_named_when_it_is_used(self):
        with self.strategy.scope():
            v = tf.Variable(1.0)
        with tf.Session() as sess:
            self.refused(tf.errors.InvalidArgumentError, "CPU:1", sess.run, v.initializer)

    def test_scopes(self):
        with self.strategy.scope():
            self.refused(RuntimeError, "Mixing different tf.distribute.Strategy objects", cases.mirrored().scope().__enter__)
            self.refused(RuntimeError, "Must not be called inside a `tf.distribute.Strategy` scope.", tf.distribute.experimental_set_strategy, self.strategy)
            self.assertTrue(tf.distribute.in_cross_replica_context())
            self.assertIsNone(tf.distribute.get_replica_context())
        self.assertFalse(tf.distribute.has_strategy())

    def test_replicas_that_differ(self):
        def merges_once():
            context = tf.distribute.get_replica_context()
            if tf.contrib.util.constant_value(context.replica_id_in_sync_group) == 0:
                context.merge_call(lambda strategy: None)

        def names_by_replica():
            return tf.Variable(1.0, name="v%d" % tf.contrib.util.constant_value(tf.distribute.get_replica_context().replica_id_in_sync_group))

        run = self.strategy.experimental_run_v2
        self.refused(RuntimeError, "Some replicas made a different number of replica_context().merge_call() calls.", run, merges_once)
        self.refused(RuntimeError, "Tried to create variable v1 with mismatching name on device 1", run, names_by_replica)
        self.refused(ZeroDivisionError, "division", run, lambda: 1 / 0)
        self.assertFalse(tf.distribute.has_strategy())

    def test_merged_functions_raise_in_the_program(self):
        def fails(strategy):
            raise KeyError("merged")

        self.refused(KeyError, "merged", self.strategy.experimental_run_v2, lambda: tf.distribute.get_replica_context().merge_call(fails))

    def test_variables(self):
        with self.strategy.scope():
            v = tf.Variable([1.0], name="v")
            self.refused(ValueError, "You must specify an aggregation method", self.strategy.experimental_run_v2, lambda: v.assign([2.0]))
            self.refused(ValueError, "`NONE` variable synchronization mode is not supported", lambda: tf.Variable(1.0, synchronization=tf.VariableSynchronization.NONE))
            self.refused(NotImplementedError, "on one device only", v.scatter_add, tf.IndexedSlices(tf.ones([1]), tf.constant([0])))
            self.refused(ValueError, "`handle` is not available", lambda: v.handle)
            self.refused(RuntimeError, "Use `_distributed_apply()`", tf.train.GradientDescentOptimizer(1.0).minimize, v * 2)

    def test_reductions(self):
        reduce = self.strategy.reduce
        self.refused(ValueError, "cannot be reduced with the given reduce op", reduce, "sum", tf.constant(1.0))
        self.refused(ValueError, "is not a valid ReduceOp", reduce, "max", 4.0)
        self.assertEqual((reduce("sum", 0), reduce("mean", 4.0)), (0, 4.0))
        self.refused(RuntimeError, "Method requires being in cross-replica context", self.strategy.experimental_run_v2, lambda: reduce("sum", 1.0))
        self.refused(ValueError, "NcclAllReduce needs GPUs", lambda: tf.distribute.MirroredStrategy(cases.PLACES, tf.distribute.NcclAllReduce()).experimental_run_v2(
            lambda: tf.distribute.get_replica_context().all_reduce(cases.SUM, tf.constant(1.0) + 0)))

    def test_inputs(self):
        self.refused(ValueError, "Perhaps your input dataset is not batched?", self.strategy.make_dataset_iterator, tf.data.Dataset.range(4))
        self.refused(ValueError, "Cannot create a one shot iterator.", self.strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(2)).make_one_shot_iterator)
        self.refused(ValueError, "input_fn must return a tf.data.Dataset or a callable.", self.strategy.make_input_fn_iterator, lambda context: 3)
        self.refused(ValueError, "is not divisible by `num_replicas_in_sync` 3", tf.distribute.InputContext(2, 1, 3).get_per_replica_batch_size, 8)

    def test_settings(self):
        config = tf.ConfigProto()
        self.assertTrue(self.strategy.update_config_proto(config).isolate_session_state)
        self.assertFalse(config.isolate_session_state)
        self.strategy.configure(session_config=config)
        self.assertTrue(config.isolate_session_state)
        self.refused(ValueError, "over several tasks is not supported", self.strategy.configure, None, {"worker": ["a:1", "b:1"]})

    def test_a_read_goes_where_its_variable_is(self):
        with tf.device("/cpu:0"):
            v = tf.Variable(1.0, use_resource=True)
        with tf.device("/cpu:1"):
            read = tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.float32)
        with cases.session() as sess:
            sess.run(v.initializer)
            self.assertEqual(sess.run(read), 1.0)

    def test_device_scopes_end_after_replicas_have_run(self):
        with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op()]):
            self.strategy.experimental_run_v2(lambda: tf.constant(1.0))
        after = tf.constant(2.0)
        self.assertEqual((after.device, after.op.control_inputs), ("", []))


    def values(self, what):
        with cases.session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(list(self.strategy.unwrap(what)))

    def test_a_checkpoint_reaches_all_components(self):
        with tempfile.TemporaryDirectory() as folder:
            with tf.Graph().as_default():
                saved = tf.get_variable("w", initializer=[5.0, 6.0])
                with tf.Session() as sess:
                    sess.run(saved.initializer)
                    path = tf.train.Saver().save(sess, os.path.join(folder, "m"))
            with self.strategy.scope():
                w = tf.get_variable("w", initializer=[0.0, 0.0])
                tf.train.init_from_checkpoint(path, {"w": "w"})
            self.assertEqual([v.tolist() for v in self.values(w)], [[5.0, 6.0], [5.0, 6.0]])

    def test_all_of_three_devices_count(self):
        places = ["/cpu:0", "/cpu:1", "/cpu:2"]
        strategy = tf.distribute.MirroredStrategy(places, cross_device_ops=tf.distribute.HierarchicalCopyAllReduce())
        context = tf.distribute.get_replica_context
        out = strategy.experimental_run_v2(lambda: context().all_reduce(cases.SUM, tf.cast(context().replica_id_in_sync_group, tf.float32) + 1.0))
        with tf.Session(config=tf.ConfigProto(device_count={"CPU": 3})) as sess:
            self.assertEqual(sess.run(list(strategy.unwrap(out))), [6.0, 6.0, 6.0])

    def test_a_slice_of_one_component_is_not_assigned(self):
        with self.strategy.scope():
            v = tf.get_variable("v", initializer=[1.0, 1.0])
        self.refused(ValueError, "Sliced assignment is only supported for variables", self.strategy.experimental_run_v2, lambda: v[0].assign(5.0))

    def test_batch_normalization_is_made_in_the_scope(self):
        with self.strategy.scope():
            model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,)), tf.keras.layers.BatchNormalization()])
        self.assertEqual(len(model.layers), 2)

    def test_sparse_elements_are_split(self):
        data = tf.data.Dataset.range(1, 9).map(lambda i: tf.sparse.from_dense(tf.fill([2], i))).batch(4)
        iterator = self.strategy.make_dataset_iterator(data)
        element = iterator.get_next()
        with cases.session() as sess:
            sess.run(iterator.initialize())
            self.assertEqual([part.values.tolist() for part in sess.run(list(self.strategy.unwrap(element)))], [[1, 1, 2, 2], [3, 3, 4, 4]])

    def test_an_error_is_not_swallowed_by_a_bare_except(self):
        def fails(*_):
            raise KeyError("merged")

        def replica():
            for _ in range(2):
                try:
                    tf.distribute.get_replica_context().merge_call(fails)
                except:  # noqa: E722
                    pass

        self.refused(KeyError, "merged", self.strategy.experimental_run_v2, replica)

    def test_summaries_of_the_first_replica_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            writer = tf.contrib.summary.create_file_writer(folder)
            with writer.as_default(), tf.contrib.summary.always_record_summaries():
                tf.train.create_global_step()
                self.strategy.experimental_run_v2(lambda: tf.contrib.summary.scalar("a", 1.0))
        self.assertEqual([op.type for op in self.graph.get_operations() if op.type == "WriteScalarSummary"], ["WriteScalarSummary"])

    def test_accuracy_of_classes_counts_in_a_strategy(self):
        with self.strategy.scope():
            value, update = self.strategy.experimental_run_v2(lambda: tf.metrics.mean_per_class_accuracy(tf.constant([0, 1]), tf.constant([0, 0]), 2))
            update = list(self.strategy.unwrap(update))
        with cases.session() as sess:
            sess.run(tf.local_variables_initializer())
            sess.run(update)
            self.assertEqual(sess.run(self.strategy.unwrap(value)[0] if isinstance(self.strategy.unwrap(value), (list, tuple)) else value), 0.5)


if __name__ == "__main__":
    stored_output.main(_GOLDEN, cases.CASES, measured, _test)
