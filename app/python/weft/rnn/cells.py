"""RNN cells: one step of a recurrent network, (inputs, state) → (output, state)."""

import collections

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export, export_value
from ..layers.base import InputSpec
from ..layers.graph_layer import GraphLayer
from ..layers.lookups import activation as get_activation, initializer as get_initializer, text_of
from ..partitioned_variable import fixed_size_partitioner
from ..platform import tf_logging as logging
from ..tensor_shape import TensorShape, as_shape
from ..util import nest
from ..variable_scope import get_variable_scope, PartitionedVariable, variable_scope
from ..variables import trainable_variables

KERNEL, BIAS = "kernel", "bias"


def cell_export(name):
    return export("nn.rnn_cell." + name, "contrib.rnn." + name)


def assert_like_rnncell(cell_name, cell):
    """TypeError unless `cell` has the interface that the loops need."""
    missing = []
    if not hasattr(cell, "output_size"):
        missing.append("'output_size' property is missing")
    if not hasattr(cell, "state_size"):
        missing.append("'state_size' property is missing")
    if not (hasattr(cell, "get_initial_state") or hasattr(cell, "zero_state")):
        missing.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        missing.append("is not callable")
    if missing:
        raise TypeError("The argument {!r} ({}) is not an RNNCell: {}.".format(cell_name, cell, ", ".join(missing)))


def concat_shapes(prefix, suffix, static=False):
    """Two parts of a shape (tensors or numbers) concatenated: as a tensor, or as a list of the known sizes if `static`."""
    def known(part, name):
        if isinstance(part, ops.Tensor):
            value = ops.constant_value(part)
            if part.shape.ndims == 0:
                part = engine.expand_dims(part, 0)
            elif part.shape.ndims != 1:
                raise ValueError("%s tensor must be either a scalar or vector, but saw tensor: %s" % (name, part))
            return part, value
        shape = as_shape(part)
        value = shape.as_list() if shape.ndims is not None else None
        return ops.constant(shape.as_list(), dtype=dtypes.int32) if shape.is_fully_defined() else None, value

    p, p_static = known(prefix, "prefix")
    s, s_static = known(suffix, "suffix")
    if static:
        def shape_of(v):
            return as_shape(v if v is None or isinstance(v, list) else [int(x) for x in v.reshape(-1)] if hasattr(v, "reshape") else v)

        shape = shape_of(p_static).concatenate(shape_of(s_static))
        return shape.as_list() if shape.ndims is not None else None
    if p is None or s is None:
        raise ValueError("Provided a prefix or suffix of None: %s and %s" % (prefix, suffix))
    return engine.concat((p, s), 0)


def _zeros(state_size, batch_size, dtype):
    def zeros(size):
        made = engine.zeros(concat_shapes(batch_size, size), dtype=dtype)
        made.set_shape(concat_shapes(batch_size, size, static=True))
        return made

    return nest.map_structure(zeros, state_size)


def _is_trainable(variable):
    first = list(variable)[0] if isinstance(variable, PartitionedVariable) else variable
    return first.trainable if getattr(first, "_eager", False) else any(v is first for v in trainable_variables())


@cell_export("RNNCell")
class RNNCell(GraphLayer):
    """Base of cells. Subclasses define state_size, output_size and call(inputs, state); their variables come from tf.get_variable."""

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs, state, scope=None):
        if "_layers" not in self.__dict__:
            RNNCell.__init__(self)  # for subclasses that do not call it
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as scope:
                return super().__call__(inputs, state, scope=scope)
        opened = self.__dict__.get("rnncell_scope")
        if opened is None or opened._graph is not ops.get_default_graph():
            opened = self.rnncell_scope = variable_scope(get_variable_scope(), custom_getter=self._rnn_get_variable)
        with opened:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter, *args, **kwargs):
        variable = getter(*args, **kwargs)
        own = self._trainable_weights if _is_trainable(variable) else self._non_trainable_weights
        if not any(variable is v for v in own):
            own.append(variable)
        return variable

    @property
    def state_size(self):
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        raise NotImplementedError("Abstract method")

    def build(self, _):
        pass

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            rows = inputs.shape.as_list()[0]
            if batch_size is not None:
                known = ops.constant_value(batch_size) if isinstance(batch_size, ops.Tensor) else batch_size
                if rows != known:
                    raise ValueError("batch size from input tensor is different from the input param. Input tensor batch: {}, batch_size: {}".format(rows, batch_size))
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError("dtype from input tensor is different from the input param. Input tensor dtype: {}, dtype: {}".format(inputs.dtype, dtype))
            batch_size = rows or basics.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError("batch_size and dtype cannot be None while constructing initial state: batch_size={}, dtype={}".format(batch_size, dtype))
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size, dtype):
        """A state of zeros."""
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return _zeros(self.state_size, batch_size, dtype)


