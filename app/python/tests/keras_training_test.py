"""Steps, epochs, validation and updates of Keras models, with the numbers of TensorFlow 1.15.5: weft py keras_training_test.py"""

import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf

K, L = tf.keras, tf.keras.layers
X = np.linspace(-1, 1, 20).reshape(10, 2)
Y = X.sum(1, keepdims=True)
C = np.array([0, 1, 2, 1, 0, 0, 1, 2, 2, 1])


def init(seed):
    return K.initializers.RandomUniform(-.4, .4, seed=seed)


def sgd(rate=.1):
    return K.optimizers.SGD(rate)


class Calls(K.callbacks.Callback):
    """Records which methods are called."""

    def __init__(self):
        self.seen = []

    def __getattribute__(self, name):
        if not name.startswith("on_"):
            return object.__getattribute__(self, name)
        return lambda *args, **kwargs: self.seen.append(name[3:])


class Case(unittest.TestCase):
    def setUp(self):
        K.backend.clear_session()
        tf.set_random_seed(1)
        np.random.seed(1)

    def close(self, got, wanted):
        np.testing.assert_allclose(np.asarray(got, float), wanted, atol=1.1e-4)

    def dense(self, rate=.1, **more):
        model = K.Sequential([L.Dense(3, activation="tanh", input_shape=(2,), kernel_initializer=init(1)), L.Dense(1, kernel_initializer=init(2))])
        model.compile(sgd(rate), "mse", ["mae"], **more)
        return model

    def two(self):
        a = K.Input((2,), name="a")
        h = L.Dense(3, kernel_initializer=init(1))(a)
        model = K.Model(a, [L.Dense(1, name="r", kernel_initializer=init(2))(h), L.Dense(3, name="c", activation="softmax", kernel_initializer=init(3))(h)])
        model.compile(sgd(), {"r": "mse", "c": "sparse_categorical_crossentropy"}, {"r": ["mae"], "c": ["acc"]}, loss_weights={"r": .3, "c": 1.}, weighted_metrics={"c": ["acc"]})
        return model


class Batches(Case):
    def test_losses_of_outputs_are_means_over_batches(self):
        a = K.Input((2,))
        model = K.Model(a, [L.Dense(1, name="r", kernel_initializer="ones")(a), L.Dense(1, name="c", kernel_initializer="ones")(a)])
        model.compile(sgd(0.), ["mse", "mae"], ["mae"])
        x, y = np.arange(20.).reshape(10, 2), np.zeros([10, 1])
        for size, r, c in ((4, 615.6667, 21.6667), (5, 493., 19.), (10, 493., 19.)):
            history = model.fit(x, [y, y], batch_size=size, verbose=0, shuffle=False).history
            self.close([history[k][0] for k in ("loss", "r_loss", "c_loss", "r_mean_absolute_error", "c_mean_absolute_error")], [512., r, c, 19., 19.])
            self.close(model.evaluate(x, [y, y], batch_size=size, verbose=0), [512., r, c, 19., 19.])

    def test_weights_reach_losses_and_weighted_metrics(self):
        w = np.linspace(.5, 2, 10)
        history = self.two().fit(X, [Y, C], sample_weight=[w, w], batch_size=4, shuffle=False, epochs=2, verbose=0).history
        self.close([history[k] for k in ("loss", "r_loss", "c_loss", "r_mean_absolute_error", "c_acc", "c_weighted_acc")],
                   [[1.8953, 1.7402], [2.2560, 1.5549], [1.5183, 1.4873], [1.0217, .9298], [.4, .5], [.4133, .5333]])

    def test_generators_weigh_as_tensorflow_does(self):
        def batches():
            while True:
                yield X[:4], [Y[:4], C[:4]]
                yield X[4:], [Y[4:], C[4:]]

        model = self.two()
        history = model.fit_generator(batches(), 2, 2, verbose=0, validation_data=(X[:7], [Y[:7], C[:7]])).history
        self.close(history["loss"], [1.5299, 1.4934])  # weighted by samples
        self.close(history["r_loss"], [1.4734, 1.3464])  # weighted by batches
        self.close(history["val_loss"], [1.3120, 1.2854])  # weighted by batches, which have the size of the last training batch
        self.close(model.evaluate_generator(batches(), 2), [1.4486, 1.1828, 1.0937, .9342, .4, .4])

    def test_sequences_are_streams(self):
        class Parts(K.utils.Sequence):
            def __len__(self):
                return 3

            def __getitem__(self, k):
                return X[k * 4:k * 4 + 4], Y[k * 4:k * 4 + 4]

        model = self.dense()
        self.close(model.fit_generator(Parts(), epochs=2, verbose=0, shuffle=False).history["loss"], [1.4621, .9244])
        model = self.dense(0.)
        history = model.fit(Parts(), steps_per_epoch=2, epochs=3, shuffle=False, verbose=0).history["loss"]
        parts = [model.test_on_batch(X[k * 4:k * 4 + 4], Y[k * 4:k * 4 + 4])[0] for k in range(3)]
        self.close(history, [(parts[0] + parts[1]) / 2, (parts[2] * 2 + parts[0] * 4) / 6, (parts[1] * 4 + parts[2] * 2) / 6])

    def test_train_on_batch(self):
        model = self.dense(0.)
        self.close(model.train_on_batch(X, Y, reset_metrics=False), [1.3739, 1.02])
        self.close(model.train_on_batch(X[:3], Y[:3], reset_metrics=False), [2.15, 1.1141])
        model.reset_metrics()
        self.close(model.test_on_batch(X[:3], Y[:3]), [2.15, 1.4277])

    def test_target_tensors(self):
        inputs = K.Input(tensor=tf.constant(X, tf.float32))
        model = K.Model(inputs, L.Dense(1, kernel_initializer=init(1))(inputs))
        model.compile(sgd(), "mse", target_tensors=[tf.constant(Y, tf.float32)])
        self.close(model.fit(steps_per_epoch=2, epochs=2, verbose=0).history["loss"], [2.3741, 1.2612])
        self.setUp()
        self.close(self.dense().fit(tf.constant(X, tf.float32), tf.constant(Y, tf.float32), steps_per_epoch=2, verbose=0).history["loss"], [1.2963])

    def test_class_weights(self):
        model = K.Sequential([L.Dense(3, activation="softmax", input_shape=(2,), kernel_initializer=init(1))])
        model.compile(sgd(), "sparse_categorical_crossentropy", ["acc"], weighted_metrics=["acc"])
        history = model.fit(X, C, class_weight={0: 1., 1: 2., 2: .5}, batch_size=4, shuffle=False, epochs=2, validation_split=.3, verbose=0).history
        self.close([history[k] for k in ("loss", "acc", "weighted_acc", "val_loss", "val_weighted_acc")],
                   [[1.4871, 1.4277], [.2857, .4286], [.3158, .5263], [1.008, .9979], [.6667, .6667]])


