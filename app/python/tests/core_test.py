"""The core of the tensorflow module beyond graph structure: steps, threads, interrupts, errors, Python functions."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import gc
import unittest
import weakref

import numpy as np

import tensorflow as tf


class Core(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_values_and_structures(self):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = x * 2.0
        s = tf.SparseTensor([[0, 1]], [5.0], [2, 2])
        with tf.Session() as sess:
            out = sess.run({"a": y, "b": [y, (x, s)]}, {x: [[1, 2]]})
            self.assertEqual(out["a"].tolist(), [[2, 4]])
            self.assertEqual(out["b"][1][0].dtype, np.float32)
            self.assertEqual(out["b"][1][1].values.tolist(), [5.0])
            self.assertIsInstance(sess.run(tf.constant(3)), np.int32)
            self.assertEqual(sess.run(tf.constant(["a", "bc"])).tolist(), [b"a", b"bc"])
            with self.assertRaisesRegex(ValueError, r"Cannot feed value of shape \(3,\) for Tensor 'x:0', which has shape '\(\?, 2\)'"):
                sess.run(y, {x: [1, 2, 3]})
            with self.assertRaisesRegex(TypeError, "Cannot interpret feed_dict key as Tensor"):
                sess.run(y, {"nope:0": 1})
            with self.assertRaises(tf.errors.InvalidArgumentError) as e:
                sess.run(y)
            self.assertEqual(e.exception.op.name, "x")
            self.assertIn("You must feed a value for placeholder tensor 'x' with dtype float", e.exception.message)

    def test_bytes_seen_as_truth_values_are_true_or_false(self):
        odd = np.array([137, 0, 1], np.uint8).view(np.bool_)
        given = tf.placeholder(tf.bool, [3])
        ways = [given, tf.constant(odd), tf.py_func(lambda: odd, [], tf.bool)]
        with tf.Session() as session:
            for value in ways:
                numbers, same = session.run([tf.cast(value, tf.int32), tf.equal(tf.identity(value), [True, False, True])], {given: odd})
                self.assertEqual((numbers.tolist(), same.tolist()), ([1, 0, 1], [True] * 3))

    def test_what_is_fed_and_fetched_comes_back_as_it_was_fed(self):
        a = tf.constant(2.0)
        b = a * 3
        with tf.Session() as session:
            for options in (None, tf.RunOptions()):
                product, fed = session.run([b + 1, b], {b: 10}, options=options)
                self.assertEqual((product, type(product)), (11, np.float32))
                self.assertEqual((fed.shape, fed.dtype, type(fed)), ((), np.float32, np.ndarray))

    def test_large_arrays_are_lent(self):
        x = tf.placeholder(tf.float32, [None])
        v = tf.Variable(tf.zeros([100000]))
        keep = v.assign(x)
        data = np.ones(100000, np.float32)
        with tf.Session() as sess:
            sess.run(v.initializer)
            out = sess.run(tf.identity(x), {x: data})
            out += 1  # results of a step belong to the program
            self.assertEqual(data.sum(), 100000)
            sess.run(keep, {x: data})
            sess.run(v.assign_add(tf.ones([100000])))
            self.assertEqual(data[0], 1.0)
            self.assertEqual(sess.run(v)[0], 2.0)
            self.assertEqual(sess.run(x, {x: data[::2]}).shape, (50000,))

    def test_graph_grows_between_steps(self):
        v = tf.Variable(1.0)
        with tf.Session() as sess:
            sess.run(v.initializer)
            for i in range(3):
                self.assertEqual(sess.run(v + float(i)), 1.0 + i)

    def test_a_branch_that_is_not_taken_draws_no_numbers(self):
        """The output shape of a Switch is known before the step. A random op of that shape still belongs to the branch."""
        def drawn(*taken):
            with tf.Graph().as_default():
                x, take = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.bool, [])
                y = tf.cond(take, lambda: tf.random_uniform(tf.shape(x), seed=3), lambda: x)
                z = tf.cond(take, lambda: x, lambda: tf.random_uniform(tf.shape(x), seed=3))
                with tf.Session() as s:
                    return [s.run([y, z], {x: np.ones([2, 4]), take: t}) for t in taken]

        always = drawn(True, True, True)
        mixed = drawn(True, False, True, False, True)
        np.testing.assert_array_equal([y for y, _ in always], [mixed[i][0] for i in (0, 2, 4)])
        np.testing.assert_array_equal([y for y, _ in always[:2]], [mixed[i][1] for i in (1, 3)])
        self.assertEqual(float(np.ptp(mixed[1][0])), 0.0)

    def test_functions_of_the_program_may_raise(self):
        def broken():
            raise KeyError("mine")

        p = tf.placeholder(tf.bool, [])
        with self.assertRaisesRegex(KeyError, "mine"):
            tf.cond(p, broken, lambda: tf.constant(1))
        with self.assertRaisesRegex(KeyError, "mine"):
            tf.while_loop(lambda i: i < 3, lambda i: broken(), [0])
        with self.assertRaisesRegex(KeyError, "mine"):
            tf.get_variable("v", [2], initializer=lambda *a, **k: broken())
        self.assertEqual(tf.add(1, 2).op.type, "Add")  # the graph still works

    def test_gradient_of_the_program(self):
        @tf.RegisterGradient("Twice")
        def twice(op, grad):
            return 2.0 * grad

        x = tf.constant(3.0)
        with tf.get_default_graph().gradient_override_map({"Identity": "Twice"}):
            y = tf.identity(x)
        with tf.Session() as sess:
            self.assertEqual(sess.run(tf.gradients(y, x)), [2.0])
        with self.assertRaisesRegex(KeyError, "Registering two gradient with name 'Twice'!"):
            tf.RegisterGradient("Twice")(twice)

    def test_names_that_are_missing(self):
        with self.assertRaisesRegex(AttributeError, "module 'tensorflow' has no attribute 'constnt'; the nearest that exists is 'constant'"):
            tf.constnt
        with self.assertRaisesRegex(AttributeError, "tensorflow.train"):
            tf.train.AdamOptimiser
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import gen_math_ops, variable_scope

        self.assertIs(ops.Graph, tf.Graph)
        self.assertIs(variable_scope.get_variable, tf.get_variable)
        self.assertEqual(gen_math_ops.add_v2(1.0, 2.0).op.type, "AddV2")

    def test_app_run_shows_more_messages(self):
        def levels(prepare):
            program = "import tensorflow as tf\n%s\ndef main(_):\n  print(tf.logging.get_verbosity())\n  tf.logging.info('told')\nprint(tf.logging.get_verbosity())\ntf.app.run()\n" % prepare
            with tempfile.TemporaryDirectory() as folder:
                with open(folder + "/p.py", "w") as f:
                    f.write(program)
                done = subprocess.run([sys.executable, os.path.join(os.path.dirname(sys.modules["weft"].__path__[0]), "bootstrap.py"), folder + "/p.py"], capture_output=True, text=True)
            return done.stdout.split(), "INFO:tensorflow:told" in done.stderr

        self.assertEqual(levels(""), (["30", "20"], True))
        self.assertEqual(levels("tf.logging.set_verbosity(tf.logging.ERROR)"), (["40", "40"], False))

    def test_modules_of_ops_have_their_ops(self):
        from tensorflow.python.ops import control_flow_ops, data_flow_ops
        no, yes = control_flow_ops.switch(tf.constant(3.0), tf.constant(True))
        merged, index = control_flow_ops.merge([no, yes])
        with tf.Session() as s:
            self.assertEqual(s.run([merged, index]), [3.0, 1])
        self.assertEqual(data_flow_ops.queue_size_v2.__name__, "queue_size_v2")

    def test_op_arguments(self):
        with self.assertRaisesRegex(TypeError, "Input 'y' of 'Add' Op has type int32 that does not match type float32 of argument 'x'."):
            tf.add(tf.constant(1.0), tf.constant(1))
        with self.assertRaisesRegex(TypeError, "Expected int32, got 1.5 of type 'float' instead."):
            tf.add(tf.constant(1), 1.5)
        with self.assertRaisesRegex(ValueError, "Attr 'padding' of 'MaxPool' Op passed string 'MAYBE' not in: \"SAME\", \"VALID\"."):
            tf.raw_ops.MaxPool(input=tf.ones([1, 2, 2, 1]), ksize=[1, 1, 1, 1], strides=[1, 1, 1, 1], padding="MAYBE")
        with self.assertRaisesRegex(ValueError, "Dimensions must be equal, but are 2 and 3"):
            tf.matmul(tf.ones([1, 2]), tf.ones([3, 1]))
        with self.assertRaisesRegex(ValueError, "Argument must be a dense tensor|setting an array element|inhomogeneous"):
            tf.constant([[1, 2], [3]])
        for bad in (object(), {}, lambda: 1):
            with self.assertRaises((TypeError, ValueError)):
                tf.add(bad, 1)

    def test_threads_run_beside_each_other(self):
        q = tf.FIFOQueue(1, tf.int32)
        take, put = q.dequeue(), q.enqueue(7)
        with tf.Session() as sess:
            got = []
            waiting = threading.Thread(target=lambda: got.append(sess.run(take)))
            waiting.start()
            time.sleep(0.05)
            sess.run(put)  # would deadlock if the lock were held
            waiting.join(20)
            self.assertEqual(got, [7])

    def test_close_ends_steps(self):
        take = tf.FIFOQueue(1, tf.int32).dequeue()
        sess = tf.Session()
        failed = []

        def wait():
            try:
                sess.run(take)
            except tf.errors.CancelledError as e:
                failed.append(e)

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.1)
        sess.close()
        waiting.join(20)
        self.assertEqual(len(failed), 1)
        with self.assertRaisesRegex(RuntimeError, "Attempted to use a closed Session."):
            sess.run(take)

    def test_interrupt_in_the_middle_of_a_step(self):
        program = ("import tensorflow as tf\nsess = tf.Session()\nloop = tf.while_loop(lambda i: i < 1, lambda i: i * 1, [0])\nprint('on', flush=True)\n"
                   "try:\n    sess.run(loop)\nexcept KeyboardInterrupt:\n    print('interrupted', sess.run(tf.constant(5)), flush=True)\n")
        here = os.path.dirname(os.path.dirname(os.path.abspath(tf.Graph.__init__.__code__.co_filename)))
        child = subprocess.Popen([sys.executable, os.path.join(here, "bootstrap.py"), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(program.encode())
        child.stdin.close()
        self.assertEqual(child.stdout.readline(), b"on\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.stdout.readline(), b"interrupted 5\n")
        child.stdout.close()
        self.assertEqual(child.wait(20), 0)

    def test_collections_on_both_sides(self):
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.layers.dense(x, 2, name="d")
        tf.losses.mean_squared_error(tf.zeros_like(y), y)
        self.assertEqual([v.name for v in tf.trainable_variables()], ["d/kernel:0", "d/bias:0"])
        self.assertEqual(len(tf.get_collection(tf.GraphKeys.LOSSES)), 1)
        with tf.variable_scope("d", reuse=True):
            self.assertIs(tf.get_variable("kernel"), tf.trainable_variables()[0])
        tf.add_to_collection("mine", {"any": "object"})
        self.assertEqual(tf.get_collection("mine"), [{"any": "object"}])

    def test_lines_of_operations(self):
        op = tf.constant(1.0).op
        self.assertTrue(op.traceback[0][0].endswith("core_test.py"))
        self.assertEqual(op.traceback[0][2], "test_lines_of_operations")

    def test_messages_of_joins(self):
        for shapes, axis, message in (
            (([2, 3], [3, 2]), 0, "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3] and [2]."),
            (([2, 3], [3, 2]), 1, "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3]."),
            (([2, 3], [2, 3, 1]), 0, "Shape must be rank 2 but is rank 3 for 'concat_2' (op: 'ConcatV2') with input shapes: [2,3], [2,3,1], []."),
            (([], []), 0, "Can't concatenate scalars (use tf.stack instead) for 'concat_3' (op: 'ConcatV2') with input shapes: [], [], []."),
        ):
            with self.assertRaisesRegex(ValueError, re.escape(message)):
                tf.concat([tf.zeros(s) for s in shapes], axis)

    def test_messages(self):
        c = tf.constant([1.5, 2.5], name="c")
        d = tf.get_default_graph().as_graph_def()
        self.assertEqual(tf.make_ndarray(d.node[0].attr["value"].tensor).tolist(), [1.5, 2.5])
        self.assertEqual(c.op.get_attr("dtype"), tf.float32)
        self.assertEqual(c.op.node_def.name, "c")
        metadata = tf.RunMetadata()
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            x = tf.placeholder(tf.float32, [2])
            sess.run(x * c, {x: [1, 2]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
        self.assertTrue(metadata.step_stats.dev_stats)

    def test_a_graph_ends_when_nobody_has_it(self):
        def run():
            with tf.Session() as session:
                session.run(tf.constant(1.0) + 2)

        def train():
            v = tf.get_variable("v", [2], use_resource=True)
            tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.square(v)))
            tf.keras.optimizers.Adam().get_updates(tf.reduce_sum(v), [v])

        def flow():
            tf.while_loop(lambda i: i < 3, lambda i: tf.cond(i < 1, lambda: i + 1, lambda: i + 2), [tf.constant(0)])
            tf.py_func(lambda x: x, [tf.data.Dataset.range(3).map(lambda x: x).make_one_shot_iterator().get_next()], tf.int64)

        for build in (lambda: None, run, train, flow, lambda: tf.layers.dense(tf.zeros([2, 2]), 2), lambda: tf.keras.layers.Dense(2)(tf.zeros([2, 2])), lambda: tf.train.Saver([tf.Variable(1.0)])):
            with tf.Graph().as_default():
                build()
                graph = weakref.ref(tf.get_default_graph())
            gc.collect()
            self.assertIsNone(graph())

    def test_what_an_operation_says_does_not_cost_the_whole_graph(self):
        x = tf.constant(1.0)
        for _ in range(20):
            x = x + 1.0
        graph = tf.get_default_graph()
        whole = list(graph.as_graph_def().node)
        asked = []
        graph.as_graph_def = lambda *a, **k: asked.append(a)
        self.assertEqual([op.node_def for op in graph.get_operations()], whole)
        self.assertEqual(asked, [])

    def test_a_read_fails_whatever_of_the_value_is_used(self):
        for resource in (False, True):
            tf.reset_default_graph()
            v = tf.Variable([1.0, 2.0], name="v", use_resource=resource)
            w = tf.Variable(1.0, use_resource=resource)
            session = tf.Session()
            uses = [tf.assert_variables_initialized([v]), tf.assert_variables_initialized(), tf.raw_ops.Rank(input=v.value()), tf.raw_ops.Size(input=v.value()),
                    tf.raw_ops.ShapeN(input=[v.value(), w.value()])[1], tf.fill(tf.raw_ops.Shape(input=v.value()), 1.0)]
            for use in uses + ([] if resource else [tf.group(tf.identity(v))]):
                with self.assertRaises(tf.errors.FailedPreconditionError):
                    session.run(use)
            session.run(tf.global_variables_initializer())
            self.assertEqual(session.run(uses[0]), 1)
            self.assertEqual(session.run(uses[1]).tolist(), [1, 0])
            self.assertEqual(session.run(uses[5]).tolist(), [1.0, 1.0])

    def test_a_session_ends_while_a_generator_has_more(self):
        ended = []

        def numbers():
            try:
                for i in range(100):
                    yield i
            finally:
                ended.append(True)

        x = tf.data.make_one_shot_iterator(tf.data.Dataset.from_generator(numbers, tf.int32, [])).get_next()
        session = tf.Session()
        self.assertEqual([session.run(x), session.run(x)], [0, 1])
        session.close()
        del session
        gc.collect()
        self.assertEqual(tf.Session().run(tf.constant(3)), 3)  # the engine still works


if __name__ == "__main__":
    unittest.main()
