"""tf.profiler: trees, times, files. `weft py profiler_test.py`; numbers other than times are TensorFlow 1.15's for the same program."""

import contextlib
import gzip
import io
import json
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf

B = tf.profiler.ProfileOptionBuilder


def _net():
    with tf.variable_scope("net"):
        with tf.variable_scope("l1"):
            x = tf.placeholder(tf.float32, [4, 8], name="x")
            h = tf.nn.relu(tf.matmul(x, tf.get_variable("w", [8, 16])), name="h")
        with tf.variable_scope("l2"):
            y = tf.matmul(h, tf.get_variable("w2", [16, 2]), name="y")
    return x, y


def _traced(session, fetch, feeds=None):
    metadata = tf.RunMetadata()
    session.run(fetch, feeds, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    return metadata


def _children(node):
    return [c.name for c in node.children]


def _find(node, name):
    if node.name == name:
        return node
    return next((f for f in (_find(c, name) for c in node.children) if f is not None), None)


def _fields(data):
    """(number, value) of each field of a serialized message."""
    out, at = [], 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            out.append((key >> 3, varint()))
        else:
            size = varint()
            out.append((key >> 3, data[at:at + size]))
            at += size
    return out


class ProfilerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tf.reset_default_graph()
        x, y = _net()
        with tf.Session() as session:
            init = tf.global_variables_initializer()
            session.run(init)
            cls.metadata = _traced(session, y, {x: np.ones([4, 8], np.float32)})
        cls.graph = tf.get_default_graph()
        cls.profiler = tf.profiler.Profiler(cls.graph)
        cls.profiler.add_step(3, cls.metadata)

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.path = os.path.join(self._folder.name, "out")

    def _quiet(self, view, options):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            result = view(options)
        return result, out.getvalue()

    def test_scopes_are_a_tree(self):
        root = self.profiler.profile_name_scope(B(B.time_and_memory()).with_empty_output().build())
        self.assertEqual(_children(root), ["net"])
        self.assertEqual(sorted(_children(root.children[0])), ["net/l1", "net/l2"])
        l1 = _find(root, "net/l1")
        self.assertEqual(l1.exec_micros, 0)
        self.assertEqual(l1.total_exec_micros, sum(c.total_exec_micros for c in l1.children))
        self.assertGreater(_find(root, "net/l1/MatMul").exec_micros, 0)
        self.assertEqual(_find(root, "net/l1/MatMul").float_ops, 1024)
        self.assertEqual(list(_find(root, "net/l1/MatMul").devices), ["/job:localhost/replica:0/task:0/device:cpu:0"])

    def test_scopes_count_what_tensorflow_counts(self):
        root = self.profiler.profile_name_scope(B(B.trainable_variables_parameter()).with_empty_output().build())
        counts = [(n, _find(root, n).total_parameters, _find(root, n).total_definition_count) for n in ("_TFProfRoot", "net", "net/l1", "net/l1/w")]
        self.assertEqual(counts, [("_TFProfRoot", 160, 6), ("net", 160, 5), ("net/l1", 128, 2), ("net/l1/w", 128, 1)])
        with_all = self.profiler.profile_name_scope(B(B.time_and_memory(min_micros=0, min_bytes=0)).with_empty_output().build())
        self.assertEqual((with_all.total_parameters, with_all.total_float_ops), (192, 1602))
        w = _find(with_all, "net/l1/w")
        self.assertEqual((w.total_float_ops, w.total_definition_count), (257, 11))

    def test_depth_counts_the_root(self):
        root = self.profiler.profile_name_scope(B(B.trainable_variables_parameter()).with_max_depth(1).with_empty_output().build())
        self.assertEqual((_children(root), root.total_parameters), ([], 0))

    def test_inputs_are_met_going_down(self):
        root = self.profiler.profile_graph(B(B.time_and_memory(min_micros=0, min_bytes=0)).with_empty_output().build())
        sub = _find(_find(root, "init"), "net/l1/w/Initializer/random_uniform/sub")
        self.assertEqual(_children(sub), ["net/l1/w/Initializer/random_uniform/max", "net/l1/w/Initializer/random_uniform/min"])
        self.assertEqual(_find(root, "init").total_definition_count, 19)

    def test_each_type_counts_once(self):
        root = self.profiler.profile_operations(B(B.time_and_memory(min_micros=0, min_bytes=0)).with_empty_output().build())
        self.assertEqual((root.total_parameters, root.total_float_ops), (192, 1602))
        self.assertEqual(_find(root, "VariableV2").parameters, 160)
        self.assertIsNone(_find(root, "_trainable_variables"))
        only = self.profiler.profile_operations(B(B.trainable_variables_parameter()).with_empty_output().build())
        self.assertEqual(_children(only), ["VariableV2"])

    def test_scalars_are_one_parameter(self):
        with tf.Graph().as_default() as graph:
            tf.get_variable("s", [])
            tf.get_variable("w", [3])
            self.assertEqual(tf.profiler.profile(graph, options=B(B.trainable_variables_parameter()).with_empty_output().build()).total_parameters, 4)

    def test_text(self):
        _, text = self._quiet(self.profiler.profile_name_scope, B.trainable_variables_parameter())
        self.assertIn("-account_type_regexes       _trainable_variables\n", text)
        tree = ["node name | # parameters", "_TFProfRoot (--/160 params)", "  net (--/160 params)", "    net/l1 (--/128 params)",
                "      net/l1/w (8x16, 128/128 params)", "    net/l2 (--/32 params)", "      net/l2/w2 (16x2, 32/32 params)"]
        self.assertIn("\n".join(tree), text)
        self.profiler.profile_name_scope(B(B.trainable_variables_parameter()).with_file_output(self.path).build())
        with open(self.path) as f:
            self.assertIn("\n".join(tree), f.read())
        _, text = self._quiet(self.profiler.profile_operations, B.trainable_variables_parameter())
        self.assertRegex(text, r"VariableV2 +160 params \(100.00%, 100.00%\)")

    def test_columns(self):
        every = ["micros", "bytes", "params", "float_ops", "device", "op_types", "occurrence", "input_shapes", "peak_bytes", "residual_bytes", "output_bytes"]
        _, text = self._quiet(self.profiler.profile_name_scope, B(B.time_and_memory()).select(every).build())
        line = next(x for x in text.splitlines() if x.strip().startswith("net/l2/y"))
        self.assertIn("0/0 params, 256/256 flops, 32B/32B", line)
        self.assertTrue(line.endswith("/job:localhost/replica:0/task:0/device:cpu:0|MatMul, 1/1|1/1, 0:4x16|1:16x2)"), line)

    def test_serialized_times(self):
        profile = tf.profiler.ProfileProto() if hasattr(tf.profiler, "ProfileProto") else None
        from weft import protos

        profile = profile or protos.ProfileProto()
        profile.ParseFromString(self.profiler.serialize_to_string())
        self.assertEqual(list(profile.steps), [3])
        by_name = {n.name: n for n in profile.nodes.values()}
        node = by_name["net/l1/MatMul"]
        execution = node.execs[3]
        self.assertEqual(execution.run_count, 1)
        times = execution.cpu_execs["/job:localhost/replica:0/task:0/device:cpu:0"].times
        self.assertEqual(len(times), 1)
        start, micros = times[0].int64_values
        self.assertGreater(micros, 0)
        self.assertEqual((start, start + micros), (execution.all_start_micros, execution.latest_end_micros))
        self.assertEqual((node.float_ops, list(node.output_shapes[0].int64_values)), (1024, [4, 16]))
        self.assertEqual(execution.memory_execs[0].output_bytes, 256)
        self.assertEqual(list(by_name["net/l1/w"].shape), [8, 16])
        self.assertEqual(profile.nodes[node.inputs[0]].name, "net/l1/x")
        self.assertTrue(profile.id_to_string[node.trace.traces[0].file_id].endswith("profiler_test.py"))

    def test_pprof(self):
        options = B(B.time_and_memory(min_micros=0, min_bytes=0)).select(["micros"]).with_pprof_output(self.path).build()
        result, text = self._quiet(self.profiler.profile_python, options)
        self.assertIn("pprof", text)
        with open(self.path, "rb") as f:
            fields = _fields(gzip.decompress(f.read()))
        strings = [v.decode() for n, v in fields if n == 6]
        self.assertEqual(strings[0], "")
        self.assertIn("graph node:net/l1/MatMul", strings)
        functions = {dict(_fields(v))[1]: strings[dict(_fields(v))[2]] for n, v in fields if n == 5}
        locations = {dict(_fields(v))[1]: functions[dict(_fields(dict(_fields(v))[4]))[1]] for n, v in fields if n == 4}
        samples, units = [dict(_fields(v)) for n, v in fields if n == 2], [dict(_fields(v)) for n, v in fields if n == 1]
        self.assertEqual([strings[u[2]] for u in units], ["count", "microseconds"])
        leaves = {locations[s[1][0]] for s in samples}
        self.assertTrue({"graph node:net/l1/MatMul", "graph node:net/l2/y"} <= leaves, leaves)
        self.assertTrue(all(s[2][0] == 1 for s in samples))  # each ran once
        self.assertGreater(result.total_exec_micros, 0)

    def test_output_that_a_view_has_not(self):
        for view, options, word in ((self.profiler.profile_graph, B(B.time_and_memory()).with_pprof_output(self.path), "code"),
                                    (self.profiler.profile_python, B(B.time_and_memory()).with_pprof_output(self.path), "1 attribute"),
                                    (self.profiler.profile_operations, B(B.time_and_memory()).with_timeline_output(self.path), "timeline"),
                                    (self.profiler.profile_graph, B(dict(B.time_and_memory(), output="nope:x=1")), "Unknown output type"),
                                    (self.profiler.profile_graph, B(dict(B.time_and_memory(), output="file")), "outfile"),
                                    (self.profiler.profile_graph, B(B.time_and_memory()).with_step(17), "-step=17 not found")):
            with self.assertRaisesRegex(tf.errors.InvalidArgumentError, word):
                view(options.build())

    def test_options_that_nobody_reads_are_named(self):
        with self.assertLogs("tensorflow", "WARNING") as logs:
            self.profiler.profile_name_scope(dict(B(B.time_and_memory()).with_empty_output().build(), whatever=3))
        self.assertIn("profiler option whatever has no effect", logs.output[0])
        with self.assertLogs("tensorflow", "WARNING") as logs:
            self.profiler.profile_name_scope(B(B.time_and_memory()).order_by("beauty").select(["colour"]).with_empty_output().build())
        self.assertTrue(any("'colour'" in line for line in logs.output) and any("beauty" in line for line in logs.output), logs.output)

    def test_timelines(self):
        _, text = self._quiet(self.profiler.profile_graph, B(B.time_and_memory()).with_timeline_output(self.path).build())
        self.assertIn("Timeline file is written to %s_3." % self.path, text)
        with open(self.path + "_3") as f:
            events = json.load(f)["traceEvents"]
        self.assertTrue(any(e["name"] == "MatMul" and e["dur"] > 0 for e in events))
        self._quiet(self.profiler.profile_name_scope, B(B.time_and_memory()).with_timeline_output(self.path).build())
        with open(self.path + "_-1") as f:
            events = {e["name"]: e for e in json.load(f)["traceEvents"] if e["ph"] == "X"}
        net, l2 = events["net"], events["net/l2"]
        self.assertTrue(net["ts"] <= l2["ts"] and l2["ts"] + l2["dur"] <= net["ts"] + net["dur"])

    def test_advice_is_printed(self):
        advice, text = self._quiet(self.profiler.advise, {"ExpensiveOperationChecker": {}, "OperationChecker": {}})
        self.assertEqual(sorted(advice.checkers), ["ExpensiveOperationChecker", "OperationChecker"])
        reports = advice.checkers["ExpensiveOperationChecker"].reports
        self.assertEqual(len(reports), 3)
        self.assertRegex(reports[0].splitlines()[0], r"^top 1 operation type: \w+, cpu: [\d.]+[um]s, accelerator: 0us, total: [\d.]+[um]s \(\d+\.\d\d%\)$")
        self.assertTrue(reports[1].startswith("top 1 graph node: net, "))
        for report in reports:
            self.assertIn(report, text)

    def test_flops_by_the_shapes_of_a_run(self):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            x = tf.placeholder(tf.float32, [None, 3])
            y = tf.matmul(x, tf.placeholder_with_default(tf.ones([3, 4]), [3, 4]), name="y")
            profiler = tf.profiler.Profiler(graph)
            profiler.add_step(0, _traced(session, [y, tf.square(y)], {x: np.ones([5, 3])}))
        root = profiler.profile_operations(B(B.float_operation()).with_empty_output().build())
        self.assertEqual(_find(root, "Square").float_ops, 20)

    def test_steps_stay_when_the_graph_grows(self):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            x = tf.placeholder(tf.float32, [8, 8])
            y = tf.matmul(x, x, name="y")
            profiler = tf.profiler.Profiler(graph)
            profiler.add_step(0, _traced(session, y, {x: np.ones([8, 8])}))
            profiler.add_step(1, _traced(session, tf.nn.relu(y, name="z"), {x: np.ones([8, 8])}))
        for step in (0, 1):
            root = profiler.profile_name_scope(B(B.time_and_memory()).with_step(step).with_empty_output().build())
            self.assertGreater(_find(root, "y").exec_micros, 0)

    def test_profile_context(self):
        with tf.Graph().as_default():
            w = tf.Variable(np.ones([16, 16], np.float32))
            train = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(tf.square(tf.matmul(w, w))))
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), tf.contrib.tfprof.ProfileContext(self._folder.name, trace_steps=[1, 2], dump_steps=[3], debug=True):
                with tf.Session() as session:
                    session.run(tf.global_variables_initializer())
                    for _ in range(4):
                        session.run(train)
        self.assertIn("debug: dumping file at step: 3", errors.getvalue())
        from weft import protos

        profile = protos.ProfileProto()
        with open(os.path.join(self._folder.name, "profile_3"), "rb") as f:
            profile.ParseFromString(f.read())
        self.assertEqual(list(profile.steps), [1, 2, 3])
        timed = [n for n in profile.nodes.values() if n.op == "MatMul" and 3 in n.execs and any(e.times for e in n.execs[3].cpu_execs.values())]
        self.assertTrue(timed)


if __name__ == "__main__":
    unittest.main()
