"""Feature columns and canned estimators against the numbers of TensorFlow 1.15.5: weft py columns_test.py"""

import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.feature_column import feature_column as old_columns, feature_column_v2 as columns_v2, serialization

fc = tf.feature_column
tf.logging.set_verbosity(tf.logging.ERROR)


def data():
    rng = np.random.RandomState(0)
    x = {"a": rng.rand(64, 1).astype("float32"), "b": rng.rand(64, 2).astype("float32"), "c": np.array([["u", "v", "w"][i % 3] for i in range(64)])}
    return x, (x["a"][:, 0] + x["b"].sum(1) > 1.5).astype("int64")


class Columns(unittest.TestCase):
    def test_dense_values(self):
        with tf.Graph().as_default(), tf.Session() as session:
            age = fc.numeric_column("age")
            sex = fc.categorical_column_with_vocabulary_list("sex", ["m", "f"], num_oov_buckets=1)
            crossed = fc.crossed_column([fc.bucketized_column(age, [18, 30, 50]), "city"], 20)
            features = {"age": tf.constant([[20.], [60.]]), "sex": tf.constant([["f"], ["z"]]), "city": tf.constant([["a"], ["b"]])}
            net = fc.input_layer(features, [age, fc.bucketized_column(age, [18, 30, 50]), fc.indicator_column(sex), fc.indicator_column(crossed)])
            session.run(tf.tables_initializer())
            got = session.run(net)
        np.testing.assert_array_equal(got[:, :5], [[20, 0, 1, 0, 0], [60, 0, 0, 0, 1]])
        np.testing.assert_array_equal(got[:, 5:25].argmax(1), [5, 7])
        np.testing.assert_array_equal(got[:, 25:], [[0, 1, 0], [0, 0, 1]])

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "num_buckets 0 < 1"):
            fc.categorical_column_with_identity("n", 0)
        with self.assertRaisesRegex(ValueError, "boundaries must be a sorted list"):
            fc.bucketized_column(fc.numeric_column("a"), [2, 1])
        with self.assertRaisesRegex(ValueError, "You can wrap a categorical column"):
            fc.input_layer({"c": tf.constant([["a"]])}, [fc.categorical_column_with_hash_bucket("c", 3)])
        with self.assertRaisesRegex(ValueError, "Feature no is not in features dictionary"):
            fc.input_layer({"a": tf.constant([[1.]])}, [fc.numeric_column("no")])


