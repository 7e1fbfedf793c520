"""dm-sonnet 1.36: a convolutional network with batch normalization, an LSTM, modules of its own; trained, saved, restored, and a module used twice."""

import os
import tempfile

import numpy as np
import sonnet as snt
import tensorflow as tf

import record


class Classifier(snt.AbstractModule):
    """Convolutions, batch normalization, a residual, a linear layer."""

    def __init__(self, classes, name="classifier"):
        super(Classifier, self).__init__(name=name)
        self._classes = classes

    def _build(self, images, is_training):
        first = {"w": tf.truncated_normal_initializer(stddev=0.2, seed=1), "b": tf.zeros_initializer()}
        net = snt.Conv2D(4, 3, stride=2, initializers=first, regularizers={"w": tf.contrib.layers.l2_regularizer(0.01)}, name="conv")(images)
        net = tf.nn.relu(snt.BatchNorm(name="norm")(net, is_training=is_training))
        net = net + snt.Conv2D(4, 3, initializers={"w": tf.truncated_normal_initializer(stddev=0.2, seed=2), "b": tf.zeros_initializer()}, name="residual")(net)
        net = snt.SeparableConv2D(6, 1, 3, initializers={"w_dw": tf.truncated_normal_initializer(stddev=0.3, seed=3), "w_pw": tf.truncated_normal_initializer(stddev=0.3, seed=4),
                                                         "b": tf.zeros_initializer()})(net)
        net = snt.BatchFlatten()(net)
        return snt.nets.MLP([8, self._classes], initializers={"w": tf.random_uniform_initializer(-0.3, 0.3, seed=5), "b": tf.zeros_initializer()}, name="mlp")(net)


def images():
    random = np.random.RandomState(2)
    x = random.rand(12, 8, 8, 2).astype(np.float32)
    return x, (x.mean((1, 2, 3)) > x.mean()).astype(np.int64)


def convolutions(folder):
    x, labels = images()

    def build():
        module = Classifier(2)
        inputs = tf.placeholder(tf.float32, [None, 8, 8, 2])
        return module, inputs, module(inputs, is_training=True), module(inputs, is_training=False)  # the same variables twice

    with tf.Graph().as_default(), tf.Session() as session:
        module, inputs, logits, tested = build()
        losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)) + tf.add_n(losses)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, var_list=module.get_variables())
        session.run(tf.global_variables_initializer())
        for _ in range(8):
            record.loss(session.run([loss, train], {inputs: x})[0])
        before = session.run(tested, {inputs: x})
        tf.train.Saver(snt.get_normalized_variable_map(module)).save(session, os.path.join(folder, "model"))
        record.result("names", [len(v.name) for v in module.get_variables()] + [len(snt.get_normalized_variable_map(module))])
    with tf.Graph().as_default(), tf.Session() as session:
        module, inputs, _, tested = build()
        session.run(tf.global_variables_initializer())
        tf.train.Saver(snt.get_normalized_variable_map(module)).restore(session, os.path.join(folder, "model"))
        record.same("restored", before, session.run(tested, {inputs: x}))


def recurrent():
    x = np.random.RandomState(4).randn(6, 3, 5).astype(np.float32)
    uniform = {"w_gates": tf.random_uniform_initializer(-0.4, 0.4, seed=6), "b_gates": tf.zeros_initializer()}
    with tf.Graph().as_default(), tf.Session() as session:
        core = snt.DeepRNN([snt.LSTM(7, initializers=uniform, name="below"), snt.LSTM(4, initializers=uniform, name="above")], skip_connections=True)
        outputs, state = tf.nn.dynamic_rnn(core, tf.constant(x), initial_state=core.initial_state(3), time_major=True)
        gru = snt.GRU(3, initializers={k: tf.random_uniform_initializer(-0.4, 0.4, seed=8) for k in snt.GRU.POSSIBLE_INITIALIZER_KEYS})
        more, _ = tf.nn.dynamic_rnn(gru, outputs, initial_state=gru.initial_state(3, trainable=True), time_major=True)
        predicted = snt.BatchApply(snt.Linear(1, initializers={"w": tf.random_uniform_initializer(-0.4, 0.4, seed=9), "b": tf.zeros_initializer()}))(more)
        loss = tf.reduce_mean(tf.square(predicted[..., 0] - x.sum(-1)))
        optimizer = tf.train.AdamOptimizer(0.05)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        train = optimizer.apply_gradients(zip(tf.clip_by_global_norm(gradients, 1.)[0], variables))
        session.run(tf.global_variables_initializer())
        for _ in range(8):
            record.loss(session.run([loss, train])[0])
        record.result("recurrent", session.run(predicted))


def attention():
    with tf.Graph().as_default(), tf.Session() as session:
        memory = tf.constant(np.random.RandomState(5).randn(2, 4, 6).astype(np.float32))
        embedded = snt.Embed(10, 6, initializers={"embeddings": tf.random_normal_initializer(seed=3)})(tf.constant([[1, 2], [3, 9]]))
        embedded = snt.LayerNorm()(tf.reshape(embedded, [2, 12]))
        read = snt.AttentiveRead(snt.Module(lambda x: snt.Linear(1, initializers={"w": tf.ones_initializer(), "b": tf.zeros_initializer()})(x), name="logits"))(memory, embedded).read
        turned = snt.AffineGridWarper(source_shape=[3, 3], output_shape=[2, 2])(tf.constant([[1., 0.1, 0., 0.2, 1., 0.]]))
        session.run(tf.global_variables_initializer())
        record.result("read", session.run(read))
        record.result("turned", session.run(turned))


def main():
    convolutions(tempfile.mkdtemp())
    recurrent()
    attention()
    record.done(snt.__version__)


main()
