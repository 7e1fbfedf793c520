"""A model of Keras, trained, saved, loaded and asked."""

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf
from keras.layers import Dense, Dropout
from keras.models import Sequential, load_model
from keras.optimizers import Adam

np.random.seed(0)
tf.set_random_seed(0)
x = np.random.rand(256, 8)
y = (x.sum(1) > 4).astype(np.float)
model = Sequential([Dense(16, activation="relu", input_shape=(8,)), Dropout(0.1), Dense(1, activation="sigmoid")])
model.compile(Adam(0.01), "binary_crossentropy", metrics=["accuracy"])
losses = model.fit(x, y, epochs=30, verbose=0, validation_split=0.2).history["loss"]
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.h5")
    model.save(path)
    loaded = load_model(path)
    assert np.array_equal(loaded.predict(x), model.predict(x))
    loaded.fit(x, y, epochs=1, verbose=0)
assert losses[-1] < 0.8 * losses[0], losses
print("fine", keras.__version__, "%.4f -> %.4f" % (losses[0], losses[-1]))
