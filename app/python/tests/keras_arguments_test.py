"""Arguments that compile(), fit(), evaluate() and predict() of Keras models refuse, with TensorFlow 1.15.5's messages: weft py keras_arguments_test.py"""

import re
import unittest

import numpy as np
import tensorflow as tf

K, L = tf.keras, tf.keras.layers
X, Y = np.arange(8.).reshape(4, 2), np.arange(4.).reshape(4, 1)
C = np.array([0, 1, 2, 1])
H = np.eye(3)[C]


def bare(units=1, activation=None):
    return K.Sequential([L.Dense(units, input_shape=(2,), kernel_initializer="ones", activation=activation, name="d")])


def one(loss="mse", metrics=None, units=1, activation=None, **more):
    model = bare(units, activation)
    model.compile(more.pop("optimizer", None) or K.optimizers.SGD(0.), loss, metrics, **more)
    return model


def two(loss="mse", **more):
    a = K.Input((2,), name="a")
    model = K.Model(a, [L.Dense(1, name="r", kernel_initializer="ones")(a), L.Dense(3, name="c", activation="softmax", kernel_initializer="ones")(a)])
    model.compile(K.optimizers.SGD(0.), loss, **more)
    return model


def three_classes(loss):
    return one(loss, units=3, activation="softmax")


def data(repeat=1):
    made = tf.data.Dataset.from_tensor_slices((X, Y)).batch(2)
    return made.repeat() if repeat is None else made.repeat(repeat)


def generator(items=2):
    while True:
        yield (X, Y, np.ones(4), 1)[:items]


