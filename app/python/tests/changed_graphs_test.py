"""Graphs that are changed during construction, from several threads, and the nodes that checks and gradients add: weft py changed_graphs_test.py

The values and messages are TensorFlow 1.15.5's.
"""

import threading
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_state_ops


def in_thread(function, graph=None):
    """The result of `function` in another thread with the same default graph."""
    graph, out = graph or tf.get_default_graph(), []

    def call():
        with graph.as_default():
            out.append(function())

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return out[0]


class ChangedGraphs(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_inputs_past_the_end_are_refused(self):
        a, b = tf.constant(1., name="a"), tf.constant(2., name="b")
        total = tf.add(a, b, name="total")
        for index in (2, 5, -1):
            with self.assertRaisesRegex(tf.errors.OutOfRangeError, r"Input index \[%d\] is greater than the number of total inputs \[2\]" % index):
                total.op._update_input(index, b)
        with self.assertRaisesRegex(tf.errors.OutOfRangeError, r"total inputs \[0\]"):
            tf.no_op()._update_input(0, a)
        for wrong in (None, a.op, 1.):
            with self.assertRaisesRegex(TypeError, "tensor must be a Tensor"):
                total.op._update_input(0, wrong)
        with tf.Graph().as_default():
            other = tf.constant(3.)
        with self.assertRaisesRegex(ValueError, "must be from the same graph as"):
            total.op._update_input(0, other)
        total.op._update_input(0, b)
        with tf.Session() as session:
            self.assertEqual(session.run(total), 4.)

    def test_temporary_variables_end_once(self):
        made = tf.assign(gen_state_ops.temporary_variable([2], tf.float32, var_name="t"), [1., 2.])
        ends = [gen_state_ops.destroy_temporary_variable(made, var_name="t") for _ in range(2)]
        with tf.Session() as session:
            with self.assertRaisesRegex(tf.errors.NotFoundError, "/t/.* does not exist"):
                session.run(ends)
            self.assertEqual(session.run(ends[0]).tolist(), [1., 2.])
            with self.assertRaisesRegex(tf.errors.NotFoundError, "/other/.* does not exist"):
                session.run(gen_state_ops.destroy_temporary_variable(gen_state_ops.temporary_variable([2], tf.float32, var_name="u"), var_name="other"))

    def test_references_outlive_the_end_of_a_temporary_variable(self):
        made = tf.assign(gen_state_ops.temporary_variable([2], tf.float32, var_name="t"), [1., 2.])
        ended = gen_state_ops.destroy_temporary_variable(made, var_name="t")
        with tf.control_dependencies([ended]):
            later = tf.assign_add(made, [1., 1.])
        with tf.Session() as session:
            self.assertEqual(session.run(later).tolist(), [2., 3.])

    def test_checks_of_numerics_leave_variables_alone(self):
        w = tf.Variable([1., 2.], name="w")
        x = tf.placeholder(tf.float32, [2])
        train = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(tf.square(w - x)))
        checks = tf.add_check_numerics_ops()
        checked = {op.inputs[0].name for op in tf.get_default_graph().get_operations() if op.type == "CheckNumerics"}
        self.assertEqual(len(checked), 17)
        self.assertFalse(checked & {"w:0", "w/Assign:0", "GradientDescent/update_w/ApplyGradientDescent:0"})
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(2):
                session.run([train, checks], {x: [5., 5.]})
            np.testing.assert_allclose(session.run(w), [2.44, 3.08], rtol=1e-6)
            with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "Tensor had NaN values"):
                session.run(checks, {x: [np.nan, 0.]})

    def test_checks_of_numerics_refuse_control_flow(self):
        tf.while_loop(lambda i: i < 3., lambda i: i + 1., [0.])
        with self.assertRaisesRegex(ValueError, "not compatible with TensorFlow control flow"):
            tf.add_check_numerics_ops()

    def test_gradients_of_convolutions_keep_their_shapes(self):
        x = tf.placeholder(tf.float32, [None, 12, 12, 3])
        w = tf.get_variable("w", [3, 3, 3, 4])
        y = tf.nn.conv2d_transpose(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), w, tf.shape(x), [1, 1, 1, 1])
        self.assertEqual([g.shape.as_list() for g in tf.gradients(y, [x, w])], [[None, 12, 12, 3], [3, 3, 3, 4]])
        shapes = tf.shape_n([x, w])
        self.assertEqual(tf.fill(shapes[0], 1.).shape.as_list(), [None, 12, 12, 3])
        self.assertEqual(tf.fill(shapes[0][1:3], 1.).shape.as_list(), [12, 12])

    def test_casts_of_partly_known_shapes_say_the_rank_only(self):
        x = tf.placeholder(tf.float32, [None, 4])
        self.assertEqual(tf.fill(tf.cast(tf.shape(x), tf.int64), 1.).shape.as_list(), [None, None])
        self.assertEqual(tf.fill(tf.shape(x), 1.).shape.as_list(), [None, 4])

    def test_placeholders_of_reference_types_have_the_base_type(self):
        v = tf.Variable(1., use_resource=False)
        self.assertEqual(v.dtype, tf.float32._ref() if hasattr(tf.float32, "_ref") else v.dtype)
        self.assertIs(tf.placeholder(v.dtype, [2]).dtype, tf.float32)
        self.assertIs(tf.zeros([1], v.dtype).dtype, tf.float32)

    def test_handles_of_stacks_and_accumulators_are_stated_as_tensorflow_states_them(self):
        x = tf.placeholder(tf.float32, [])
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]
        tf.gradients(y, x)
        stated = [[d.size for d in n.attr["_output_shapes"].list.shape[0].dim] for n in tf.get_default_graph().as_graph_def(add_shapes=True).node if n.op == "StackV2"]
        self.assertTrue(stated)
        self.assertEqual({tuple(s) for s in stated}, {(2,)})


