"""tf.contrib.rnn: variants of gated cells, with variables of the current scope."""

from .. import basics, dtypes, engine, initializers, ops
from ..contrib.normalization import layer_norm
from ..exports import export
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from .cells import LSTMStateTuple, RNNCell
from .projections import Linear


def rnn_export(name):
    return export("contrib.rnn." + name)


def known_size(inputs):
    """The inputs' last dimension, which must be known."""
    size = inputs.get_shape().with_rank(2).as_list()[1]
    if size is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return size


def sharded_variable(name, shape, dtype, num_shards):
    """A variable in `num_shards` parts along its rows, concatenated once per scope."""
    if num_shards > shape[0]:
        raise ValueError("Too many shards: shape=%s, num_shards=%d" % (shape, num_shards))
    rows, more = divmod(shape[0], num_shards)
    parts = [get_variable("%s_%d" % (name, i), [rows + (i < more)] + shape[1:], dtype=dtype) for i in range(num_shards)]
    if len(parts) == 1:
        return parts[0]
    joined = get_variable_scope().name + "/" + name + "/concat:0"
    for value in ops.get_collection(GraphKeys.CONCATENATED_VARIABLES):
        if value.name == joined:
            return value
    made = engine.concat(parts, 0, name=name + "/concat")
    ops.add_to_collection(GraphKeys.CONCATENATED_VARIABLES, made)
    return made


def normalized(gain, shift, inputs, scope):
    """Layer normalization with initial gain and shift."""
    shape = inputs.get_shape()[-1:]
    with variable_scope(scope):
        get_variable("gamma", shape=shape, initializer=initializers.constant_initializer(gain))
        get_variable("beta", shape=shape, initializer=initializers.constant_initializer(shift))
    return layer_norm(inputs, reuse=True, scope=scope)


