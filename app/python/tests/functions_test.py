"""Functions composed of a few ops in Python, with TensorFlow 1.15.5's values: weft py functions_test.py"""

import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.framework.function import Defun


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


class DataSets(unittest.TestCase):
    """tf.keras.datasets, from files in ~/.keras."""

    def setUp(self):
        import os
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.home = os.environ.get("HOME")
        os.environ["HOME"] = self.folder.name
        self.sets = os.path.join(self.folder.name, ".keras", "datasets")
        os.makedirs(os.path.join(self.sets, "cifar-10-batches-py"))

    def tearDown(self):
        import os

        os.environ["HOME"] = self.home or ""
        self.folder.cleanup()

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(IOError, r"mnist.npz is not there, and Weft fetches nothing from the network: fetch https://.*mnist.npz"):
            tf.keras.datasets.mnist.load_data()
        with self.assertRaisesRegex(ValueError, "label_mode"):
            tf.keras.datasets.cifar100.load_data("rough")

    def test_pictures(self):
        import pickle

        np.savez(self.sets + "/mnist.npz", x_train=np.zeros([3, 28, 28], np.uint8), y_train=np.arange(3), x_test=np.ones([1, 28, 28], np.uint8), y_test=np.array([7]))
        (x, y), (u, v) = tf.keras.datasets.mnist.load_data()
        self.assertEqual((x.shape, y.tolist(), u.shape, v.tolist()), ((3, 28, 28), [0, 1, 2], (1, 28, 28), [7]))
        for name in ["data_batch_%d" % i for i in range(1, 6)] + ["test_batch"]:
            with open(self.sets + "/cifar-10-batches-py/" + name, "wb") as f:
                pickle.dump({b"data": np.arange(2 * 3072).reshape(2, 3072), b"labels": [4, 5]}, f)
        (x, y), (u, v) = tf.keras.datasets.cifar10.load_data()
        self.assertEqual((x.shape, y.shape, u.shape, v.tolist()), ((10, 32, 32, 3), (10, 1), (2, 32, 32, 3), [[4], [5]]))
        self.assertEqual(x[0, 0, :2].tolist(), [[0, 1024, 2048], [1, 1025, 2049]])

    def test_words(self):
        lists = np.empty(4, dtype=object)
        lists[:] = [[1, 2, 9], [3], [4, 5], [6, 7, 8, 1]]
        np.savez(self.sets + "/imdb.npz", x_train=lists[:2], y_train=np.array([0, 1]), x_test=lists[2:], y_test=np.array([1, 0]))
        (x, y), (u, v) = tf.keras.datasets.imdb.load_data(num_words=9)
        # Keras's result for this seed: sequences start with 1, other words are moved by 3, words from 9 on become 2.
        self.assertEqual([sorted(map(len, x)), sorted(map(len, u))], [[2, 4], [3, 5]])
        self.assertIn([1, 4, 5, 2], x.tolist())
        with self.assertRaisesRegex(TypeError, "Unrecognized keyword arguments"):
            tf.keras.datasets.imdb.load_data(words=3)


class Projector(unittest.TestCase):
    def test_configuration_lies_beside_the_events(self):
        from tensorflow.contrib.tensorboard.plugins import projector

        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
            writer = tf.summary.FileWriter(folder)
            config = projector.ProjectorConfig(model_checkpoint_path="m.ckpt")
            shown = config.embeddings.add()
            shown.tensor_name, shown.metadata_path = "table:0", "words.tsv"
            shown.sprite.image_path = "digits.png"
            shown.sprite.single_image_dim.extend([28, 14])
            projector.visualize_embeddings(writer, config)
            writer.close()
            with open(os.path.join(folder, "projector_config.pbtxt")) as f:
                self.assertEqual(f.read(), 'model_checkpoint_path: "m.ckpt"\nembeddings {\n  tensor_name: "table:0"\n  metadata_path: "words.tsv"\n  sprite {\n'
                                 '    image_path: "digits.png"\n    single_image_dim: 28\n    single_image_dim: 14\n  }\n}\n')

    def test_a_writer_without_a_folder(self):
        from tensorflow.contrib.tensorboard.plugins import projector

        class Nowhere:
            def get_logdir(self):
                return None

        with self.assertRaisesRegex(ValueError, "Summary writer must have a logdir"):
            projector.visualize_embeddings(Nowhere(), projector.ProjectorConfig())


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


