"""Random Fourier features, preprocessing layers, premade and cloned models, values of metrics: weft py keras_parts_test.py"""

import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.keras.engine import base_preprocessing_layer
from tensorflow.python.keras.layers import kernelized
from tensorflow.python.keras.layers.preprocessing import normalization
from tensorflow.python.keras.models import _clone_sequential_model, clone_and_build_model, in_place_subclassed_model_state_restoration
from tensorflow.python.keras.premade.linear import LinearModel
from tensorflow.python.keras.premade.wide_deep import WideDeepModel
from tensorflow.python.keras.utils import kernelized_utils, metrics_utils

keras, L = tf.keras, tf.keras.layers


class Case(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()

    def value(self, tensor):
        return keras.backend.get_value(tensor)

    def close(self, found, wanted, atol=1e-6):
        np.testing.assert_allclose(found, wanted, atol=atol)


class Kernelized(Case):
    def test_features_are_cosines(self):
        layer = kernelized.RandomFourierFeatures(output_dim=3, kernel_initializer=tf.ones_initializer(), scale=2.)
        out = layer(tf.constant([[1., 2.]]))
        layer.set_weights([np.float32([.1, .2, .3])] + [np.ones((2, 3), np.float32), np.float32([2.])]
                          if [w.shape.as_list() for w in layer.weights][0] == [3] else [np.ones(w.shape.as_list(), np.float32) for w in layer.weights])
        kernel, bias, scale = (self.value(v) for v in (layer.unscaled_kernel, layer.bias, layer.kernel_scale))
        self.close(self.value(out), np.cos(np.float32([[1, 2]]).dot(kernel) / scale + bias))
        self.assertEqual(layer.compute_output_shape((None, 2)).as_list(), [None, 3])
        self.assertEqual(layer.get_config()["scale"], 2.)

    def test_features_approximate_their_kernel(self):
        x, y = np.float32([[.1, -.2, .3]]), np.float32([[.3, .1, .2]])
        layer = kernelized.RandomFourierFeatures(4000, "gaussian", scale=2., name="random_fourier_features")
        inner = self.value(2. / 4000 * kernelized_utils.inner_product(layer(x), layer(y)))
        self.close(inner, self.value(kernelized_utils.exact_gaussian_kernel(x, y, stddev=2.)), atol=.06)

    def test_kernels(self):
        x, y = tf.constant([[0., 0.], [3., 4.]]), tf.constant([[0., 0.]])
        self.close(self.value(kernelized_utils.exact_gaussian_kernel(x, y, 5.)), [[1.], [np.exp(-.5)]])
        self.close(self.value(kernelized_utils.exact_laplacian_kernel(x, y, 7.)), [[1.], [np.exp(-1.)]])

    def test_refusals(self):
        for arguments, words in ((dict(output_dim=0), "positive integer"), (dict(output_dim=2, kernel_initializer="x"), "Unsupported kernel type"),
                                 (dict(output_dim=2, scale=0.), "positive float")):
            self.assertRaisesRegex(ValueError, words, kernelized.RandomFourierFeatures, **arguments)
        self.assertRaisesRegex(ValueError, "should be 2", kernelized.RandomFourierFeatures(2), tf.zeros([2, 2, 2]))
        self.assertRaisesRegex(ValueError, "should match", kernelized_utils.exact_gaussian_kernel, tf.zeros([1, 2]), tf.zeros([1, 3]), 1.)


class Preprocessing(Case):
    def test_normalization_takes_moments_from_arrays_and_data_sets(self):
        data = np.float32([[1], [2], [3], [4], [5], [7]])
        for given in (data, tf.data.Dataset.from_tensor_slices(data).batch(4)):
            layer = normalization.Normalization()
            layer.adapt(given)
            count, mean, variance = (self.value(layer.state_variables[n]) for n in ("count", "mean", "variance"))
            self.assertEqual(count, 6)
            self.close(mean, [data.mean()])
            self.close(variance, [data.var()], atol=1e-5)
        layer.adapt(data, reset_state=False)
        self.assertEqual(self.value(layer.state_variables["count"]), 12)

    def test_refusals(self):
        self.assertRaisesRegex(ValueError, "may not be 0", normalization.Normalization, axis=0)
        layer = normalization.Normalization()
        self.assertRaisesRegex(ValueError, "Dataset or a Numpy array", layer.adapt, [[1.]])
        self.assertRaisesRegex(ValueError, "infinite", layer.adapt, tf.data.Dataset.from_tensors(np.float32([[1]])).repeat())

    def test_combiners_merge_batches_in_any_order(self):
        combiner = normalization.Normalization._NormalizingCombiner(axis=-1)
        a, b = (combiner.compute(np.float32(rows)) for rows in ([[1], [2], [3]], [[4], [6]]))
        for merged in (combiner.merge([a, b]), combiner.merge([b, a]), combiner.deserialize(combiner.serialize(combiner.merge([a, b])))):
            self.close([merged.mean[0], merged.variance[0], merged.count], [3.2, 2.96, 5])
        self.assertTrue(issubclass(normalization.Normalization, base_preprocessing_layer.PreprocessingLayer))


class Premade(Case):
    def test_linear_model_sums_its_inputs(self):
        model = LinearModel(kernel_initializer="ones", bias_initializer=keras.initializers.Constant(3.))
        out = model([tf.constant([[1., 2.]]), tf.constant([[5.]])])
        self.close(self.value(out), [[11.]])
        self.assertRaisesRegex(ValueError, "Expected 2 inputs, but got 1", model, tf.zeros([1, 2]))

    def test_wide_deep_model_is_the_mean(self):
        model = WideDeepModel(LinearModel(kernel_initializer="ones"), keras.Sequential([L.Dense(1, kernel_initializer=keras.initializers.Constant(3.), use_bias=False)]))
        self.close(self.value(model([tf.constant([[1.]]), tf.constant([[2.]])])), [[3.5]])

    def test_each_part_has_its_optimizer(self):
        model = WideDeepModel(LinearModel(kernel_initializer="zeros", use_bias=False), keras.Sequential([L.Dense(1, kernel_initializer="zeros", use_bias=False)]))
        model.compile([keras.optimizers.SGD(.1), keras.optimizers.SGD(0.)], "mse")
        x, y = np.float32([[1.], [1.]]), np.float32([[2.], [2.]])
        model.fit([x, x], y, epochs=1, verbose=0)
        self.close(model.linear_model.get_weights()[0], [[.2]])
        self.close(model.dnn_model.get_weights()[0], [[0.]])


class Cloning(Case):
    def sequential(self):
        model = keras.Sequential([L.Dense(2, input_shape=(3,)), L.Dense(1, activation="relu")])
        model.compile("sgd", "mse", metrics=["mae"])
        return model

    def test_clones_have_new_variables(self):
        model = self.sequential()
        again = keras.models.clone_model(model)
        self.assertIsNot(model.layers[0].kernel, again.layers[0].kernel)
        self.assertEqual([layer.name for layer in model.layers], [layer.name for layer in again.layers])
        again.set_weights(model.get_weights())
        x = np.float32([[1, 2, 3]])
        self.close(model.predict(x), again.predict(x))

    def test_a_layer_function_may_share_layers(self):
        model = self.sequential()
        again = _clone_sequential_model(model, layer_fn=lambda layer: layer)
        self.assertEqual([id(v) for v in model.weights], [id(v) for v in again.weights])
        self.assertRaisesRegex(ValueError, "Sequential", _clone_sequential_model, keras.Model(model.inputs, model.outputs), layer_fn=lambda layer: layer)

    def test_built_clones_are_compiled(self):
        model = self.sequential()
        again = clone_and_build_model(model, compile_clone=True)
        self.assertEqual(again.metrics_names, model.metrics_names)
        again.train_on_batch(np.zeros((2, 3)), np.zeros((2, 1)))
        self.assertRaisesRegex(ValueError, "has not been compiled", clone_and_build_model, keras.Sequential([L.Dense(1, input_shape=(1,))]), compile_clone=True)

    def test_subclasses_are_reset_in_place(self):
        class Own(keras.Model):
            def __init__(self):
                super(Own, self).__init__()
                self.dense = L.Dense(1)

            def call(self, x):
                return self.dense(x)

        model = Own()
        model.compile("sgd", "mse")
        model.train_on_batch(np.ones((2, 2)), np.ones((2, 1)))
        before = model.dense
        self.assertRaisesRegex(ValueError, "cannot be cloned", clone_and_build_model, model)
        again = clone_and_build_model(model, compile_clone=False, in_place_reset=True)
        self.assertIs(again, model)
        self.assertIsNot(model.dense, before)
        in_place_subclassed_model_state_restoration(model)
        self.assertIs(model.dense, before)


class MetricValues(Case):
    def test_names_of_curves_and_sums(self):
        self.assertEqual(metrics_utils.AUCCurve.from_str("pr"), metrics_utils.AUCCurve.PR)
        self.assertRaisesRegex(ValueError, "Invalid AUC curve", metrics_utils.AUCCurve.from_str, "x")
        self.assertEqual(metrics_utils.AUCSummationMethod.from_str("majoring"), metrics_utils.AUCSummationMethod.MAJORING)
        self.assertRaisesRegex(ValueError, "summation method", metrics_utils.AUCSummationMethod.from_str, "x")

    def test_values_of_ragged_tensors(self):
        flat = metrics_utils.ragged_assert_compatible_and_get_flat_values
        a, b = tf.ragged.constant([[1., 2.], [3.]]), tf.ragged.constant([[4., 5.], [6.]])
        (x, y), mask = flat([a, b])
        self.close(self.value(x), [[1], [2], [3]])
        self.close(self.value(y), [[4], [5], [6]])
        self.assertIsNone(mask)
        self.assertRaises(TypeError, flat, [a, tf.zeros([2, 2])])
        self.assertRaises(TypeError, flat, [tf.zeros([2])], a)


if __name__ == "__main__":
    unittest.main()