@rnn_export("CoupledInputForgetGateLSTMCell")
class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM whose input gate is one minus the forget gate."""

    def __init__(self, num_units, use_peepholes=False, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=1, num_proj_shards=1, forget_bias=1.0,
                 state_is_tuple=True, activation=engine.tanh, reuse=None, layer_norm=False, norm_gain=1.0, norm_shift=0.0):
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            logging.warn("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self)
        self._num_units, self._use_peepholes, self._initializer, self._num_proj, self._proj_clip = num_units, use_peepholes, initializer, num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards, self._forget_bias = num_unit_shards, num_proj_shards, forget_bias
        self._state_is_tuple, self._activation = state_is_tuple, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift
        self._output_size = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, self._output_size) if state_is_tuple else num_units + self._output_size

    state_size = property(lambda self: self._state_size)
    output_size = property(lambda self: self._output_size)

    def call(self, inputs, state):
        n, dtype, sigmoid = self._num_units, inputs.dtype, engine.sigmoid
        out = n if self._num_proj is None else self._num_proj
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = engine.slice(state, [0, 0], [-1, n])
            m_prev = engine.slice(state, [0, n], [-1, out])
        kernel = sharded_variable("W", [known_size(inputs) + out, 3 * n], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[3 * n], initializer=initializers.zeros_initializer(), dtype=dtype)
        joined = engine.matmul(engine.concat([inputs, m_prev], 1), kernel)
        if not self._layer_norm:
            joined = engine.nn.bias_add(joined, bias)
        gates = engine.split(value=joined, num_or_size_splits=3, axis=1)
        if self._layer_norm:
            gates = [normalized(self._norm_gain, self._norm_shift, g, name) for g, name in zip(gates, ("transform", "forget", "output"))]
        j, f, o = gates
        if self._use_peepholes:
            f_diag = get_variable("W_F_diag", shape=[n], dtype=dtype)
            o_diag = get_variable("W_O_diag", shape=[n], dtype=dtype)
            f = sigmoid(f + self._forget_bias + f_diag * c_prev)
        else:
            f = sigmoid(f + self._forget_bias)
        c = f * c_prev + (1 - f) * self._activation(j)
        if self._layer_norm:
            c = normalized(self._norm_gain, self._norm_shift, c, "state")
        m = (sigmoid(o + o_diag * c) if self._use_peepholes else sigmoid(o)) * self._activation(c)
        if self._num_proj is not None:
            m = engine.matmul(m, sharded_variable("W_P", [n, self._num_proj], dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                m = engine.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else engine.concat([c, m], 1)


class _OneState(RNNCell):
    """A cell whose state and output have num_units elements."""

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)


@rnn_export("UGRNNCell")
class UGRNNCell(_OneState):
    """The update gate RNN: one gate mixes the old state and the new one."""

    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=engine.tanh, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._forget_bias, self._activation, self._linear = num_units, initializer, forget_bias, activation, None

    def call(self, inputs, state):
        known_size(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            both = engine.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 2 * self._num_units, True)
            gate, new = engine.split(axis=1, num_or_size_splits=2, value=self._linear(both))
            new = self._activation(new)
            gate = engine.sigmoid(gate + self._forget_bias)
            state = gate * state + (1.0 - gate) * new
        return state, state


@rnn_export("IntersectionRNNCell")
class IntersectionRNNCell(_OneState):
    """Gates along time and along depth."""

    def __init__(self, num_units, num_in_proj=None, initializer=None, forget_bias=1.0, y_activation=engine.nn.relu, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._num_input_proj, self._initializer, self._forget_bias, self._y_activation = num_units, num_in_proj, initializer, forget_bias, y_activation
        self._linear1 = self._linear2 = None

    def call(self, inputs, state):
        n = self._num_units
        size = known_size(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            if size != n:
                if not self._num_input_proj:
                    raise ValueError("Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to num_units at cell init.")
                with variable_scope("in_projection"):
                    if self._linear1 is None:
                        self._linear1 = Linear(inputs, n, True)
                    inputs = self._linear1(inputs)
            both = engine.concat([inputs, state], 1)
            if self._linear2 is None:
                self._linear2 = Linear(both, 4 * n, True)
            joined = self._linear2(both)
            gate_h, h, gate_y, y = joined[:, :n], joined[:, n:2 * n], joined[:, 2 * n:3 * n], joined[:, 3 * n:4 * n]
            h = engine.tanh(h)
            y = self._y_activation(y)
            gate_h = engine.sigmoid(gate_h + self._forget_bias)
            gate_y = engine.sigmoid(gate_y + self._forget_bias)
            new_state = gate_h * state + (1.0 - gate_h) * h
            new_y = gate_y * inputs + (1.0 - gate_y) * y
        return new_y, new_state


@rnn_export("PhasedLSTMCell")
class PhasedLSTMCell(RNNCell):
    """An LSTM whose gates open periodically in time. Its inputs are (time, values)."""

    def __init__(self, num_units, use_peepholes=False, leak=0.001, ratio_on=0.1, trainable_ratio_on=True, period_init_min=1.0, period_init_max=1000.0, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak, self._ratio_on, self._trainable_ratio_on = num_units, use_peepholes, leak, ratio_on, trainable_ratio_on
        self._period_init_min, self._period_init_max = period_init_min, period_init_max
        self._linears = {}

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _through(self, scope, args, size, activation):
        if scope not in self._linears:
            self._linears[scope] = Linear(args, size, True)
        return activation(self._linears[scope](args))

    def _period(self, shape, dtype=dtypes.float32, partition_info=None):
        return engine.exp(engine.random_uniform(shape, engine.log(self._period_init_min), engine.log(self._period_init_max), dtype))

    @staticmethod
    def _cycle_ratio(time, phase, period):
        phase = basics.cast(phase, dtype=time.dtype)
        period = basics.cast(period, dtype=time.dtype)
        shifted = time - phase
        # Leave out the gradient of mod() with respect to the period.
        ratio = (engine.stop_gradient(engine.mod(shifted, period) - shifted) + shifted) / period
        return basics.cast(ratio, dtype=dtypes.float32)

    def call(self, inputs, state):
        n = self._num_units
        c_prev, h_prev = state
        time, x = inputs
        with variable_scope("mask_gates"):
            gates = self._through("mask_gates", [x, h_prev] + ([c_prev] if self._use_peepholes else []), 2 * n, engine.sigmoid)
            input_gate, forget_gate = engine.split(axis=1, num_or_size_splits=2, value=gates)
        with variable_scope("new_input"):
            new_input = self._through("new_input", [x, h_prev], n, engine.tanh)
        new_c = c_prev * forget_gate + input_gate * new_input
        with variable_scope("output_gate"):
            output_gate = self._through("output_gate", [x, h_prev] + ([new_c] if self._use_peepholes else []), n, engine.sigmoid)
        new_h = engine.tanh(new_c) * output_gate
        period = get_variable("period", [n], initializer=self._period)
        phase = get_variable("phase", [n], initializer=initializers.random_uniform_initializer(0.0, period.initial_value))
        ratio_on = get_variable("ratio_on", [n], initializer=initializers.constant_initializer(self._ratio_on), trainable=self._trainable_ratio_on)
        cycle = self._cycle_ratio(time, phase, period)
        up = 2 * cycle / ratio_on
        down = 2 - up
        closed = self._leak * cycle
        k = engine.where(cycle < ratio_on, down, closed)
        k = engine.where(cycle < 0.5 * ratio_on, up, k)
        new_c = k * new_c + (1 - k) * c_prev
        new_h = k * new_h + (1 - k) * h_prev
        return new_h, LSTMStateTuple(new_c, new_h)


@rnn_export("GLSTMCell")
class GLSTMCell(RNNCell):
    """An LSTM in groups without connections between them."""

    def __init__(self, num_units, initializer=None, num_proj=None, number_of_groups=1, forget_bias=1.0, activation=engine.tanh, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._num_proj, self._number_of_groups = num_units, initializer, num_proj, number_of_groups
        self._forget_bias, self._activation = forget_bias, activation
        if num_units % number_of_groups != 0:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups != 0:
            raise ValueError("num_proj must be divisible by number_of_groups")
        self._output_size = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, self._output_size)
        self._linear1, self._linear2 = [None] * number_of_groups, None

    state_size = property(lambda self: self._state_size)
    output_size = property(lambda self: self._output_size)

    @staticmethod
    def _of_group(values, group, size, rows):
        return engine.slice(values, begin=[0, group * size], size=[rows, size], name="GLSTM_group%d_input_generation" % group)

    def call(self, inputs, state):
        c_prev, m_prev = state
        groups, n, dtype = self._number_of_groups, self._num_units, inputs.dtype
        rows, size = inputs.get_shape().as_list()
        rows = rows or basics.shape(inputs)[0]
        if size is None:
            raise ValueError("input size must be statically known")
        if size % groups != 0:
            raise ValueError("input size (%d) must be divisible by number_of_groups (%d)" % (size, groups))
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            parts = []
            for group in range(groups):
                with variable_scope("group%d" % group):
                    x = engine.concat([self._of_group(inputs, group, size // groups, rows), self._of_group(m_prev, group, self._output_size // groups, rows)], axis=1)
                    if self._linear1[group] is None:
                        self._linear1[group] = Linear(x, 4 * (n // groups), False)
                    parts.append(engine.split(self._linear1[group](x), 4, 1))
            biases = [get_variable(name="bias_" + k, shape=[n], dtype=dtype, initializer=initializers.constant_initializer(0.0, dtype=dtype)) for k in "ijfo"]
            i, j, f, o = [engine.nn.bias_add(engine.concat([p[k] for p in parts], axis=1), biases[k]) for k in range(4)]
        c = engine.sigmoid(f + self._forget_bias) * c_prev + engine.sigmoid(i) * engine.tanh(j)
        m = engine.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                if self._linear2 is None:
                    self._linear2 = Linear(m, self._num_proj, False)
                m = self._linear2(m)
        return m, LSTMStateTuple(c, m)
