"""NASCell: a cell found by architecture search."""

from .. import engine, initializers
from ..exports import export
from ..tensor_shape import as_shape
from .cells import LSTMStateTuple, LayerRNNCell

_BRANCHES = 8


@export("contrib.rnn.NASCell")
class NASCell(LayerRNNCell):
    """Eight branches from input and output, combined in three layers."""

    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias
        out = num_units if num_proj is None else num_proj
        self._state_size, self._output_size = LSTMStateTuple(num_units, out), out

    @property
    def state_size(self):
        return self._state_size

    @property
    def output_size(self):
        return self._output_size

    def build(self, inputs_shape):
        size = as_shape(inputs_shape).with_rank(2)[1].value
        if size is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        width = _BRANCHES * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self._output_size, width])
        self.kernel = self.add_variable("kernel", [size, width])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[width], initializer=initializers.zeros_initializer)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs, state):
        c, m = state
        from_output = engine.matmul(m, self.recurrent_kernel)
        from_input = engine.matmul(inputs, self.kernel)
        if self._use_bias:
            from_output = engine.nn.bias_add(from_output, self.bias)
        old = engine.split(axis=1, num_or_size_splits=_BRANCHES, value=from_output)
        new = engine.split(axis=1, num_or_size_splits=_BRANCHES, value=from_input)
        functions = [engine.sigmoid, engine.nn.relu, engine.sigmoid, engine.nn.relu, engine.tanh, engine.sigmoid, engine.tanh, engine.sigmoid]
        first = [f(new[i] * old[i] if i == 3 else new[i] + old[i]) for i, f in enumerate(functions)]
        second = [engine.tanh(first[0] * first[1]), engine.tanh(first[2] + first[3]), engine.tanh(first[4] * first[5]), engine.sigmoid(first[6] + first[7])]
        second[0] = engine.tanh(second[0] + c)
        new_c = second[0] * second[1]
        new_m = engine.tanh(new_c * engine.tanh(second[2] + second[3]))
        if self._num_proj is not None:
            new_m = engine.matmul(new_m, self.projection_weights)
        return new_m, LSTMStateTuple(new_c, new_m)
