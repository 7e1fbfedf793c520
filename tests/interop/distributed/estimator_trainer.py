"""tf.estimator.train_and_evaluate; TF_CONFIG says which task this is. `estimator_trainer.py FOLDER`"""
import json
import os
import sys

import numpy as np
import tensorflow as tf

STEPS = 300


def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features["x"], 2, kernel_initializer=tf.glorot_uniform_initializer(seed=1))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})
    train_op = tf.train.AdamOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def data():
    random = np.random.RandomState(0)
    x = random.rand(256, 4).astype("float32")
    return {"x": x}, (x[:, 0] > x[:, 1]).astype("int64")


def train_input():
    return tf.data.Dataset.from_tensor_slices(data()).repeat().batch(32)


def eval_input():
    return tf.data.Dataset.from_tensor_slices(data()).batch(64)


tf.logging.set_verbosity(tf.logging.INFO)
config = tf.estimator.RunConfig(model_dir=sys.argv[1], save_checkpoints_steps=100)
estimator = tf.estimator.Estimator(model_fn, params={"rate": 0.01}, config=config)
evaluated = tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(train_input, max_steps=STEPS),
                                            tf.estimator.EvalSpec(eval_input, steps=None, start_delay_secs=1, throttle_secs=1))
task = json.loads(os.environ["TF_CONFIG"])["task"]
result = {"task": [task["type"], task["index"]], "is_chief": config.is_chief, "ps": config.num_ps_replicas, "workers": config.num_worker_replicas,
          "cluster": sorted(config.cluster_spec.jobs), "returned": evaluated is not None and evaluated[0] is not None}
if task["type"] == "chief":
    result["reached"] = int(tf.train.load_checkpoint(sys.argv[1]).get_tensor("global_step")) >= STEPS
    result["variables"] = sorted(n for n, _ in tf.train.list_variables(sys.argv[1]))
if task["type"] == "evaluator":
    events = [os.path.join(sys.argv[1], "eval", f) for f in os.listdir(os.path.join(sys.argv[1], "eval"))]
    result["tags"] = sorted({v.tag for f in events for e in tf.train.summary_iterator(f) for v in e.summary.value})
print("RESULT " + json.dumps(result))
