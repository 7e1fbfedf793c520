"""CleverHans 3: a classifier trained on clean and on adversarial pictures; attacks by gradients, by iterations, by optimization and by saliency; saved and restored."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from cleverhans.attacks import BasicIterativeMethod, CarliniWagnerL2, DeepFool, FastGradientMethod, MomentumIterativeMethod, ProjectedGradientDescent, SaliencyMapMethod
from cleverhans.loss import CrossEntropy
from cleverhans.model import Model
from cleverhans.train import train
from cleverhans.utils_tf import initialize_uninitialized_global_variables, model_argmax, model_eval

import record


class Network(Model):
    def __init__(self, scope, classes):
        super(Network, self).__init__(scope, classes, {})
        self.fprop(tf.placeholder(tf.float32, [None, 6, 6, 1]))
        self.params = self.get_params()

    def fprop(self, x, **kwargs):
        start = tf.random_normal_initializer(stddev=0.3, seed=2)
        with tf.variable_scope(self.scope, reuse=tf.AUTO_REUSE):
            y = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu, kernel_initializer=start)
            y = tf.layers.flatten(y)
            logits = tf.layers.dense(y, self.nb_classes, kernel_initializer=start)
            return {self.O_LOGITS: logits, self.O_PROBS: tf.nn.softmax(logits)}


def main():
    random = np.random.RandomState(3)
    x_train = random.rand(32, 6, 6, 1).astype("float32")
    y_train = np.eye(3, dtype="float32")[(x_train.mean((1, 2, 3)) * 60).astype(int) % 3]
    tf.set_random_seed(4)
    x, y = tf.placeholder(tf.float32, [None, 6, 6, 1]), tf.placeholder(tf.float32, [None, 3])
    path = os.path.join(tempfile.mkdtemp(), "model.ckpt")
    with tf.Session() as s:
        model = Network("net", 3)
        attack = FastGradientMethod(model, sess=s)
        loss = CrossEntropy(model, smoothing=0.1, attack=lambda v: attack.generate(v, eps=0.1, clip_min=0., clip_max=1.))
        value = loss.fprop(x, y)

        def evaluate():
            record.loss(s.run(value, {x: x_train, y: y_train}))

        train(s, loss, x_train, y_train, args={"nb_epochs": 4, "learning_rate": 0.01, "batch_size": 8}, evaluate=evaluate, rng=np.random.RandomState(5), var_list=model.get_params())
        record.result("accuracy", model_eval(s, x, y, model.get_logits(x), x_train, y_train, args={"batch_size": 8}))
        record.result("classes", model_argmax(s, x, model.get_probs(x), x_train[:8]))
        for kind, options in ((FastGradientMethod, {"eps": 0.1, "ord": 2}), (BasicIterativeMethod, {"eps": 0.1, "eps_iter": 0.03, "nb_iter": 4}),
                              (ProjectedGradientDescent, {"eps": 0.1, "eps_iter": 0.03, "nb_iter": 3, "rand_init": False}), (MomentumIterativeMethod, {"eps": 0.1, "nb_iter": 3}),
                              (CarliniWagnerL2, {"binary_search_steps": 2, "max_iterations": 20, "learning_rate": 0.05, "batch_size": 8, "initial_const": 1.}), (DeepFool, {"max_iter": 3, "nb_candidate": 3}),
                              (SaliencyMapMethod, {"theta": 1., "gamma": 0.1, "y_target": np.eye(3, dtype="float32")[np.arange(8) % 3]})):
            made = kind(model, sess=s).generate_np(x_train[:8], clip_min=0., clip_max=1., **options)
            record.result(kind.__name__, made)
        before = s.run(model.get_logits(x), {x: x_train})
        tf.train.Saver(model.get_params()).save(s, path)
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 6, 6, 1])
    with tf.Session() as s:
        model = Network("net", 3)
        tf.train.Saver(model.get_params()).restore(s, path)
        initialize_uninitialized_global_variables(s)
        record.same("restored", before, s.run(model.get_logits(x), {x: x_train}))
    record.done("3.0.1")


main()
