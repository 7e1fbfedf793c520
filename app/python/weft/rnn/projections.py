"""tf.contrib.rnn: cells with projections, embeddings, attention, highway connections and normalization."""

import math

from .. import dtypes, engine, initializers, ops
from ..contrib.normalization import layer_norm
from ..exports import export
from ..layers.base import InputSpec
from ..op_calls import raw
from ..platform import tf_logging as logging
from ..util import nest
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from .cells import LayerRNNCell, LSTMStateTuple, RNNCell, assert_like_rnncell



def _rnn(name):
    return export("contrib.rnn." + name)


class Linear:
    """W · [args] + b, with variables of the current scope that are created once."""

    def __init__(self, args, output_size, build_bias, bias_initializer=None, kernel_initializer=None):
        self._build_bias = build_bias
        if args is None or nest.is_sequence(args) and not args:
            raise ValueError("`args` must be specified")
        self._is_sequence = nest.is_sequence(args)
        args = args if self._is_sequence else [args]
        shapes = [a.get_shape() for a in args]
        total = 0
        for shape in shapes:
            if shape.ndims != 2:
                raise ValueError("linear is expecting 2D arguments: %s" % shapes)
            if shape.as_list()[1] is None:
                raise ValueError("linear expects shape[1] to be provided for shape %s, but saw %s" % (shape, shape[1]))
            total += shape.as_list()[1]
        dtype = args[0].dtype
        with variable_scope(get_variable_scope()) as outer:
            self._weights = get_variable("kernel", [total, output_size], dtype=dtype, initializer=kernel_initializer)
            if build_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    if bias_initializer is None:
                        bias_initializer = initializers.constant_initializer(0.0, dtype=dtype)
                    self._biases = get_variable("bias", [output_size], dtype=dtype, initializer=bias_initializer)

    def __call__(self, args):
        args = args if self._is_sequence else [args]
        if len(args) == 1:
            result = engine.matmul(args[0], self._weights)
        else:
            one = ops.constant(1, dtype=dtypes.int32)
            result = engine.matmul(engine.concat(args, one), self._weights)
        return engine.nn.bias_add(result, self._biases) if self._build_bias else result


