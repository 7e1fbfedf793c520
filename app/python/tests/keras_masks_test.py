"""Masks in recurrent layers and the layers around them, against the numbers of TensorFlow 1.15.5: weft py keras_masks_test.py"""

import unittest

import numpy as np
import tensorflow as tf

K, L = tf.keras, tf.keras.layers
X = np.linspace(-1, 1, 16).reshape(2, 4, 2).astype("float32")
X[0, 2:] = 0
X[1, 0] = 0


def init(seed):
    return K.initializers.RandomUniform(-.4, .4, seed=seed)


def kernels():
    return {"kernel_initializer": init(4), "recurrent_initializer": init(5)}


def predicted(*layers, **shape):
    """The output of layers after a Masking layer, for X."""
    inputs = K.Input((4, 2), **shape)
    h = L.Masking(0.)(inputs)
    for layer in layers:
        h = layer(h)
    return K.Model(inputs, h).predict(X)


def fresh():
    K.backend.clear_session()
    tf.set_random_seed(1)


class Masks(unittest.TestCase):
    def setUp(self):
        fresh()

    def close(self, got, wanted):
        np.testing.assert_allclose(np.ravel(got), wanted, atol=6e-4)

    def test_masked_steps_of_bidirectional_are_zero(self):
        wanted = [-.033, -.256, -.06, -.351, -.062, -.32, -.027, -.187] + [0.] * 12 + [.005, .107, .05, .271]
        self.close(predicted(L.Bidirectional(L.GRU(2, return_sequences=True, **kernels()))).ravel()[:24], wanted)
        # If only the last output is requested, it is that of the last unmasked step.
        self.close(predicted(L.Bidirectional(L.GRU(2, **kernels()))), [-.062, -.32, -.06, -.351, .055, .353, .05, .271])
        # A single layer repeats its last output.
        self.close(predicted(L.GRU(2, return_sequences=True, **kernels()))[0], [-.033, -.256, -.062, -.32, -.062, -.32, -.062, -.32])

    def test_merging_and_states(self):
        for mode, wanted in (("sum", [-.093, -.607, -.089, -.508, 0, 0, 0, 0]), ("mul", [.002, .09, .002, .06, 0, 0, 0, 0])):
            self.close(predicted(L.Bidirectional(L.GRU(2, return_sequences=True, **kernels()), merge_mode=mode))[0], wanted)
        whole, ahead, back = predicted(L.Bidirectional(L.GRU(2, return_sequences=True, return_state=True, **kernels())))
        self.close(whole[0, 2:], [0.] * 8)
        self.close(ahead, [-.062, -.32, .055, .353])
        self.close(back, [-.06, -.351, .05, .271])
        outputs = L.Bidirectional(L.GRU(2, return_sequences=True, return_state=True), merge_mode=None)(L.Masking(0.)(K.Input((4, 2))))
        self.assertEqual([getattr(o, "_keras_mask", None) is not None for o in outputs], [True, True, False, False])

    def test_cells_and_own_backward_layers(self):
        self.close(predicted(L.Bidirectional(L.RNN(L.GRUCell(2, **kernels()), return_sequences=True)))[0, 2:], [0.] * 8)
        own = L.Bidirectional(L.GRU(2, return_sequences=True, **kernels()), backward_layer=L.LSTM(2, return_sequences=True, go_backwards=True, **kernels()))
        self.close(predicted(own)[0], [-.033, -.256, -.058, -.1, -.062, -.32, -.026, -.051] + [0.] * 8)
        self.assertIn("backward_layer", own.get_config())

    def test_zero_output_for_mask(self):
        self.close(predicted(L.GRU(2, return_sequences=True, zero_output_for_mask=True, **kernels()))[0], [-.033, -.256, -.062, -.32, 0, 0, 0, 0])
        # In unrolled backward layers, TensorFlow applies the mask in input order.
        self.close(predicted(L.GRU(2, return_sequences=True, zero_output_for_mask=True, unroll=True, go_backwards=True, **kernels())),
                   [0.] * 10 + [.044, .295, .05, .271, .05, .271])

    def test_time_distributed_gives_masks_of_its_layer(self):
        inputs = K.Input((2, 4))
        h = L.TimeDistributed(L.Embedding(5, 2, mask_zero=True, embeddings_initializer=init(2)))(inputs)
        model = K.Model(inputs, L.TimeDistributed(L.LSTM(2, **kernels()))(h))
        self.close(model.predict(np.array([[[1, 2, 0, 0], [0, 3, 0, 4]]])), [-.01, -.029, .018, .021])
        for shape in ({}, {"batch_size": 2}):
            fresh()
            self.close(predicted(L.TimeDistributed(L.Dense(2, kernel_initializer=init(1))), L.LSTM(2, return_sequences=True, **kernels()), **shape)[0],
                       [.021, .059, .034, .084, .034, .084, .034, .084])

    def test_losses_and_metrics_weigh_with_masks(self):
        inputs = K.Input((4, 2))
        model = K.Model(inputs, L.LSTM(2, return_sequences=True, **kernels())(L.Masking(0.)(inputs)))
        model.compile(K.optimizers.SGD(0.), "mse", ["mae"], weighted_metrics=["mae"])
        ones = np.ones((2, 4, 2))
        self.close(model.evaluate(X, ones, verbose=0), [.61647, .99056, .99056])
        self.close(model.evaluate(X, ones, sample_weight=np.array([1., 3.]), verbose=0), [1.28281, .99056, .96377])

    def test_means_over_sequences_leave_masked_steps_out(self):
        self.close(predicted(L.GlobalAveragePooling1D()), [-.867, -.733, .6, .733])

    def test_lists_of_cells_and_cells_of_tensorflow(self):
        cells = lambda: L.RNN([L.GRUCell(2, **kernels()), L.LSTMCell(2, **kernels())], return_sequences=True)  # noqa: E731
        self.close(predicted(L.Bidirectional(cells()))[0, :2], [0., -.005, 0., -.01, 0., -.011, 0., -.004])
        self.assertEqual(len(L.RNN.from_config(cells().get_config()).cell.cells), 2)
        fresh()
        own = tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.ones_initializer())  # Keras initialises its variables, too
        self.close(predicted(L.RNN(own, return_sequences=True))[1], [0, 0, .094, .094, .155, .155, .187, .187])

    def test_masks_of_calls(self):
        layer = L.Add()
        layer([L.Masking()(K.Input((3, 2))), L.Masking()(K.Input((3, 2)))])
        self.assertEqual([m is not None for m in layer.input_mask], [True, True])
        self.assertIsNotNone(layer.output_mask)
        self.assertEqual((layer.get_output_shape_at(0), layer.get_input_shape_at(0)), ((None, 3, 2), [(None, 3, 2)] * 2))
        with self.assertRaisesRegex(RuntimeError, "The layer has never been called and thus has no defined output."):
            L.Dense(1).get_output_at(0)
        with self.assertRaisesRegex(ValueError, "Asked to get output at node 5, but the layer has only 1 inbound nodes."):
            layer.get_output_at(5)

    def test_refusals(self):
        for make, error, text in (
                (lambda: L.Bidirectional(L.GRU(2), backward_layer=L.LSTM(2)), ValueError, "should have different `go_backwards` value"),
                (lambda: L.Bidirectional(L.GRU(2), backward_layer=L.LSTM(2, go_backwards=True, return_sequences=True)), ValueError,
                 "expected to have the same value for attribute return_sequences, got False and True"),
                (lambda: L.Bidirectional(L.Dense(2)), KeyError, "go_backwards"),
                (lambda: L.Bidirectional(L.GRU(2))(K.Input((4, 2)), initial_state=[K.Input((2,))]), ValueError, "the state should be a list containing the states"),
                (lambda: L.LSTM(2)(K.Input((4, 2)), initial_state=[K.Input((3,)), K.Input((2,))]), ValueError, "not compatible with `cell.state_size`"),
                (lambda: L.LSTM(2)(K.Input((4, 2)), initial_state=[K.Input((2,)), tf.zeros((2, 2))]), ValueError, "a mix of Keras tensors and non-Keras tensors"),
                (lambda: L.LSTM(2, stateful=True).reset_states(), ValueError, "it needs to know its batch size"),
                (lambda: L.RNN(L.LSTMCell(2))(K.Input((4, 2)), constants=K.Input((2,))), ValueError, "RNN cell does not support constants"),
                (lambda: L.CuDNNLSTM(2)(L.Masking(0.)(K.Input((4, 2)))), ValueError, "Masking is not supported for CuDNN RNNs."),
                (lambda: L.TimeDistributed(L.Dense(2))(K.Input((4,))), ValueError, "with at least 3 dimensions")):
            with self.assertRaisesRegex(error, text):
                make()

    def test_states_of_layers(self):
        inputs = K.Input(batch_shape=(2, 4, 2))
        layer = L.LSTM(2, stateful=True, **kernels())
        model = K.Model(inputs, layer(inputs))
        first, second = model.predict(X), model.predict(X)
        self.close(first, [-.038, -.066, .05, .149])
        self.close(second, [-.056, -.089, .077, .194])
        layer.reset_states([np.ones((2, 2)), np.ones((2, 2))])
        self.close(model.predict(X), [.188, .121, .23, .311])
        with self.assertRaisesRegex(ValueError, "Layer lstm expects 2 states, but it received 1 state values"):
            layer.reset_states([np.ones((2, 2))])
        with self.assertRaisesRegex(ValueError, "State 0 is incompatible with layer lstm: expected shape"):
            layer.reset_states([np.ones((3, 2)), np.ones((2, 2))])
        model.compile("sgd", "mse")
        model.reset_states()
        before = model.evaluate(X, np.zeros((2, 2)), batch_size=2, verbose=0)
        self.assertNotEqual(before, model.evaluate(X, np.zeros((2, 2)), batch_size=2, verbose=0))  # evaluation carries states on

    def test_constants(self):
        class Cell(L.Layer):
            state_size = 2

            def build(self, shape):
                self.kernel = self.add_weight(shape=(shape[-1], 2), initializer=init(7), name="kernel")
                self.rk = self.add_weight(shape=(2, 2), initializer=init(8), name="rk")
                self.built = True

            def call(self, inputs, states, constants):
                output = K.backend.dot(inputs, self.kernel) + K.backend.dot(states[0], self.rk) + constants[0]
                return output, [output]

            def get_config(self):
                return {}

        a, c = K.Input((4, 2)), K.Input((2,))
        self.close(K.Model([a, c], L.RNN(Cell())(a, constants=c)).predict([X, np.ones((2, 2))]), [.399, 1.531, .763, 1.956])
        self.close(K.Model([a, c], L.Bidirectional(L.RNN(Cell()))(a, constants=c)).predict([X, np.ones((2, 2))]), [.399, 1.531, 0., 1.207, .763, 1.956, .277, 1.665])


