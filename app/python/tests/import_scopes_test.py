"""tf.import_graph_def inside devices, colocations, control dependencies, attribute scopes, branches and loops: weft py import_scopes_test.py

The expected values are TensorFlow 1.15.5's."""

import unittest

import tensorflow as tf


def graph_def(placed=True):
    """Nodes on devices that need not exist, unless `placed` is false."""
    with tf.Graph().as_default() as graph:
        a = tf.constant(1., name="a")
        b = tf.add(a, 2., name="b")
        with tf.device("/cpu:7" if placed else None):
            c = tf.multiply(b, 3., name="c")
        with tf.device("/job:worker" if placed else None):
            tf.multiply(b, 3., name="k")
        with graph.colocate_with(c.op):
            tf.negative(c, name="d")
        tf.FIFOQueue(3, tf.float32, name="q")
        return graph.as_graph_def()


class ImportTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.graph = tf.get_default_graph()

    def imported(self, **more):
        tf.import_graph_def(graph_def(), name="i", **more)
        return {o.name[2:]: o for o in self.graph.get_operations() if o.name.startswith("i/")}

    def test_devices(self):
        with tf.device("/job:ps/cpu:1"):
            made = self.imported()
        self.assertEqual({n: made[n].device for n in "abckdq"}, {
            "a": "/job:ps/device:CPU:1", "b": "/job:ps/device:CPU:1", "c": "/job:ps/device:CPU:7", "k": "/job:worker/device:CPU:1",
            "d": "/job:ps/device:CPU:7", "q": "/job:ps/device:CPU:1"})

    def test_device_functions(self):
        seen = []
        with tf.device("/job:ps"), tf.device(lambda op: seen.append((op.type, op.device)) or "/device:CPU:2"):
            made = self.imported()
        self.assertEqual({made[n].device for n in "abckq"}, {"/job:ps/device:CPU:2"})
        self.assertIn(("Mul", "/device:CPU:7"), seen)
        self.assertNotIn("Neg", [kind for kind, _ in seen])  # it gets the device of the node that it is colocated with

    def test_no_device(self):
        with tf.device("/cpu:1"), tf.device(None):
            made = self.imported()
        self.assertEqual([made[n].device for n in "ac"], ["", "/device:CPU:7"])

    def test_control_dependencies(self):
        n = tf.no_op("n")
        x = tf.constant(0., name="x")
        with tf.control_dependencies([n]):
            y = tf.identity(x, name="y")
            with tf.control_dependencies([y]):
                made = self.imported(input_map={"a": y})
            later = tf.identity(made["b"].outputs[0])
        self.assertEqual({o: [c.name for c in made[o].control_inputs] for o in ("a", "b", "d")}, {"a": ["n", "y"], "b": ["n", "y"], "d": ["n", "y"]})
        self.assertEqual(later.op.control_inputs, [])  # it already waits through its input

    def test_colocation(self):
        with tf.device("/cpu:3"):
            base = tf.constant(1, name="base")
        with self.graph.colocate_with(base.op), tf.device("/cpu:5"):
            made = self.imported()
        self.assertEqual({(o.device, tuple(o.colocation_groups())) for o in made.values()}, {("/device:CPU:3", (b"loc:@base",))})

    def test_attributes_and_containers(self):
        with self.graph.gradient_override_map({"Neg": "Foo"}), self.graph._attr_scope({"_my": tf.AttrValue(s=b"z")}), self.graph.container("box"):
            made = self.imported()
        self.assertEqual(made["d"].get_attr("_gradient_op_type"), b"Foo")
        self.assertEqual({o.get_attr("_my") for o in made.values()}, {b"z"})
        self.assertEqual(made["q"].get_attr("container"), b"box")
        self.assertEqual(made["d"].get_attr("_class"), [b"loc:@i/c"])

    def test_branch(self):
        p, x = tf.constant(True, name="p"), tf.constant(4., name="x")
        y = tf.cond(p, lambda: tf.import_graph_def(graph_def(False), input_map={"a": x}, return_elements=["b:0"], name="i")[0], lambda: x)
        find = self.graph.get_operation_by_name
        self.assertEqual([c.name for c in find("cond/i/a").control_inputs], ["cond/switch_t"])
        self.assertEqual([t.name for t in find("cond/i/b").inputs], ["cond/Switch_1:1", "cond/i/b/y:0"])
        self.assertEqual(find("cond/i/b")._get_control_flow_context().name, "cond/cond_text")
        with tf.Session() as session:
            self.assertEqual(session.run([y, tf.gradients(y, x)[0]]), [6., 1.])

    def test_loop(self):
        x = tf.constant(4., name="x")
        y = tf.while_loop(lambda i: i < 9., lambda i: tf.import_graph_def(graph_def(False), input_map={"a": i}, return_elements=["b:0"], name="i")[0] + 0. * x, [x])
        find = self.graph.get_operation_by_name
        self.assertEqual([c.name for c in find("while/i/a").control_inputs], ["while/Identity"])
        self.assertEqual([t.name for t in find("while/i/b").inputs], ["while/Identity:0", "while/i/b/y:0"])
        with tf.Session() as session:
            self.assertEqual(session.run(y), 10.)

    def test_a_loop_in_a_branch(self):
        with tf.Graph().as_default() as inner:
            tf.identity(tf.while_loop(lambda i: i < 3., lambda i: i + 1., [tf.constant(0., name="z")], name="w"), name="out")
        p = tf.placeholder(tf.bool, [])
        y = tf.cond(p, lambda: tf.import_graph_def(inner.as_graph_def(), return_elements=["out:0"], name="i")[0], lambda: tf.constant(1.))
        with tf.Session() as session:
            self.assertEqual([session.run(y, {p: v}) for v in (True, False)], [3., 1.])


if __name__ == "__main__":
    unittest.main()