class _Around(RNNCell):
    """Has the states of the wrapped cell."""

    def __init__(self, cell, reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    @property
    def state_size(self):
        return self._cell.state_size

    @property
    def output_size(self):
        return self._cell.output_size

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


@_rnn("EmbeddingWrapper")
class EmbeddingWrapper(_Around):
    """A cell whose inputs are ids, looked up in an embedding matrix."""

    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError("Both embedding_classes and embedding_size must be > 0: %d, %d." % (embedding_classes, embedding_size))
        self._embedding_classes, self._embedding_size, self._initializer = embedding_classes, embedding_size, initializer

    def call(self, inputs, state):
        with ops.device("/cpu:0"):
            initializer = self._initializer or get_variable_scope().initializer
            if not initializer:
                width = math.sqrt(3)
                initializer = initializers.random_uniform_initializer(-width, width)
            dtype = state[0].dtype if isinstance(state, tuple) else state.dtype
            embedding = get_variable("embedding", [self._embedding_classes, self._embedding_size], initializer=initializer, dtype=dtype)
            return self._cell(engine.nn.embedding_lookup(embedding, engine.reshape(inputs, [-1])), state)


@_rnn("InputProjectionWrapper")
class InputProjectionWrapper(_Around):
    """Projects the inputs of a cell."""

    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_proj, self._activation, self._linear = num_proj, activation, None

    def call(self, inputs, state):
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


@_rnn("OutputProjectionWrapper")
class OutputProjectionWrapper(_Around):
    """Projects the outputs of a cell."""

    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError("Parameter output_size must be > 0: %d." % output_size)
        self._output_size, self._activation, self._linear = output_size, activation, None

    output_size = property(lambda self: self._output_size)

    def call(self, inputs, state):
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, state


@_rnn("AttentionCellWrapper")
class AttentionCellWrapper(_Around):
    """A cell with attention to its own last outputs."""

    def __init__(self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None, state_is_tuple=True, reuse=None):
        super().__init__(cell, reuse)
        if nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError("Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: %s" % str(cell.state_size))
        if attn_length <= 0:
            raise ValueError("attn_length should be greater than zero, got %s" % str(attn_length))
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._state_is_tuple, self._input_size, self._attn_length = state_is_tuple, input_size, attn_length
        self._linears = {}

    @property
    def state_size(self):
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        return self._attn_size

    zero_state = RNNCell.zero_state

    def _through(self, which, args, size):
        if which not in self._linears:
            self._linears[which] = Linear(args, size, True)
        return self._linears[which](args)

    def call(self, inputs, state):
        size, length = self._attn_size, self._attn_length
        if self._state_is_tuple:
            state, attns, states = state
        else:
            joined, own = state, self._cell.state_size
            state = engine.slice(joined, [0, 0], [-1, own])
            attns = engine.slice(joined, [0, own], [-1, size])
            states = engine.slice(joined, [0, own + size], [-1, size * length])
        states = engine.reshape(states, [-1, length, size])
        inputs = self._through("in", [inputs, attns], self._input_size or inputs.get_shape().as_list()[1])
        output, new_state = self._cell(inputs, state)
        query = engine.concat(nest.flatten(new_state), 1) if self._state_is_tuple else new_state
        new_attns, new_states = self._attend(query, states)
        with variable_scope("attn_output_projection"):
            output = self._through("out", [output, new_attns], size)
        new_states = engine.concat([new_states, engine.expand_dims(output, 1)], 1)
        new_states = engine.reshape(new_states, [-1, length * size])
        new = (new_state, new_attns, new_states)
        return output, new if self._state_is_tuple else engine.concat(list(new), 1)

    def _attend(self, query, states):
        size, length, width = self._attn_size, self._attn_length, self._attn_vec_size
        with variable_scope("attention"):
            k = get_variable("attn_w", [1, 1, size, width])
            v = get_variable("attn_v", [width])
            hidden = engine.reshape(states, [-1, length, 1, size])
            features = engine.nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME")
            y = engine.reshape(self._through("query", query, width), [-1, 1, 1, width])
            a = engine.nn.softmax(engine.reduce_sum(v * engine.tanh(features + y), [2, 3]))
            d = engine.reduce_sum(engine.reshape(a, [-1, length, 1, 1]) * hidden, [1, 2])
            return engine.reshape(d, [-1, size]), engine.slice(states, [0, 1, 0], [-1, -1, -1])


@_rnn("HighwayWrapper")
class HighwayWrapper(_Around):
    """A cell with a gated highway from its inputs to its outputs."""

    def __init__(self, cell, couple_carry_transform_gates=True, carry_bias_init=1.0):
        super().__init__(cell)
        self._couple, self._carry_bias_init = couple_carry_transform_gates, carry_bias_init

    def _gate(self, name, inp, bias):
        size = inp.get_shape().with_rank(2).as_list()[1]
        weight = get_variable(name + "_w", [size, size])
        b = get_variable(name + "_b", [size], initializer=initializers.constant_initializer(bias))
        return engine.sigmoid(engine.nn.xw_plus_b(inp, weight, b))

    def _highway(self, inp, out):
        inp.get_shape().assert_is_compatible_with(out.get_shape())
        carry = self._gate("carry", inp, self._carry_bias_init)
        transform = 1 - carry if self._couple else self._gate("transform", inp, -self._carry_bias_init)
        return inp * carry + out * transform

    def __call__(self, inputs, state, scope=None):
        outputs, new_state = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), new_state


