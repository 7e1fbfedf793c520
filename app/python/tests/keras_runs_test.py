"""Data, steps and callbacks of Keras's training, with the rules of TensorFlow 1.15.5; execution is eager: weft py keras_runs_test.py"""

import os
import re
import tempfile
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import dtypes
from tensorflow.python.keras import callbacks, callbacks_v1
from tensorflow.python.keras.layers.normalization_v2 import BatchNormalization
from tensorflow.python.keras.engine import data_adapter, training_generator, training_utils

tf.enable_eager_execution()
keras, L = tf.keras, tf.keras.layers
X, Y = np.ones((4, 1), "float32"), np.full((4, 1), 3., "float32")


def made(run_eagerly=False):
    model = keras.Sequential([L.Dense(1, input_shape=(1,), kernel_initializer="ones", name="dense")])
    model.compile(keras.optimizers.SGD(0.), "mse", run_eagerly=run_eagerly)
    return model


def data(count=4):
    return tf.data.Dataset.from_tensor_slices((X[:count], Y[:count])).batch(2)


def summaries(folder):
    """{folder: tags} of event files."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in [n for n in names if "tfevents" in n and "profile" not in n]:
            for event in tf.train.summary_iterator(os.path.join(path, name)):
                found.setdefault(os.path.basename(path), set()).update(re.sub(r"dense_\d+", "dense", v.tag) for v in event.summary.value)
    return found


class DataSets(unittest.TestCase):
    def test_data_sets_end_where_they_end(self):
        for run_eagerly in (False, True):
            model = made(run_eagerly)
            self.assertEqual(model.fit(data(), epochs=2, verbose=0).history["loss"], [4., 4.])
            self.assertEqual(model.evaluate(data(), verbose=0), 4.)
            self.assertEqual(model.predict(data()).tolist(), [[1.]] * 4)
            self.assertEqual(model.fit(X, Y, validation_data=data(), verbose=0).history["val_loss"], [4.])
            self.assertEqual(model.train_on_batch(data()), 4.)

    def test_refusals(self):
        for call, words in ((lambda: made().fit(data().repeat()), "infinitely repeating dataset"), (lambda: made().fit(data(), Y), "should not specify a target"),
                            (lambda: made().fit(data(), batch_size=2), "batch_size"), (lambda: made().fit(data(), validation_split=.5), "validation_split")):
            self.assertRaisesRegex(ValueError, words, call)

    def test_order(self):
        plain = tf.data.Dataset.range(5)
        for check, good, bad in ((training_utils.assert_not_batched, plain.shuffle(2), plain.batch(2)), (training_utils.assert_not_shuffled, plain.batch(2).map(lambda x: x), plain.shuffle(2))):
            check(good)
            self.assertRaises(ValueError, check, bad)

    def test_adapters(self):
        adapter = data_adapter.select_data_adapter(X, Y)(X, Y, batch_size=3)
        self.assertEqual((adapter.get_size(), adapter.has_partial_batch(), adapter.partial_batch_size()), (2, True, 1))
        self.assertEqual([len(x.numpy()) for x, _ in adapter.get_dataset()], [3, 1])
        self.assertIs(data_adapter.select_data_adapter(data(), None), data_adapter.DatasetAdapter)
        self.assertRaisesRegex(ValueError, "`batch_size` or `steps` is required", data_adapter.TensorLikeDataAdapter, X)
        self.assertRaisesRegex(ValueError, "Failed to find data adapter", data_adapter.select_data_adapter, {"a": object()}, None)

    def test_arrays_as_generators(self):
        batches, steps = training_generator.convert_to_generator_like((X, Y, None), batch_size=3)
        self.assertEqual((steps, [len(b[0]) for b in batches]), (2, [3, 1]))
        self.assertRaises(ValueError, training_generator.convert_to_generator_like, (X, Y))


class Parts(unittest.TestCase):
    def test_outputs_of_batches(self):
        parts = np.split(np.arange(6.).reshape(6, 1), 3)
        by_steps = training_utils.OutputsAggregator(use_steps=True)
        by_rows = training_utils.OutputsAggregator(use_steps=False, num_samples=6)
        for i, part in enumerate(parts):
            for one in (by_steps, by_rows) if i == 0 else ():
                one.create(part)
            by_steps.aggregate(part)
            by_rows.aggregate(part, 2 * i, 2 * i + 2)
        for one in (by_steps, by_rows):
            one.finalize()
            self.assertEqual(np.ravel(one.results).tolist(), [0., 1., 2., 3., 4., 5.])

    def test_names_of_inputs(self):
        inputs = training_utils.ModelInputs({"b": X, "a": np.ones(3, "int32")})
        self.assertEqual(inputs.get_input_names(), ["a", "b"])
        found = inputs.get_symbolic_inputs()
        self.assertEqual((found["a"].dtype, found["a"].shape.as_list(), found["b"].dtype), (dtypes.int32, [None, 1], dtypes.float32))

    def test_layers_know_in_which_phase_they_are(self):
        class Phase(L.Layer):
            def call(self, x, training=None):
                return x * 1. if training else x * 0.

        x = keras.Input((1,))
        model = keras.Model(x, Phase()(x))
        model.compile("sgd", "mse")
        self.assertEqual((model.train_on_batch(X, X), model.test_on_batch(X, X)), (0., 1.))

    def test_losses_in_branches_are_refused(self):
        class Branch(L.Layer):
            def call(self, x, training=None):
                if training:
                    self.add_loss(tf.reduce_sum(x))
                return x

        self.assertRaisesRegex(RuntimeError, "`add_loss` in a control flow branch", Branch(), keras.Input((1,)))

    def test_updates_in_calls_run(self):
        class Counting(L.Layer):
            def build(self, shape):
                self.count = self.add_weight("count", (), initializer="zeros", trainable=False)

            def call(self, x):
                self.count.assign_add(1.)
                return x

        layer = Counting()
        model = keras.Sequential([layer, L.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(X, Y, batch_size=2, verbose=0)
        self.assertEqual(layer.count.numpy(), 2.)


class Graphs(unittest.TestCase):
    def test_models_are_saved_as_folders(self):
        model = keras.Sequential([L.Dense(2, input_shape=(1,)), L.Dense(1)])
        model.compile("adam", "mse")
        model.fit(X, Y, verbose=0)
        folder = os.path.join(tempfile.mkdtemp(), "model")
        model.save(folder, save_format="tf")
        again = keras.models.load_model(folder)
        self.assertAlmostEqual(model.evaluate(X, Y, verbose=0), again.evaluate(X, Y, verbose=0), 5)
        self.assertAlmostEqual(model.train_on_batch(X, Y), again.train_on_batch(X, Y), 5)
        self.assertAlmostEqual(model.train_on_batch(X, Y), again.train_on_batch(X, Y), 5)  # the optimizer's state was saved, too

    def test_layers_of_a_graph_are_called_on_values(self):
        image = tf.ones([1, 4, 4, 2])
        for layer in (L.BatchNormalization(axis=3, center=False, scale=False), L.Conv2D(1, 2, dilation_rate=2, padding="same")):
            layer(keras.Input((None, None, 2)))
            self.assertTrue(hasattr(layer(image), "numpy"))

    def test_frozen_normalization_of_version_2_uses_its_averages(self):
        norm = BatchNormalization()
        model = keras.Sequential([L.Dense(1, input_shape=(1,)), norm])
        norm.trainable = False
        model.compile(keras.optimizers.SGD(0.), "mse")
        x = np.random.RandomState(0).rand(8, 1).astype("float32")
        self.assertAlmostEqual(model.train_on_batch(x, x), model.test_on_batch(x, x), 5)

    def test_classes_of_steps_need_no_last_dimension(self):
        model = keras.Sequential([L.Dense(3, input_shape=(2, 1))])
        model.compile("sgd", "sparse_categorical_crossentropy")
        self.assertEqual(len(model.fit(np.ones((4, 2, 1)), np.zeros((4, 2), "int32"), verbose=0).history["loss"]), 1)


    def test_frozen_layers_have_no_updates(self):
        class Counting(L.Layer):
            def build(self, shape):
                self.count = self.add_weight("count", (), initializer="zeros", trainable=False)

            def call(self, x):
                self.add_update(lambda: self.count.assign_add(1.))
                return x

        layer = Counting()
        model = keras.Sequential([layer, L.Dense(1)])
        for trainable, wanted in ((True, 2.), (False, 2.), (True, 4.)):
            layer.trainable = trainable
            model.compile("sgd", "mse")
            model.fit(X, Y, batch_size=2, verbose=0)
            self.assertEqual(layer.count.numpy(), wanted)


class TensorBoard(unittest.TestCase):
    def test_version_2_separates_training_and_validation(self):
        for run_eagerly in (False, True):
            folder = tempfile.mkdtemp()
            callback = callbacks.TensorBoard(folder, histogram_freq=1, update_freq=1)
            made(run_eagerly).fit(X, Y, batch_size=2, validation_data=(X, Y), callbacks=[callback], verbose=0)
            self.assertEqual(summaries(folder), {"train": {"keras", "batch_loss", "epoch_loss", "batch_2", "dense/kernel_0", "dense/bias_0"},
                                                 "validation": {"epoch_loss"}})
        self.assertRaisesRegex(ValueError, "Unrecognized arguments", callbacks.TensorBoard, wwrite_images=True)

    def test_version_1_writes_one_file(self):
        folder = tempfile.mkdtemp()
        made().fit(X, Y, validation_data=(X, Y), callbacks=[callbacks_v1.TensorBoard(folder)], verbose=0)
        self.assertEqual(set().union(*summaries(folder).values()), {"epoch_loss", "epoch_val_loss"})


if __name__ == "__main__":
    unittest.main()
