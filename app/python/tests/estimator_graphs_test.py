"""The graphs that estimators build, node for node, and their consequences: seeds, initial values, results. weft py estimator_graphs_test.py

The numbers and digests are those of TensorFlow 1.15.5, with which this file passes, too."""

import glob
import hashlib
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
E, fc = tf.estimator, tf.feature_column
_random = np.random.RandomState(0)
DATA = {"a": _random.randn(8).astype(np.float32), "b": _random.randn(8, 3).astype(np.float32), "c": np.array(["x", "y", "z", "x", "y", "z", "x", "y"]),
        "i": np.arange(8).astype(np.int64) % 4}
LABELS = (DATA["a"] > 0).astype(np.int64)


def numeric():
    return [fc.numeric_column("a"), fc.numeric_column("b", [3])]


def deep():
    words = fc.categorical_column_with_vocabulary_list("c", ["x", "y", "z"])
    return numeric() + [fc.embedding_column(words, 2), fc.indicator_column(fc.categorical_column_with_identity("i", 4))]


def linear():
    words = fc.categorical_column_with_vocabulary_list("c", ["x", "y", "z"])
    return numeric() + [words, fc.bucketized_column(fc.numeric_column("a"), [0., .5]), fc.crossed_column(["c", "i"], 7)]


def config():
    return E.RunConfig(tf_random_seed=5, model_dir=tempfile.mkdtemp())