class Batches(K.utils.Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return X[i * 2:i * 2 + 2], Y[i * 2:i * 2 + 2]


def fit(model, *args, **kwargs):
    return model.fit(*args, verbose=0, **kwargs)


class Case(unittest.TestCase):
    def check(self, rows):
        for call, kind, text in rows:
            K.backend.clear_session()
            with self.subTest(text), self.assertRaises(Exception) as caught:
                call()
            self.assertIs(type(caught.exception), kind, caught.exception)
            self.assertRegex(str(caught.exception), "^" + re.escape(text))


class Compile(Case):
    def test_losses(self):
        self.check((
            (lambda: one("nope"), ValueError, "Unknown loss function:nope"), (lambda: one(3), ValueError, "('Could not interpret loss function identifier:', 3)"),
            (lambda: one(None), ValueError, "The model cannot be compiled because it has no loss to optimize."),
            (lambda: one(["mse", "mae"]), ValueError, "When passing a list as loss, it should have one entry per model outputs. The model has 1 outputs, but you passed loss=['mse', 'mae']"),
            (lambda: one({"x": "mse"}), ValueError, "Unknown entries in loss dictionary: ['x']. Only expected following keys: ['d']"),
            (lambda: two(["mse"]), ValueError, "When passing a list as loss"), (lambda: two({"r": "mse", "z": "mae"}), ValueError, "Unknown entries in loss dictionary: ['z']"),
            (lambda: two(loss_weights=[1.]), ValueError, "When passing a list as loss_weights, it should have one entry per model output."),
            (lambda: two(loss_weights={"x": 1.}), ValueError, "Unknown entries in loss_weights dictionary: ['x']"),
            (lambda: two(loss_weights=2.), TypeError, "Could not interpret loss_weights argument: 2.0 - expected a list of dicts."),
            (lambda: one("MeanSquaredError"), AttributeError, "'MeanSquaredError' object has no attribute '__name__'")))

    def test_metrics_and_the_rest(self):
        self.check((
            (lambda: one("mse", ["nope"]), ValueError, "Unknown metric function:nope"), (lambda: one("mse", [3]), ValueError, "Could not interpret metric function identifier: 3"),
            (lambda: one("mse", "mae"), TypeError, "Type of `metrics` argument not understood. Expected a list or dictionary, found: mae"),
            (lambda: one("mse", {"x": "mae"}), ValueError, "Unknown entries in metrics dictionary: ['x']"),
            (lambda: two(metrics=[["mae"]]), ValueError, "When passing a list of lists as `metrics`"), (lambda: one(optimizer="nope"), ValueError, "Unknown optimizer: nope"),
            (lambda: fit(one(optimizer=["sgd", "adam"]), X, Y), ValueError, "The `optimizer` in `compile` should be a single optimizer."),
            (lambda: one(run_eagerly=True), ValueError, "You can only set `run_eagerly=True` if eager execution is enabled."),
            (lambda: fit(one(nope=3), X, Y), ValueError, 'Invalid argument "nope" passed to K.function with TensorFlow backend'),
            (lambda: two(sample_weight_mode=["temporal"]), ValueError, "When passing a list as sample_weight_mode"),
            (lambda: one(target_tensors="x"), TypeError, "('Expected `target_tensors` to be a list or tuple or dict or a single tensor, but got:', 'x')"),
            (lambda: one(target_tensors={"x": tf.constant(Y)}), ValueError, "Unknown entry in `target_tensors` dictionary")))

    def test_names_of_metrics(self):
        K.backend.clear_session()
        self.assertEqual(one("mse", ["mae"], weighted_metrics=["mae", "acc"]).metrics_names, ["loss", "mean_absolute_error", "weighted_mean_absolute_error", "weighted_acc"])
        self.assertEqual(one("mse", ["mae", "mae", "mse"]).metrics_names, ["loss", "mean_absolute_error", "mean_squared_error"])
        self.assertEqual(two(metrics=["mae", ["acc", "mse"]]).metrics_names, ["loss", "r_loss", "c_loss", "r_mean_absolute_error", "c_acc", "c_mean_squared_error"])
        self.assertEqual(two([None, "mse"]).metrics_names, ["loss", "c_loss"])

    def test_add_metric_and_losses_of_models(self):
        self.check((
            (lambda: bare().add_metric(tf.constant(1.)), ValueError, "Please provide a name for your metric like"),
            (lambda: (lambda m: m.add_metric(tf.reduce_sum(m.outputs[0]), name="s"))(bare()), ValueError, "We do not support adding an aggregated metric result tensor"),
            (lambda: (lambda m: m.add_metric(tf.reduce_sum(m.outputs[0]), name="s", aggregation="sum"))(bare()), ValueError, "We currently support only `mean`"),
            (lambda: bare().add_metric(3., name="s", aggregation="mean"), ValueError, "Expected a symbolic Tensor for the metric value, received: 3.0")))
        K.backend.clear_session()
        model = bare()
        model.add_loss(tf.reduce_sum(model.outputs[0]))
        model.add_metric(tf.reduce_sum(model.outputs[0]), name="s", aggregation="mean")
        model.compile("sgd")
        self.assertEqual([float(v) for v in model.evaluate(X, verbose=0)], [28., 28.])
        self.assertEqual([layer.name for layer in model.layers], ["d", "tf_op_layer_Sum", "add_loss", "tf_op_layer_Sum_1", "add_metric"])


class Data(Case):
    def test_inputs_and_targets(self):
        self.check((
            (lambda: fit(one()), ValueError, "When using data tensors as input to a model, you should specify the `steps_per_epoch` argument."),
            (lambda: fit(one(), X, Y[:3]), ValueError, "Input arrays should have the same number of samples as target arrays. Found 4 input samples and 3 target samples."),
            (lambda: fit(one(), X, np.ones((4, 2))), ValueError, "A target array with shape (4, 2) was passed for an output of shape (None, 1) while using as loss `mean_squared_error`."),
            (lambda: fit(one(), X.tolist(), Y), ValueError, "Error when checking input: expected d_input to have shape (2,) but got array with shape (1,)"),
            (lambda: fit(one(), X[None], Y), ValueError, "Error when checking input: expected d_input to have 2 dimensions, but got array with shape (1, 4, 2)"),
            (lambda: fit(one(), {"z": X}, Y), ValueError, "No data provided for \"d_input\". Need data for each key in: ['d_input']"),
            (lambda: fit(one(), X, [Y, Y]), ValueError, "Error when checking model target: the list of Numpy arrays that you are passing to your model is not the size the model expected."),
            (lambda: fit(one(), 3, Y), ValueError, "Expected an array data type but received an integer: 3"),
            (lambda: fit(one(), X, np.array(list("abcd"))), ValueError, "could not convert string to float: 'a'"),
            (lambda: fit(two(), X, Y), ValueError, "Error when checking model target: the list of Numpy arrays"),
            (lambda: fit(three_classes("categorical_crossentropy"), X, C), ValueError,
             "You are passing a target array of shape (4, 1) while using as loss `categorical_crossentropy`. `categorical_crossentropy` expects targets to be binary matrices"),
            (lambda: fit(three_classes(K.losses.CategoricalCrossentropy()), X, C), ValueError, "You are passing a target array of shape (4, 1)"),
            (lambda: fit(three_classes("binary_crossentropy"), X, Y), ValueError, "A target array with shape (4, 1) was passed for an output of shape (None, 3)"),
            (lambda: one().evaluate(X, verbose=0), tf.errors.InvalidArgumentError, "You must feed a value for placeholder tensor 'd_target'"),
            (lambda: bare().predict(np.ones((2, 3))), ValueError, "Error when checking input: expected d_input to have shape (2,) but got array with shape (3,)"),
            (lambda: bare().predict(None), ValueError, "When using data tensors as input to a model, you should specify the `steps` argument.")))

    def test_numbers(self):
        self.check((
            (lambda: fit(one(), X, Y, batch_size=0), ZeroDivisionError, "float division by zero"), (lambda: fit(one(), X, Y, batch_size=-1), ValueError, "Empty training data."),
            (lambda: fit(one(), X, Y, batch_size=1.5), TypeError, "slice indices must be integers"), (lambda: fit(one(), X[:0], Y[:0]), ValueError, "Empty training data."),
            (lambda: fit(one(), X, Y, epochs=1.5), TypeError, "'float' object cannot be interpreted as an integer"),
            (lambda: one().fit(X, Y, nope=1), TypeError, "Unrecognized keyword arguments: {'nope': 1}"),
            (lambda: fit(one(), X, Y, validation_data=3), TypeError, "object of type 'int' has no len()"),
            (lambda: fit(one(), X, Y, validation_data=(X,)), ValueError, "When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val)"),
            (lambda: fit(one(), X, Y, validation_steps=2), ValueError, "`validation_steps` should not be specified if `validation_data` is None."),
            (lambda: fit(one(), X, Y, validation_data=(X, Y), validation_freq=0), ValueError, "`validation_freq` can not be less than 1."),
            (lambda: fit(one(), X, Y, validation_data=(X, Y), validation_freq=1.5), ValueError, "`validation_freq` must be an Integer or"),
            (lambda: fit(one(), X, Y, callbacks=K.callbacks.History()), TypeError, 'can only concatenate list (not "History") to list')))
        K.backend.clear_session()
        self.assertEqual(fit(one(), X, Y, epochs=-1).history, {})
        self.assertEqual(len(fit(one(), X, Y, validation_data=(X, Y), validation_freq=[1, 3], epochs=3).history["val_loss"]), 2)

    def test_lists_are_targets(self):
        for y in ([0., 1., 2., 3.], (0., 1., 2., 3.), [0, 1, 2, 3], np.arange(4.), {"d": Y}):
            K.backend.clear_session()
            self.assertEqual(fit(one(), X, y).history, {"loss": [41.5]})

    def test_weights(self):
        self.check((
            (lambda: fit(one(), X, Y, sample_weight=np.ones(3)), ValueError, "Found a sample_weight array with shape (3,) for an input with shape (4, 1). sample_weight cannot be broadcast."),
            (lambda: fit(one(), X, Y, sample_weight=np.ones((4, 1))), ValueError, "Found a sample_weight array with shape (4, 1). In order to use timestep-wise sample weights"),
            (lambda: fit(two(), X, [Y, H], sample_weight=np.ones(4)), TypeError, "The model has multiple outputs, so `sample_weight` should be either a list or a dict."),
            (lambda: fit(two(), X, [Y, H], sample_weight=[np.ones(4)]), ValueError, "Provided `sample_weight` was a list of 1 elements, but the model has 2 outputs."),
            (lambda: fit(two(), X, [Y, H], sample_weight={"z": np.ones(4)}), ValueError, "Unknown entries in sample_weight dictionary: ['z']"),
            (lambda: fit(two(), X, [Y, H], class_weight={0: 1.}), ValueError, "Unknown entries in class_weight dictionary: [0]"),
            (lambda: fit(one(sample_weight_mode="temporal"), X, Y), ValueError, "Found a sample_weight array for an input with shape (4, 1). Timestep-wise sample weighting"),
            (lambda: fit(three_classes("sparse_categorical_crossentropy"), X, C, class_weight={0: 1.}), ValueError,
             "`class_weight` must contain all classes in the data. The classes {1, 2} exist in the data but not in `class_weight`."),
            (lambda: three_classes("sparse_categorical_crossentropy").train_on_batch(X, C, class_weight={0: 1.}), ValueError, "`class_weight` must contain all classes")))
        K.backend.clear_session()
        model = K.Sequential([L.Conv2D(1, 1, input_shape=(4, 4, 1))])
        model.compile("sgd", "mse")
        with self.assertRaisesRegex(ValueError, "weights can not be broadcast to values. values.rank=3. weights.rank=1."):
            model.train_on_batch(np.ones((2, 4, 4, 1)), np.ones((2, 4, 4, 1)), np.array([1., 2.]))

    def test_data_sets(self):
        endless = "When passing an infinitely repeating dataset, you must specify the `%s` argument."
        self.check((
            (lambda: fit(one(), data(None)), ValueError, endless % "steps_per_epoch"), (lambda: one().evaluate(data(None), verbose=0), ValueError, endless % "steps"),
            (lambda: one().predict(data(None)), ValueError, endless % "steps"), (lambda: fit(one(), X, Y, validation_data=data(None)), ValueError, endless % "validation_steps"),
            (lambda: fit(one(), data(), Y), ValueError, "You passed a dataset or dataset iterator (<DatasetV1Adapter"),
            (lambda: fit(one(), data(), sample_weight=np.ones(4)), ValueError, "`sample_weight` argument is not supported when input `x` is a dataset"),
            (lambda: fit(one(), data(), validation_split=.5), ValueError, "`validation_split` argument is not supported when input `x` is a dataset"),
            (lambda: fit(one(), data(), batch_size=2), ValueError, "The `batch_size` argument must not be specified for the given input type."),
            (lambda: fit(one(), data().make_one_shot_iterator(), steps_per_epoch=1), ValueError, "For performance reasons Keras `fit`, `evaluate` and`predict` accept tf.data"),
            (lambda: fit(one(), data().skip(10)), ValueError, "Empty training data."),
            (lambda: fit(one(), tf.data.Dataset.from_tensor_slices((X, Y))), ValueError, "Error when checking input: expected d_input to have shape (2,) but got array with shape (1,)")))
        K.backend.clear_session()
        self.assertEqual(fit(one(), data(None), steps_per_epoch=3, epochs=2).history, {"loss": [30.5, 52.5]})
        self.assertEqual(fit(one(), data().filter(lambda x, y: True), epochs=2).history, {"loss": [41.5, 41.5]})
        self.assertEqual(fit(one(), data(), steps_per_epoch=5).history, {"loss": [41.5]})

    def test_generators(self):
        self.check((
            (lambda: fit(one(), generator()), ValueError, "Please specify the number of steps via the `steps_per_epoch` argument."),
            (lambda: one().evaluate_generator(generator()), ValueError, "Please specify the number of steps via the `steps` argument."),
            (lambda: fit(one(), generator(), Y, steps_per_epoch=1), ValueError, "`y` argument is not supported when data isa generator or Sequence instance."),
            (lambda: fit(one(), Batches(), Y), ValueError, "`y` argument is not supported"), (lambda: fit(one(), Batches(), batch_size=2), ValueError, "The `batch_size` argument"),
            (lambda: fit(one(), generator(4), steps_per_epoch=1), ValueError, "Output of generator should be a tuple of 1 or 2 or 3 elements"),
            (lambda: one().fit_generator(generator(), steps_per_epoch=1, verbose=0, validation_data=generator()), ValueError, "Please specify the `validation_steps` argument.")))
        K.backend.clear_session()
        self.assertEqual(fit(one(), (b for b in [(X, Y)] * 3), steps_per_epoch=2, epochs=3).history, {"loss": [41.5, 41.5]})

    def test_models_without_shapes(self):
        K.backend.clear_session()
        with self.assertRaisesRegex(ValueError, "Weights for model sequential have not yet been created"):
            K.Sequential([L.Dense(1)]).weights
        model = K.Sequential([L.Dense(1, kernel_initializer="ones")])
        model.compile("sgd", "nope")  # detected when the model is built
        with self.assertRaisesRegex(ValueError, "Unknown loss function:nope"):
            fit(model, X, Y)
        model = K.Sequential([L.Dense(1, kernel_initializer="ones")])
        model.compile(K.optimizers.SGD(0.), "mse", ["mae"])
        self.assertEqual(fit(model, X, Y).history["loss"], [41.5])
        self.assertEqual((model.output_names, model.input_names), (["output_1"], ["input_1"]))
        batch = K.Sequential([L.Dense(1, batch_input_shape=(2, 2))])
        batch.compile("sgd", "mse")
        with self.assertRaisesRegex(ValueError, "The `batch_size` argument value 3 is incompatible with the specified batch size of your Input Layer: 2"):
            fit(batch, X, Y, batch_size=3)


unittest.main()
