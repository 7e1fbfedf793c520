"""Settings either act or report by name that they have no effect; session targets; servers. `weft py settings_test.py`"""

import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np
import tensorflow as tf
import weft
from weft import protos, settings

from unread_parameters import ALLOWED, ALLOWED_KEPT, kept, unread


def _leaves(descriptor, prefix=""):
    """Paths of all fields that are not messages, or that are maps."""
    for field in descriptor.fields:
        path = prefix + field.name
        message = field.message_type
        if message is None or message.GetOptions().map_entry:
            yield path
        else:
            yield from _leaves(message, path + ".")


def _logged(test, function):
    """(result of function(), its warnings)."""
    settings._told.clear()
    with test.assertLogs("tensorflow", "WARNING") as logs:
        result = function()
    return result, "\n".join(logs.output)


def _run(code):
    """Runs a separate program: (stdout, stderr)."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
        f.write(textwrap.dedent(code))
    environment = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
    environment["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
    try:
        done = subprocess.run([sys.executable, f.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=120)
    finally:
        os.remove(f.name)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


class TableTest(unittest.TestCase):
    def test_every_field_is_in_a_table(self):
        for message, table in ((protos.ConfigProto, settings.CONFIG), (protos.RunOptions, settings.RUN)):
            paths = list(_leaves(message.DESCRIPTOR))
            for path in paths:
                self.assertIsNotNone(settings.entry(table, path), "%s.%s: does it act, and if not, what is said?" % (message.DESCRIPTOR.name, path))
            for path, rule in table.items():
                self.assertTrue(any(p == path or p.startswith(path + ".") for p in paths), "there is no field %s" % path)
                self.assertIn(rule[0], (settings.ACTS, settings.SILENT, settings.NAMED))
                self.assertTrue(rule[0] == settings.ACTS or rule[1], "%s: why?" % path)

    def test_a_field_without_effect_is_named_once(self):
        config = tf.ConfigProto(inter_op_parallelism_threads=4)
        config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
        config.graph_options.rewrite_options.layout_optimizer = 1
        with tf.Graph().as_default():
            _, text = _logged(self, lambda: tf.Session(config=config))
            for name in ("inter_op_parallelism_threads", "graph_options.optimizer_options.global_jit_level", "graph_options.rewrite_options.layout_optimizer"):
                self.assertEqual(text.count("ConfigProto.%s has no effect here: " % name), 1, text)
            with self.assertRaises(AssertionError):  # the warning was given
                with self.assertLogs("tensorflow", "WARNING"):
                    tf.Session(config=config)

    def test_mixed_precision_rounds_operands(self):
        values = np.linspace(1, 2, 64 * 256 * 64, dtype=np.float32)
        a, b = values[:64 * 256].reshape(64, 256), values[-256 * 64:].reshape(256, 64)
        rounded = [x.view(np.uint32) for x in (a, b)]
        rounded = [((x + 0x7fff + (x >> 16 & 1)) & 0xffff0000).view(np.float32).astype(np.float64) for x in rounded]
        config = tf.ConfigProto()
        config.graph_options.rewrite_options.auto_mixed_precision = 1
        with tf.Graph().as_default():
            product = tf.matmul(tf.placeholder_with_default(a, a.shape), tf.placeholder_with_default(b, b.shape))
            with tf.Session() as session:
                exact = session.run(product)
            with tf.Session(config=config) as session:
                mixed = session.run(product)
        np.testing.assert_allclose(exact, a.astype(np.float64) @ b, rtol=1e-6)
        np.testing.assert_allclose(mixed, rounded[0] @ rounded[1], rtol=1e-6)
        self.assertEqual(mixed.dtype, np.float32)
        self.assertGreater(np.abs(mixed - exact).max(), 1e-4)

    def test_gpu_options_are_named_where_there_is_a_gpu(self):
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(deferred_deletion_bytes=4, allow_growth=True))
        before, settings._gpus = settings._gpus, lambda: 1
        try:
            with tf.Graph().as_default():
                _, text = _logged(self, lambda: tf.Session(config=config))
            self.assertIn("gpu_options.deferred_deletion_bytes has no effect", text)
            self.assertNotIn("allow_growth", text)
            self.assertEqual(settings.session_options(tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="0")))["device_count"], {"GPU": 1})
        finally:
            settings._gpus = before

    def test_values_that_tensorflow_refuses(self):
        experimental = protos.ConfigProto.Experimental
        for kind, text, config in (
                (tf.errors.InvalidArgumentError, "intra_op_parallelism_threads", tf.ConfigProto(intra_op_parallelism_threads=-1)),
                (tf.errors.NotFoundError, "No CPU devices are available in this process", tf.ConfigProto(device_count={"CPU": 0})),
                (tf.errors.NotFoundError, "executor type: NOPE", tf.ConfigProto(experimental=experimental(executor_type="NOPE"))),
                (tf.errors.InvalidArgumentError, "Session version shouldn't be negative", tf.ConfigProto(experimental=experimental(session_metadata=dict(version=-1))))):
            with self.assertRaisesRegex(kind, text):
                tf.Session(config=config)
        with tf.Graph().as_default(), tf.Session() as session:
            one = tf.constant(1)
            self.assertEqual(session.run(one, options=tf.RunOptions(inter_op_thread_pool=-1)), 1)
            for pool in (1, -2):
                with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Invalid inter_op_thread_pool: %d" % pool):
                    session.run(one, options=tf.RunOptions(inter_op_thread_pool=pool))

    def test_rewrites_can_be_switched_off(self):
        rewriter = protos.RewriterConfig

        def off(**fields):
            return settings.session_options(tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=rewriter(**fields)))).get("disabled_passes", [])

        self.assertEqual(off(), [])
        self.assertEqual(off(disable_meta_optimizer=True), ["all"])
        self.assertEqual(off(constant_folding=rewriter.OFF), ["constant_folding"])
        self.assertNotIn("constant_folding", off(optimizers=["constfold"]))
        self.assertIn("native_loops", off(optimizers=["constfold"]))
        level = tf.GraphOptions(optimizer_options=tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0))
        self.assertEqual(settings.session_options(tf.ConfigProto(graph_options=level))["disabled_passes"], ["constant_folding"])
        with tf.Graph().as_default():
            total = tf.constant(2.) * tf.constant(3.) + 1.
            config = tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=rewriter(disable_meta_optimizer=True)))
            metadata = tf.RunMetadata()
            with tf.Session(config=config) as session:
                self.assertEqual(session.run(total, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata), 7)
            self.assertIn("mul", [n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats])

    def test_memory_optimization_chooses_what_is_computed_again(self):
        rewriter = protos.RewriterConfig

        def config(value, **fields):
            return tf.ConfigProto(graph_options=tf.GraphOptions(rewrite_options=rewriter(memory_optimization=value, **fields)))

        def chosen(value, **fields):
            return settings.session_options(config(value, **fields)).get("recomputation")

        self.assertEqual([chosen(v) for v in range(7)], [None, "never", "hinted", "cheap", None, "cheap", None])
        self.assertEqual(chosen(0, optimizers=["memory"]), "hinted")
        self.assertIsNone(chosen(rewriter.RECOMPUTATION_HEURISTICS, optimizers=["constfold"]))
        with tf.Graph().as_default():
            tf.set_random_seed(3)
            h = x = tf.placeholder(tf.float32, [256, 32])
            for i in range(6):
                w = tf.get_variable("w%d" % i, [32, 32], initializer=tf.random_normal_initializer(stddev=0.2))
                product = tf.matmul(h, w)
                h = tf.tanh(product)
                for op in product.op, h.op:  # to keep one in place of the other would save nothing, and nothing would be computed again
                    op._set_attr("_recompute_hint", tf.AttrValue(i=1))
            loss = tf.reduce_mean(tf.square(h - x))
            train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
            batch = np.sin(np.arange(32 * 256.)).reshape(256, 32)
            losses, again = [], []
            for value in (rewriter.NO_MEM_OPT, rewriter.MANUAL, rewriter.RECOMPUTATION_HEURISTICS):
                with tf.Session(config=config(value)) as session:
                    session.run(tf.global_variables_initializer())
                    losses.append([session.run([loss, train], {x: batch})[0] for _ in range(3)])
                    metadata = tf.RunMetadata()
                    session.run([loss, train], {x: batch}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
                    again.append(sum(n.node_name.endswith("/recomputed") for d in metadata.step_stats.dev_stats for n in d.node_stats))
            self.assertEqual(losses[0], losses[1])
            self.assertEqual(losses[0], losses[2])
            self.assertEqual(again[0], 0)
            self.assertGreater(again[1], 0)

    def test_what_a_program_sets_for_all_sessions(self):
        out, err = _run("""
            import tensorflow as tf
            with tf.device("/gpu:3"):
                a = tf.constant(1.)
            try:
                tf.Session().run(a)
            except tf.errors.InvalidArgumentError:
                print("refused")
            cpu = tf.config.experimental.list_physical_devices("CPU")[0]
            tf.config.experimental.set_virtual_device_configuration(cpu, [tf.config.experimental.VirtualDeviceConfiguration()] * 2)
            tf.config.set_soft_device_placement(True)
            tf.config.optimizer.set_experimental_options({"constant_folding": False, "nonsense": True})
            session = tf.Session()
            print(session.run(a), sum(d.device_type == "CPU" for d in session.list_devices()))
            try:
                tf.Session(config=tf.ConfigProto()).run(a)
            except tf.errors.InvalidArgumentError:
                print("refused")
            from weft import config, settings
            print(settings.session_options(config.session_config())["disabled_passes"])
            """)
        self.assertEqual(out.splitlines(), ["refused", "1.0 2", "refused", "['constant_folding']"])
        self.assertIn("nonsense in config.optimizer.set_experimental_options has no effect", err)

    def test_cpus_as_asked_for(self):
        with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
            with tf.device("/cpu:1"):
                there = tf.constant(1.) + 1.
            self.assertEqual(session.run(there), 2)
            self.assertEqual([d.name for d in session.list_devices() if d.device_type == "CPU"], ["/job:localhost/replica:0/task:0/device:CPU:%d" % i for i in (0, 1)])

    def test_partition_graphs(self):
        with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
            x = tf.placeholder(tf.float32, [], name="x")
            with tf.device("/cpu:1"):
                y = tf.add(x, 1., name="y")
            tf.constant(5., name="other")
            metadata = tf.RunMetadata()
            session.run(tf.square(y, name="z"), {x: 1.}, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
        self.assertEqual([[n.name for n in g.node] for g in metadata.partition_graphs], [["z"], ["y/y", "y"]])
        self.assertTrue(all(n.device.endswith("CPU:1") for n in metadata.partition_graphs[1].node))


class ParameterTest(unittest.TestCase):
    def test_every_parameter_is_read_or_explained(self):
        found = unread(os.path.dirname(weft.__file__))
        for key, names in sorted(found.items()):
            self.assertTrue(key in ALLOWED, "%s takes %s and does not read it: act on it, call settings.unused(), or say in unread_parameters.py why it needs neither"
                            % (key, ", ".join(names)))
            self.assertTrue(ALLOWED[key].strip())

    def test_every_parameter_that_is_kept_is_read_or_explained(self):
        for key, names in sorted(kept(os.path.dirname(weft.__file__)).items()):
            self.assertTrue(ALLOWED_KEPT.get(key, "").strip(), "%s keeps %s and nothing reads it" % (key, ", ".join(names)))

    def test_the_search_finds_what_is_ignored(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.py"), "w") as f:
                f.write("class C:\n    def __init__(self, a, b, c):\n        self._a, self._b = a, b\n        self._c = c\n\n    def m(self):\n        return self._b\n")
            self.assertEqual(kept(folder), {"m.py:C": ["a", "c"]})
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.py"), "w") as f:
                f.write("def f(a, b, *rest, c=1, **more):\n    return a\n\n\ndef _private(a):\n    pass\n\n\ndef g(a):\n    raise ValueError\n\n\nclass C:\n"
                        "    def m(self, a):\n        def inner(z):\n            return a\n        return inner\n")
            self.assertEqual(unread(folder), {"m.py:f": ["b", "c", "rest", "more"]})

    def test_unused_parameters_are_named_once(self):
        _, text = _logged(self, lambda: tf.keras.callbacks.TensorBoard(profile_batch=7))
        self.assertIn("profile_batch of keras.callbacks.TensorBoard has no effect here: ", text)
        _, text = _logged(self, lambda: settings.unused("f", "why", a=(3, None), b=(0, 0), c=(None, None)))
        self.assertEqual(text, "WARNING:tensorflow:a of f has no effect here: why")
        x = tf.placeholder(tf.float32)
        y = x * x
        tf.gradients(y * y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
        self.assertIn("gradients/mul_gradient_sum/AddN", [op.name for op in tf.get_default_graph().get_operations()])
        with self.assertRaisesRegex(ValueError, "Invalid aggregation_method specified 7."):
            tf.gradients(x * x, x, aggregation_method=7)
        for make in (lambda: tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))]).compile("sgd", "mse", distribute=object()),
                     lambda: tf.keras.layers.Input((1,), ragged=True)):
            with tf.Graph().as_default(), self.assertRaises(NotImplementedError):
                make()
        with self.assertRaisesRegex(ValueError, "Unrecognized save_freq: batch"):
            tf.keras.callbacks.ModelCheckpoint("x", save_freq="batch")
        with self.assertRaises(TypeError):
            tf.keras.applications.VGG16(weights=None, colour="red")


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


class TargetTest(unittest.TestCase):
    def setUp(self):
        graph = tf.Graph().as_default()
        graph.__enter__()
        self.addCleanup(graph.__exit__, None, None, None)

    def test_targets_that_name_nothing(self):
        for target in ("nonsense://x", "local", "localhost:2222"):
            with self.assertRaisesRegex(tf.errors.NotFoundError, r'No session factory registered for the given session options: \{target: "%s" config: .*\} '
                                        r"Registered factories are \{DIRECT_SESSION, GRPC_SESSION\}\." % target):
                tf.Session(target)
        one = tf.constant(1.)
        nobody = tf.Session("grpc://localhost:1", config=tf.ConfigProto(operation_timeout_in_ms=200))  # looks for its server at the first run
        with self.assertRaises(tf.errors.DeadlineExceededError):
            nobody.run(one)
        with self.assertRaises(tf.errors.NotFoundError):
            tf.Session.reset("nonsense://x")

    def test_sessions_of_a_server_share(self):
        server = tf.train.Server.create_local_server()
        self.assertRegex(server.target, r"^grpc://localhost:\d+$")
        v = tf.Variable(1., name="v")
        r = tf.get_variable("r", initializer=2., use_resource=True)
        shared, own = tf.FIFOQueue(10, tf.float32, shared_name="q"), tf.FIFOQueue(10, tf.float32)
        noise = tf.random_uniform([], seed=3)
        up = v.assign_add(1.)
        first, second = tf.Session(server.target), tf.Session(server.target)
        first.run([v.initializer, r.initializer])
        first.run(up)
        self.assertEqual(second.run([v, r]), [2., 2.])
        first.run([shared.enqueue(5.), own.enqueue(6.)])
        self.assertEqual(second.run([shared.size(), own.size()]), [1, 0])
        self.assertEqual([first.run(noise), first.run(noise)], [second.run(noise), second.run(noise)])  # each session has its own random streams
        first.close()
        self.assertEqual(second.run(v), 2.)
        self.assertEqual([d.name for d in second.list_devices() if d.device_type == "CPU"], ["/job:local/replica:0/task:0/device:CPU:0"])
        with tf.Session(server.target, config=tf.ConfigProto(isolate_session_state=True)) as apart:
            with self.assertRaisesRegex(tf.errors.FailedPreconditionError, "^From /job:local/replica:0/task:0:\nAttempting to use uninitialized value v"):
                apart.run(v)
        with tf.Session() as local, self.assertRaises(tf.errors.FailedPreconditionError):
            local.run(v)
        tf.Session.reset(server.target)
        with self.assertRaisesRegex(tf.errors.AbortedError, "is not found"):
            second.run(v)
        third = tf.Session(server.target)
        with self.assertRaises(tf.errors.FailedPreconditionError):
            third.run(v)
        self.assertEqual(third.run(shared.size()), 0)

    def test_iterators_outlive_the_session_that_made_them(self):
        server = tf.train.Server.create_local_server()
        iterator = tf.data.Dataset.range(10).map(lambda x: x * x).make_initializable_iterator(shared_name="squares")
        following = iterator.get_next()
        first = tf.Session(server.target)
        first.run(iterator.initializer)
        self.assertEqual([first.run(following), first.run(following)], [0, 1])
        first.close()
        del first
        self.assertEqual(tf.Session(server.target).run(following), 4)

    def test_reset_of_this_process_closes_sessions(self):
        v = tf.Variable(1.)
        session, never_ran = tf.Session(), tf.Session()
        session.run(v.initializer)
        tf.Session.reset("")
        for one in (session, never_ran):
            with self.assertRaisesRegex(tf.errors.CancelledError, "Session has been closed."):
                one.run(v)

    def test_tasks_of_a_cluster_work_together(self):
        cluster = tf.train.ClusterSpec({"ps": ["localhost:%d" % free_port()], "worker": ["localhost:%d" % free_port(), "localhost:%d" % free_port()]})
        tf.train.Server(cluster, "ps", 0)
        first, second = tf.train.Server(cluster, "worker", 0), tf.train.Server(cluster, "worker", 1)
        self.assertEqual(first.target, "grpc://" + cluster.task_address("worker", 0))
        with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:1")):
            v = tf.Variable(1., name="v")
            up = v.assign_add(2.)
        with tf.Session(first.target) as chief, tf.Session(second.target) as other:
            with self.assertRaisesRegex(tf.errors.FailedPreconditionError, "^From /job:ps/replica:0/task:0:\nAttempting to use uninitialized value v"):
                other.run(v)
            chief.run(v.initializer)
            self.assertEqual(other.run(up), 3.)
            self.assertEqual(chief.run(v), 3.)
            self.assertEqual(sorted(d.name for d in chief.list_devices()), ["/job:%s/replica:0/task:%d/device:CPU:0" % t for t in (("ps", 0), ("worker", 0), ("worker", 1))])
        with tf.device("/job:ps/task:7"):
            there = tf.constant(1.) + 1.
        with tf.Session(first.target) as session, self.assertRaisesRegex(tf.errors.InvalidArgumentError, "/job:ps/task:7"):
            session.run(there)
        with self.assertRaisesRegex(tf.errors.UnknownError, "Could not start gRPC server"):
            tf.train.Server(cluster, "worker", 1)

    def test_servers_that_cannot_be(self):
        with self.assertRaisesRegex(tf.errors.NotFoundError, "No server factory registered"):
            tf.train.Server({"a": ["localhost:47821"]}, protocol="smoke")
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, 'Could not parse port for local server from "nohost"'):
            tf.train.Server({"a": ["nohost"]})

    def test_monitored_sessions_on_a_server(self):
        server = tf.train.Server({"worker": ["localhost:0"]}, config=tf.ConfigProto(device_count={"CPU": 2}))
        step = tf.train.get_or_create_global_step()
        up = tf.assign_add(step, 1)
        with tf.train.MonitoredTrainingSession(master=server.target, is_chief=True, hooks=[tf.train.StopAtStepHook(last_step=3)]) as session:
            while not session.should_stop():
                session.run(up)
        self.assertEqual(tf.Session(server.target).run(step), 3)
        self.assertEqual(len([d for d in tf.Session(server.target).list_devices() if d.device_type == "CPU"]), 2)

    def test_every_node_is_placed_unless_told_otherwise(self):
        fine = tf.constant(1.)
        with tf.device("/gpu:7"):
            tf.constant(2., name="far")
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Cannot assign a device for operation far"):
            tf.Session().run(fine)
        self.assertEqual(tf.Session(config=tf.ConfigProto(graph_options=tf.GraphOptions(place_pruned_graph=True))).run(fine), 1)
        session = tf.InteractiveSession()
        self.assertEqual(session.run(fine), 1)
        session.close()
        self.assertEqual(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).run(fine), 1)


class PlacementLogTest(unittest.TestCase):
    def test_lines(self):
        out, err = _run("""
            import tensorflow as tf
            a = tf.constant(1., name="a")
            b = a + 2.
            with tf.Session(config=tf.ConfigProto(log_device_placement=True, device_count={"GPU": 0})) as session:
                session.run(b)
                session.run(b)
            """)
        lines = ["Device mapping: no known devices.", "add: (AddV2): /job:localhost/replica:0/task:0/device:CPU:0", "a: (Const): /job:localhost/replica:0/task:0/device:CPU:0",
                 "add/y: (Const): /job:localhost/replica:0/task:0/device:CPU:0"]
        self.assertEqual(out.splitlines(), lines)
        self.assertEqual([line.partition("] ")[2] for line in err.splitlines() if " I placement] " in line], lines)


if __name__ == "__main__":
    unittest.main()
