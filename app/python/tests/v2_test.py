"""tf.compat.v2: a module of its own, with TensorFlow 2's parameters and results where they differ; values from TensorFlow 1.15.5."""

import abc
import unittest

import numpy as np
import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow.python.util import tf_inspect


class Names(unittest.TestCase):
    def test_modules(self):
        self.assertIsNot(tf2, tf)
        self.assertIs(tf2, tf.compat.v2)
        self.assertIs(tf2.compat.v1, tf.compat.v1)
        self.assertIs(tf2.Tensor, tf.Tensor)
        self.assertIs(tf2.losses.MeanSquaredError, tf.keras.losses.MeanSquaredError)
        self.assertIs(tf2.newaxis, None)
        for name in ("placeholder", "Session", "get_variable", "log", "contrib"):
            self.assertFalse(hasattr(tf2, name), name)
        self.assertIn("reduce_sum", dir(tf2))
        self.assertNotIn("placeholder", dir(tf2))
        with self.assertRaisesRegex(AttributeError, "compat.v2' has no attribute 'placeholder'"):
            tf2.placeholder

    def test_functions_are_there(self):
        from weft import namespace
        from weft.v2 import table

        for path in table.signatures():
            self.assertTrue(callable(namespace.find("compat.v2." + path)), path)

    def test_signatures(self):
        for function, wanted in ((tf2.argmax, ["input", "axis", "output_type", "name"]), (tf2.reduce_sum, ["input_tensor", "axis", "keepdims", "name"]), (tf2.shape, ["input", "out_type", "name"]),
                                 (tf.cast, ["x", "dtype", "name"]), (tf.reduce_sum, ["input_tensor", "axis", "keepdims", "name"]), (tf.concat, ["values", "axis", "name"])):
            self.assertEqual(tf_inspect.getfullargspec(function).args[:len(wanted)], wanted)