class OutsideTest(unittest.TestCase):
    """Uses of the outer graph in the body of a function."""

    def setUp(self):
        tf.reset_default_graph()
        self.variable = tf.get_variable("v", [2], tf.float32, tf.constant_initializer(1.), use_resource=True)
        self.three, self.true = tf.constant(3.), tf.constant(True)

    def body(self, function):
        """The result of the body, called with 2."""
        def body(x):
            return function(x)

        made = Defun(tf.float32)(body)(tf.constant(2.))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return session.run(made)

    def test_branches(self):
        self.assertEqual(self.body(lambda x: tf.cond(self.true, lambda: x, lambda: self.three)), 2)
        self.assertEqual(self.body(lambda x: tf.cond(x > 3., lambda: x, lambda: self.three)), 3)
        self.assertEqual(self.body(lambda x: tf.case([(self.true, lambda: x)], default=lambda: self.three)), 2)

    def test_updates_wait_within(self):
        def updated(x):
            after = tf.assign_add(self.variable, [x, x])
            with tf.control_dependencies([after]):
                return self.variable.read_value() * self.three

        np.testing.assert_array_equal(self.body(updated), [9, 9])

    def test_shapes_of_variables_are_known(self):
        def shaped(x):
            self.assertEqual(self.variable.read_value().shape, [2])
            return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.identity(tf.assign_add(self.variable, y))), [0, tf.constant([1., 2.])])[1]

        np.testing.assert_array_equal(self.body(shaped), [4, 6])

    def test_slices_are_read_after_their_assignment(self):
        np.testing.assert_array_equal(self.body(lambda x: self.variable[:1].assign([x]) + 0.), [2, 1])

    def test_nothing_outside_can_be_waited_for(self):
        for function in (lambda x: tf.group(self.three), lambda x: tf.tuple([self.three, x])[0]):
            with self.assertRaisesRegex(ValueError, "is not an element of this graph"):
                self.body(function)


class FunctionsInGraphs(unittest.TestCase):
    """A tf.function that is called while a graph is built: what it changes and checks happens whenever its result is computed."""

    def setUp(self):
        tf.reset_default_graph()

    def test_what_it_changes_and_checks(self):
        v = tf.Variable(0., use_resource=True)

        @tf.function
        def doubled(x):
            v.assign_add(1.)
            tf.debugging.assert_positive(x)
            return x * 2.

        x = tf.placeholder(tf.float32)
        y = doubled(x)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            self.assertEqual([session.run(y, {x: 3.}), session.run(v), session.run(y, {x: 4.}), session.run(v)], [6., 1., 8., 2.])
            with self.assertRaisesRegex(tf.errors.InvalidArgumentError, "assertion failed"):
                session.run(y, {x: -1.})

    def test_results_of_every_kind_wait_for_what_it_changes(self):
        v = tf.Variable(0., use_resource=True)
        made = {}
        for name, result in (("ragged", lambda: tf.RaggedTensor.from_row_lengths([1, 2], [2])), ("sparse", lambda: tf.SparseTensor([[0]], [1], [2])), ("number", lambda: 5),
                             ("variable", lambda: v), ("slices", lambda: tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0])))):
            def changes(result=result):
                v.assign_add(1.)
                return result()

            made[name] = tf.function(changes)()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for count, (name, fetched) in enumerate(made.items(), 1):
                session.run(fetched)
                self.assertEqual((name, session.run(v)), (name, float(count)))

    def test_without_a_result_and_with_a_variable_of_its_own(self):
        class Counter:
            count = None

            @tf.function
            def step(self):
                if self.count is None:
                    self.count = tf.Variable(5., use_resource=True)
                self.count.assign_add(1.)

        counter = Counter()
        step = counter.step()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            session.run(step)
            self.assertEqual(session.run(counter.count), 7.)


class Random(unittest.TestCase):
    """TensorFlow 1.15.5's numbers."""

    def setUp(self):
        tf.reset_default_graph()

    def test_gamma_in_double_precision(self):
        tf.set_random_seed(3)
        first = tf.random_gamma([2], alpha=[1., 2.], dtype=tf.float64, seed=1)
        with tf.Session() as session:
            np.testing.assert_allclose(session.run(first), [[2.93145361e-04, 2.55436705], [2.02973730, 2.03955577]], rtol=1e-6)

    def test_dropout_takes_unknown_sizes_from_its_input(self):
        whole = tf.nn.dropout(tf.ones([3, 4]), keep_prob=0.5, noise_shape=[None, 1], seed=1)
        with tf.Session() as session:
            values = session.run(whole)
        self.assertTrue((values == values[:, :1]).all())
        with self.assertRaisesRegex(ValueError, r"Cannot convert a partially known TensorShape to a Tensor: \(\?, 1\)"):
            tf.nn.dropout(tf.placeholder(tf.float32, [None, 4]), keep_prob=0.5, noise_shape=[None, 1])


unittest.main()
