"""Networks of Keras layers, their calls, shapes and configurations, with the rules of TensorFlow 1.15.5: weft py keras_networks_test.py"""

import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.keras.engine import input_spec, network
from tensorflow.python.keras.layers import dense_attention, rnn_cell_wrapper_v2
from tensorflow.python.keras.saving import hdf5_format, saving_utils
from tensorflow.python.keras.utils import generic_utils

keras, L = tf.keras, tf.keras.layers


class Sum(L.Layer):
    def call(self, x, y=None, more=None):
        for t in [y] + list((more or {}).values()):
            x = x if t is None else x + t
        return x


class Case(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()


class Shapes(Case):
    def test_layers_say_their_output_shapes(self):
        for layer, given, wanted in (
                (L.Reshape((-1, 2)), (None, 4), [None, 2, 2]), (L.Permute((2, 1)), (3, 4, 5), [3, 5, 4]), (L.RepeatVector(3), (2, 4), [2, 3, 4]), (L.Masking(), (2, 3, 4), [2, 3, 4]),
                (L.Embedding(5, 6, input_length=4), (2, None), [2, 4, 6]), (L.Add(), [(2, 3, 1), (2, 1, 4)], [2, 3, 4]), (L.Concatenate(), [(2, 3), (2, 4)], [2, 7]),
                (L.DepthwiseConv2D(3, depth_multiplier=2), (1, 5, 5, 4), [1, 3, 3, 8])):
            self.assertEqual(tf.TensorShape(layer.compute_output_shape(given)).as_list(), wanted, layer)
        self.assertRaises(ValueError, L.Add().compute_output_shape, [(2, 3), (2, 4)])
        self.assertRaises(NotImplementedError, Sum().compute_output_shape, (1, 2))
        self.assertEqual(tf.TensorShape(keras.Sequential([L.Dense(3), L.Dense(2)]).compute_output_shape((None, 7))).as_list(), [None, 2])

    def test_masks_of_merged_inputs(self):
        layer, x = L.Add(), tf.ones([1, 2])
        found = layer.compute_mask([x, x], [tf.constant([[1., 0.]]), tf.constant([[1., 1.]])])
        self.assertEqual(keras.backend.get_value(found).tolist(), [[True, False]])
        self.assertIsNone(layer.compute_mask([x, x], [None, None]))
        for inputs, masks, words in (([x, x], x, "`mask` should be a list"), (x, [None], "`inputs` should be a list"), ([x, x], [x], "same length")):
            self.assertRaisesRegex(ValueError, words, layer.compute_mask, inputs, masks)
        self.assertRaisesRegex(ValueError, "matching shapes", L.concatenate, [tf.ones([1, 2]), tf.ones([2, 2])])

    def test_shapes_of_specs(self):
        self.assertEqual(input_spec.to_tensor_shape(L.InputSpec(ndim=3, axes={1: 3, -1: 2})).as_list(), [None, 3, 2])
        self.assertIsNone(input_spec.to_tensor_shape(L.InputSpec(max_ndim=5)).ndims)
        self.assertRaisesRegex(TypeError, "must be integers", L.InputSpec, ndim=2, axes={"a": 1})

    def test_names_of_earlier_versions(self):
        self.assertEqual(type(L.deserialize({"class_name": "BatchNormalizationV1", "config": {}})).__name__, "BatchNormalization")

    def test_sizes_that_layers_refuse(self):
        for make in (lambda: L.Cropping1D((1, 1, 1)), lambda: L.Cropping2D(None), lambda: L.ZeroPadding2D(None), lambda: L.ZeroPadding3D((1, 1)), lambda: L.UpSampling2D((1,))):
            self.assertRaises(ValueError, make)


class Calls(Case):
    def test_arguments_may_be_keras_tensors(self):
        a, b = keras.Input((2,)), keras.Input((2,))
        model = keras.Model([a, b], Sum()(a, more={"b": b, "c": tf.constant([[1., 2.]])}))
        again = keras.Model.from_config(model.get_config(), custom_objects={"Sum": Sum})
        for one in (model, again):
            np.testing.assert_allclose(one.predict([np.ones((1, 2)), np.full((1, 2), 5.)]), [[7, 8]])

    def test_history_of_a_tensor(self):
        x = keras.Input((2,))
        layer = L.Dense(3)
        layer(x)
        found = layer(x)._keras_history
        self.assertIs(found[0], layer)
        self.assertEqual(tuple(found)[1:], (1, 0))

    def test_structures_of_inputs_are_kept(self):
        a, b = keras.Input((1,), name="a"), keras.Input((1,), name="b")
        net = network.Network({"a": a, "b": b}, [L.add([a, b])])
        config = net.get_config()
        self.assertEqual(sorted(config["input_layers"]), ["a", "b"])
        again = network.Network.from_config(config)
        out = again({"a": tf.constant([[1.]]), "b": tf.constant([[2.]])})
        self.assertEqual(keras.backend.get_value(out if not isinstance(out, list) else out[0]).tolist(), [[3.]])
        self.assertFalse(hasattr(again, "fit"))

    def test_nested_models_in_files_begin_with_call_one(self):
        inner = keras.Sequential([L.Dense(1, input_shape=(2,))], name="inner")
        x = keras.Input((2,), name="x")
        model = keras.Model(x, inner(x))
        config = model.get_config()
        self.assertEqual(config["output_layers"], [["inner", 1, 0]])
        again = keras.Model.from_config(config)
        again.set_weights(model.get_weights())
        np.testing.assert_allclose(again.predict(np.ones((1, 2))), model.predict(np.ones((1, 2))))

    def test_losses_outside_of_outputs_are_in_the_configuration(self):
        x = keras.Input((1,))
        model = keras.Model(x, L.Dense(1)(x))
        model.add_loss(3. * tf.reduce_mean(x))
        again = keras.Model.from_config(model.get_config())
        again.compile("sgd", "mae")
        again.set_weights([np.ones((1, 1)), np.zeros(1)])
        self.assertEqual(again.test_on_batch(np.ones((2, 1)), np.ones((2, 1))), 3.)

    def test_layers_of_tf_layers_are_refused(self):
        x = keras.Input((2,))
        self.assertRaisesRegex(TypeError, "legacy", keras.Model, x, tf.layers.Dense(1)(x))
        self.assertRaisesRegex(TypeError, "legacy", keras.Sequential, [tf.layers.Dense(1)])

    def test_constructors_with_arguments_need_get_config(self):
        class Own(L.Layer):
            def __init__(self, size):
                super(Own, self).__init__()

        self.assertRaisesRegex(NotImplementedError, "must override `get_config`", Own(2).get_config)


class Subclasses(Case):
    class Own(keras.Model):
        def __init__(self):
            super(Subclasses.Own, self).__init__()
            self.dense = L.Dense(3)

        def call(self, x):
            return self.dense(x)

    def test_build_calls_the_model(self):
        model = self.Own()
        model.build((None, 2))
        self.assertEqual([v.shape.as_list() for v in model.weights], [[2, 3], [3]])
        self.assertRaisesRegex(ValueError, "must be defined", self.Own().build, None)
        self.assertRaisesRegex(ValueError, "not one of the valid types", self.Own().build, 5)

        class Two(keras.Model):
            def call(self, x, y):
                return x + y

        self.assertRaisesRegex(ValueError, "cannot build your model", Two().build, (1, 2))

    def test_signatures(self):
        model = self.Own()
        self.assertRaisesRegex(ValueError, "input shapes have not been set", saving_utils.trace_model_call, model)
        model.predict(np.ones((1, 2)))
        self.assertEqual(saving_utils.model_input_signature(model)[0].shape.as_list(), [None, 2])


class Functions(Case):
    def test_lambda_layers_have_configurations(self):
        factor = 3.
        layer = L.Lambda(lambda x, a=1.: x * factor + a, output_shape=(1,), arguments={"a": 2.}, mask=lambda x, m: m)
        again = L.deserialize(L.serialize(layer))
        self.assertEqual(again.function(2., **again.arguments), 8.)
        self.assertEqual((again.mask(1, 5), again._output_shape), (5, (1,)))
        code = generic_utils.func_dump(lambda x: x + 1)
        self.assertEqual(generic_utils.func_load(code)(2), 3)

    def test_lambda_layers_keep_their_variables(self):
        layer = L.Lambda(lambda x: x * tf.Variable(2., name="factor", use_resource=True))
        layer(tf.ones([1, 1]))
        layer(tf.ones([1, 1]))
        self.assertEqual([v.name for v in layer.trainable_weights], ["lambda/factor:0"])

    def test_cell_wrappers(self):
        cell = rnn_cell_wrapper_v2.ResidualWrapper(L.LSTMCell(3), residual_fn=lambda i, o: 2 * i + o)
        again = rnn_cell_wrapper_v2.ResidualWrapper.from_config(cell.get_config())
        self.assertEqual(again._residual_fn(1, 3), 5)
        rnn = L.RNN(rnn_cell_wrapper_v2.DropoutWrapper(L.SimpleRNNCell(2, name="cell")))
        rnn(tf.ones([1, 2, 2]))
        self.assertEqual([v.name for v in rnn.weights], ["rnn/kernel:0", "rnn/recurrent_kernel:0", "rnn/bias:0"])

    def test_attention(self):
        base = dense_attention.BaseDenseAttention()
        found = base._apply_scores(scores=tf.constant([[[1., 0., 1.]]]), value=tf.constant([[[1.6], [.7], [-.8]]]), scores_mask=tf.constant([[[True, True, False]]]))
        np.testing.assert_allclose(keras.backend.get_value(found), [[[1.35795272]]], rtol=1e-5)
        q = tf.ones([1, 1, 1])
        for inputs, mask, words in ((q, None, "list of inputs"), ([q], None, "length 2 or 3"), ([q, q], np.ones(1), "must be a list"), ([q, q], [np.ones(1)], "list of length 2")):
            self.assertRaisesRegex(ValueError, words, L.Attention(), inputs, mask=mask)


class Weights(Case):
    def test_formats_of_recurrent_layers(self):
        convert = hdf5_format.preprocess_weights_for_loading
        plain, fast = L.LSTM(2), L.CuDNNLSTM(2)
        for layer in (plain, fast):
            layer.build((None, 3, 2))
        rng = np.random.RandomState(0)
        weights = [rng.rand(*v.shape.as_list()) for v in plain.weights]
        there = convert(fast, weights)
        self.assertEqual(there[2].shape, (16,))
        for a, b in zip(convert(plain, there), weights):
            np.testing.assert_allclose(a, b)
        gru = L.GRU(2)
        gru.build((None, 3, 2))
        self.assertRaisesRegex(ValueError, "not compatible", convert, gru, [np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(12)])
        self.assertRaisesRegex(ValueError, "Invalid bias shape", convert, gru, [np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(5)])

    def test_gates_of_keras_1(self):
        layer = L.GRU(1)
        layer.build((None, 3, 1))
        found = hdf5_format.preprocess_weights_for_loading(layer, [np.full((1, 1), i) if i % 3 < 2 else np.full(1, i) for i in range(9)], original_keras_version="1")
        self.assertEqual([np.ravel(w).tolist() for w in found], [[0, 3, 6], [1, 4, 7], [2, 5, 8]])

    def test_long_attributes_are_split(self):
        class Group:
            def __init__(self):
                self.attrs = {}

        group, names = Group(), [b"n%06d" % i for i in range(20000)]
        hdf5_format.save_attributes_to_hdf5_group(group, "names", names)
        self.assertEqual(sorted(group.attrs), ["names0", "names1", "names2"])
        self.assertEqual(hdf5_format.load_attributes_from_hdf5_group(group, "names")[-1], "n019999")
        self.assertRaisesRegex(RuntimeError, "larger than", hdf5_format.save_attributes_to_hdf5_group, group, "x", ["a" * 70000])

    def test_stacks_of_cells_hand_on_constants(self):
        class Cell(L.Layer):
            state_size = 1

            def call(self, inputs, states, constants):
                return inputs + states[0] + constants[0], [states[0] + 1.]

        rnn = L.RNN([Cell(), Cell()])
        out = rnn(tf.ones([1, 3, 1]), constants=tf.fill([1, 1], 10.))
        self.assertEqual(keras.backend.get_value(out).tolist(), [[25.]])


if __name__ == "__main__":
    unittest.main()
