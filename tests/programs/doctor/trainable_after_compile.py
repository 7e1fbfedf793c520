# A layer is frozen after the model was compiled.
import numpy as np
from parts import LABELS, ROWS, SICK
from tensorflow import keras

body = keras.layers.Dense(32, activation="relu", input_shape=(20,))
model = keras.models.Sequential([body, keras.layers.Dense(10, activation="softmax")])
model.compile(keras.optimizers.Adam(0.005), "sparse_categorical_crossentropy")
if SICK:
    body.trainable = False
model.fit(ROWS, LABELS, batch_size=50, epochs=1, verbose=0)  # finds: trainable-after-compile
