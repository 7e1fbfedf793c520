"""tensorflow.python.keras.layers.recurrent_v2: GRU and LSTM with the defaults of TensorFlow 2."""

from .. import dtypes, ops
from ..layers import lookups
from . import recurrent

_RUNTIME_UNKNOWN, _RUNTIME_CPU, _RUNTIME_GPU = 0, 1, 2  # which implementation computed an output


def _runtime(number):
    return ops.constant(number, dtype=dtypes.float32, name="runtime")


class GRUCell(recurrent.GRUCell):
    """A gated unit whose reset gate is applied after the multiplication."""

    def __init__(self, units, activation="tanh", recurrent_activation="sigmoid", use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0., recurrent_dropout=0., implementation=2, reset_after=True, **kwargs):
        super().__init__(units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, kernel_regularizer,
                         recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, implementation,
                         reset_after, **kwargs)


class LSTMCell(recurrent.LSTMCell):
    """Long short-term memory with sigmoid gates."""

    def __init__(self, units, activation="tanh", recurrent_activation="sigmoid", use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0., recurrent_dropout=0., implementation=2, **kwargs):
        super().__init__(units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
                         recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, implementation, **kwargs)


def _with_runtime(plain):
    """The class of a layer whose calls can also say which implementation ran."""
    class Layer(plain):
        __doc__ = plain.__doc__

        def __init__(self, units, *args, **kwargs):
            self.__dict__["return_runtime"] = kwargs.pop("return_runtime", False)
            super().__init__(units, *args, **kwargs)
            with ops.init_scope():
                eager = ops.executing_eagerly()
            self.could_use_cudnn = bool(eager and self.activation is lookups.tanh and self.recurrent_activation is lookups.sigmoid and not self.recurrent_dropout and
                                        not self.unroll and self.use_bias and getattr(self, "reset_after", True))

        def call(self, inputs, mask=None, training=None, initial_state=None):
            outputs = super().call(inputs, mask=mask, training=training, initial_state=initial_state)
            if not self.return_runtime or self.return_state:
                return outputs
            return outputs, _runtime(_RUNTIME_CPU if self.could_use_cudnn else _RUNTIME_UNKNOWN)

    Layer.__name__ = Layer.__qualname__ = plain.__name__
    return Layer


GRU = _with_runtime(recurrent._sequence_layer("GRU", GRUCell, "A layer of gated recurrent units.", is_public=False))
LSTM = _with_runtime(recurrent._sequence_layer("LSTM", LSTMCell, "A layer of long short-term memory.", is_public=False))
