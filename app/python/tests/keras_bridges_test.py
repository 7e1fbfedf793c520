"""Keras models elsewhere: as estimators, predictors, in scikit-learn, as pictures, on several GPUs. Numbers are TensorFlow 1.15.5's."""

import os
import shutil
import tempfile
import unittest

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
keras = tf.keras


def _model(optimizer="sgd"):
    model = keras.Sequential([keras.layers.Dense(4, activation="tanh", input_shape=(3,), kernel_initializer="ones", name="hidden"), keras.layers.Dense(1, kernel_initializer="ones", name="last")])
    model.compile(keras.optimizers.SGD(0.05) if optimizer == "sgd" else optimizer, "mse", metrics=["mae"])
    return model


def _rows():
    x = np.linspace(-1, 1, 24).reshape(8, 3).astype(np.float32)
    return x, x.sum(1, keepdims=True)


def _input():
    x, y = _rows()
    return tf.data.Dataset.from_tensor_slices(({"hidden_input": x}, y)).repeat().batch(4)


def _once():
    return tf.data.Dataset.from_tensors({"hidden_input": _rows()[0]})


class Estimators(unittest.TestCase):
    """tf.keras.estimator.model_to_estimator"""

    def setUp(self):
        tf.reset_default_graph()
        keras.backend.clear_session()

    def test_trains_evaluates_and_predicts_from_the_models_variables(self):
        model = _model()
        model.fit(*_rows(), batch_size=8, epochs=1, verbose=0)
        before = model.predict(_rows()[0])
        estimator = keras.estimator.model_to_estimator(model, model_dir=tempfile.mkdtemp())
        estimator.train(_input, steps=1)
        trained = np.array([p["last"][0] for p in estimator.predict(_once)])
        self.assertEqual(estimator.get_variable_value("global_step"), 1)
        self.assertTrue(np.abs(trained - before[:, 0]).max() > 1e-3)
        model.train_on_batch(_rows()[0][:4], _rows()[1][:4])  # the same step
        np.testing.assert_allclose(trained, model.predict(_rows()[0])[:, 0], rtol=1e-5)
        found = estimator.evaluate(_input, steps=2)
        loss, error = model.evaluate(*_rows(), batch_size=4, verbose=0)
        self.assertAlmostEqual(found["loss"], loss, 5)
        self.assertAlmostEqual(found["mean_absolute_error"] if "mean_absolute_error" in found else found["mae"], error, 5)

    def test_keeps_the_model_in_checkpoints_by_objects(self):
        model = _model()
        estimator = keras.estimator.model_to_estimator(model, model_dir=tempfile.mkdtemp(), checkpoint_format="checkpoint")
        estimator.train(_input, steps=3)
        names = [name for name, _ in tf.train.list_variables(estimator.model_dir)]
        self.assertIn("_CHECKPOINTABLE_OBJECT_GRAPH", names)
        again = _model()
        again.load_weights(tf.train.latest_checkpoint(estimator.model_dir))
        predicted = [p["last"][0] for p in estimator.predict(_once)]
        np.testing.assert_allclose(predicted, again.predict(_rows()[0])[:, 0], rtol=1e-5)

    def test_says_what_is_missing(self):
        with self.assertRaisesRegex(ValueError, "Either `keras_model` or `keras_model_path` needs to be provided."):
            keras.estimator.model_to_estimator()
        with self.assertRaisesRegex(ValueError, "has not been compiled yet"):
            keras.estimator.model_to_estimator(keras.Sequential([keras.layers.Dense(1, input_shape=(3,))]))
        with self.assertRaisesRegex(ValueError, 'must be one of "checkpoint" or "saver". Got zip'):
            keras.estimator.model_to_estimator(_model(), checkpoint_format="zip")
        estimator = keras.estimator.model_to_estimator(_model(), model_dir=tempfile.mkdtemp())
        with self.assertRaisesRegex(KeyError, "does not have the expected inputs keys"):
            estimator.train(lambda: ({"other": tf.zeros([4, 3])}, tf.zeros([4, 1])), steps=1)