class Values(unittest.TestCase):
    def run_all(self, **made):
        with tf.Session() as session:
            return session.run(made)

    def test_functions(self):
        x = tf.constant([[1., -2.], [3., 4.]])
        pictures = tf.reshape(tf.range(32.), [1, 4, 4, 2])
        got = self.run_all(sum=tf2.reduce_sum(x, 1, True), max=tf2.argmax(x, 0, tf.int32), where=tf2.where([[True], [False]], x, 0.), gather=tf2.gather(x, [1], None, 1),
                           half=tf2.image.resize(pictures, [2, 2])[0, :, :, 0], wide=tf2.image.resize(pictures[0, :, :, :1], [2, 3], "bicubic", antialias=True)[:, :, 0],
                           entropy=tf2.nn.softmax_cross_entropy_with_logits([[0., 1.]], [[1., 2.]]), norm=tf2.norm(x, "euclidean", 1), moments=tf2.nn.moments(x, 0, None, True),
                           loop=tf2.while_loop(lambda i: i < 3, lambda i: [i + 1], [0]), cond=tf2.cond(x[0, 0] > 0, lambda: [x[0, 0]], lambda: [x[0, 1]]),
                           conv=tf2.nn.conv2d(pictures, tf.ones([2, 2, 2, 1]), 2, "VALID")[0, :, :, 0], lookup=tf2.nn.embedding_lookup([tf.range(3.), tf.range(3., 5.)], [0, 3, 4]),
                           dropped=tf2.nn.dropout(tf.ones([4]), 0.), ones=tf2.constant_initializer(2.)([2]), ragged=tf2.strings.split(["a b", "c"]).values)
        for name, wanted in (("sum", [[-1.], [7.]]), ("max", [1, 1]), ("where", [[1., -2.], [0., 0.]]), ("gather", [[-2.], [4.]]), ("half", [[5., 9.], [21., 25.]]),
                             ("entropy", [0.3132617]), ("norm", [2.236068, 5.]), ("loop", [3]), ("cond", [1.]), ("conv", [[44., 76.], [172., 204.]]), ("lookup", [0., 3., 4.]),
                             ("dropped", [1.] * 4), ("ones", [2., 2.])):
            np.testing.assert_allclose(got[name], wanted, rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(got["moments"], [[[2., 1.]], [[1., 9.]]])
        self.assertEqual(list(got["ragged"]), [b"a", b"b", b"c"])

    def test_constant_and_scopes(self):
        self.assertEqual(tf2.constant([3.], shape=[2, 2]).shape.as_list(), [2, 2])
        with self.assertRaisesRegex(TypeError, r"Expected Tensor's shape: \(2, 2\), got \(3,\)"):
            tf2.constant([1, 2, 3], shape=[2, 2])
        with tf.Graph().as_default(), tf2.name_scope("a"):
            self.assertEqual(tf2.constant(1).name, "a/Const:0")
        with self.assertRaisesRegex(ValueError, "must be a string"):
            tf2.name_scope(None)
        with self.assertRaisesRegex(RuntimeError, "does not support functions"):
            tf2.device(lambda op: "/cpu:0")

    def test_variables(self):
        with tf.Graph().as_default():
            made, old = tf2.Variable(1.), tf.Variable(1., use_resource=False)
            self.assertEqual(made.op.type, "VarHandleOp")
            self.assertTrue(isinstance(made, tf2.Variable) and isinstance(old, tf2.Variable) and isinstance(made, tf.Variable))
            self.assertFalse(isinstance(made.value(), tf2.Variable))

    def test_seeds_beyond_64_bits(self):
        with tf.Graph().as_default():
            tf.random.normal([1], seed=2 ** 80 + 5)
            drawn = [op for op in tf.get_default_graph().get_operations() if op.type == "RandomStandardNormal"]
            self.assertEqual(drawn[0].get_attr("seed2"), (2 ** 80 + 5) % (2 ** 31 - 1))


class Contexts(unittest.TestCase):
    def test_nested(self):
        from tensorflow.python.ops import control_flow_util as util

        seen = []

        def body(i):
            def branch():
                context = tf.get_default_graph()._get_control_flow_context()
                seen.append((context.name, util.GetContainingWhileContext(context).name, util.GetContainingCondContext(context).name, context.outer_context.name,
                             context.outer_context.outer_context, util.GetContainingXLAContext(context)))
                return i + 1

            return tf.cond(i > 0, branch, lambda: i + 2)

        with tf.Graph().as_default():
            made = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
            self.assertEqual(seen, [("while/cond/cond_text", "while/while_context", "while/cond/cond_text", "while/while_context", None, None)])
            self.assertTrue(util.IsLoopExit(made.op))
            self.assertIsNone(util.GetContainingWhileContext(tf.get_default_graph()._get_control_flow_context()))


class Classes(unittest.TestCase):
    def test_programs_metaclasses(self):
        class Own(type):
            pass

        class OwnAbstract(abc.ABCMeta):
            pass

        for kind in (Own, OwnAbstract):
            made = kind("Made", (tf.Module,), {})(name="made")
            self.assertIsInstance(made, tf.Module)
        self.assertIsInstance(tf.keras.layers.Dense(1), tf.Module)

    def test_devices(self):
        one = tf2.DeviceSpec(job="worker", device_type="gpu", device_index=1)
        self.assertEqual(one.replace(job="ps").to_string(), "/job:ps/device:GPU:1")
        with self.assertRaises(AttributeError):
            one.job = "ps"

    def test_recurrent_layers(self):
        config = tf2.keras.layers.GRU(3).get_config()
        self.assertEqual((config["recurrent_activation"], config["reset_after"], config["implementation"]), ("sigmoid", True, 2))
        self.assertEqual(tf2.keras.layers.LSTM(3).get_config()["recurrent_activation"], "sigmoid")


if __name__ == "__main__":
    unittest.main()