class Callbacks(Case):
    def test_what_is_called(self):
        epoch = ["epoch_begin"] + ["train_batch_begin", "train_batch_end"] * 2 + ["test_begin"] + ["test_batch_begin", "test_batch_end"] * 2 + ["test_end", "epoch_end"]
        arrays = lambda c: self.dense().fit(X[:4], Y[:4], batch_size=2, epochs=2, validation_data=(X[:3], Y[:3]), callbacks=[c], verbose=0)  # noqa: E731
        batches = lambda c: self.dense().fit_generator(((X[:2], Y[:2]) for _ in range(9)), 2, 2, verbose=0, validation_data=(X[:3], Y[:3]), callbacks=[c])  # noqa: E731
        for run, wanted in ((arrays, ["train_begin"] + epoch * 2 + ["train_end"]), (batches, ["train_begin"] + epoch * 2 + ["train_end"]),
                            (lambda c: self.dense().evaluate(X, Y, batch_size=5, callbacks=[c], verbose=0), ["test_begin"] + ["test_batch_begin", "test_batch_end"] * 2 + ["test_end"]),
                            (lambda c: self.dense().predict(X, batch_size=5, callbacks=[c]), ["predict_begin"] + ["predict_batch_begin", "predict_batch_end"] * 2 + ["predict_end"])):
            calls = Calls()
            run(calls)
            self.assertEqual(calls.seen, wanted)

    def test_early_stopping_and_rates(self):
        model = self.dense()
        stop = K.callbacks.EarlyStopping("val_loss", patience=1, mode="max", restore_best_weights=True)
        self.close(model.fit(X, Y, epochs=5, validation_data=(X, Y), callbacks=[stop], verbose=0).history["val_loss"], [1.2187, 1.0677])
        self.close(model.evaluate(X, Y, verbose=0), [1.2187, .9601])
        self.setUp()
        rates = [K.callbacks.LearningRateScheduler(lambda e: .1 / (e + 1)), K.callbacks.ReduceLROnPlateau("loss", patience=0, min_delta=10.)]
        self.close(self.dense().fit(X, Y, epochs=3, callbacks=rates, verbose=0).history["loss"], [1.3739, 1.2187, 1.1431])


