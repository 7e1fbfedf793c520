"""tf.keras.layers.ConvLSTM2D: LSTM with convolutions instead of matrix products."""

from .. import engine, initializers
from . import backend, backend_functions
from .cells import _Cell
from .recurrent import RNN
from ..layers import lookups
from ..layers.base import InputSpec
from ..layers.convolutional import format_of, output_length, padding_of, tuple_of
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape


class ConvLSTM2DCell(_Cell):
    """A cell for images: its gates are convolutions of the input and the state."""

    _settings = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation", "recurrent_activation", "use_bias", "kernel_initializer",
                 "recurrent_initializer", "bias_initializer", "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "kernel_constraint",
                 "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0., recurrent_dropout=0.,
                 **kwargs):
        super().__init__(filters, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer,
                         kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, **kwargs)
        self.filters, self.kernel_size, self.strides = filters, tuple_of(kernel_size, 2, "kernel_size"), tuple_of(strides, 2, "strides")
        self.padding, self.data_format = padding_of(padding), format_of(data_format or backend.image_data_format())
        self.dilation_rate, self.recurrent_activation = tuple_of(dilation_rate, 2, "dilation_rate"), lookups.activation(recurrent_activation)
        self.unit_forget_bias, self.state_size, self.output_size = unit_forget_bias, (filters, filters), None

    def build(self, input_shape):
        channels = TensorShape(input_shape).as_list()[1 if self.data_format == "channels_first" else -1]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.kernel_shape = self.kernel_size + (channels, self.filters * 4)
        for name, shape in (("kernel", self.kernel_shape), ("recurrent_kernel", self.kernel_size + (self.filters, self.filters * 4))):
            part = name.split("_")[0]
            setattr(self, name, self.add_weight(name, shape=shape, initializer=getattr(self, part + "_initializer"), regularizer=getattr(self, part + "_regularizer"),
                                                constraint=getattr(self, part + "_constraint")))
        self.bias = self.add_weight("bias", shape=(self.filters * 4,), initializer=self._first_bias(), regularizer=self.bias_regularizer,
                                    constraint=self.bias_constraint) if self.use_bias else None
        self.built = True

    def _first_bias(self):
        if not self.unit_forget_bias:
            return self.bias_initializer
        parts = ((self.bias_initializer, 1), (initializers.ones_initializer(), 1), (self.bias_initializer, 2))
        return lambda _, *args, **kwargs: engine.concat([make((self.filters * n,), *args, **kwargs) for make, n in parts], axis=0)

    def call(self, inputs, states, training=None):
        before, carry = states[0], states[1]
        drop, again = self._mask("in", self.dropout, inputs, training, 4), self._mask("state", self.recurrent_dropout, before, training, 4)
        kernels, state_kernels = engine.split(self.kernel, 4, axis=3), engine.split(self.recurrent_kernel, 4, axis=3)
        biases = engine.split(self.bias, 4) if self.use_bias else [None] * 4
        x = [self.input_conv(inputs * drop[k] if drop else inputs, kernels[k], biases[k], self.padding) for k in range(4)]
        h = [self.recurrent_conv(before * again[k] if again else before, state_kernels[k]) for k in range(4)]
        i, f = self.recurrent_activation(x[0] + h[0]), self.recurrent_activation(x[1] + h[1])
        carry = f * carry + i * self.activation(x[2] + h[2])
        output = self.recurrent_activation(x[3] + h[3]) * self.activation(carry)
        return output, [output, carry]

    def input_conv(self, x, w, b=None, padding="valid"):
        made = backend_functions.conv2d(x, w, strides=self.strides, padding=padding, data_format=self.data_format, dilation_rate=self.dilation_rate)
        return made if b is None else backend_functions.bias_add(made, b, data_format=self.data_format)

    def recurrent_conv(self, x, w):
        return backend_functions.conv2d(x, w, strides=(1, 1), padding="same", data_format=self.data_format)


class ConvRNN2D(RNN):
    """Applies such a cell to the steps of a sequence of images."""

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False, **kwargs):
        if unroll:
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        if isinstance(cell, (list, tuple)):
            raise TypeError("It is not possible at the moment tostack convolutional cells.")
        super().__init__(cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs)
        self.input_spec = [InputSpec(ndim=5)]

    def _output_sizes(self, input_shape):
        sizes = TensorShape(self._first(input_shape)).as_list()
        cell, first = self.cell, self.cell.data_format == "channels_first"
        inner = [output_length(n, cell.kernel_size[i], cell.padding, cell.strides[i], cell.dilation_rate[i]) for i, n in enumerate(sizes[3:5] if first else sizes[2:4])]
        return sizes[:2], [cell.filters] + inner if first else inner + [cell.filters]

    def compute_output_shape(self, input_shape):
        (batch, steps), inner = self._output_sizes(input_shape)
        out = TensorShape([batch, steps] + inner if self.return_sequences else [batch] + inner)
        return [out, TensorShape([batch] + inner), TensorShape([batch] + inner)] if self.return_state else out

    def _state_shapes(self, batch):
        sizes = self._output_sizes(TensorShape(self.input_spec[0].shape))[1]
        if None in sizes:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n- If using a Sequential model, specify the "
                             "batch size by passing a `batch_input_shape` argument to your first layer.\n- If using the functional API, specify the time dimension by passing a "
                             "`batch_shape` argument to your Input layer.\nThe same thing goes for the number of rows and columns.")
        return [[batch] + sizes] * 2

    def _check_states(self, shapes, given):
        channel = 1 if self.cell.data_format == "channels_first" else 3
        if [s[channel] for s in shapes] != list(self.cell.state_size):
            raise ValueError("An initial_state was passed that is not compatible with `cell.state_size`. Received `state_spec`={}; However `cell.state_size` is {}".format(
                [tuple(s) for s in shapes], self.cell.state_size))

    def get_initial_state(self, inputs):
        shape = self.cell.kernel_shape[:-1] + (self.cell.filters,)
        state = self.cell.input_conv(engine.reduce_sum(engine.zeros_like(inputs), axis=1), engine.zeros(shape), padding=self.cell.padding)
        return [state, state]


@keras_class("ConvLSTM2D")
class ConvLSTM2D(ConvRNN2D):
    """An LSTM over sequences of images."""

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, go_backwards=False, stateful=False, dropout=0., recurrent_dropout=0., **kwargs):
        given = locals()
        cell = ConvLSTM2DCell(**{name: given[name] for name in ConvLSTM2DCell._settings}, dtype=kwargs.get("dtype"))
        super().__init__(cell, return_sequences=return_sequences, go_backwards=go_backwards, stateful=stateful, activity_regularizer=lookups.regularizer(activity_regularizer),
                         **kwargs)

    def get_config(self):
        config = super().get_config()
        config.pop("cell")
        config["activity_regularizer"] = lookups.text_of(self._activity_regularizer) if self._activity_regularizer else None
        return kept(self.cell, config, *ConvLSTM2DCell._settings)

    @classmethod
    def from_config(cls, config):
        return cls(**config)


for _name in ConvLSTM2DCell._settings:
    setattr(ConvLSTM2D, _name, property(lambda self, name=_name: getattr(self.cell, name)))
del _name