class LayerRNNCell(RNNCell):
    """A cell that creates its variables in build(), as layers do."""

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        return GraphLayer.__call__(self, inputs, state, *args, scope=scope, **kwargs)


export_value(LayerRNNCell, "contrib.rnn.LayerRNNCell")


def check_float(dtype):
    if dtype is not None and not (dtypes.as_dtype(dtype).is_floating or dtypes.as_dtype(dtype).is_complex):
        raise ValueError("RNN cell only supports floating point inputs, but saw dtype: %s" % dtypes.as_dtype(dtype))


def check_inputs_float(inputs):
    for t in nest.flatten(inputs):
        check_float(t.dtype)


class _OwnCell(LayerRNNCell):
    """Base of this module's cells."""

    def __init__(self, num_units, activation, reuse, name, dtype, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_float(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = get_activation(activation) if activation else engine.tanh

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def _depth(self, shape):
        """The inputs' last dimension, which must be known."""
        shape = TensorShape(shape)
        if shape.as_list()[-1] is None:
            raise ValueError("Expected inputs.shape[-1] to be known, saw shape: %s" % str(tuple(shape.as_list())))
        check_float(self.dtype)
        return shape.as_list()[-1]

    def _zero(self):
        return initializers.zeros_initializer(dtype=self.dtype) if self.dtype is not None else initializers.zeros_initializer

    def _linear(self, values, kernel, bias):
        return engine.nn.bias_add(engine.matmul(engine.concat(values, 1), kernel), bias)

    def get_config(self):
        config = super().get_config()
        config.update(num_units=self._num_units, activation=text_of(self._activation), reuse=self._reuse)
        return config


@cell_export("BasicRNNCell")
class BasicRNNCell(_OwnCell):
    """output = state = activation(W · [inputs, state] + b)"""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)

    def build(self, inputs_shape):
        depth = self._depth(inputs_shape)
        self._kernel = self.add_variable(KERNEL, shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable(BIAS, shape=[self._num_units], initializer=self._zero())
        self.built = True

    def call(self, inputs, state):
        check_inputs_float([inputs, state])
        output = self._activation(self._linear([inputs, state], self._kernel, self._bias))
        return output, output


@cell_export("GRUCell")
class GRUCell(_OwnCell):
    """Gated recurrent unit."""

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._kernel_initializer, self._bias_initializer = get_initializer(kernel_initializer), get_initializer(bias_initializer)

    def build(self, inputs_shape):
        depth, n = self._depth(inputs_shape), self._num_units
        given = self._bias_initializer
        self._gate_kernel = self.add_variable("gates/" + KERNEL, shape=[depth + n, 2 * n], initializer=self._kernel_initializer)
        self._gate_bias = self.add_variable("gates/" + BIAS, shape=[2 * n], initializer=given if given is not None else initializers.constant_initializer(1.0, dtype=self.dtype or dtypes.float32))
        self._candidate_kernel = self.add_variable("candidate/" + KERNEL, shape=[depth + n, n], initializer=self._kernel_initializer)
        self._candidate_bias = self.add_variable("candidate/" + BIAS, shape=[n], initializer=given if given is not None else self._zero())
        self.built = True

    def call(self, inputs, state):
        check_inputs_float([inputs, state])
        value = engine.sigmoid(self._linear([inputs, state], self._gate_kernel, self._gate_bias))
        r, u = engine.split(value=value, num_or_size_splits=2, axis=1)
        r_state = r * state
        c = self._activation(self._linear([inputs, r_state], self._candidate_kernel, self._candidate_bias))
        new_h = u * state + (1 - u) * c
        return new_h, new_h

    def get_config(self):
        config = super().get_config()
        config.update(kernel_initializer=text_of(self._kernel_initializer), bias_initializer=text_of(self._bias_initializer))
        return config


@cell_export("LSTMStateTuple")
class LSTMStateTuple(collections.namedtuple("LSTMStateTuple", ("c", "h"))):
    """State of an LSTM: the cell's memory and its output."""

    __slots__ = ()

    @property
    def dtype(self):
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError("Inconsistent internal state: %s vs %s" % (str(c.dtype), str(h.dtype)))
        return c.dtype


@cell_export("BasicLSTMCell")
class BasicLSTMCell(_OwnCell):
    """LSTM without peepholes, clipping or projection."""

    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        if not state_is_tuple:
            logging.warn("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    def build(self, inputs_shape):
        depth, n = self._depth(inputs_shape), self._num_units
        self._kernel = self.add_variable(KERNEL, shape=[depth + n, 4 * n])
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=self._zero())
        self.built = True

    def call(self, inputs, state):
        check_inputs_float([inputs, state])
        one = ops.constant(1, dtype=dtypes.int32)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = engine.split(value=state, num_or_size_splits=2, axis=one)
        i, j, f, o = engine.split(value=self._linear([inputs, h], self._kernel, self._bias), num_or_size_splits=4, axis=one)
        forget = ops.constant(self._forget_bias, dtype=f.dtype)
        kept = engine.multiply(c, engine.sigmoid(engine.add(f, forget)))
        new_c = engine.add(kept, engine.multiply(engine.sigmoid(i), self._activation(j)))
        new_h = engine.multiply(self._activation(new_c), engine.sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else engine.concat([new_c, new_h], 1)

    def get_config(self):
        config = super().get_config()
        config.update(forget_bias=self._forget_bias, state_is_tuple=self._state_is_tuple)
        return config


@cell_export("LSTMCell")
class LSTMCell(_OwnCell):
    """LSTM with optional peepholes, clipping and projection."""

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=None, num_proj_shards=None,
                 forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        if not state_is_tuple:
            logging.warn("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self)
        if num_unit_shards is not None or num_proj_shards is not None:
            logging.warn("%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will be removed in Jan 2017.  Use a variable scope with a partitioner instead.", self)
        self._use_peepholes, self._cell_clip, self._initializer = use_peepholes, cell_clip, get_initializer(initializer)
        self._num_proj, self._proj_clip, self._num_unit_shards, self._num_proj_shards = num_proj, proj_clip, num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        out = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, out) if state_is_tuple else num_units + out
        self._output_size = out

    state_size = property(lambda self: self._state_size)
    output_size = property(lambda self: self._output_size)

    def build(self, inputs_shape):
        depth, n = self._depth(inputs_shape), self._num_units
        out = n if self._num_proj is None else self._num_proj

        def parts(count):
            return fixed_size_partitioner(count) if count is not None else None

        self._kernel = self.add_variable(KERNEL, shape=[depth + out, 4 * n], initializer=self._initializer, partitioner=parts(self._num_unit_shards))
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=self._zero())
        if self._use_peepholes:
            self._w_f_diag = self.add_variable("w_f_diag", shape=[n], initializer=self._initializer)
            self._w_i_diag = self.add_variable("w_i_diag", shape=[n], initializer=self._initializer)
            self._w_o_diag = self.add_variable("w_o_diag", shape=[n], initializer=self._initializer)
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable("projection/" + KERNEL, shape=[n, self._num_proj], initializer=self._initializer, partitioner=parts(self._num_proj_shards))
        self.built = True

    def call(self, inputs, state):
        check_inputs_float([inputs, state])
        n, sigmoid, activation = self._num_units, engine.sigmoid, self._activation
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = engine.slice(state, [0, 0], [-1, n])
            m_prev = engine.slice(state, [0, n], [-1, n if self._num_proj is None else self._num_proj])
        if inputs.get_shape().with_rank(2).as_list()[1] is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        i, j, f, o = engine.split(value=self._linear([inputs, m_prev], self._kernel, self._bias), num_or_size_splits=4, axis=1)
        if self._use_peepholes:
            c = sigmoid(f + self._forget_bias + self._w_f_diag * c_prev) * c_prev + sigmoid(i + self._w_i_diag * c_prev) * activation(j)
        else:
            c = sigmoid(f + self._forget_bias) * c_prev + sigmoid(i) * activation(j)
        if self._cell_clip is not None:
            c = engine.clip_by_value(c, -self._cell_clip, self._cell_clip)
        m = sigmoid(o + self._w_o_diag * c) * activation(c) if self._use_peepholes else sigmoid(o) * activation(c)
        if self._num_proj is not None:
            m = engine.matmul(m, self._proj_kernel)
            if self._proj_clip is not None:
                m = engine.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else engine.concat([c, m], 1)
