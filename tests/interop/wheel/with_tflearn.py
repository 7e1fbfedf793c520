"""A network of TFLearn, trained, saved, loaded and asked."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tflearn

np.random.seed(0)
tf.set_random_seed(0)
x = np.random.rand(256, 8)
label = (x.sum(1) > 4).astype(int)
y = np.eye(2)[label]
network = tflearn.input_data([None, 8])
network = tflearn.fully_connected(network, 16, activation="relu")
network = tflearn.fully_connected(network, 2, activation="softmax")
network = tflearn.regression(network, optimizer="adam", learning_rate=0.02)
with tempfile.TemporaryDirectory() as folder:
    model = tflearn.DNN(network, tensorboard_verbose=0, tensorboard_dir=folder)
    model.fit(x, y, n_epoch=30, batch_size=32, show_metric=True, run_id="line")
    before = model.predict(x)
    path = os.path.join(folder, "network")
    model.save(path)
    model.load(path)
    assert np.array_equal(np.array(model.predict(x)), np.array(before))
accuracy = model.evaluate(x, y)[0]
assert accuracy > 0.85, accuracy
print("\nfine", "accuracy %.3f" % accuracy)
