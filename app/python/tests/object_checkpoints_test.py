"""tf.train.Checkpoint: keys and object graphs as TensorFlow 1.15 writes them (object_graphs.txt), and operations on them. Passes in TensorFlow 1.15 as well;
--write writes object_graphs.txt and the checkpoint in object_checkpoint/ with it."""

import os
import sys
import tempfile
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import trackable_object_graph_pb2

K = tf.keras
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_GRAPHS = os.path.join(_FOLDER, "object_graphs.txt")
_STORED = os.path.join(_FOLDER, "object_checkpoint", "stored")


def shown(path):
    """The keys, shapes and object graph of a checkpoint."""
    reader = tf.train.NewCheckpointReader(path)
    shapes = reader.get_variable_to_shape_map()
    lines = ["  %s %s" % (k, shapes[k]) for k in sorted(shapes) if k != "_CHECKPOINTABLE_OBJECT_GRAPH"]
    graph = trackable_object_graph_pb2.TrackableObjectGraph()
    graph.ParseFromString(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"))
    for i, n in enumerate(graph.nodes):
        lines.append("  node %d %s %s %s" % (i, " ".join("%s:%d" % (c.local_name, c.node_id) for c in n.children),
                                           " ".join("%s=%s=%s=%s" % (a.name, a.full_name, a.checkpoint_key, a.optional_restore) for a in n.attributes),
                                           " ".join("%d.%s:%d" % (s.original_variable_node_id, s.slot_name, s.slot_variable_node_id) for s in n.slot_variables)))
    return lines


class Subclassed(K.Model):
    def __init__(self):
        super(Subclassed, self).__init__()
        self.d1 = K.layers.Dense(2)
        self.ls = [K.layers.Dense(1), K.layers.Dense(1)]
        self.mp = {"a": K.layers.Dense(1)}
        self.n = 3

    def call(self, x):
        return self.ls[0](self.d1(x)) + self.ls[1](x) + self.mp["a"](x)


class Module(tf.Module):
    def __init__(self, name=None):
        super(Module, self).__init__(name=name)
        self.w = tf.Variable(1., name="w")
        self.t = (tf.Variable(1.),)


def variables():
    return dict(b=tf.Variable([1., 2.], name="v"), a=tf.get_variable("r", [2, 2], use_resource=True), step=tf.train.get_or_create_global_step())


def adam():
    v, w = tf.get_variable("v", [3], use_resource=True), tf.Variable([1., 2., 3.], name="w")
    o = tf.train.AdamOptimizer(0.1)
    o.minimize(tf.reduce_sum(v * w))
    return dict(opt=o, v=v, w=w)


def momentum():
    v, o = tf.get_variable("v", [3]), tf.train.MomentumOptimizer(0.1, .9)
    o.minimize(tf.reduce_sum(v * v))
    return dict(z=v, o=o)


def sequential():
    return dict(model=K.Sequential([K.layers.Dense(3, activation="relu", input_shape=(4,)), K.layers.BatchNormalization(), K.layers.Dropout(.5), K.layers.Dense(1)]))


def recurrent():
    x = K.Input((5, 4))
    y = K.layers.Bidirectional(K.layers.GRU(2))(K.layers.LSTM(3, return_sequences=True)(x))
    return dict(m=K.Model(x, K.layers.Dense(2, name="out")(y)))


def subclassed():
    m = Subclassed()
    m(tf.ones([2, 4]))
    return dict(m=m)


def layers():
    c, e = K.layers.Conv2D(2, 3), K.layers.Embedding(4, 2)
    c(tf.ones([1, 5, 5, 1]))
    e(tf.constant([1]))
    return dict(c=c, e=e, sc=K.layers.StackedRNNCells([K.layers.LSTMCell(2), K.layers.LSTMCell(3)]), l=tf.layers.Dense(2), nn=tf.nn.rnn_cell.BasicLSTMCell(3))


def nested():
    c = tf.train.Checkpoint(x=tf.Variable(1., name="x"))
    c.lst = [tf.Variable(2., name="y")]
    c.d = {"k": tf.Variable(3., name="z"), "o": [tf.Variable(4., name="q")]}
    return dict(c=c)


def keras_optimizer():
    l, o = K.layers.LSTM(3), K.optimizers.SGD(.1, momentum=.9)
    l(tf.ones([2, 3, 4]))
    o.get_updates(tf.reduce_sum(l(tf.ones([2, 3, 4]))), l.trainable_weights)
    return dict(l=l, o=o)


def template():
    t = tf.make_template("tt", lambda: tf.get_variable("a", [2]))
    t()
    return dict(t=t)


def names_to_escape():
    c = tf.train.Checkpoint()
    c.d = {"a/b": tf.Variable(1., name="p"), "c.d": tf.Variable(2., name="q")}
    return dict(c=c)


CASES = [variables, adam, momentum, sequential, recurrent, subclassed, layers, nested, lambda: dict(m=Module()), keras_optimizer, template, names_to_escape]
CASES[8].__name__ = "module"


def case(build):
    with tf.Graph().as_default(), tf.Session() as s, tempfile.TemporaryDirectory() as folder:
        K.backend.set_session(s)
        checkpoint = tf.train.Checkpoint(**build())
        checkpoint.save_counter
        s.run(tf.global_variables_initializer())
        path = checkpoint.save(os.path.join(folder, "ck"), session=s)
        assert os.path.basename(path) == "ck-1", path
        return [build.__name__] + shown(path)


def stored_objects():
    """The objects stored in object_checkpoint/stored."""
    v = tf.get_variable("v", [2], initializer=tf.constant_initializer(5.))
    d = K.layers.Dense(2, kernel_initializer="ones")
    d(tf.ones([1, 2]))
    o = tf.train.AdamOptimizer(0.5)
    return dict(v=v, d=d, o=o, lst=[]), o.minimize(tf.reduce_sum(v * v))


class ObjectCheckpoints(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self._context = tf.Graph().as_default()
        self._context.__enter__()
        self.addCleanup(self._context.__exit__, None, None, None)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.prefix = os.path.join(folder.name, "ck")

    def test_keys_and_object_graphs(self):
        with open(_GRAPHS) as f:
            expected = f.read().split("\n\n")
        for build, text in zip(CASES, expected):
            self.assertEqual("\n".join(case(build)), text.strip("\n"))

    def test_saves_and_restores(self):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(1.))
        r = tf.get_variable("r", [2], use_resource=True, initializer=tf.constant_initializer(2.))
        checkpoint = tf.train.Checkpoint(v=v, r=r)
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            path = checkpoint.save(self.prefix, session=s)
            nodes = len(tf.get_default_graph().get_operations())
            s.run([v.assign(7.), r.assign([8., 9.])])
            second = checkpoint.save(self.prefix, session=s)
            self.assertEqual([os.path.basename(p) for p in (path, second)], ["ck-1", "ck-2"])
            self.assertEqual(len(tf.get_default_graph().get_operations()) - nodes, len([op for op in tf.get_default_graph().get_operations()[nodes:]]))
            self.assertEqual(tf.train.latest_checkpoint(self.folder), second)
            checkpoint.restore(path).assert_consumed().run_restore_ops(s)
            self.assertEqual(s.run(v), 1.)
            np.testing.assert_array_equal(s.run(r), [2., 2.])
            status = checkpoint.restore(second)
            before = len(tf.get_default_graph().get_operations())
            status.run_restore_ops(s)
            self.assertEqual(len(tf.get_default_graph().get_operations()), before)
            np.testing.assert_array_equal(s.run(r), [8., 9.])
            self.assertEqual(s.run(checkpoint.save_counter), 2)

    def test_objects_made_after_restore(self):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(4.))
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(5.))
        with tf.Session() as s:
            s.run(tf.global_variables_initializer())
            path = tf.train.Checkpoint(v=v, inner=tf.train.Checkpoint(w=w)).write(self.prefix, session=s)
        self.assertEqual(path, self.prefix)
        with tf.Graph().as_default(), tf.Session() as s:
            root = tf.train.Checkpoint()
            status = root.restore(path)
            self.assertRaisesRegex(AssertionError, r"Unresolved object in checkpoint|not bound to checkpointed values", status.assert_consumed)
            self.assertRaisesRegex(AssertionError, "Nothing except the root object matched|Nothing to load", status.assert_nontrivial_match)
            root.v = tf.get_variable("other", [], initializer=tf.zeros_initializer())
            root.inner = tf.train.Checkpoint()
            status.assert_nontrivial_match()
            root.inner.w = tf.get_variable("name", [], initializer=tf.zeros_initializer())
            status.run_restore_ops(s)
            self.assertEqual(s.run([root.v, root.inner.w]), [4., 5.])
            status.expect_partial()

    def test_objects_without_values(self):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(4.))
        with tf.Session() as s:
            s.run(v.initializer)
            path = tf.train.Checkpoint(v=v).write(self.prefix, session=s)
            more = tf.train.Checkpoint(v=v, w=tf.get_variable("w", [], initializer=tf.constant_initializer(6.)))
            status = more.restore(path).expect_partial()
            self.assertRaisesRegex(AssertionError, "not bound to checkpointed values", status.assert_existing_objects_matched)
            s.run(v.assign(1.))
            status.initialize_or_restore(s)
            self.assertEqual(s.run([v, more.w]), [4., 6.])

    def test_no_checkpoint(self):
        root = tf.train.Checkpoint(v=tf.get_variable("v", [], initializer=tf.constant_initializer(4.)))
        status = root.restore(tf.train.latest_checkpoint(self.folder))
        self.assertRaisesRegex(AssertionError, "No checkpoint specified", status.assert_consumed)
        self.assertRaisesRegex(AssertionError, "No checkpoint specified", status.run_restore_ops)
        with tf.Session() as s:
            status.initialize_or_restore(s)
            self.assertEqual(s.run([root.v, root.save_counter]), [4., 0])

    def test_checkpoints_of_savers(self):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.))
        with tf.Session() as s:
            s.run(v.initializer)
            path = tf.train.Saver([v]).save(s, self.prefix)
        with tf.Graph().as_default(), tf.Session() as s:
            root = tf.train.Checkpoint(anything=tf.get_variable("v", [], initializer=tf.zeros_initializer()))
            status = root.restore(path)
            self.assertRaisesRegex(tf.errors.NotFoundError, "save_counter", status.run_restore_ops, s)
            from tensorflow.python.training.tracking import graph_view, util

            status = util.TrackableSaver(graph_view.ObjectGraphView(root.anything)).restore(path)
            status.run_restore_ops(s)
            status.assert_consumed()
            self.assertEqual(s.run(root.anything), 3.)

    def test_what_tensorflow_wrote(self):
        objects, train = stored_objects()
        objects.pop("lst")
        root = tf.train.Checkpoint(**objects)
        with tf.Session() as s:
            root.restore(_STORED + "-1").assert_consumed().run_restore_ops(s)
            np.testing.assert_allclose(s.run(root.v), [4.5, 4.5], rtol=1e-5)
            np.testing.assert_allclose(s.run(root.o.get_slot(root.v, "m")), [1., 1.], rtol=1e-5)
            np.testing.assert_array_equal(s.run(root.d.kernel), np.ones((2, 2)))
            s.run(train)
            np.testing.assert_allclose(s.run(root.v), [4.002063, 4.002063], rtol=1e-5)

    def test_manager(self):
        root = tf.train.Checkpoint(v=tf.get_variable("v", [], initializer=tf.zeros_initializer()))
        with tf.Session() as s:
            s.run(root.v.initializer)
            manager = tf.train.CheckpointManager(root, self.folder, max_to_keep=2)
            self.assertIsNone(manager.latest_checkpoint)
            paths = [manager.save() for _ in range(3)]
            self.assertEqual([os.path.basename(p) for p in paths], ["ckpt-1", "ckpt-2", "ckpt-3"])
            self.assertEqual(manager.checkpoints, paths[1:])
            self.assertEqual(sorted(f for f in os.listdir(self.folder) if f.endswith(".index")), ["ckpt-2.index", "ckpt-3.index"])
            again = tf.train.CheckpointManager(root, self.folder, max_to_keep=2)
            self.assertEqual((again.latest_checkpoint, again.checkpoints), (paths[2], paths[1:]))
            self.assertEqual(os.path.basename(again.save(checkpoint_number=70)), "ckpt-70")
        self.assertRaisesRegex(ValueError, "Expected a positive integer", tf.train.CheckpointManager, root, self.folder, max_to_keep=0)

    def test_only_objects_with_state(self):
        for bad in (3, "s", tf.constant(1.)):
            self.assertRaisesRegex(ValueError, "`Checkpoint` was expecting a trackable object", tf.train.Checkpoint, x=bad)

    def test_state_of_the_program(self):
        class Counter(tf.train.experimental.PythonState):
            value = 0

            def serialize(self):
                return str(self.value)

            def deserialize(self, string_value):
                self.value = int(string_value)

        root = tf.train.Checkpoint(counter=Counter(), v=tf.get_variable("v", [], initializer=tf.zeros_initializer()))
        with tf.Session() as s:
            s.run(root.v.initializer)
            root.counter.value = 7
            first = root.save(self.prefix, session=s)
            root.counter.value = 8
            second = root.save(self.prefix, session=s)
            root.counter.value = 0
            root.restore(first).assert_consumed().run_restore_ops(s)
            self.assertEqual(root.counter.value, 7)
            root.restore(second).assert_consumed().run_restore_ops(s)
            self.assertEqual(root.counter.value, 8)
        self.assertIn("counter/.ATTRIBUTES/py_state", dict(tf.train.list_variables(first)))
        self.assertRaisesRegex(TypeError, "abstract", tf.train.experimental.PythonState)

    def test_warm_start_from_objects(self):
        v = tf.get_variable("scope/v", [2], initializer=tf.constant_initializer(4.))
        with tf.Session() as s:
            s.run(v.initializer)
            path = tf.train.Checkpoint(some=v).write(self.prefix, session=s)
        with tf.Graph().as_default(), tf.Session() as s:
            w = tf.get_variable("scope/v", [2], initializer=tf.zeros_initializer())
            tf.train.warm_start(path)
            s.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(s.run(w), [4., 4.])

    def test_savers_restore_objects_by_name(self):
        v = tf.get_variable("scope/v", [2], initializer=tf.constant_initializer(4.))
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(5.), use_resource=True)
        with tf.Session() as s:
            s.run([v.initializer, w.initializer])
            path = tf.train.Checkpoint(some=v, other=w).write(self.prefix, session=s)
        with tf.Graph().as_default() as g:
            a = tf.get_variable("scope/v", [2])
            b = tf.get_variable("w", [], use_resource=True)
            saver = tf.train.Saver()
            with tf.Session() as s:
                for _ in range(2):  # the second time without new nodes
                    saver.restore(s, path)
                    np.testing.assert_array_equal(s.run(a), [4., 4.])
                    self.assertEqual(s.run(b), 5.)
                    count = len(g.get_operations())
                saver.restore(s, path)
                self.assertEqual(len(g.get_operations()), count)
        with tf.Graph().as_default(), tf.Session() as s:
            renamed = tf.get_variable("v", [2])
            saver = tf.train.Saver({"scope/v": renamed})
            saver.restore(s, path)
            np.testing.assert_array_equal(s.run(renamed), [4., 4.])
            self.assertRaisesRegex(tf.errors.NotFoundError, "Existing variables not in the checkpoint: v\n\nVariables names when this checkpoint was written "
                                   "which don't exist now: scope/v, w\n\n\\(0 variable name\\(s\\) did match\\)", tf.train.Saver([renamed]).restore, s, path)


