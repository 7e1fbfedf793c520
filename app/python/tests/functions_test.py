"""Functions that Python builds of a few ops, with TensorFlow 1.15.5's values: weft py functions_test.py"""

import unittest

import numpy as np
import tensorflow as tf


class Signal(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.rng = np.random.RandomState(0)

    def run_(self, what):
        with tf.Session() as session:
            return session.run(what)

    def test_spectra_and_back(self):
        x = self.rng.rand(2, 64).astype("float32")
        spectra = tf.signal.stft(x, 16, 4)
        self.assertEqual(spectra.shape.as_list(), [2, 13, 9])
        back = self.run_(tf.signal.inverse_stft(spectra, 16, 4, window_fn=tf.signal.inverse_stft_window_fn(4)))
        np.testing.assert_allclose(back[:, 12:-12], x[:, 12:52], atol=1e-5)

    def test_cosine_transform_undoes_itself(self):
        x = self.rng.rand(3, 10).astype("float32")
        np.testing.assert_allclose(self.run_(tf.signal.idct(tf.signal.dct(x, norm="ortho"), norm="ortho")), x, atol=1e-5)
        with self.assertRaisesRegex(ValueError, "Only Types I, II and III"):
            tf.signal.dct(x, type=4)

    def test_least_squares(self):
        m = self.rng.rand(5, 3)
        b = self.rng.rand(5, 1)
        np.testing.assert_allclose(self.run_(tf.matrix_solve_ls(m, b)), np.linalg.lstsq(m, b, rcond=None)[0], atol=1e-8)
        np.testing.assert_allclose(self.run_(tf.linalg.pinv(m)), np.linalg.pinv(m), atol=1e-8)


class Gradients(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def test_own_gradient(self):
        @tf.custom_gradient
        def softplus(x):
            e = tf.exp(x)
            return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

        x = tf.constant([0., 100.])
        with tf.Session() as session:
            np.testing.assert_array_equal(session.run(tf.gradients(softplus(x), x)[0]), [.5, 1.])

    def test_templates_share(self):
        def scaled(x, factor):
            return x * tf.get_variable("w", [], initializer=tf.constant_initializer(factor))

        scale = tf.make_template("scale", scaled, factor=3.)
        scale(tf.constant(1.))
        scale(tf.constant(2.))
        self.assertEqual([v.name for v in tf.global_variables()], ["scale/w:0"])
        with self.assertRaisesRegex(ValueError, "name cannot be None"):
            tf.make_template(None, scaled)

    def test_missing_names_are_said(self):
        with self.assertRaisesRegex(AttributeError, "the nearest that exists is 'matmul'"):
            tf.matmull


unittest.main()
