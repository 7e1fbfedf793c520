"""tf.contrib.rnn: cells whose recurrence is elementwise, SRU and the independently recurrent family."""

from .. import dtypes, engine, initializers, ops
from ..layers.base import InputSpec
from ..tensor_shape import TensorShape
from .cells import BIAS, KERNEL, LayerRNNCell, LSTMStateTuple
from .gated import rnn_export


class _Elementwise(LayerRNNCell):
    """Base of these cells."""

    def __init__(self, num_units, activation, reuse, name, dtype=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation or engine.tanh

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def _depth(self, inputs_shape):
        depth = TensorShape(inputs_shape).as_list()[1]
        if depth is None:
            raise ValueError("Expected inputs.shape[-1] to be known, saw shape: %s" % inputs_shape)
        return depth

    def _recurrent(self, name, size):
        return self.add_variable(name, shape=[1, size], initializer=initializers.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype))


@rnn_export("SRUCell")
class SRUCell(_Elementwise):
    """Simple recurrent unit: its gates depend only on the inputs."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, **kwargs)

    def build(self, inputs_shape):
        self._kernel = self.add_variable(KERNEL, shape=[self._depth(inputs_shape), 4 * self._num_units])
        self._bias = self.add_variable(BIAS, shape=[2 * self._num_units], initializer=initializers.zeros_initializer)
        self.built = True

    def call(self, inputs, state):
        x, f, r, carried = engine.split(value=engine.matmul(inputs, self._kernel), num_or_size_splits=4, axis=1)
        gates = engine.sigmoid(engine.nn.bias_add(engine.concat([f, r], 1), self._bias))
        f, r = engine.split(value=gates, num_or_size_splits=2, axis=1)
        c = f * state + (1.0 - f) * x
        h = r * self._activation(c) + (1.0 - r) * carried
        return h, c


@rnn_export("IndRNNCell")
class IndRNNCell(_Elementwise):
    """output = state = activation(W · inputs + u * state + b)"""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape):
        depth, n = self._depth(inputs_shape), self._num_units
        self._kernel_w = self.add_variable(KERNEL + "_w", shape=[depth, n])
        self._kernel_u = self._recurrent(KERNEL + "_u", n)
        self._bias = self.add_variable(BIAS, shape=[n], initializer=initializers.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        joined = engine.nn.bias_add(engine.matmul(inputs, self._kernel_w) + state * self._kernel_u, self._bias)
        output = self._activation(joined)
        return output, output


@rnn_export("IndyGRUCell")
class IndyGRUCell(_Elementwise):
    """A GRU with elementwise recurrence."""

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def build(self, inputs_shape):
        depth, n, given = self._depth(inputs_shape), self._num_units, self._bias_initializer
        self._gate_kernel_w = self.add_variable("gates/%s_w" % KERNEL, shape=[depth, 2 * n], initializer=self._kernel_initializer)
        self._gate_kernel_u = self._recurrent("gates/%s_u" % KERNEL, 2 * n)
        self._gate_bias = self.add_variable("gates/" + BIAS, shape=[2 * n], initializer=given if given is not None else initializers.constant_initializer(1.0, dtype=self.dtype))
        self._candidate_kernel_w = self.add_variable("candidate/" + KERNEL, shape=[depth, n], initializer=self._kernel_initializer)
        self._candidate_kernel_u = self._recurrent("candidate/%s_u" % KERNEL, n)
        self._candidate_bias = self.add_variable("candidate/" + BIAS, shape=[n], initializer=given if given is not None else initializers.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        joined = engine.matmul(inputs, self._gate_kernel_w) + engine.tile(state, [1, 2]) * self._gate_kernel_u
        r, u = engine.split(value=engine.sigmoid(engine.nn.bias_add(joined, self._gate_bias)), num_or_size_splits=2, axis=1)
        r_state = r * state
        candidate = engine.matmul(inputs, self._candidate_kernel_w) + r_state * self._candidate_kernel_u
        c = self._activation(engine.nn.bias_add(candidate, self._candidate_bias))
        new = u * state + (1 - u) * c
        return new, new


@rnn_export("IndyLSTMCell")
class IndyLSTMCell(_Elementwise):
    """An LSTM with elementwise recurrence."""

    def __init__(self, num_units, forget_bias=1.0, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)
        self._forget_bias, self._kernel_initializer, self._bias_initializer = forget_bias, kernel_initializer, bias_initializer

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))

    def build(self, inputs_shape):
        depth, n, given = self._depth(inputs_shape), self._num_units, self._bias_initializer
        self._kernel_w = self.add_variable(KERNEL + "_w", shape=[depth, 4 * n], initializer=self._kernel_initializer)
        self._kernel_u = self._recurrent(KERNEL + "_u", 4 * n)
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=given if given is not None else initializers.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        one = ops.constant(1, dtype=dtypes.int32)
        c, h = state
        joined = engine.matmul(inputs, self._kernel_w)
        joined += engine.tile(h, [1, 4]) * self._kernel_u
        i, j, f, o = engine.split(value=engine.nn.bias_add(joined, self._bias), num_or_size_splits=4, axis=one)
        forget = ops.constant(self._forget_bias, dtype=f.dtype)
        kept = engine.multiply(c, engine.sigmoid(engine.add(f, forget)))
        new_c = engine.add(kept, engine.multiply(engine.sigmoid(i), self._activation(j)))
        new_h = engine.multiply(self._activation(new_c), engine.sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h)
