"""TensorLayer 1.11: a convolutional network by tl.utils.fit and a recurrent one by its own loop; npz files, restored into other graphs."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorlayer as tl

import record


def pictures():
    random = np.random.RandomState(8)
    x = random.rand(24, 8, 8, 1).astype("float32")
    return x, ((x.mean((1, 2, 3)) * 40).astype(int) % 3).astype("int32")


def network(x, training):
    normal = tf.truncated_normal_initializer(stddev=0.2, seed=1)
    with tf.variable_scope("net", reuse=not training):
        net = tl.layers.InputLayer(x, name="input")
        net = tl.layers.Conv2d(net, 4, (3, 3), act=tf.nn.relu, W_init=normal, name="conv1")
        net = tl.layers.BatchNormLayer(net, act=tl.act.lrelu, is_train=training, name="bn1")
        net = tl.layers.MaxPool2d(net, (2, 2), name="pool1")
        net = tl.layers.DepthwiseConv2d(net, (3, 3), W_init=normal, name="depthwise")
        side = tl.layers.Conv2d(net, 4, (1, 1), W_init=normal, name="side")
        net = tl.layers.ElementwiseLayer([net, side], tf.add, name="add")
        net = tl.layers.FlattenLayer(net, name="flatten")
        net = tl.layers.DropoutLayer(net, keep=0.9, is_fix=True, is_train=training, seed=3, name="drop")
        net = tl.layers.DenseLayer(net, 8, act=tf.nn.relu, W_init=normal, name="dense")
        return tl.layers.DenseLayer(net, 3, W_init=normal, name="output")


def classify(folder):
    x_train, y_train = pictures()
    tf.reset_default_graph()
    tf.set_random_seed(9)
    np.random.seed(9)  # by which tl.utils.fit shuffles
    x, y = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int32, [None])
    train, test = network(x, True), network(x, False)
    cost = tl.cost.cross_entropy(train.outputs, y, "xentropy") + tl.cost.lo_regularizer(0.001)(train.all_params[0]) * 0
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(test.outputs, 1, output_type=tf.int32), y), tf.float32))
    variables = tl.layers.get_variables_with_name("net", True, False)
    step = tf.train.AdamOptimizer(0.005).minimize(cost, var_list=variables)
    with tf.Session() as s:
        tl.layers.initialize_global_variables(s)
        for epoch in range(3):
            for a, b in tl.iterate.minibatches(x_train, y_train, 8, shuffle=False):
                record.loss(s.run([cost, step], {x: a, y: b})[0])
        tl.utils.fit(s, train, step, cost, x_train, y_train, x, y, acc=accuracy, batch_size=8, n_epoch=1, print_freq=1)
        record.result("test", s.run(accuracy, {x: x_train, y: y_train}))
        before = tl.utils.predict(s, test, x_train, x, test.outputs)
        path = os.path.join(folder, "net.npz")
        tl.files.save_npz_dict(train.all_params, path, s)
        tl.files.save_ckpt(s, mode_name="net.ckpt", save_dir=folder, var_list=train.all_params)
    for load in ("npz", "ckpt"):
        tf.reset_default_graph()
        x = tf.placeholder(tf.float32, [None, 8, 8, 1])
        network(x, True)
        again = network(x, False)
        with tf.Session() as s:
            tl.layers.initialize_global_variables(s)
            if load == "npz":
                tl.files.load_and_assign_npz_dict(path, s)
            else:
                tl.files.load_ckpt(s, mode_name="net.ckpt", save_dir=folder, var_list=again.all_params)
            record.same(load, before, tl.utils.predict(s, again, x_train, x, again.outputs))


def write():
    words = list(np.random.RandomState(4).randint(0, 12, 90))
    tf.reset_default_graph()
    tf.set_random_seed(6)
    x, y = tf.placeholder(tf.int32, [4, 5]), tf.placeholder(tf.int32, [4, 5])
    start = tf.random_uniform_initializer(-0.2, 0.2, seed=2)
    net = tl.layers.EmbeddingInputlayer(x, 12, 6, E_init=start, name="embedding")
    net = tl.layers.RNNLayer(net, tf.contrib.rnn.BasicLSTMCell, cell_init_args={"forget_bias": 0.}, n_hidden=7, initializer=start, n_steps=5, return_last=False, return_seq_2d=True, name="lstm")
    lstm = net
    net = tl.layers.DenseLayer(net, 12, W_init=start, name="output")
    cost = tl.cost.cross_entropy_seq(net.outputs, y, 4)
    gradients, _ = tf.clip_by_global_norm(tf.gradients(cost, net.all_params), 5)
    step = tf.train.GradientDescentOptimizer(0.5).apply_gradients(zip(gradients, net.all_params))
    with tf.Session() as s:
        tl.layers.initialize_global_variables(s)
        state = tl.layers.initialize_rnn_state(lstm.initial_state)
        for a, b in tl.iterate.ptb_iterator(words, 4, 5):
            found, c, h, _ = s.run([cost, lstm.final_state.c, lstm.final_state.h, step], {x: a, y: b, lstm.initial_state.c: state[0], lstm.initial_state.h: state[1]})
            state = (c, h)
            record.loss(found)
        record.result("state", state)


def main():
    classify(tempfile.mkdtemp())
    write()
    record.done(tl.__version__)


main()
