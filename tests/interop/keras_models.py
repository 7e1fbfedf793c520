"""Keras models of every layer, with inputs and predictions: PYTHON keras_models.py FOLDER [NAME…]

Runs under TensorFlow 1.15.5 and 2.21. Each model becomes NAME.h5, and NAME.npz with its inputs x0, x1, … and what it predicts, y0, y1, …
"""
import os
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

K = tf.keras
L = K.layers
KERAS_3 = not tf.__version__.startswith("1.")
ACTIVATIONS = ("relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "hard_sigmoid", "softmax", "linear")


def chain(*layers):
    return K.Sequential(list(layers))


def function(shape, build):
    x = K.Input(shape)
    return K.Model(x, build(x))


def shared():
    a, b = K.Input((8,)), K.Input((8,))
    both = L.Dense(4, activation="tanh", name="both")
    return K.Model([a, b], L.Dense(2)(L.Concatenate()([both(a), both(b)])))


def nested_sequential():
    inner = chain(L.Dense(6, activation="relu", input_shape=(5,)), L.BatchNormalization(), L.Dense(4))
    x = K.Input((5,))
    return K.Model(x, L.Dense(3, activation="softmax")(inner(x)))


def nested_functional():
    x = K.Input((5,))
    inner = K.Model(x, L.Add()([L.Dense(4, name="p")(x), L.Dense(4, name="q")(x)]), name="inner")
    a = K.Input((5,))
    return K.Model(a, L.Dense(3, activation="softmax")(inner(a)))


def residual():
    x = K.Input((12, 12, 4))
    y = L.BatchNormalization()(L.Conv2D(8, 3, padding="same", use_bias=False)(x))
    y = L.DepthwiseConv2D(3, padding="same")(L.ReLU(6.0)(y))
    y = L.Add()([L.BatchNormalization(scale=False)(y), L.Conv2D(8, 1, padding="same")(x)])
    return K.Model(x, L.Dense(5, activation="softmax")(L.GlobalAveragePooling2D()(y)))


def two_outputs():
    a, b = K.Input((6,), name="first"), K.Input((6,), name="second")
    h = L.Multiply()([L.Dense(5)(a), L.Dense(5)(b)])
    return K.Model([a, b], [L.Dense(2, activation="softmax", name="classes")(h), L.Dense(1, name="number")(h)])


def merges(x):
    a, b = L.Dense(5)(x), L.Dense(5)(x)
    some = [L.Add()([a, b, x])] + [layer()([a, b]) for layer in (L.Subtract, L.Multiply, L.Average, L.Maximum, L.Minimum)]
    return L.Concatenate()(some + [L.Dot(1)([a, b])])


def advanced(x):
    return L.Concatenate()([L.LeakyReLU(0.2)(x), L.PReLU(shared_axes=[1, 2])(x), L.ELU(0.7)(x), L.ReLU(2.0, 0.1, 0.3)(x), L.Softmax(axis=1)(x)])


def input_order():
    a, b = K.Input((4,), name="a"), K.Input((4,), name="b")
    h = L.Subtract()([L.Dense(3, activation="tanh")(a), L.Dense(3)(b)])
    return K.Model([b, a], [L.Dense(2, name="z")(h), L.Dense(2, name="c")(h)])


def broadcast():
    a, b = K.Input((4, 3)), K.Input((3,))
    return K.Model([a, b], L.Concatenate()([layer()([a, b]) for layer in (L.Add, L.Multiply, L.Maximum)]))


def slashes():
    inner = chain(L.Dense(4, name="fc", input_shape=(5,)), L.Dense(4, name="fc/more"))
    x = K.Input((5,))
    return K.Model(x, L.Dense(3, name="last")(L.Dense(4, name="head/before")(inner(L.Dense(5, name="a/b")(x)))))


MODELS = {
    "dense": lambda: chain(L.Dense(16, activation="relu", input_shape=(64,)), L.Dropout(0.25), L.Dense(10, activation="softmax")),
    "dense_3d": lambda: chain(L.Dense(5, input_shape=(7, 3)), L.Flatten(), L.Dense(2)),
    "conv2d": lambda: chain(L.Conv2D(4, 3, strides=2, activation="relu", input_shape=(11, 9, 2)), L.MaxPooling2D(), L.Flatten(), L.Dense(3)),
    "conv2d_dilated": lambda: chain(L.Conv2D(4, 3, dilation_rate=2, padding="same", input_shape=(11, 9, 2))),
    "conv1d": lambda: chain(L.Conv1D(4, 3, padding="causal", dilation_rate=2, input_shape=(12, 3)), L.MaxPooling1D(), L.Conv1D(3, 2, strides=2), L.AveragePooling1D(2), L.GlobalMaxPooling1D()),
    "depthwise": lambda: chain(L.DepthwiseConv2D(3, depth_multiplier=2, strides=2, padding="same", activation="relu", input_shape=(9, 9, 3))),
    "separable": lambda: chain(L.SeparableConv2D(5, 3, depth_multiplier=2, padding="same", input_shape=(9, 9, 3)), L.AveragePooling2D(2, strides=1, padding="same")),
    "separable1d": lambda: chain(L.SeparableConv1D(5, 3, input_shape=(9, 3))),
    "transpose": lambda: chain(L.Conv2DTranspose(4, 3, strides=2, padding="same", input_shape=(5, 6, 2)), L.Conv2DTranspose(3, 4, strides=2), L.Conv2DTranspose(2, 3, strides=2, padding="same", output_padding=1)),
    "pads": lambda: chain(L.ZeroPadding2D(((1, 2), (3, 0)), input_shape=(5, 6, 2)), L.Cropping2D(((0, 1), (2, 0))), L.UpSampling2D((2, 3)), L.Permute((3, 1, 2)), L.Reshape((-1, 4))),
    "bilinear": lambda: chain(L.UpSampling2D(2, interpolation="bilinear", input_shape=(4, 5, 2))),
    "pads1d": lambda: chain(L.ZeroPadding1D((1, 2), input_shape=(6, 2)), L.Cropping1D((0, 1)), L.UpSampling1D(2), L.GlobalAveragePooling1D(), L.RepeatVector(3)),
    "batchnorm": lambda: chain(L.BatchNormalization(input_shape=(6, 5, 3)), L.Flatten(), L.Dense(4), L.BatchNormalization(center=False, momentum=0.9), L.Reshape((2, 2)), L.BatchNormalization(axis=1)),
    "layernorm": lambda: chain(L.LayerNormalization(input_shape=(6, 5)), L.LayerNormalization(axis=[1, 2], epsilon=1e-4)),
    "activations": lambda: function((8,), lambda x: L.Concatenate()([L.Activation(a)(x) for a in ACTIVATIONS])),
    "advanced": lambda: function((4, 4, 3), advanced),
    "merges": lambda: function((5,), merges),
    "embedding_lstm": lambda: chain(L.Embedding(20, 6, **({} if KERAS_3 else {"input_length": 9})), L.LSTM(5, return_sequences=True), L.LSTM(4), L.Dense(2)),
    "lstm_any_length": lambda: chain(L.LSTM(5, input_shape=(None, 3), return_sequences=True), L.Dense(2)),
    "gru": lambda: chain(L.GRU(5, input_shape=(7, 3), return_sequences=True, reset_after=False), L.GRU(4, reset_after=True), L.Dense(2)),
    "simple_rnn": lambda: chain(L.SimpleRNN(5, input_shape=(7, 3), go_backwards=True)),
    "bidirectional": lambda: chain(L.Bidirectional(L.LSTM(4, return_sequences=True), input_shape=(7, 3)), L.Bidirectional(L.GRU(3, reset_after=True), merge_mode="sum")),
    "time_distributed": lambda: chain(L.TimeDistributed(L.Dense(4, activation="relu"), input_shape=(5, 3)), L.TimeDistributed(L.Dense(2))),
    "time_convolution": lambda: chain(L.TimeDistributed(L.Conv2D(2, 3), input_shape=(3, 6, 6, 2)), L.Flatten()),
    "noise": lambda: chain(L.GaussianNoise(0.3, input_shape=(8, 3)), L.SpatialDropout1D(0.2), L.GaussianDropout(0.2), L.Dense(2)),
    "shared": shared,
    "nested_sequential": nested_sequential,
    "nested_functional": nested_functional,
    "residual": residual,
    "two_outputs": two_outputs,
    "dilated": lambda: chain(L.DepthwiseConv2D(3, dilation_rate=2, padding="same", depth_multiplier=2, input_shape=(9, 8, 2)), L.SeparableConv2D(3, 3, dilation_rate=2), L.Reshape((20, 3)), L.SeparableConv1D(2, 3, padding="causal" if not KERAS_3 else "same", dilation_rate=2), L.SeparableConv1D(2, 3, dilation_rate=3)),
    "input_order": input_order,
    "broadcast": broadcast,
    "slashes": slashes,
    "thresholds": lambda: chain(L.ReLU(0.5, 0.2, -0.4, input_shape=(8,)), L.Dense(2)),
}


def save(folder, name):
    K.backend.clear_session()
    random = np.random.RandomState(7)
    model = MODELS[name]()
    if name == "embedding_lstm":
        inputs = [random.randint(0, 20, (3, 9)).astype("float32")]
        model.predict(inputs[0], verbose=0)
    else:
        inputs = [(random.rand(3, *[d or 6 for d in tuple(t.shape)[1:]]) * 2 - 0.8).astype("float32") for t in model.inputs] if KERAS_3 else [
            (random.rand(3, *[d or 6 for d in t.shape.as_list()[1:]]) * 2 - 0.8).astype("float32") for t in model.inputs]
    # Vectors are positive, because variances are among them.
    model.set_weights([(random.rand(*w.shape) * 0.8 + 0.1).astype(w.dtype) - (0.3 if w.ndim > 1 else 0) for w in model.get_weights()])
    x = inputs if len(inputs) > 1 else inputs[0]
    if name == "dense":
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(x.repeat(20, 0), np.arange(60) % 10, epochs=1, verbose=0)
    if name == "two_outputs":
        model.compile("adam", {"classes": "categorical_crossentropy", "number": "mse"}, loss_weights={"classes": 1.0, "number": 0.5})
    if name == "conv2d":
        model.compile(K.optimizers.SGD(0.01, momentum=0.9), "mae", metrics=["mse"])
    outputs = model.predict(x, verbose=0)
    outputs = outputs if isinstance(outputs, list) else [outputs]
    model.save(os.path.join(folder, name + ".h5"))
    arrays = {"x%d" % i: v for i, v in enumerate(inputs)}
    arrays.update({"y%d" % i: v for i, v in enumerate(outputs)})
    np.savez(os.path.join(folder, name + ".npz"), **arrays)


def main():
    folder, names = sys.argv[1], sys.argv[2:] or list(MODELS)
    os.makedirs(folder, exist_ok=True)
    for name in names:
        try:
            save(folder, name)
        except Exception as error:  # a layer that this version does not have
            print("%s: %s" % (name, str(error).strip().split("\n")[0][:100]))


if __name__ == "__main__":
    main()