class Protocols(unittest.TestCase):
    """The columns of both protocols, as tensorflow.python.feature_column has them."""

    def columns(self, module, mark=""):
        number = getattr(module, mark + "numeric_column")("x", shape=2)
        ids = getattr(module, mark + "categorical_column_with_identity")("i", 3)
        return number, ids, getattr(module, mark + "embedding_column")(ids, 2, initializer=tf.ones_initializer())

    def test_columns_of_the_old_protocol(self):
        number, ids, rows = self.columns(old_columns, "_")
        self.assertIsInstance(ids, old_columns._CategoricalColumn)
        self.assertNotIsInstance(ids, columns_v2.FeatureColumn)
        self.assertEqual((ids._num_buckets, rows._variable_shape.as_list(), number._parse_example_spec), (3, [2], {"x": tf.FixedLenFeature((2,), tf.float32)}))
        with tf.Graph().as_default(), tf.Session() as session:
            features = {"x": tf.constant([[1., 2.], [3., 4.]]), "i": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [0, 1, 2], [2, 2])}
            layer, model = old_columns.InputLayer([number, rows]), old_columns._LinearModel([number, ids], name="sums")
            first, again, sums = layer(features), layer(features), model(features)
            session.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(session.run(first), [[1, 1, 1, 2], [1, 1, 3, 4]])
            np.testing.assert_array_equal(session.run(again), session.run(first))
            self.assertEqual(len(layer.variables), 1)
            self.assertEqual([v.name for v in model.cols_to_vars()[ids]], ["sums/i/weights:0"])
            session.run([v[0].assign(tf.ones_like(v[0])) for v in model.cols_to_vars().values()])
            np.testing.assert_array_equal(session.run(sums), [[5], [10]])

    def test_columns_of_the_new_protocol_keep_their_state_in_a_manager(self):
        number, ids, rows = self.columns(columns_v2)
        self.assertTrue(columns_v2.is_feature_column_v2([number, ids, rows]))
        self.assertFalse(columns_v2.indicator_column(self.columns(old_columns, "_")[1])._is_v2_column)
        self.assertEqual(rows.parents, [ids])
        with tf.Graph().as_default(), tf.Session() as session:
            features = {"x": tf.constant([[1., 2.]]), "i": tf.SparseTensor([[0, 0]], [2], [1, 2])}
            layer, model = tf.keras.layers.DenseFeatures([number, rows]), columns_v2.LinearModel([number, ids], name="sums")
            got, sums = layer(features), model(features)
            self.assertEqual([v.name for v in layer.weights], ["dense_features/i_embedding/embedding_weights:0"])
            self.assertEqual(sorted(v.name for v in model.weights), ["sums/bias_weights:0", "sums/i/weights:0", "sums/x/weights:0"])
            session.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(session.run(got), [[1, 1, 1, 2]])
            np.testing.assert_array_equal(session.run(sums), [[0]])
            shared = columns_v2.shared_embedding_columns_v2([ids, columns_v2.categorical_column_with_identity("j", 3)], 2)
            with self.assertRaisesRegex(ValueError, "not supported in `linear_model` or `input_layer`"):
                fc.input_layer(features, shared)

    def test_columns_as_configurations(self):
        crossed = fc.crossed_column([fc.bucketized_column(fc.numeric_column("a"), [1, 2]), "b"], 10)
        config = serialization.serialize_feature_column(crossed)
        self.assertEqual((config["class_name"], config["config"]["keys"][1]), ("CrossedColumn", "b"))
        self.assertEqual(serialization.deserialize_feature_column(config), crossed)
        layer = tf.keras.layers.DenseFeatures([fc.indicator_column(crossed)])
        self.assertEqual(tf.keras.layers.DenseFeatures.from_config(layer.get_config())._feature_columns, [fc.indicator_column(crossed)])
        with self.assertRaisesRegex(ValueError, "Improper config format"):
            serialization.deserialize_feature_column({"class_name": "NumericColumn"})


class Estimators(unittest.TestCase):
    def train(self, estimator, x, y):
        estimator.train(tf.estimator.inputs.numpy_input_fn(x, y, batch_size=16, num_epochs=None, shuffle=False), steps=10)
        return estimator.evaluate(tf.estimator.inputs.numpy_input_fn(x, y, batch_size=16, num_epochs=1, shuffle=False))

    def test_linear(self):
        x, y = data()
        columns = [fc.numeric_column("a"), fc.numeric_column("b", shape=(2,)), fc.categorical_column_with_vocabulary_list("c", ["u", "v", "w"])]
        estimator = tf.estimator.LinearClassifier(columns)
        got = self.train(estimator, x, y)
        for key, wanted in LINEAR.items():
            self.assertAlmostEqual(float(got[key]), wanted, places=3, msg=key)
        self.assertIn("linear/linear_model/a/weights/part_0/Ftrl", estimator.get_variable_names())

    def test_deep_learns(self):
        x, y = data()
        columns = [fc.numeric_column("a"), fc.numeric_column("b", shape=(2,))]
        got = self.train(tf.estimator.DNNRegressor([8], columns), x, x["b"].sum(1))
        self.assertLess(got["average_loss"], .5)
        both = tf.estimator.DNNLinearCombinedClassifier(linear_feature_columns=columns[:1], dnn_feature_columns=columns, dnn_hidden_units=[4])
        self.assertEqual(self.train(both, x, y)["global_step"], 10)


# TensorFlow's results after the same ten steps.
LINEAR = {"accuracy": 0.5938, "accuracy_baseline": 0.5625, "auc": 0.9653, "auc_precision_recall": 0.976, "average_loss": 0.5881, "global_step": 10.0, "label/mean": 0.5625, "loss": 9.4093, "precision": 0.5806, "prediction/mean": 0.6401, "recall": 1.0}

if __name__ == "__main__":
    unittest.main()
