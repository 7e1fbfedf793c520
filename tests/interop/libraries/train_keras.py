"""Keras 2.2.5: a network of images and texts with two outputs, trained by fit and by a generator, saved as one file and as weights."""

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras import layers, models, optimizers, regularizers
from keras.callbacks import Callback, EarlyStopping, LearningRateScheduler, ModelCheckpoint

import record


class Scaled(layers.Layer):
    """A layer of the program's own, with a weight."""

    def __init__(self, factor=1., **kwargs):
        self.factor = factor
        super(Scaled, self).__init__(**kwargs)

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(input_shape[-1],), initializer="ones", trainable=True)
        super(Scaled, self).build(input_shape)

    def call(self, x):
        return x * self.scale * self.factor

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return dict(super(Scaled, self).get_config(), factor=self.factor)


class Losses(Callback):
    def on_batch_end(self, batch, logs=None):
        record.loss(logs["loss"])


def data(count, seed):
    random = np.random.RandomState(seed)
    pictures, words = random.rand(count, 8, 8, 1).astype("float32"), random.randint(1, 20, (count, 6))
    words[::3, 4:] = 0
    classes = (pictures.mean((1, 2, 3)) * 40).astype(int) % 3
    return pictures, words, keras.utils.to_categorical(classes, 3), words.sum(1, keepdims=True).astype("float32") / 60


def network():
    pictures, words = layers.Input((8, 8, 1), name="pictures"), layers.Input((6,), name="words")
    x = layers.Conv2D(4, 3, padding="same", activation="relu", kernel_regularizer=regularizers.l2(1e-3))(pictures)
    x = layers.BatchNormalization()(x)
    x = layers.MaxPooling2D()(x)
    x = layers.SeparableConv2D(6, 3, activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    y = layers.Embedding(20, 5, mask_zero=True)(words)
    y = layers.Bidirectional(layers.LSTM(4))(y)
    z = layers.Concatenate()([x, y])
    z = Scaled(0.5, name="scaled")(z)
    z = layers.PReLU()(layers.Dense(8)(z))
    outputs = [layers.Dense(3, activation="softmax", name="kind")(z), layers.Dense(1, name="total")(z)]
    return models.Model([pictures, words], outputs)


def main():
    tf.enable_resource_variables()  # assignments to others, as Keras makes them, race with gradients that still read the variable
    tf.set_random_seed(3)
    np.random.seed(3)
    pictures, words, kind, total = data(48, 1)
    model = network()
    model.compile(optimizers.Adam(0.003), loss={"kind": "categorical_crossentropy", "total": "mse"}, loss_weights={"kind": 1., "total": 0.5}, metrics={"kind": ["accuracy"]})
    folder = tempfile.mkdtemp()
    best = os.path.join(folder, "best.h5")
    model.fit([pictures, words], [kind, total], batch_size=12, epochs=3, shuffle=False, verbose=0, validation_split=0.25,
              callbacks=[Losses(), ModelCheckpoint(best, save_best_only=False), EarlyStopping("val_loss", patience=5), LearningRateScheduler(lambda epoch: 0.003 / (epoch + 1))])

    def batches():
        while True:
            for i in range(0, 48, 16):
                yield [pictures[i:i + 16], words[i:i + 16]], [kind[i:i + 16], total[i:i + 16]]

    model.fit_generator(batches(), steps_per_epoch=3, epochs=1, verbose=0, callbacks=[Losses()])
    for _ in range(3):
        record.loss(model.train_on_batch([pictures[:8], words[:8]], [kind[:8], total[:8]])[0])
    before = model.predict([pictures, words])
    record.result("evaluated", model.evaluate([pictures, words], [kind, total], verbose=0))
    whole, weights = os.path.join(folder, "whole.h5"), os.path.join(folder, "weights.h5")
    model.save(whole)
    model.save_weights(weights)
    text = model.to_json()
    K.clear_session()
    again = models.load_model(whole, custom_objects={"Scaled": Scaled})
    record.same("restored", before[0], again.predict([pictures, words])[0])
    record.result("trained on", again.train_on_batch([pictures, words], [kind, total]))
    K.clear_session()
    again = models.model_from_json(text, {"Scaled": Scaled})
    again.load_weights(weights)
    record.same("from weights", before[1], again.predict([pictures, words])[1])
    record.done(keras.__version__)


main()
