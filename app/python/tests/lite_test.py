"""tf.lite: models that Weft writes and runs, and what it refuses."""

import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf


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
