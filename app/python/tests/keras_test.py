"""Keras models against the numbers of TensorFlow 1.15.5 with the same seeds: weft py keras_test.py"""

import unittest

import numpy as np
import tensorflow as tf

K = tf.keras


def data():
    rng = np.random.RandomState(0)
    x = rng.rand(64, 8).astype("float32")
    return x, (x.sum(1) > 4).astype("float32")


class Training(unittest.TestCase):
    """The losses of three epochs are those of TensorFlow."""

    WANTED = {"sgd": [.71149, .71086, .70995], "adam": [.71222, .70883, .70716], "rmsprop": [.71275, .70886, .70535], "adagrad": [.71166, .71033, .70934],
              "adamax": [.71201, .70939, .70844], "nadam": [.71177, .71015, .70831]}

    def test_optimizers(self):
        x, y = data()
        for name, wanted in self.WANTED.items():
            K.backend.clear_session()
            tf.set_random_seed(1)
            np.random.seed(3)
            model = K.Sequential([K.layers.Dense(16, activation="relu", input_shape=(8,)), K.layers.Dense(1, activation="sigmoid")])
            model.compile(name, loss="binary_crossentropy", metrics=["accuracy"])
            history = model.fit(x, y, epochs=3, batch_size=16, verbose=0).history
            np.testing.assert_allclose(history["loss"], wanted, atol=2e-5, err_msg=name)
            self.assertIn("acc", history)

    def test_variables_of_optimizers_are_not_trained(self):
        for name in sorted(self.WANTED) + ["adadelta"]:
            with tf.Graph().as_default():
                v = tf.get_variable("v", initializer=2.0, use_resource=True)
                K.optimizers.get(name).get_updates(v * v, [v])
                self.assertEqual([t.name for t in tf.trainable_variables()], ["v:0"], name)

    def test_masked_lstm(self):
        K.backend.clear_session()
        tf.set_random_seed(1)
        words = K.Input((5,), dtype="int32", name="words")
        rows = K.layers.Embedding(20, 6, mask_zero=True)(words)
        model = K.Model(words, K.layers.LSTM(4)(rows))
        rng = np.random.RandomState(0)
        rng.rand(64, 8)
        np.testing.assert_allclose(model.predict(rng.randint(0, 20, (4, 5))).ravel()[:4], [.00223, -.00103, -.00015, .00572], atol=1e-5)


class Models(unittest.TestCase):
    def setUp(self):
        K.backend.clear_session()

    def two_towers(self):
        a, b = K.Input((8,), name="a"), K.Input((8,), name="b")
        shared = K.layers.Dense(4, name="shared")
        both = K.layers.concatenate([shared(a), shared(b)]) * 2.0
        return K.Model([a, b], [K.layers.Dense(3, activation="softmax", name="c")(both), K.layers.Dense(1, name="r")(both)])

    def test_operations_between_layers(self):
        model = self.two_towers()
        self.assertIn("tf_op_layer_mul", [layer.name for layer in model.layers])
        again = K.models.model_from_json(model.to_json())
        again.set_weights(model.get_weights())
        x, _ = data()
        for one, other in zip(model.predict([x, x]), again.predict([x, x])):
            np.testing.assert_array_equal(one, other)

    def test_folder_keeps_training(self):
        import tempfile

        x, y = data()
        model = K.Sequential([K.layers.Dense(4, input_shape=(8,)), K.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(x, y, epochs=1, verbose=0)
        with tempfile.TemporaryDirectory() as folder:
            model.save(folder + "/model")
            again = K.models.load_model(folder + "/model")
        np.testing.assert_array_equal(model.predict(x), again.predict(x))
        self.assertEqual(K.backend.get_value(again.optimizer.iterations), 2)

    def test_refusals(self):
        model = K.Sequential([K.layers.Dense(1, input_shape=(3,))])
        with self.assertRaisesRegex(RuntimeError, "You must compile your model"):
            model.fit(np.ones([2, 3]), np.ones([2, 1]))
        model.compile("sgd", "mse")
        with self.assertRaisesRegex(ValueError, "Error when checking input"):
            model.fit(np.ones([2, 4]), np.ones([2, 1]), verbose=0)
        with self.assertRaisesRegex(ValueError, "Unknown loss function"):
            K.losses.get("no such loss")
        with self.assertRaisesRegex(ValueError, "Graph disconnected"):
            K.Model(K.Input((2,)), K.layers.Dense(1)(K.Input((2,))))


unittest.main()