class Threads(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_scopes_are_a_threads_own(self):
        with tf.variable_scope("a"):
            self.assertEqual(in_thread(lambda: (tf.get_variable("y", []).name, tf.get_variable_scope().name, tf.constant(1.).name)), ("y:0", "", "Const:0"))

            def inside():
                with tf.variable_scope("x"):
                    return tf.get_variable("v", []).name, tf.constant(1).name
            self.assertEqual(in_thread(inside), ("x/v:0", "x/Const:0"))
            self.assertEqual(tf.constant(1).name, "a/Const:0")
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
            tf.get_variable("z", [])
            self.assertFalse(in_thread(lambda: tf.get_variable_scope().reuse))
        with self.assertRaises(ValueError):  # the variables themselves are shared
            tf.get_variable("b/z", [])

    def test_layers_name_their_variables_by_the_threads_scope(self):
        x = tf.zeros([1, 2])
        with tf.variable_scope("outside"):
            self.assertEqual(in_thread(lambda: tf.layers.dense(x, 3).name), "dense/BiasAdd:0")

    def test_devices_and_dependencies_are_shared_until_they_are_parted(self):
        graph = tf.get_default_graph()

        def surroundings():
            op = tf.constant(1.).op
            return op.device, [c.name for c in op.control_inputs], op.colocation_groups() == [b"loc:@base"]

        with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op("before")]):
            self.assertEqual(in_thread(surroundings), ("/device:CPU:0", ["before"], False))
        with graph.colocate_with(tf.constant(1., name="base").op):
            self.assertTrue(in_thread(surroundings)[2])
        graph.switch_to_thread_local()
        with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op("after")]):
            self.assertEqual(in_thread(surroundings), ("", [], False))
            self.assertEqual(surroundings(), ("/device:CPU:0", ["after"], False))
        self.assertEqual(surroundings(), ("", [], False))


class Servers(unittest.TestCase):
    def test_a_servers_timeout_holds_for_its_sessions(self):
        server = tf.train.Server.create_local_server(config=tf.ConfigProto(operation_timeout_in_ms=200))
        with tf.Graph().as_default():
            waits = tf.FIFOQueue(1, tf.float32).dequeue()
            for config in (None, tf.ConfigProto()):
                with tf.Session(server.target, config=config) as session:
                    with self.assertRaises(tf.errors.DeadlineExceededError):
                        session.run(waits)
            with tf.Session(server.target, config=tf.ConfigProto(operation_timeout_in_ms=100)) as session:
                with self.assertRaises(tf.errors.DeadlineExceededError):
                    session.run(waits)
                self.assertEqual(session.run(tf.constant(1.)), 1.)


if __name__ == "__main__":
    unittest.main()
