"""tf.contrib.tpu on a machine without TPUs: weft py tpu_test.py; it passes in TensorFlow 1.15, too."""

import tempfile
import unittest

import tensorflow as tf

tpu = tf.contrib.tpu
seen = []


def batches(params):
    seen.append(("input", params["batch_size"], params.get("use_tpu")))
    return tf.data.Dataset.from_tensors(({"x": [[1.0], [2.0]]}, [[2.0], [4.0]])).repeat()


def model(features, labels, mode, params):
    seen.append((mode, params.get("batch_size"), params["use_tpu"], params["rate"]))
    w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    y = tf.matmul(features["x"], w)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tpu.TPUEstimatorSpec(mode, predictions={"y": y})
    loss = tf.reduce_mean(tf.square(y - labels))
    step = tf.train.get_global_step()
    train = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, step)
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, eval_metrics=(lambda y, labels: {"error": tf.metrics.mean_absolute_error(labels, y)}, [y, labels]),
                                scaffold_fn=lambda: tf.train.Scaffold())


def estimator(**kwargs):
    settings = tpu.RunConfig(model_dir=tempfile.mkdtemp(), tpu_config=tpu.TPUConfig(iterations_per_loop=10, num_shards=8, per_host_input_for_training=tpu.InputPipelineConfig.PER_HOST_V2))
    return tpu.TPUEstimator(**dict(dict(model_fn=model, config=settings, params={"rate": 0.1}, use_tpu=False, train_batch_size=2, eval_batch_size=3, predict_batch_size=4), **kwargs))


class Tpu(unittest.TestCase):
    def test_without_tpu(self):
        made = estimator()
        del seen[:]
        made.train(batches, max_steps=20)
        result = made.evaluate(batches, steps=2)
        self.assertEqual(result["global_step"], 20)
        self.assertLess(result["error"], 1e-2)
        first = next(made.predict(lambda params: tf.data.Dataset.from_tensors({"x": [[3.0]]})))
        self.assertAlmostEqual(float(first["y"][0]), 6.0, places=2)
        self.assertEqual(seen, [("input", 2, None), ("train", 2, False, 0.1), ("input", 3, None), ("eval", 3, False, 0.1), ("infer", 4, False, 0.1)])
        self.assertEqual(made.params, {"rate": 0.1})  # the values added for building are removed again

    def test_the_step_is_a_resource(self):
        kinds = []

        def look(features, labels, mode, params):
            kinds.append(tf.train.get_global_step().op.type)
            return model(features, labels, mode, params)

        estimator(model_fn=look).train(batches, max_steps=1)
        self.assertIn(kinds[0], ("VarHandleOp", "ReadVariableOp"))

    def test_bad_arguments(self):
        with self.assertRaisesRegex(ValueError, "`config` must be provided with type `tpu_config.RunConfig`"):
            estimator(config=tf.estimator.RunConfig())
        with self.assertRaisesRegex(ValueError, "are reserved keys but existed in params"):
            estimator(params={"batch_size": 3})
        with self.assertRaisesRegex(ValueError, "`train_batch_size` cannot be `None`"):
            estimator(use_tpu=True, train_batch_size=None)
        with self.assertRaisesRegex(ValueError, "eval_metrics should have two elements."):
            tpu.TPUEstimatorSpec("eval", loss=tf.constant(0.0), eval_metrics=(len,))
        with self.assertRaisesRegex(ValueError, "does not include params argument"):
            estimator().train(lambda: None, steps=1)
        with self.assertRaisesRegex(ValueError, "num_cores_per_replica must be 1, 2, 4, 8"):
            tpu.TPUConfig(num_shards=8, num_cores_per_replica=3)

    def test_with_tpu(self):
        with self.assertRaisesRegex(RuntimeError, "Cannot find any TPU cores in the system"):
            estimator(use_tpu=True, train_batch_size=8).train(batches, steps=1)


if __name__ == "__main__":
    unittest.main()