@_rnn("LayerNormBasicLSTMCell")
class LayerNormBasicLSTMCell(RNNCell):
    """LSTM with layer normalization and recurrent dropout."""

    def __init__(self, num_units, forget_bias=1.0, input_size=None, activation=engine.tanh, layer_norm=True, norm_gain=1.0, norm_shift=0.0, dropout_keep_prob=1.0,
                 dropout_prob_seed=None, reuse=None):
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._num_units, self._activation, self._forget_bias = num_units, activation, forget_bias
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _norm(self, inp, scope, dtype=dtypes.float32):
        shape = inp.get_shape()[-1:]
        gamma, beta = initializers.constant_initializer(self._norm_gain), initializers.constant_initializer(self._norm_shift)
        with variable_scope(scope):
            get_variable("gamma", shape=shape, initializer=gamma, dtype=dtype)
            get_variable("beta", shape=shape, initializer=beta, dtype=dtype)
        return layer_norm(inp, reuse=True, scope=scope)

    def _linear(self, args):
        size = 4 * self._num_units
        weights = get_variable("kernel", [args.get_shape().as_list()[-1], size], dtype=args.dtype)
        out = engine.matmul(args, weights)
        if not self._layer_norm:
            out = engine.nn.bias_add(out, get_variable("bias", [size], dtype=args.dtype))
        return out

    def call(self, inputs, state):
        c, h = state
        args = engine.concat([inputs, h], 1)
        gates = engine.split(value=self._linear(args), num_or_size_splits=4, axis=1)
        if self._layer_norm:
            gates = [self._norm(g, scope, dtype=args.dtype) for g, scope in zip(gates, ("input", "transform", "forget", "output"))]
        i, j, f, o = gates
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = engine.nn.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * engine.sigmoid(f + self._forget_bias) + engine.sigmoid(i) * g
        if self._layer_norm:
            new_c = self._norm(new_c, "state", dtype=args.dtype)
        new_h = self._activation(new_c) * engine.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


@_rnn("LSTMBlockCell")
class LSTMBlockCell(LayerRNNCell):
    """LSTM in one op."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None, reuse=None, name="lstm_cell"):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        depth, n = inputs_shape.as_list()[1], self._num_units
        if not depth:
            raise ValueError("Expecting inputs_shape[1] to be set: %s" % str(inputs_shape))
        self._kernel = self.add_variable("kernel", [depth + n, n * 4])
        self._bias = self.add_variable("bias", [n * 4], initializer=initializers.constant_initializer(0.0))
        if self._use_peephole:
            self._diagonals = [self.add_variable(name, [n]) for name in ("w_i_diag", "w_f_diag", "w_o_diag")]
        self.built = True

    def call(self, inputs, state):
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        if self._use_peephole:
            wci, wcf, wco = self._diagonals
        else:
            wci = wcf = wco = engine.zeros([self._num_units], dtype=self.dtype)
        c, h = state
        out = raw("LSTMBlockCell")(x=inputs, cs_prev=c, h_prev=h, w=self._kernel, wci=wci, wcf=wcf, wco=wco, b=self._bias, forget_bias=self._forget_bias,
                                   cell_clip=self._cell_clip, use_peephole=self._use_peephole)
        return out[6], LSTMStateTuple(out[1], out[6])


@_rnn("GRUBlockCellV2")
class GRUBlockCellV2(LayerRNNCell):
    """GRU in one op."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")

    def __init__(self, num_units=None, cell_size=None, reuse=None, name="gru_cell"):
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size = num_units if num_units is not None else cell_size
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: self._cell_size)
    output_size = property(lambda self: self._cell_size)

    def build(self, input_shape):
        depth, n = input_shape.as_list()[1], self._cell_size
        if depth is None:
            raise ValueError("Expecting input_size to be set.")
        first, second, third, fourth = self._names
        self._gate_kernel = self.add_variable(first, [depth + n, n * 2])
        self._gate_bias = self.add_variable(second, [n * 2], initializer=initializers.constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(third, [depth + n, n])
        self._candidate_bias = self.add_variable(fourth, [n], initializer=initializers.constant_initializer(0.0))
        self.built = True

    def call(self, inputs, h_prev):
        out = raw("GRUBlockCell")(x=inputs, h_prev=h_prev, w_ru=self._gate_kernel, w_c=self._candidate_kernel, b_ru=self._gate_bias, b_c=self._candidate_bias)
        return out[3], out[3]


@_rnn("GRUBlockCell")
class GRUBlockCell(GRUBlockCellV2):
    """GRU in one op, with the old variable names."""

    _names = ("w_ru", "b_ru", "w_c", "b_c")
