"""tf.keras.layers: several tensors into one."""

import tensorflow as tf

from ..exports import export
from .layers import Layer, snake_case


class _Merge(Layer):
    def merge(self, inputs):
        raise NotImplementedError

    def call(self, inputs):
        return self.merge(list(inputs))


def _merging(name, function, doc):
    made = type(name, (_Merge,), {"merge": lambda self, inputs: function(inputs), "__doc__": doc})
    lower = snake_case(name)
    export("keras.layers." + name)(made)
    export("keras.layers." + lower)(lambda inputs, **kwargs: made(**kwargs)(inputs))
    return made


def _folded(step):
    def fold(inputs):
        total = inputs[0]
        for x in inputs[1:]:
            total = step(total, x)
        return total

    return fold


Add = _merging("Add", _folded(lambda a, b: a + b), "The sum of several tensors.")
Multiply = _merging("Multiply", _folded(lambda a, b: a * b), "The product of several tensors.")
Subtract = _merging("Subtract", _folded(lambda a, b: a - b), "The difference of two tensors.")
Average = _merging("Average", lambda inputs: _folded(lambda a, b: a + b)(inputs) / len(inputs), "The mean of several tensors.")
Maximum = _merging("Maximum", _folded(lambda a, b: tf.maximum(a, b)), "The larger values of several tensors.")


@export("keras.layers.Concatenate")
class Concatenate(_Merge):
    """Several tensors one after another."""

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def merge(self, inputs):
        return tf.concat(inputs, self.axis)


@export("keras.layers.concatenate")
def concatenate(inputs, axis=-1, **kwargs):
    return Concatenate(axis=axis, **kwargs)(inputs)