class Modules(unittest.TestCase):
    def test_variables_and_submodules(self):
        with tf.Graph().as_default():
            outer = Module()
            outer.inner = Module("other")
            outer.dense = K.layers.Dense(2)
            outer.dense(tf.ones([1, 3]))
            outer.several = [Module("m1"), {"k": Module("m2")}]
            self.assertEqual((outer.name, outer.inner.name), ("module", "other"))
            self.assertEqual([m.name for m in outer.submodules], ["dense", "other", "m1", "m2"])
            self.assertEqual(len(outer.variables), 2 + 2 + 2 + 2 * 2)
            self.assertEqual([v.op.name for v in outer.variables[:4]], ["Variable", "w", "dense/kernel", "dense/bias"])
            with outer.name_scope:
                self.assertEqual(tf.constant(1).op.name, "module/Const")
            self.assertRaisesRegex(ValueError, "is not a valid module name", Module, "a b")
            self.assertIsInstance(outer.dense, tf.Module)
            self.assertNotIsInstance(outer.dense, Module)

    def test_methods_in_the_scope(self):
        class Sub(tf.Module):
            @tf.Module.with_name_scope
            def __call__(self):
                return tf.constant(1)

        with tf.Graph().as_default():
            self.assertEqual(Sub()().op.name, "sub/Const")


if __name__ == "__main__":
    if "--write" in sys.argv:
        with open(_GRAPHS, "w") as f:
            f.write("\n\n".join("\n".join(case(build)) for build in CASES) + "\n")
        objects, train = stored_objects()
        objects.pop("lst")
        with tf.Session() as s:
            root = tf.train.Checkpoint(**objects)
            root.save_counter
            s.run(tf.global_variables_initializer())
            s.run(train)
            root.save(_STORED, session=s)
            s.run(train)
            print(s.run(root.v))
        os.remove(os.path.join(_FOLDER, "object_checkpoint", "checkpoint"))
        sys.exit()
    unittest.main()
