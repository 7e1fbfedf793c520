"""Feature columns and canned estimators against the numbers of TensorFlow 1.15.5: weft py columns_test.py"""

import unittest

import numpy as np
import tensorflow as tf

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