class Updates(Case):
    def test_a_frozen_discriminator_trains_as_it_was_compiled(self):
        d = K.Sequential([L.Dense(3, input_shape=(2,), kernel_initializer=init(1)), L.BatchNormalization(), L.Dense(1, kernel_initializer=init(2))])
        d.compile(sgd(), "mse")
        d.trainable = False
        z = K.Input((2,))
        both = K.Model(z, d(L.Dense(2, kernel_initializer=init(3))(z)))
        both.compile(sgd(), "mse")
        self.close([d.train_on_batch(X, Y), d.train_on_batch(X, Y), both.train_on_batch(X, Y), both.train_on_batch(X, Y), d.train_on_batch(X, Y)], [1.136, .1535, .0306, .0286, .0146])
        self.assertEqual((len(both.trainable_weights), len(d.updates)), (2, 0))
        self.close(d.get_weights()[-3], [.9735, .971, .9712])

    def test_frozen_normalization_still_takes_the_batch(self):
        norm = L.BatchNormalization(momentum=.5)
        model = K.Sequential([L.Dense(2, input_shape=(2,), kernel_initializer=init(1)), norm])
        norm.trainable = False
        model.compile(sgd(), "mse")
        self.close([model.train_on_batch(X, X), model.train_on_batch(X, X), model.test_on_batch(X, X)], [2.5666, 2.5664, .9704])
        self.close(norm.get_weights()[2:], [[0, 0], [1, 1]])

    def test_optimizers_of_tf_train(self):
        with tf.Graph().as_default():
            model = K.Sequential([L.Dense(1, input_shape=(2,), kernel_initializer="ones")])
            model.compile(tf.train.AdamOptimizer(0.1), "mse", metrics=["mae"])
            losses = model.fit(np.ones((4, 2)), np.zeros((4, 1)), verbose=0, epochs=3).history["loss"]
            np.testing.assert_allclose(losses, [4.0, 2.89, 1.9663], rtol=1e-4)
            steps = model.optimizer.iterations
            self.assertEqual((steps.name, K.backend.get_value(steps)), ("TFOptimizer/iterations:0", 3))

    def test_what_depends_on_which_inputs(self):
        shared = K.Sequential([L.Dense(2, input_shape=(2,), activity_regularizer=K.regularizers.l2(.1), kernel_regularizer=K.regularizers.l1(.1), kernel_initializer=init(1)),
                               L.BatchNormalization()])
        a, b = K.Input((2,)), K.Input((2,))
        both, alone = K.Model([a, b], L.add([shared(a), shared(b)])), K.Model(a, shared(a))
        self.assertEqual([len(shared.get_updates_for(None)), len(shared.get_losses_for(None)), len(shared.updates), len(shared.losses), len(shared.get_updates_for(a)),
                          len(shared.get_losses_for(a)), len(both.get_updates_for(both.inputs)), len(alone.get_updates_for(alone.inputs))], [0, 1, 8, 5, 4, 2, 6, 4])
        both.compile(sgd(), "mse")
        self.close([both.train_on_batch([X, X], X), both.train_on_batch([X, X], X)], [6.9664, 2.6386])
        alone.compile(sgd(), "mse")
        self.close([alone.train_on_batch(X, X), alone.train_on_batch(X, X)], [.7466, .6209])


class Subclassed(K.Model):
    def __init__(self):
        super().__init__()
        self.d, self.o, self.drop = L.Dense(3, kernel_initializer=init(1)), L.Dense(1, kernel_initializer=init(2)), L.Dropout(.5, seed=3)


class WithDefault(Subclassed):
    def call(self, x, training=False):
        return self.o(self.drop(self.d(x), training=training))


class WithoutDefault(Subclassed):
    def call(self, x, training):
        return self.o(self.drop(self.d(x), training=training))


class Adding(Subclassed):
    def call(self, x):
        h = self.d(x)
        self.add_loss(tf.reduce_sum(h ** 2) * .01)
        self.add_metric(tf.reduce_mean(h), name="hm", aggregation="mean")
        return self.o(h)