class Pictures(unittest.TestCase):
    def setUp(self):
        fresh()

    def test_conv_lstm(self):
        x = np.arange(64.).reshape(1, 4, 4, 4, 1) / 64
        model = K.Sequential([L.ConvLSTM2D(1, 3, input_shape=(4, 4, 4, 1), padding="same", return_sequences=True, kernel_initializer=init(1), recurrent_initializer=init(2))])
        np.testing.assert_allclose(model.predict(x).ravel()[:8], [.0031, -.0012, -.0018, -.0032, .0037, -.0035, -.0048, -.0051], atol=6e-5)
        both = K.Sequential([L.Bidirectional(L.ConvLSTM2D(1, 2, kernel_initializer=init(1), recurrent_initializer=init(2)), input_shape=(4, 4, 4, 1))])
        np.testing.assert_allclose(both.predict(x).ravel()[:4], [-.0316, -.0158, -.0325, -.0165], atol=6e-5)
        layer = L.ConvLSTM2D(2, 3)
        layer(K.Input((4, 4, 4, 1)))
        self.assertEqual([w.shape.as_list() for w in layer.weights], [[3, 3, 1, 8], [3, 3, 2, 8], [8]])
        self.assertEqual(L.ConvLSTM2D.from_config(layer.get_config()).kernel_size, (3, 3))

    def test_weights_of_cudnn(self):
        for kind, sizes in ((L.CuDNNLSTM, [[2, 8], [2, 8], [16]]), (L.CuDNNGRU, [[2, 6], [2, 6], [12]])):
            layer = kind(2, return_state=True, return_sequences=True)
            self.assertEqual(layer(K.Input((4, 2)))[0].shape.as_list(), [None, 4, 2])
            self.assertEqual([w.shape.as_list() for w in layer.weights], sizes)
        # cuDNN reads each gate's weights row by row, as a matrix whose rows (not columns) run along the inputs.
        inputs = K.Input((1, 2))
        layer = L.CuDNNLSTM(1)
        model = K.Model(inputs, layer(inputs))
        rng = np.random.RandomState(1)
        kernel, bias = rng.rand(2, 4).astype("float32"), rng.rand(8).astype("float32")
        layer.set_weights([kernel, np.zeros((1, 4), np.float32), bias])
        x = rng.rand(1, 2).astype("float32")
        z = x.dot(kernel) + bias[:4] + bias[4:]  # with one unit both layouts are the same
        sigmoid = lambda v: 1 / (1 + np.exp(-v))  # noqa: E731
        i, f, g, o = z[0]
        np.testing.assert_allclose(model.predict(x[None])[0, 0], sigmoid(o) * np.tanh(sigmoid(i) * np.tanh(g)), rtol=1e-4)


unittest.main()
