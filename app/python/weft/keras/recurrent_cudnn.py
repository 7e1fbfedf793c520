"""tf.keras.layers.CuDNNGRU and CuDNNLSTM: recurrent layers with cuDNN's weight layout, on any device."""

from .. import engine, initializers
from ..layers import lookups
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..util import nest
from .cells import GRUCell, LSTMCell
from .recurrent import RNN


def _as_read(weights, units, gates):
    """Weights in cuDNN's layout: the matrix of each gate is read row by row."""
    size = weights.shape.as_list()[0]
    return engine.concat([engine.transpose(engine.reshape(part, [units, size])) for part in engine.split(weights, gates, axis=1)], axis=1)


class _CudnnCell:
    """A cell with cuDNN's weights: separate biases for inputs and states, tanh and sigmoid."""

    _one_bias = True  # the sum of both biases; a GRU needs the one of the states separately

    def _bias_shape(self):
        return (2 * self.units * self._gates,)

    def prepare(self):
        """Reads the weights once for all steps."""
        self.stored = self.kernel, self.recurrent_kernel, self.bias
        kernel, again = (_as_read(w, self.units, self._gates) for w in self.stored[:2])
        bias = engine.reshape(self.bias, [2, self.units * self._gates])
        self.__dict__.update(kernel=kernel, recurrent_kernel=again, bias=engine.reduce_sum(bias, axis=0) if self._one_bias else bias)

    def put_back(self):
        self.__dict__.update(zip(("kernel", "recurrent_kernel", "bias"), self.stored))


class _CudnnGRUCell(_CudnnCell, GRUCell):
    _one_bias = False


class _CudnnLSTMCell(_CudnnCell, LSTMCell):
    def _first_bias(self):
        if not self.unit_forget_bias:
            return self.bias_initializer
        parts = ((self.bias_initializer, 5), (initializers.ones_initializer(), 1), (self.bias_initializer, 2))
        return lambda _, *args, **kwargs: engine.concat([make((self.units * n,), *args, **kwargs) for make, n in parts], axis=0)


class _CudnnRNN(RNN):
    _names = ("units", "kernel_initializer", "recurrent_initializer", "bias_initializer", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "activity_regularizer",
              "kernel_constraint", "recurrent_constraint", "bias_constraint")

    def _make(self, cell, more, activity_regularizer, return_sequences, return_state, go_backwards, stateful, kwargs):
        RNN.__init__(self, cell, return_sequences, return_state, go_backwards, stateful, activity_regularizer=lookups.regularizer(activity_regularizer), **kwargs)
        for name, value in dict(more, units=cell.units).items():
            setattr(self, name, value)
        for name in ("initializer", "regularizer", "constraint"):
            for part in ("kernel", "recurrent", "bias"):
                setattr(self, "%s_%s" % (part, name), getattr(cell, "%s_%s" % (part, name)))
        self.supports_masking = False

    def call(self, inputs, mask=None, training=None, initial_state=None):
        if any(m is not None for m in nest.flatten(mask)):
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        self.cell.prepare()
        try:
            return super().call(inputs, None, training, initial_state)
        finally:
            self.cell.put_back()

    def get_config(self):
        config = RNN.get_config(self)
        for name in ("cell", "unroll"):
            config.pop(name)
        return kept(self, config, *self._names)

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _layer(name, cell_class, doc, gates, extra):
    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, return_state=False, go_backwards=False, stateful=False, **kwargs):
        own = {k: kwargs.pop(k, v) for k, v in extra.items()}
        typed = {k: kwargs[k] for k in ("dtype", "trainable") if k in kwargs}
        cell = cell_class(units, kernel_initializer=kernel_initializer, recurrent_initializer=recurrent_initializer, bias_initializer=bias_initializer,
                          kernel_regularizer=kernel_regularizer, recurrent_regularizer=recurrent_regularizer, bias_regularizer=bias_regularizer,
                          kernel_constraint=kernel_constraint, recurrent_constraint=recurrent_constraint, bias_constraint=bias_constraint, recurrent_activation="sigmoid",
                          **gates, **own, **typed)
        self._make(cell, own, activity_regularizer, return_sequences, return_state, go_backwards, stateful, kwargs)

    body = {"__init__": __init__, "__doc__": doc, "__module__": __name__, "_names": _CudnnRNN._names + tuple(extra)}
    return keras_class(name)(type(name, (_CudnnRNN,), body))


CuDNNGRU = _layer("CuDNNGRU", _CudnnGRUCell, "A layer of gated recurrent units with cuDNN's weights.", {"reset_after": True}, {})
CuDNNLSTM = _layer("CuDNNLSTM", _CudnnLSTMCell, "A layer of long short-term memory with cuDNN's weights.", {}, {"unit_forget_bias": True})
