"""Towers: a replica of the model per device, variables on the first CPU and shared, gradients averaged there and applied once. Then a model for training and one for
testing with the same variables under two name scopes, each with its own collections, and an epoch over either of them."""
import json
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf

TOWER_NAME = "tower"
NUM_GPUS = 2


def inference(x):
    with tf.variable_scope("fc", reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [3, 1], initializer=tf.random_normal_initializer(seed=3))
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = []
        for g, _ in grad_and_vars:
            grads.append(tf.expand_dims(g, 0))
        grad = tf.reduce_mean(tf.concat(grads, axis=0), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


class Model:
    """Towers under the current name scope; trained if it is given an optimizer."""

    def __init__(self, scope, optimizer, towers):
        self.inputs, self.labels = [], []
        tower_grads = []
        for i in range(towers):
            with tf.device("/gpu:%d" % i), tf.name_scope("%s_%d" % (TOWER_NAME, i)):
                x, y = tf.placeholder(tf.float32, [None, 3], name="x"), tf.placeholder(tf.float32, [None, 1], name="y")
                prediction = inference(x)
                loss = tf.reduce_mean(tf.square(prediction - y), name="loss")
                tf.get_variable_scope().reuse_variables()
                self.inputs.append(x)
                self.labels.append(y)
                tf.add_to_collection("losses", loss)
                tf.add_to_collection("predictions", prediction)
                with tf.device("/cpu:0"):
                    tf.summary.scalar("loss", loss)
                if optimizer is not None:
                    tower_grads.append(optimizer.compute_gradients(loss))
        self.train_op = optimizer.apply_gradients(average_gradients(tower_grads)) if optimizer is not None else tf.no_op()
        self.loss = tf.reduce_mean(tf.stack(tf.get_collection("losses", scope)))
        tf.add_to_collection("merged", tf.summary.merge(tf.get_collection(tf.GraphKeys.SUMMARIES, scope), name="merged"))
        tf.add_to_collection("models", self)


def batches(seed, n):
    random = np.random.RandomState(seed)
    while True:
        x = random.rand(n, 3).astype("float32")
        yield x, x.sum(1, keepdims=True)


def generate_feed_dic(model, feed_dict, batch_generator):
    for x, y in zip(model.inputs, model.labels):
        feed_dict[x], feed_dict[y] = next(batch_generator)


def run_epoch(sess, scope, model, generator, steps, writer, first):
    merged = tf.get_collection("merged", scope)[0]
    losses = []
    for i in range(steps):
        feed_dict = {}
        generate_feed_dic(model, feed_dict, generator)
        _, loss, summary = sess.run([model.train_op, model.loss, merged], feed_dict)
        writer.add_summary(summary, first + i)
        losses.append(float(loss))
    return losses


def main():
    folder = tempfile.mkdtemp()
    with tf.Graph().as_default() as graph, tf.device("/cpu:0"):
        tf.set_random_seed(1)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        with tf.name_scope("train") as train_scope, tf.variable_scope("var1"):
            train = Model(train_scope, optimizer, NUM_GPUS)
        with tf.name_scope("test") as test_scope, tf.variable_scope("var1", reuse=True):
            test = Model(test_scope, None, 1)
        saver, writer = tf.train.Saver(), tf.summary.FileWriter(folder, graph)
        config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
        target = sys.argv[1] if len(sys.argv) > 1 else ""
        with tf.Session(target, config=config) as sess:
            sess.run(tf.global_variables_initializer())
            got = [[], []]
            for epoch in range(3):
                got[0] += run_epoch(sess, train_scope, train, batches(epoch, 8), 5, writer, epoch * 5)
                got[1] += run_epoch(sess, test_scope, test, batches(100, 8), 2, writer, epoch * 2)
            saver.save(sess, os.path.join(folder, "model"), global_step=15)
            writer.close()
            variables = [[v.name, v.device, np.asarray(sess.run(v)).tolist()] for v in tf.global_variables()]
        events = [f for f in os.listdir(folder) if "tfevents" in f][0]
        tags = sorted({v.tag for e in tf.train.summary_iterator(os.path.join(folder, events)) for v in e.summary.value})
        names = [op.name for op in graph.get_operations()]
        print("RESULT " + json.dumps({
            "train": got[0], "test": got[1], "variables": variables, "tags": tags,
            "collections": {k: [getattr(v, "name", "a model") for v in tf.get_collection(k)] for k in ("losses", "predictions", "merged", "models")},
            "of test": [v.name for v in tf.get_collection("losses", test_scope)],
            "updates": len([n for n in names if "ApplyGradientDescent" in n]), "operations": len(names),
            "files": sorted(f for f in os.listdir(folder) if "tfevents" not in f)}))


main()
