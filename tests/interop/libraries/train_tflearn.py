"""TFLearn 0.5: a classifier of pictures and one of texts, trained, saved, loaded into a new graph and evaluated."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tflearn
from tflearn.data_utils import pad_sequences, to_categorical
from tflearn.layers.conv import conv_2d, max_pool_2d
from tflearn.layers.core import dropout, fully_connected, input_data
from tflearn.layers.embedding_ops import embedding
from tflearn.layers.estimator import regression
from tflearn.layers.normalization import batch_normalization, local_response_normalization
from tflearn.layers.recurrent import lstm

import record


class Losses(tflearn.callbacks.Callback):
    def on_batch_end(self, training_state, snapshot=False):
        record.loss(training_state.loss_value)


def pictures():
    random = np.random.RandomState(1)
    x = random.rand(40, 8, 8, 1).astype("float32")
    y = to_categorical((x.mean((1, 2, 3)) * 40).astype(int) % 3, 3)
    return x, y


def texts():
    random = np.random.RandomState(2)
    x = [list(random.randint(1, 15, random.randint(3, 9))) for _ in range(32)]
    return pad_sequences(x, maxlen=8, value=0.), to_categorical([sum(t) % 2 for t in x], 2)


def picture_network():
    net = input_data(shape=[None, 8, 8, 1], name="input")
    net = conv_2d(net, 4, 3, activation="relu", regularizer="L2")
    net = max_pool_2d(net, 2)
    net = local_response_normalization(net)
    net = batch_normalization(net)
    net = fully_connected(net, 10, activation="tanh")
    net = dropout(net, 0.9)
    net = fully_connected(net, 3, activation="softmax")
    net = regression(net, optimizer="adam", learning_rate=0.01, loss="categorical_crossentropy", name="target")
    return tflearn.DNN(net, tensorboard_verbose=3, tensorboard_dir=os.path.join(tempfile.mkdtemp(), ""))


def text_network():
    net = input_data([None, 8])
    net = embedding(net, input_dim=15, output_dim=6)
    net = lstm(net, 5, dynamic=True)
    net = fully_connected(net, 2, activation="softmax")
    momentum = tflearn.Momentum(learning_rate=0.1, lr_decay=0.96, decay_step=10)
    net = regression(net, optimizer=momentum, metric=tflearn.metrics.Accuracy(), loss="categorical_crossentropy")
    return tflearn.DNN(net, tensorboard_verbose=0)


def main():
    folder = tempfile.mkdtemp()
    for name, data, network, epochs in (("pictures", pictures, picture_network, 3), ("texts", texts, text_network, 4)):
        x, y = data()
        tf.reset_default_graph()
        tflearn.init_graph(seed=5, num_cores=1)
        model = network()
        model.fit(x, y, n_epoch=epochs, batch_size=10, shuffle=False, validation_set=(x[:10], y[:10]), show_metric=True, snapshot_epoch=False, run_id=name, callbacks=Losses())
        before = model.predict(x)
        record.result(name + " score", model.evaluate(x, y))
        weights = model.get_weights(tflearn.variables.get_layer_variables_by_name("FullyConnected")[0])
        path = os.path.join(folder, name + ".tfl")
        model.save(path)
        tf.reset_default_graph()
        again = network()
        again.load(path)
        record.same(name + " restored", before, again.predict(x))
        record.same(name + " weights", weights, again.get_weights(tflearn.variables.get_layer_variables_by_name("FullyConnected")[0]))
        record.result(name + " labels", again.predict_label(x[:3]))
    record.done("0.5.0")


main()
