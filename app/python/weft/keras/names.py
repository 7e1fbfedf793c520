"""tf.keras.initializers, regularizers, activations and utils: mostly names of what is elsewhere."""

import numpy as np
import tensorflow as tf

from ..exports import export, export_value
from . import layers

for _name in ("glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "orthogonal", "identity", "zeros", "ones",
              "constant", "variance_scaling"):
    _what = getattr(tf.initializers, _name)
    export_value(_what, "keras.initializers." + _name)
    _class = "".join(part.capitalize() for part in _name.split("_"))
    if _name in ("zeros", "ones", "constant", "orthogonal", "identity", "variance_scaling"):
        export_value(_what, "keras.initializers." + _class)


@export("keras.initializers.RandomNormal", "keras.initializers.random_normal")
def random_normal(mean=0.0, stddev=0.05, seed=None, dtype=tf.float32):
    return tf.random_normal_initializer(mean, stddev, seed, dtype)


@export("keras.initializers.RandomUniform", "keras.initializers.random_uniform")
def random_uniform(minval=-0.05, maxval=0.05, seed=None, dtype=tf.float32):
    return tf.random_uniform_initializer(minval, maxval, seed, dtype)


@export("keras.initializers.TruncatedNormal", "keras.initializers.truncated_normal")
def truncated_normal(mean=0.0, stddev=0.05, seed=None, dtype=tf.float32):
    return tf.truncated_normal_initializer(mean, stddev, seed, dtype)


export_value(layers.initializer_of, "keras.initializers.get")
export_value(layers.activation_of, "keras.activations.get")
for _name in ("relu", "softmax", "sigmoid", "tanh", "elu", "selu", "softplus", "softsign", "hard_sigmoid"):
    export_value(lambda x, _name=_name: layers.activation_of(_name)(x), "keras.activations." + _name)
export_value(lambda x: x, "keras.activations.linear")


@export("keras.regularizers.l1_l2")
def l1_l2(l1=0.01, l2=0.01):
    """l1 * sum(abs(x)) + l2 * sum(x ** 2)"""
    def penalty(x):
        total = 0.0
        if l1:
            total = total + tf.reduce_sum(l1 * tf.abs(x))
        if l2:
            total = total + tf.reduce_sum(l2 * tf.square(x))
        return total

    return penalty


@export("keras.regularizers.l1")
def l1(l=0.01):
    return l1_l2(l, 0.0)


@export("keras.regularizers.l2")
def l2(l=0.01):
    return l1_l2(0.0, l)


@export("keras.utils.to_categorical")
def to_categorical(y, num_classes=None, dtype="float32"):
    """Rows with a one at each class."""
    y = np.asarray(y, dtype="int")
    shape = y.shape[:-1] if y.ndim > 1 and y.shape[-1] == 1 else y.shape
    flat = y.ravel()
    num_classes = num_classes or int(flat.max()) + 1
    table = np.zeros((len(flat), num_classes), dtype=dtype)
    table[np.arange(len(flat)), flat] = 1
    return table.reshape(shape + (num_classes,))


del _name, _what, _class