class Predictors(unittest.TestCase):
    """tf.contrib.predictor"""

    def setUp(self):
        tf.reset_default_graph()

    def _exported(self):
        folder = os.path.join(tempfile.mkdtemp(), "model")
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [None], name="x")
            y = tf.multiply(x, tf.get_variable("w", initializer=3.0), name="y")
            session.run(tf.global_variables_initializer())
            tf.saved_model.simple_save(session, folder, {"in": x}, {"out": y})
        return folder

    def test_of_a_saved_model(self):
        folder = self._exported()
        predict = tf.contrib.predictor.from_saved_model(folder)
        np.testing.assert_array_equal(predict({"in": [1.0, 2.0]})["out"], [3.0, 6.0])
        np.testing.assert_array_equal(tf.contrib.predictor.from_saved_model(folder, input_names={"a": "x:0"}, output_names={"b": "y:0"})({"a": [2.0]})["b"], [6.0])
        with self.assertRaisesRegex(ValueError, "Got unexpected keys in input_dict: {'q'}"):
            predict({"q": 1})
        with self.assertRaisesRegex(ValueError, "Available signatures are"):
            tf.contrib.predictor.from_saved_model(folder, signature_def_key="other")
        with self.assertRaisesRegex(ValueError, "both be specified or both be unspecified"):
            tf.contrib.predictor.from_saved_model(folder, input_names={"a": "x:0"})
        with self.assertRaisesRegex(RuntimeError, "could not be found in SavedModel"):
            tf.contrib.predictor.from_saved_model(folder, tags="gpu")

    def test_of_an_estimator(self):
        def model_fn(features, labels, mode):
            w = tf.get_variable("w", initializer=2.0)
            output = features["x"] * w
            return tf.estimator.EstimatorSpec(mode, predictions={"y": output}, loss=tf.reduce_sum(output), train_op=tf.train.get_or_create_global_step().assign_add(1),
                                              export_outputs={"serving_default": tf.estimator.export.PredictOutput({"y": output})})

        estimator = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
        estimator.train(lambda: ({"x": tf.ones([2])}, tf.ones([2])), steps=1)

        def receiver():
            x = tf.placeholder(tf.float32, [None], "x")
            return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

        predict = tf.contrib.predictor.from_estimator(estimator, receiver)
        np.testing.assert_array_equal(predict({"x": [1.5]})["y"], [3.0])
        self.assertRegex(repr(predict), "CoreEstimatorPredictor with feed tensors")
        with self.assertRaisesRegex(KeyError, "output_key must be one of"):
            tf.contrib.predictor.from_estimator(estimator, receiver, output_key="other")


class ScikitLearn(unittest.TestCase):
    """tf.keras.wrappers.scikit_learn"""

    def test_classifier(self):
        def build(units=4):
            model = keras.Sequential([keras.layers.Dense(units, activation="tanh", input_shape=(2,), kernel_initializer="ones"), keras.layers.Dense(2, activation="softmax")])
            model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
            return model

        x = np.array([[0.0, 1.0], [1.0, 0.0]] * 20)
        names = np.array(["left", "right"] * 20)
        classifier = keras.wrappers.scikit_learn.KerasClassifier(build, units=8, epochs=2, batch_size=10, verbose=0)
        self.assertEqual(len(classifier.fit(x, names, epochs=120).epoch), 120)
        self.assertEqual(classifier.model.layers[0].units, 8)
        self.assertEqual(classifier.predict_proba(x).shape, (40, 2))
        self.assertTrue(set(classifier.predict(x)) <= {"left", "right"})
        self.assertTrue(0 <= classifier.score(x, names) <= 1)
        self.assertEqual(classifier.get_params()["units"], 8)
        with self.assertRaisesRegex(ValueError, "layers is not a legal parameter"):
            classifier.set_params(layers=3)
        with self.assertRaisesRegex(ValueError, "Invalid shape for y"):
            classifier.fit(x, np.zeros((40, 2, 2)))

    def test_regressor(self):
        regressor = keras.wrappers.scikit_learn.KerasRegressor(_model, epochs=2, verbose=0)
        regressor.fit(*_rows())
        self.assertEqual(regressor.predict(_rows()[0]).shape, (8,))
        self.assertLess(regressor.score(*_rows()), 0)


class Pictures(unittest.TestCase):
    """tf.keras.utils.plot_model, multi_gpu_model"""

    def test_the_text_that_is_drawn(self):
        from weft.keras.pictures import dot_of

        inner = keras.Sequential([keras.layers.Dense(2, input_shape=(3,), name="a"), keras.layers.Dense(2, name="b")], name="inner")
        x = keras.Input((3,), name="in")
        model = keras.Model(x, keras.layers.Dense(1, name="out")(inner(x)))
        text = dot_of(model, show_shapes=True)
        self.assertIn("{input:|output:}|{{(?, 3)}|{(?, 2)}}", text)
        self.assertEqual(text.count("->"), 2)
        text = dot_of(model, expand_nested=True)
        self.assertIn('subgraph "cluster_inner"', text)
        self.assertIn("b: Dense", text)
        self.assertEqual(text.count("->"), 4)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_a_file(self):
        path = os.path.join(tempfile.mkdtemp(), "model.png")
        keras.utils.plot_model(_model(), path, show_shapes=True)
        with open(path, "rb") as f:
            self.assertEqual(f.read(8), b"\x89PNG\r\n\x1a\n")
        with self.assertRaisesRegex(OSError, "Graphviz could not write"):
            keras.utils.plot_model(_model(), path + ".nosuchformat")

    def test_several_gpus_must_be_there(self):
        with self.assertRaisesRegex(ValueError, "call `multi_gpu_model` with `gpus >= 2`. Received: `gpus=1`"):
            keras.utils.multi_gpu_model(_model(), 1)
        with self.assertRaisesRegex(ValueError, "we expect the following devices to be available: .'/cpu:0', '/gpu:0', '/gpu:70'.*this machine only has: .'/cpu:0'"):
            keras.utils.multi_gpu_model(_model(), [0, 70])


if __name__ == "__main__":
    unittest.main()
