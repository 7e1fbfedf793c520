"""tf-slim 1.1: a network of slim layers in an argument scope, trained by slim.learning, evaluated by slim.evaluation, restored into another graph."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_slim as slim

import record


def pictures():
    random = np.random.RandomState(4)
    x = random.rand(24, 12, 12, 3).astype("float32")
    return x, (x[:, :, :, 0].mean((1, 2)) * 30).astype(int) % 4


def network(x, training):
    normal = {"is_training": training, "decay": 0.9, "updates_collections": None, "scale": True}
    with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu, weights_initializer=tf.truncated_normal_initializer(stddev=0.2, seed=1), weights_regularizer=slim.l2_regularizer(0.001)):
        with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params=normal, padding="SAME"):
            net, ends = x, {}
            net = slim.repeat(net, 2, slim.conv2d, 6, [3, 3], scope="conv1")
            net = slim.max_pool2d(net, [2, 2], scope="pool1")
            net = slim.separable_conv2d(net, 8, [3, 3], depth_multiplier=1, scope="conv2", normalizer_fn=slim.batch_norm, normalizer_params=normal,
                                        weights_initializer=tf.truncated_normal_initializer(stddev=0.2, seed=2))
        ends["conv2"] = net
        net = slim.flatten(net, scope="flat")
        net = slim.stack(net, slim.fully_connected, [10, 8], scope="fc")
        net = slim.dropout(net, 0.9, is_training=training, scope="dropout")
        return slim.fully_connected(net, 4, activation_fn=None, scope="logits"), ends


def train(folder, x, y):
    with tf.Graph().as_default():
        tf.set_random_seed(11)
        logits, ends = network(tf.constant(x), True)
        tf.losses.sparse_softmax_cross_entropy(y, logits)
        total = tf.losses.get_total_loss()
        step = tf.train.get_or_create_global_step()
        op = slim.learning.create_train_op(total, tf.train.MomentumOptimizer(0.05, 0.9), clip_gradient_norm=2., summarize_gradients=True)

        def step_function(session, train_op, global_step, arguments):
            found, stop = slim.learning.train_step(session, train_op, global_step, arguments)
            record.loss(found)
            return found, stop

        slim.learning.train(op, folder, number_of_steps=8, log_every_n_steps=4, save_interval_secs=1000, train_step_fn=step_function, global_step=step,
                            summary_op=None)  # its thread would run dropout between two steps, at a random moment


def evaluate(folder, x, y):
    with tf.Graph().as_default():
        logits, ends = network(tf.constant(x), False)
        guessed = tf.argmax(logits, 1)
        values, updates = slim.metrics.aggregate_metric_map({"accuracy": tf.metrics.accuracy(y, guessed), "mse": tf.metrics.mean_squared_error(y, guessed)})
        tf.train.get_or_create_global_step()
        found = slim.evaluation.evaluate_once("", tf.train.latest_checkpoint(folder), folder, num_evals=2, eval_op=list(updates.values()), final_op=[values["accuracy"], values["mse"]])
        record.result("evaluated", found)


def restore(folder, x):
    with tf.Graph().as_default(), tf.Session() as s:
        logits, ends = network(tf.constant(x), False)
        variables = slim.get_variables_to_restore(exclude=["logits"])
        restore_all = slim.assign_from_checkpoint_fn(tf.train.latest_checkpoint(folder), slim.get_model_variables())
        s.run(tf.global_variables_initializer())
        restore_all(s)
        record.result("logits", s.run(logits))
        record.result("conv2", s.run(ends["conv2"])[0])
        record.result("names", [len(variables), len(slim.get_variables_by_name("weights"))])


def main():
    folder = tempfile.mkdtemp()
    x, y = pictures()
    train(folder, x, y)
    evaluate(folder, x, y)
    restore(folder, x)
    record.done("1.1.0")


main()
