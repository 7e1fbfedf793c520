"""tf.lite: models that Weft writes and runs, and what it refuses."""

import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf


_GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "tests", "golden")


def _model(name):
    return tf.lite.Interpreter(model_path=os.path.join(_GOLDEN, name))


def _dense(session):
    x = tf.placeholder(tf.float32, [None, 3], "x")
    kernel = tf.get_variable("kernel", initializer=tf.constant([[1.0, -2.0], [0.5, 1.0], [3.0, 0.0]]))
    y = tf.nn.relu(tf.matmul(x, kernel) + [0.25, -1.0], name="y")
    session.run(tf.global_variables_initializer())
    return x, y


def _run(model, *values):
    interpreter = tf.lite.Interpreter(model_content=model)
    for detail, value in zip(interpreter.get_input_details(), values):
        if list(detail["shape"]) != list(value.shape):
            interpreter.resize_tensor_input(detail["index"], value.shape)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), values):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


class LiteTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_session(self):
        with tf.Session() as session:
            x, y = _dense(session)
            converter = tf.lite.TFLiteConverter.from_session(session, [x], [y])
            self.assertEqual(["x"], converter.get_input_arrays())
            given = np.array([[1, 2, 3], [-1, 0, 2]], np.float32)
            np.testing.assert_allclose(session.run(y, {x: given}), _run(converter.convert(), given)[0], atol=1e-6)

    def test_frozen_graph_and_saved_model(self):
        folder = tempfile.mkdtemp()
        with tf.Session() as session:
            x, y = _dense(session)
            given = np.array([[1, 2, 3]], np.float32)
            expected = session.run(y, {x: given})
            path = os.path.join(folder, "graph.pb")
            with open(path, "wb") as f:
                f.write(session.graph.as_graph_def().SerializeToString())
            with self.assertRaisesRegex(ValueError, "freeze"):
                tf.lite.TFLiteConverter.from_frozen_graph(path, ["x"], ["y"])
            frozen = tf.graph_util.convert_variables_to_constants(session, session.graph.as_graph_def(), ["y"])
            with open(path, "wb") as f:
                f.write(frozen.SerializeToString())
            tf.saved_model.simple_save(session, os.path.join(folder, "saved"), {"x": x}, {"y": y})
        for converter in (tf.lite.TFLiteConverter.from_frozen_graph(path, ["x"], ["y"]), tf.lite.TFLiteConverter.from_saved_model(os.path.join(folder, "saved"))):
            np.testing.assert_allclose(expected, _run(converter.convert(), given)[0], atol=1e-6)
        with self.assertRaisesRegex(ValueError, "Invalid tensors 'nowhere' were found"):
            tf.lite.TFLiteConverter.from_frozen_graph(path, ["x"], ["nowhere"])

    def test_details_and_wrong_values(self):
        with tf.Session() as session:
            x, y = _dense(session)
            model = tf.lite.TFLiteConverter.from_session(session, [x], [y]).convert()
        interpreter = tf.lite.Interpreter(model_content=model)
        detail = interpreter.get_input_details()[0]
        self.assertEqual(("x", np.float32, (0.0, 0)), (detail["name"], detail["dtype"], detail["quantization"]))
        self.assertEqual([1, 3], list(detail["shape"]))
        self.assertEqual("y", interpreter.get_output_details()[0]["name"])
        with self.assertRaisesRegex(ValueError, "expected type float32"):
            interpreter.set_tensor(detail["index"], np.zeros([1, 3], np.int32))
        with self.assertRaisesRegex(ValueError, "Dimension mismatch"):
            interpreter.set_tensor(detail["index"], np.zeros([2, 3], np.float32))
        with self.assertRaisesRegex(RuntimeError, "not ready"):
            interpreter.invoke()

    def test_weights_are_as_the_file_has_them(self):
        floats, integers = _model("tflite/op_conv.tflite"), _model("files/tflite/int8.tflite")
        self.assertEqual((5, 3, 3, 4), floats.get_tensor(1).shape)
        detail = integers.get_tensor_details()[4]
        kernel = integers.get_tensor(detail["index"])
        self.assertEqual((np.int8, (4, 3, 3, 1)), (kernel.dtype, kernel.shape))
        # Weights are quantised symmetrically, each channel over its whole range.
        self.assertEqual([127] * 4, list(np.abs(kernel.astype(int)).max(axis=(1, 2, 3))))
        with self.assertRaisesRegex(ValueError, "Tensor data is null"):
            floats.get_tensor(0)

    def test_resized_inputs(self):
        interpreter = _model("tflite/op_depthwise_dilated.tflite")
        given = interpreter.get_input_details()[0]
        kernel = interpreter.get_tensor([d["index"] for d in interpreter.get_tensor_details() if list(d["shape"]) == [1, 3, 3, 4]][0])
        for height, width in ((7, 5), (8, 8), (6, 9)):
            value = np.random.RandomState(3).uniform(-1, 1, [1, height, width, 4]).astype(np.float32)
            interpreter.resize_tensor_input(given["index"], value.shape)
            interpreter.allocate_tensors()
            output = interpreter.get_output_details()[0]
            self.assertEqual([1, height, width, 4], list(output["shape"]))
            interpreter.set_tensor(given["index"], value)
            interpreter.invoke()
            with tf.Graph().as_default(), tf.Session() as session:
                expected = session.run(tf.nn.depthwise_conv2d(value, kernel.reshape([3, 3, 4, 1]), [1, 1, 1, 1], "SAME", rate=[2, 2]))
            np.testing.assert_allclose(expected, interpreter.get_tensor(output["index"]), atol=1e-5)

    def test_errors_name_the_file(self):
        path = os.path.join(tempfile.mkdtemp(), "damaged.tflite")
        with open(path, "wb") as f:
            f.write(b"\xff\0\0\0TFL3" + bytes(40))
        with self.assertRaisesRegex(ValueError, "Could not open '.*damaged.tflite': expected a TensorFlow Lite model"):
            tf.lite.Interpreter(model_path=path)
        with self.assertRaises(ValueError):
            tf.lite.Interpreter(model_content=["no", "bytes"])

    def test_shapes_of_inputs(self):
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, None, "x")
            tf.nn.relu(tf.tanh(x, name="t"), name="y")
            definition = graph.as_graph_def()
        with self.assertRaisesRegex(ValueError, "Provide an input shape for input array 'x'"):
            tf.lite.TFLiteConverter(definition, None, None, [("x", None)], ["y"]).convert()
        for name, output in (("x", "y"), ("t", "y")):  # a placeholder, and a tensor between nodes
            model = tf.lite.TFLiteConverter(definition, None, None, [(name, [3, 2])], [output]).convert()
            self.assertEqual([3, 2], list(tf.lite.Interpreter(model_content=model).get_input_details()[0]["shape"]))
        path = os.path.join(tempfile.mkdtemp(), "graph.pb")
        with open(path, "wb") as f:
            f.write(definition.SerializeToString())
        with self.assertRaisesRegex(ValueError, "Invalid tensor 'y' found in tensor shapes map"):
            tf.lite.TFLiteConverter.from_frozen_graph(path, ["x"], ["y"], {"y": [1]})
        model = tf.lite.TFLiteConverter.from_frozen_graph(path, ["x"], ["y"], {"x": [4]}).convert()
        self.assertEqual([4], list(tf.lite.Interpreter(model_content=model).get_input_details()[0]["shape"]))

    def test_shapes_of_outputs_of_one_node(self):
        with tf.Graph().as_default() as graph:
            parts = tf.split(tf.placeholder(tf.float32, None, "x"), 2, axis=1, name="s")
            tf.placeholder(tf.float32, [1], "s_1")  # the name that a placeholder for s:1 would have
            tf.subtract(parts[0], parts[1] * 2.0, name="y")
            definition = graph.as_graph_def()
        a, b = np.float32([[1, 2, 3]]), np.float32([[10, 20, 30]])
        for first in ("s", "s:0"):
            converter = tf.lite.TFLiteConverter(definition, None, None, [("s:1", [1, 3]), (first, [1, 3])], ["y"])
            self.assertEqual(["s", "s"], converter.get_input_arrays())
            model = tf.lite.Interpreter(model_content=converter.convert())
            self.assertEqual([[1, 3], [1, 3]], [list(d["shape"]) for d in model.get_input_details()])
            np.testing.assert_array_equal(a - 2 * b, _run(converter.convert(), b, a)[0])
        path = os.path.join(tempfile.mkdtemp(), "graph.pb")
        with open(path, "wb") as f:
            f.write(definition.SerializeToString())
        convert = tf.lite.TFLiteConverter.from_frozen_graph
        model = convert(path, ["x", "s:1"], ["y"], {"x": [1, 6], "s:1": [1, 3]}).convert()  # the other output is still computed
        np.testing.assert_array_equal(a - 2 * b, _run(model, np.concatenate([a, a], 1), b)[0])
        with self.assertRaisesRegex(ValueError, "Invalid tensor 's:1' found in tensor shapes map"):
            convert(path, ["s:0"], ["y"], {"s:1": [1, 3]})
        with self.assertRaisesRegex(ValueError, "Invalid tensors 's:2' were found"):
            convert(path, ["s:2"], ["y"], {"s:2": [1, 3]})

    def test_settings_that_ask_for_integers_are_refused(self):
        with tf.Session() as session:
            x = tf.placeholder(tf.float32, [2], "x")
            y = tf.nn.relu(x, name="y")

            def converter(**spec):
                made = tf.lite.TFLiteConverter.from_session(session, [x], [y])
                made.target_spec = tf.lite.TargetSpec(**spec)
                return made

            for spec, named in (({"supported_ops": [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]}, "supported_ops"), ({"supported_types": [tf.float16]}, "supported_types")):
                with self.assertRaisesRegex(ValueError, "float models only: target_spec." + named):
                    converter(**spec).convert()
            older = converter()
            older.target_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
            with self.assertRaisesRegex(ValueError, "supported_ops"):
                older.convert()
            # TensorFlow 1.15 writes floats too where integers are allowed and not asked for.
            both = {tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.TFLITE_BUILTINS_INT8}
            self.assertTrue(converter(supported_ops=both, supported_types=[tf.float32]).convert())

    def test_refused(self):
        for arguments in ({}, {"model_path": "a", "model_content": b"b"}, {"model_content": b"no model"}):
            with self.assertRaises(ValueError):
                tf.lite.Interpreter(**arguments)
        with tf.Session() as session:
            x = tf.placeholder(tf.float32, [2], "x")
            converter = tf.lite.TFLiteConverter.from_session(session, [x], [tf.math.digamma(x, name="strange")])
            with self.assertRaisesRegex(Exception, "'strange' .Digamma. has no counterpart"):
                converter.convert()
            converter = tf.lite.TFLiteConverter.from_session(session, [x], [x + 1])
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            with self.assertRaisesRegex(ValueError, "float models only"):
                converter.convert()


if __name__ == "__main__":
    unittest.main()