class Models(Case):
    def compiled(self, kind):
        model = kind()
        model.compile(sgd(), "mse", ["mae"])
        return model

    def test_subclasses_drop_while_training(self):
        for kind in (WithDefault, WithoutDefault):
            self.setUp()
            self.close(self.compiled(kind).fit(X, Y, epochs=2, batch_size=4, shuffle=False, verbose=0).history["loss"], [1.3754, 1.153])
            self.setUp()
            self.close(self.compiled(kind).fit_generator(((X, Y) for _ in range(9)), 2, 2, verbose=0).history["loss"], [1.3327, 1.0579])

    def test_subclasses_with_losses_and_metrics(self):
        model = self.compiled(Adding)
        history = model.fit(X, Y, epochs=2, batch_size=4, shuffle=False, verbose=0).history
        self.close([history[k] for k in ("loss", "mean_absolute_error", "hm")], [[1.454, .8272], [1.0784, .7753], [-.038, -.0908]])
        self.assertEqual(model.metrics_names, ["loss", "mean_absolute_error", "hm"])

    def test_dicts_of_features(self):
        columns = [tf.feature_column.numeric_column(n) for n in "ab"]
        model = K.Sequential([L.DenseFeatures(columns), L.Dense(1, kernel_initializer=init(1))])
        model.compile(sgd(), "mse")
        x = {"a": X[:, 0], "b": X[:, 1]}
        self.close(model.fit(x, Y, epochs=2, batch_size=5, shuffle=False, verbose=0).history["loss"], [2.7733, 1.385])
        self.close(model.predict(x)[:3, 0], [-.5782, -.4451, -.3121])

    def test_metrics_of_programs_need_not_give_operations(self):
        class Share(K.metrics.Metric):
            def __init__(self, name="share"):
                super().__init__(name=name)
                self.hits, self.n = self.add_weight("hits", initializer="zeros"), self.add_weight("n", initializer="zeros")

            def update_state(self, y_true, y_pred, sample_weight=None):
                self.hits.assign_add(tf.reduce_sum(tf.cast(y_pred > 0, tf.float32)))
                self.n.assign_add(tf.cast(tf.shape(y_true)[0], tf.float32))

            def result(self):
                return self.hits / self.n

        model = K.Sequential([L.Dense(1, input_shape=(2,), kernel_initializer=init(2))])
        model.compile(sgd(0.), "mse", [Share()])
        self.close(model.fit(X, Y, batch_size=4, shuffle=False, verbose=0).history["share"], [.5])
        self.assertEqual([v.name for v in tf.global_variables() if "hits" in v.name], [])  # variables of metrics are in no collection

    def test_losses_by_name_are_loaded(self):
        def own(y, p):
            return K.backend.mean(K.backend.abs(y - p), axis=-1) * 2

        model = K.Sequential([L.Dense(1, input_shape=(2,))])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.h5")
            for loss, wanted in ((own, own), ([own], [own]), ({"dense": own}, {"dense": own}), ({"dense": "mse"}, {"dense": "mse"})):
                model.compile("sgd", loss)
                model.save(path)
                self.assertEqual(K.models.load_model(path, custom_objects={"own": own}).loss, wanted)
            model = self.two()
            model.fit(X, [Y, C], verbose=0)
            model.save(path)
            model.reset_metrics()
            again = K.models.load_model(path)
            self.assertEqual((again.metrics_names, again.loss, again.loss_weights), (model.metrics_names, {"r": "mse", "c": "sparse_categorical_crossentropy"}, {"r": .3, "c": 1.}))
            self.close(again.train_on_batch(X, [Y, C]), model.train_on_batch(X, [Y, C]))

    def test_signatures_and_facts(self):
        spec = tf.TensorSpec((None, 4, 2), tf.float32)
        for layer, wanted in ((L.Dense(3), (None, 4, 3)), (L.LSTM(2, return_sequences=True), (None, 4, 2)), (L.Flatten(), (None, 8)), (L.Lambda(lambda x: x), (None, 4, 2))):
            made = layer.compute_output_signature(spec)
            self.assertEqual((made.shape.as_list(), made.dtype), (list(wanted), tf.float32))
        with self.assertRaisesRegex(TypeError, "Only TensorSpec signature types are supported"):
            L.Dense(3).compute_output_signature((None, 2))
        model = self.dense()
        self.assertEqual([type(f).__name__ for f in model.loss_functions], ["LossFunctionWrapper"])
        self.assertEqual((model._is_graph_network, WithDefault()._is_graph_network), (True, False))
        inner = K.Model(*(lambda i: (i, L.Dense(1)(i)))(K.Input((2,))))
        lines = []
        K.Model(*(lambda i: (i, inner(L.Dense(2)(i)) + inner(i)))(K.Input((2,)))).summary(print_fn=lines.append)
        self.assertTrue(any(line.rstrip().endswith("model[1][0]") for line in lines), lines)  # call 0 of a model is its own node

    def test_configurations_of_sequential_models(self):
        model = K.Sequential([L.InputLayer((2,)), L.Dense(1)])
        self.assertEqual((sorted(model.get_config()), model.get_config()["layers"][0]["config"]["batch_input_shape"]), (["layers", "name"], (None, 2)))
        model = K.Sequential([L.Dense(1)])
        model.build((None, 2))
        self.assertEqual(model.get_config()["build_input_shape"], (None, 2))
        self.assertEqual([v.name for v in K.metrics.FalsePositives([.2, .5]).variables], ["accumulator:0"])

    def test_ctc(self):
        made = K.backend.ctc_batch_cost(np.array([[0, 1], [1, 0]]), K.backend.softmax(K.backend.constant(np.random.RandomState(3).rand(2, 6, 3))), np.array([[6], [5]]),
                                        np.array([[2], [1]]))
        self.close(K.backend.eval(made), [[2.7596], [2.7561]])


unittest.main()