def model(features, labels, mode, params):
    net = tf.layers.dense(fc.input_layer(features, numeric()), 4, tf.nn.relu)
    net = tf.layers.batch_normalization(net, training=mode == "train")
    logits = tf.layers.dense(tf.layers.dropout(net, .5, training=mode == "train"), 2)
    predictions = {"p": tf.nn.softmax(logits), "c": tf.argmax(logits, 1)}
    if mode == "infer":
        return E.EstimatorSpec(mode, predictions=predictions, export_outputs={"a": E.export.PredictOutput(predictions)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    metrics = {"acc": tf.metrics.accuracy(labels, predictions["c"]), "auc": tf.metrics.auc(labels, predictions["p"][:, 1])}
    tf.summary.scalar("x", loss)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        step = tf.train.AdamOptimizer(.01).minimize(loss, tf.train.get_global_step()) if mode == "train" else None
    return E.EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=step, eval_metric_ops=metrics)


class Look(tf.train.SessionRunHook):
    """Records the graph's nodes and the initial values of variables."""

    def after_create_session(self, session, coord):
        operations = tf.get_default_graph().get_operations()
        self.count = len(operations)
        self.digest = hashlib.sha1("\n".join("%s %s" % (o.name, o.type) for o in operations).encode()).hexdigest()[:12]
        self.values = {v.op.name: np.round(session.run(v).ravel()[:2].astype(float), 4).tolist() for v in tf.trainable_variables()}


def arrays(epochs=None, shuffle=False, **more):
    return E.inputs.numpy_input_fn(DATA, LABELS, 4, num_epochs=epochs, shuffle=shuffle, **more)


def data_set(epochs=None):
    return lambda: tf.data.Dataset.from_tensor_slices((DATA, LABELS)).shuffle(8, seed=1).repeat(epochs).batch(4).prefetch(1)


class GraphTest(unittest.TestCase):
    maxDiff = None

    def looks(self, estimator, feed, once):
        hooks = [Look(), Look(), Look()]
        estimator.train(feed, steps=2, hooks=hooks[:1])
        estimator.evaluate(once, hooks=hooks[1:2])
        self.assertEqual(len(list(estimator.predict(once, hooks=hooks[2:]))), 8)
        return hooks

    def test_arrays_shuffled_arrays_and_data_sets(self):
        expected = EXPECTED["graphs"]
        for kind, feed, once in (("arrays", arrays(), arrays(1)), ("shuffled", arrays(shuffle=True), arrays(1)), ("data set", data_set(), data_set(1))):
            hooks = self.looks(E.Estimator(model, params={}, config=config()), feed, once)
            self.assertEqual([(h.count, h.digest) for h in hooks], expected[kind], kind)
            self.assertEqual(hooks[0].values["dense/kernel"], expected[kind + " start"])

    def test_canned_estimators_start_with_the_same_values(self):
        made = {"DNNClassifier": E.DNNClassifier([4, 3], deep(), config=config(), dropout=.3),
                "DNNClassifier with batch_norm": E.DNNClassifier([4], numeric(), config=config(), n_classes=3, batch_norm=True, optimizer="Adam"),
                "DNNRegressor": E.DNNRegressor([4], deep(), config=config()),
                "DNNLinearCombinedClassifier": E.DNNLinearCombinedClassifier(linear_feature_columns=linear(), dnn_feature_columns=deep(), dnn_hidden_units=[3],
                                                                             config=config())}
        for name, estimator in made.items():
            hook = Look()
            estimator.train(arrays(), steps=1, hooks=[hook])
            self.assertEqual({k: v for k, v in hook.values.items() if any(v)}, EXPECTED["canned"][name], name)

    def test_canned_graphs(self):
        hooks = [Look(), Look()]
        estimator = E.DNNClassifier([4, 3], deep(), config=config(), dropout=.3)
        estimator.train(arrays(), steps=1, hooks=hooks[:1])
        next(estimator.predict(arrays(1), hooks=hooks[1:]))
        self.assertEqual([(h.count, h.digest) for h in hooks], EXPECTED["DNNClassifier"])

    def test_results(self):
        both = E.DNNLinearCombinedClassifier(linear_feature_columns=linear(), dnn_feature_columns=deep(), dnn_hidden_units=[3], config=config())
        for name, estimator in (("both", both), ("baseline", E.BaselineClassifier(config=config()))):
            estimator.train(arrays(), steps=2)
            got = estimator.evaluate(arrays(1))
            for key, value in EXPECTED["results"][name].items():
                self.assertAlmostEqual(float(got[key]), value, 4, name + " " + key)

    def test_evaluation_without_a_checkpoint(self):
        estimator = E.Estimator(model, params={}, config=config())
        self.assertEqual(sorted(estimator.evaluate(arrays(1))), ["acc", "auc", "global_step", "loss"])
        with self.assertRaisesRegex(ValueError, "Could not find trained model in model_dir"):
            estimator.get_variable_names()


class InputTest(unittest.TestCase):
    def rows(self, function):
        with tf.Graph().as_default():
            features, found = function(), []
            with tf.train.MonitoredSession() as session:
                while not session.should_stop():
                    found += session.run(features["x"]).tolist()
        return found

    def test_rows_of_arrays(self):
        x = {"x": np.arange(5)}
        self.assertEqual(self.rows(E.inputs.numpy_input_fn(x, batch_size=2, num_epochs=2, shuffle=False)), list(range(5)) * 2)
        self.assertEqual(self.rows(E.inputs.numpy_input_fn(x, batch_size=7, num_epochs=1, shuffle=False)), list(range(5)))
        self.assertEqual(sorted(self.rows(E.inputs.numpy_input_fn(x, batch_size=2, num_epochs=3, shuffle=True))), sorted(list(range(5)) * 3))

    def test_what_is_refused(self):
        for message, call in (("x cannot be an empty dict", lambda: E.inputs.numpy_input_fn({}, shuffle=False)()),
                              ("x cannot be an empty array", lambda: E.inputs.numpy_input_fn(np.zeros([0]), shuffle=False)()),
                              ("y cannot be empty dict", lambda: E.inputs.numpy_input_fn(DATA, {}, shuffle=False)()),
                              ("1 duplicate keys are found", lambda: E.inputs.numpy_input_fn(DATA, {"a": LABELS}, shuffle=False)()),
                              ("Length of tensors in x and y is mismatched", lambda: E.inputs.numpy_input_fn(DATA, LABELS[:3], shuffle=False)())):
            with tf.Graph().as_default(), self.assertRaisesRegex(ValueError, message):
                call()

    def test_model_functions_that_are_refused(self):
        with self.assertRaisesRegex(ValueError, "must include features"):
            E.Estimator(lambda labels, mode: None)
        with self.assertRaisesRegex(ValueError, "has following not expected args"):
            E.Estimator(lambda features, more: None)

    def test_weights_that_do_not_fit(self):
        estimator = E.LinearClassifier([fc.numeric_column("a")], weight_column="b", config=config())
        with self.assertRaises((ValueError, tf.errors.InvalidArgumentError)):
            estimator.train(arrays(), steps=1)


class ExportTest(unittest.TestCase):
    def signatures(self, path, tags=("serve",)):
        with tf.Session(graph=tf.Graph()) as session:
            return sorted(tf.saved_model.loader.load(session, list(tags), path).signature_def)

    def test_raw_features(self):
        raw = E.export.build_raw_serving_input_receiver_fn({"a": tf.placeholder(tf.float32, [None]), "b": tf.placeholder(tf.float32, [None, 3])})
        canned = E.DNNClassifier([4], numeric(), config=config())
        canned.train(arrays(), steps=1)
        path = canned.export_savedmodel(tempfile.mkdtemp(), raw)
        self.assertIsInstance(path, bytes)
        self.assertEqual(self.signatures(path), ["predict"])  # classes and regressions need Examples
        parsing = E.export.build_parsing_serving_input_receiver_fn(fc.make_parse_example_spec(numeric()))
        self.assertEqual(self.signatures(canned.export_saved_model(tempfile.mkdtemp(), parsing)), ["classification", "predict", "regression", "serving_default"])
        own = E.Estimator(model, params={}, config=config())
        own.train(arrays(), steps=1)
        self.assertEqual(self.signatures(own.export_saved_model(tempfile.mkdtemp(), raw)), ["a", "serving_default"])

    def test_all_modes(self):
        own = E.Estimator(model, params={}, config=config())
        own.train(arrays(), steps=1)
        x = {"a": tf.placeholder(tf.float32, [None]), "b": tf.placeholder(tf.float32, [None, 3])}
        supervised = E.experimental.build_raw_supervised_input_receiver_fn(x, tf.placeholder(tf.int64, [None]))
        path = own.experimental_export_all_saved_models(tempfile.mkdtemp(), {"train": supervised, "eval": supervised,
                                                                            "infer": E.export.build_raw_serving_input_receiver_fn(x)})
        self.assertEqual([self.signatures(path, [t]) for t in ("train", "eval", "serve")], [["train"], ["eval"], ["a", "serving_default"]])

    def test_outputs_that_are_refused(self):
        with self.assertRaisesRegex(ValueError, "Classification scores must be a float32 Tensor"):
            E.export.ClassificationOutput(scores=tf.constant([1]))
        with self.assertRaisesRegex(ValueError, "Prediction output value must be a Tensor"):
            E.export.PredictOutput({"a": 1})
        with self.assertRaisesRegex(ValueError, "features must be defined"):
            E.export.ServingInputReceiver(None, {})

    def test_train_and_evaluate(self):
        def counting(features, labels, mode):
            w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
            if mode == "infer":
                return E.EstimatorSpec(mode, predictions={"w": features["x"] * w})
            step = tf.group(tf.assign_add(w, 1.), tf.assign_add(tf.train.get_global_step(), 1))
            return E.EstimatorSpec(mode, loss=tf.square(w - 10.), train_op=step)

        def receive():
            return E.export.ServingInputReceiver({"x": tf.placeholder(tf.float32, [None])}, {"x": tf.placeholder(tf.float32, [None])})

        feed = lambda: tf.data.Dataset.from_tensors({"x": [1.]}).repeat()
        estimator = E.Estimator(counting, tempfile.mkdtemp(), config=E.RunConfig(save_checkpoints_steps=2))
        exporters = [E.BestExporter("best", serving_input_receiver_fn=receive), E.LatestExporter("latest", receive), E.FinalExporter("final", receive)]
        metrics, exported = E.train_and_evaluate(estimator, E.TrainSpec(feed, max_steps=6),
                                                 E.EvalSpec(feed, steps=1, exporters=exporters, throttle_secs=0, start_delay_secs=0))
        self.assertEqual((float(metrics["loss"]), metrics["global_step"]), (16., 6))
        self.assertEqual([type(path) for path in exported], [bytes] * 3)
        # The event files already contain the loss of the first evaluation, so it is not better than the best one.
        self.assertEqual([len(glob.glob(os.path.join(estimator.model_dir, "export", name, "*"))) for name in ("best", "latest", "final")], [2, 3, 1])
        with self.assertRaisesRegex(TypeError, "`eval_spec` must have type"):
            E.train_and_evaluate(estimator, E.TrainSpec(feed), None)


EXPECTED = {'DNNClassifier': [(1009, 'a7c3d8803221'), (596, '903f469d42e7')],
 'canned': {'DNNClassifier': {'dnn/hiddenlayer_0/kernel/part_0': [-0.1551, 0.1802],
                              'dnn/hiddenlayer_1/kernel/part_0': [-0.5819, -0.1824],
                              'dnn/input_from_feature_columns/input_layer/c_embedding/embedding_weights/part_0': [1.046, 0.5035],
                              'dnn/logits/kernel/part_0': [1.2236, 0.3494]},
            'DNNClassifier with batch_norm': {'dnn/hiddenlayer_0/batchnorm_0/gamma/part_0': [1.0, 1.0],
                                              'dnn/hiddenlayer_0/kernel/part_0': [0.0298, -0.8465],
                                              'dnn/logits/kernel/part_0': [0.2165, 0.6651]},
            'DNNLinearCombinedClassifier': {'dnn/hiddenlayer_0/kernel/part_0': [-0.1609, 0.187],
                                            'dnn/input_from_feature_columns/input_layer/c_embedding/embedding_weights/part_0': [1.046, 0.5035],
                                            'dnn/logits/kernel/part_0': [0.2505, 0.1026]},
            'DNNRegressor': {'dnn/hiddenlayer_0/kernel/part_0': [-0.1551, 0.1802],
                             'dnn/input_from_feature_columns/input_layer/c_embedding/embedding_weights/part_0': [1.046, 0.5035],
                             'dnn/logits/kernel/part_0': [0.2241, 0.0917]}},
 'graphs': {'arrays': [(792, 'e0b669ae8f3e'), (501, '6dbda2755b4d'), (228, 'ff0698e06423')],
            'arrays start': [0.0298, -0.8465],
            'data set': [(845, 'fdddad12efbe'), (510, '4ba1595dc739'), (236, '70b752cceccb')],
            'data set start': [-0.0426, -0.6397],
            'shuffled': [(792, 'b5fde1472567'), (501, '6dbda2755b4d'), (228, 'ff0698e06423')],
            'shuffled start': [0.0298, -0.8465]},
 'results': {'baseline': {'accuracy': 0.75, 'average_loss': 0.63784, 'label/mean': 0.75, 'loss': 2.55137, 'prediction/mean': 0.56296},
             'both': {'accuracy': 0.25, 'average_loss': 0.73583, 'label/mean': 0.75, 'loss': 2.94331, 'prediction/mean': 0.49124}}}

if __name__ == "__main__":
    unittest.main()
