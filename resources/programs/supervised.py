"""A training under MonitoredTrainingSession: it restores, saves and stops by itself. Help: Supervised sessions."""

import tempfile

import numpy as np
import tensorflow as tf

features = tf.placeholder(tf.float32, [None, 2], name="features")
labels = tf.placeholder(tf.float32, [None, 1], name="labels")
prediction = tf.layers.dense(features, 1, name="prediction")
loss = tf.losses.mean_squared_error(labels, prediction)
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=global_step)


class LossHook(tf.train.SessionRunHook):
    """Fetches the loss in each step."""

    def begin(self):
        self.losses = []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(loss)

    def after_run(self, run_context, run_values):
        self.losses.append(run_values.results)

    def end(self, session):
        print("first loss %.3f, last loss %.5f" % (self.losses[0], self.losses[-1]))


random = np.random.RandomState(1)
hooks = [tf.train.StopAtStepHook(last_step=200), LossHook()]
with tf.train.MonitoredTrainingSession(checkpoint_dir=tempfile.mkdtemp(), hooks=hooks, save_checkpoint_secs=60) as session:
    while not session.should_stop():
        batch = random.uniform(-1, 1, [32, 2])
        session.run(train_op, {features: batch, labels: batch @ [[3.0], [-2.0]] + 1})
