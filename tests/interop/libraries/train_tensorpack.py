"""tensorpack 0.11: a model with data flow, trained by SimpleTrainer with callbacks, restored by OfflinePredictor and by a second training."""

import tempfile

import numpy as np
import tensorflow as tf
from tensorpack import (Callback, InferenceRunner, ModelDesc, ModelSaver, OfflinePredictor, PredictConfig, QueueInput, ScalarStats, ScheduledHyperParamSetter, SimpleTrainer, SmartInit, TrainConfig,
                        launch_train_with_config, logger)
from tensorpack.dataflow import BatchData, DataFromList
from tensorpack.models import BatchNorm, Conv2D, FullyConnected, GlobalAvgPooling, MaxPooling, regularize_cost
from tensorpack.tfutils import argscope, optimizer, gradproc, summary
from tensorpack.tfutils.varmanip import load_checkpoint_vars

import record


def pictures():
    random = np.random.RandomState(7)
    x = random.rand(24, 8, 8, 3).astype("float32")
    return [[a, int(a.mean() * 40) % 3] for a in x]


class Model(ModelDesc):
    def inputs(self):
        return [tf.TensorSpec((None, 8, 8, 3), tf.float32, "image"), tf.TensorSpec((None,), tf.int32, "label")]

    def build_graph(self, image, label):
        with argscope([Conv2D, FullyConnected], kernel_initializer=tf.random_normal_initializer(stddev=0.2, seed=3)), argscope(Conv2D, kernel_size=3, activation=tf.nn.relu):
            x = Conv2D("conv0", image * 2 - 1, 6)
            x = MaxPooling("pool0", x, 2)
            x = Conv2D("conv1", x, 8, use_bias=False)
            x = BatchNorm("bn", x)
            x = GlobalAvgPooling("gap", x)
            x = FullyConnected("fc0", x, 10, activation=tf.nn.relu)
            logits = FullyConnected("fc1", x, 3)
        tf.nn.softmax(logits, name="prob")
        cost = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=label), name="xent")
        wrong = tf.cast(tf.logical_not(tf.nn.in_top_k(logits, label, 1)), tf.float32, name="wrong_vector")
        summary.add_moving_summary(tf.reduce_mean(wrong, name="train_error"))
        decay = tf.multiply(1e-3, regularize_cost("fc.*/W", tf.nn.l2_loss), name="decay")
        total = tf.add_n([cost, decay], name="cost")
        summary.add_param_summary((".*/W", ["histogram", "rms"]))
        return total

    def optimizer(self):
        rate = tf.get_variable("learning_rate", initializer=0.05, trainable=False)
        tf.summary.scalar("learning_rate", rate)
        return optimizer.apply_grad_processors(tf.train.MomentumOptimizer(rate, 0.9), [gradproc.GlobalNormClip(5.)])


class Losses(Callback):
    def _before_run(self, _):
        return tf.train.SessionRunArgs(self.graph.get_tensor_by_name("cost:0"))

    def _after_run(self, _, values):
        record.loss(values.results)


def train(folder, session_init=None, epochs=3):
    tf.reset_default_graph()
    tf.set_random_seed(2)
    logger.set_logger_dir(folder, action="d")
    flow = BatchData(DataFromList(pictures(), shuffle=False), 8)
    config = TrainConfig(model=Model(), data=QueueInput(flow), steps_per_epoch=3, max_epoch=epochs, session_init=session_init,
                         callbacks=[Losses(), ModelSaver(), InferenceRunner(BatchData(DataFromList(pictures(), shuffle=False), 8), ScalarStats(["cost"])), ScheduledHyperParamSetter("learning_rate", [(2, 0.02)])])
    launch_train_with_config(config, SimpleTrainer())


def main():
    folder = tempfile.mkdtemp()
    train(folder)
    path = tf.train.latest_checkpoint(folder)
    values = load_checkpoint_vars(path)
    record.result("mean", values["bn/mean/EMA"])
    record.result("weights", values["fc1/W"])
    tf.reset_default_graph()
    predict = OfflinePredictor(PredictConfig(model=Model(), session_init=SmartInit(path), input_names=["image"], output_names=["prob"]))
    images = np.stack([p[0] for p in pictures()])
    record.result("predicted", predict(images)[0])
    train(tempfile.mkdtemp(), SmartInit(path), 1)
    record.done("0.11")


main()
