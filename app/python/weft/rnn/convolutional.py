"""tf.contrib.rnn: LSTMs whose products are convolutions."""

from .. import engine, initializers
from ..tensor_shape import TensorShape
from ..variable_scope import get_variable
from .cells import LSTMStateTuple, RNNCell
from .gated import rnn_export


def _convolved(args, filter_size, features, bias):
    shapes = [a.get_shape().as_list() for a in args]
    rank, depth = len(shapes[0]), 0
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError("Conv Linear expects 3D, 4D or 5D arguments: %s" % str(shapes))
        if len(shape) != rank:
            raise ValueError("Conv Linear expects all args to be of same Dimension: %s" % str(shapes))
        depth += shape[-1]
    convolution = {3: engine.nn.conv1d, 4: engine.nn.conv2d, 5: engine.nn.conv3d}[rank]
    strides = 1 if rank == 3 else rank * [1]
    dtype = args[0].dtype
    kernel = get_variable("kernel", filter_size + [depth, features], dtype=dtype)
    out = convolution(args[0] if len(args) == 1 else engine.concat(axis=rank - 1, values=args), kernel, strides, padding="SAME")
    if not bias:
        return out
    return out + get_variable("biases", [features], dtype=dtype, initializer=initializers.constant_initializer(0.0, dtype=dtype))


@rnn_export("ConvLSTMCell")
class ConvLSTMCell(RNNCell):
    """An LSTM over positions in one to three dimensions."""

    def __init__(self, conv_ndims, input_shape, output_channels, kernel_shape, use_bias=True, skip_connection=False, forget_bias=1.0, initializers=None, name="conv_lstm_cell"):
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError("Invalid input_shape {} for conv_ndims={}.".format(input_shape, conv_ndims))
        del initializers  # TensorFlow 1.15 does not read it either
        self._conv_ndims, self._kernel_shape, self._use_bias, self._skip_connection, self._forget_bias = conv_ndims, list(kernel_shape), use_bias, skip_connection, forget_bias
        self._output_channels = output_channels
        size = TensorShape(input_shape[:-1] + [output_channels])
        self._state_size = LSTMStateTuple(size, size)
        self._output_size = TensorShape(input_shape[:-1] + [output_channels + (input_shape[-1] if skip_connection else 0)])

    state_size = property(lambda self: self._state_size)
    output_size = property(lambda self: self._output_size)

    def call(self, inputs, state, scope=None):
        cell, hidden = state
        joined = _convolved([inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias)
        i, j, f, o = engine.split(value=joined, num_or_size_splits=4, axis=self._conv_ndims + 1)
        new_cell = engine.sigmoid(f + self._forget_bias) * cell
        new_cell += engine.sigmoid(i) * engine.tanh(j)
        output = engine.tanh(new_cell) * engine.sigmoid(o)
        if self._skip_connection:
            output = engine.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


@rnn_export("Conv1DLSTMCell")
class Conv1DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over one dimension."""

    def __init__(self, name="conv_1d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=1, name=name, **kwargs)


@rnn_export("Conv2DLSTMCell")
class Conv2DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over two dimensions."""

    def __init__(self, name="conv_2d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=2, name=name, **kwargs)


@rnn_export("Conv3DLSTMCell")
class Conv3DLSTMCell(ConvLSTMCell):
    """ConvLSTMCell over three dimensions."""

    def __init__(self, name="conv_3d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=3, name=name, **kwargs)
