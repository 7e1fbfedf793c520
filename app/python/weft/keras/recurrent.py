"""tf.keras.layers: cells, RNN, SimpleRNN, GRU, LSTM."""

import tensorflow as tf

from ..exports import export_value
from ..layers import lookups
from ..layers.base import Layer, keras_class
from ..layers.core import kept
from ..tensor_shape import TensorShape
from ..util import nest
from . import backend, backend_functions
from .layers import in_phase


def _sizes(state_size):
    return [TensorShape(n).as_list() if isinstance(n, (list, tuple, TensorShape)) else [n] for n in nest.flatten(state_size)]


def zeros_state(cell, inputs=None, batch_size=None, dtype=None):
    """The state that a sequence begins with."""
    if inputs is not None:
        batch_size, dtype = tf.shape(inputs)[0], inputs.dtype
    if batch_size is None or dtype is None:
        raise ValueError("batch_size and dtype cannot be None while constructing initial state. batch_size=%s, dtype=%s" % (batch_size, dtype))
    return nest.map_structure(lambda n: tf.zeros([batch_size] + (TensorShape(n).as_list() if isinstance(n, TensorShape) else [n]), dtype=dtype), cell.state_size)


class _Cell(Layer):
    """What the cells share: weights for inputs, states and a bias; dropout that is the same for all steps."""

    _gates = 1
    _settings = ("units", "activation", "use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer", "kernel_regularizer", "recurrent_regularizer",
                 "bias_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout")

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 dropout=0., recurrent_dropout=0., **kwargs):
        super().__init__(**kwargs)
        self.units, self.activation, self.use_bias = units, lookups.activation(activation), use_bias
        for name, value in (("kernel", kernel_initializer), ("recurrent", recurrent_initializer), ("bias", bias_initializer)):
            setattr(self, name + "_initializer", lookups.initializer(value))
        for name, value in (("kernel", kernel_regularizer), ("recurrent", recurrent_regularizer), ("bias", bias_regularizer)):
            setattr(self, name + "_regularizer", lookups.regularizer(value))
        for name, value in (("kernel", kernel_constraint), ("recurrent", recurrent_constraint), ("bias", bias_constraint)):
            setattr(self, name + "_constraint", lookups.constraint(value))
        self.dropout, self.recurrent_dropout = min(1., max(0., dropout)), min(1., max(0., recurrent_dropout))
        self.state_size, self.output_size = units, units
        self._masks = {}

    def _bias_shape(self):
        return (self.units * self._gates,)

    def _first_bias(self):
        return self.bias_initializer

    def build(self, input_shape):
        size = TensorShape(input_shape).as_list()[-1]
        self.kernel = self.add_weight("kernel", shape=(size, self.units * self._gates), initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight("recurrent_kernel", shape=(self.units, self.units * self._gates), initializer=self.recurrent_initializer,
                                                regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=self._bias_shape(), initializer=self._first_bias(), regularizer=self.bias_regularizer, constraint=self.bias_constraint)
        self.built = True

    def reset_masks(self):
        self._masks = {}

    def _mask(self, which, rate, like, training, count):
        if not 0 < rate < 1:
            return None
        if which not in self._masks:
            ones = tf.ones_like(like)
            made = [in_phase(training, lambda: backend_functions.dropout(ones, rate), lambda: ones) for _ in range(count)]
            self._masks[which] = made
        return self._masks[which]

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zeros_state(self, inputs, batch_size, dtype)

    def get_config(self):
        return kept(self, super().get_config(), *self._settings)


@keras_class("SimpleRNNCell")
class SimpleRNNCell(_Cell):
    """output = activation(inputs · kernel + bias + state · recurrent_kernel)"""

    def call(self, inputs, states, training=None):
        before = states[0] if nest.is_sequence(states) else states
        drop, again = self._mask("in", self.dropout, inputs, training, 1), self._mask("state", self.recurrent_dropout, before, training, 1)
        h = backend_functions.dot(inputs * drop[0] if drop else inputs, self.kernel)
        if self.bias is not None:
            h = tf.nn.bias_add(h, self.bias)
        output = h + backend_functions.dot(before * again[0] if again else before, self.recurrent_kernel)
        if self.activation is not None:
            output = self.activation(output)
        return output, [output]


@keras_class("GRUCell")
class GRUCell(_Cell):
    """A gated unit with an update gate and a reset gate."""

    _gates = 3
    _reset_after = False

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0., recurrent_dropout=0., implementation=1, reset_after=False, **kwargs):
        super().__init__(units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer,
                         kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, **kwargs)
        self.recurrent_activation = lookups.activation(recurrent_activation)
        self.implementation, self.reset_after = implementation, reset_after

    def _bias_shape(self):
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs, states, training=None):
        before, n, dot = states[0] if nest.is_sequence(states) else states, self.units, backend_functions.dot
        drop = self._mask("in", self.dropout, inputs, training, 3)
        again = self._mask("state", self.recurrent_dropout, before, training, 3)
        bias = again_bias = None
        if self.use_bias:
            bias, again_bias = tf.unstack(self.bias) if self.reset_after else (self.bias, None)
        if self.implementation == 1:
            xs = [inputs * drop[i] for i in range(3)] if drop else [inputs] * 3
            xs = [dot(x, self.kernel[:, i * n:(i + 1) * n]) for i, x in enumerate(xs)]
            if bias is not None:
                xs = [tf.nn.bias_add(x, bias[i * n:(i + 1) * n]) for i, x in enumerate(xs)]
            hs = [before * again[i] for i in range(3)] if again else [before] * 3
            gates = []
            for i in range(2):
                inner = dot(hs[i], self.recurrent_kernel[:, i * n:(i + 1) * n])
                if again_bias is not None:
                    inner = tf.nn.bias_add(inner, again_bias[i * n:(i + 1) * n])
                gates.append(inner)
            z, r = (self.recurrent_activation(xs[i] + gates[i]) for i in range(2))
            if self.reset_after:
                inner = dot(hs[2], self.recurrent_kernel[:, n * 2:])
                if again_bias is not None:
                    inner = tf.nn.bias_add(inner, again_bias[n * 2:])
                inner = r * inner
            else:
                inner = dot(r * hs[2], self.recurrent_kernel[:, n * 2:])
            candidate = self.activation(xs[2] + inner)
        else:
            x = dot(inputs * drop[0] if drop else inputs, self.kernel)
            if bias is not None:
                x = tf.nn.bias_add(x, bias)
            xz, xr, xh = x[:, :n], x[:, n:2 * n], x[:, 2 * n:]
            state = before * again[0] if again else before
            if self.reset_after:
                inner = dot(state, self.recurrent_kernel)
                if again_bias is not None:
                    inner = tf.nn.bias_add(inner, again_bias)
            else:
                inner = dot(state, self.recurrent_kernel[:, :2 * n])
            z, r = self.recurrent_activation(xz + inner[:, :n]), self.recurrent_activation(xr + inner[:, n:2 * n])
            last = r * inner[:, 2 * n:] if self.reset_after else dot(r * state, self.recurrent_kernel[:, 2 * n:])
            candidate = self.activation(xh + last)
        h = z * before + (1 - z) * candidate
        return h, [h]

    def get_config(self):
        return kept(self, super().get_config(), "recurrent_activation", "implementation", "reset_after")


@keras_class("LSTMCell")
class LSTMCell(_Cell):
    """Long short-term memory: input, forget and output gates around a cell state."""

    _gates = 4

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0., recurrent_dropout=0., implementation=1, **kwargs):
        super().__init__(units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer,
                         kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, **kwargs)
        self.recurrent_activation, self.unit_forget_bias, self.implementation = lookups.activation(recurrent_activation), unit_forget_bias, implementation
        self.state_size = [units, units]

    def _first_bias(self):
        if not self.unit_forget_bias:
            return self.bias_initializer

        def first(_, *args, **kwargs):
            return tf.concat([self.bias_initializer((self.units,), *args, **kwargs), tf.ones_initializer()((self.units,), *args, **kwargs),
                              self.bias_initializer((self.units * 2,), *args, **kwargs)], axis=-1)

        return first

    def _carry(self, x, h, c):
        dot, n = backend_functions.dot, self.units
        i = self.recurrent_activation(x[0] + dot(h[0], self.recurrent_kernel[:, :n]))
        f = self.recurrent_activation(x[1] + dot(h[1], self.recurrent_kernel[:, n:n * 2]))
        c = f * c + i * self.activation(x[2] + dot(h[2], self.recurrent_kernel[:, n * 2:n * 3]))
        return c, self.recurrent_activation(x[3] + dot(h[3], self.recurrent_kernel[:, n * 3:]))

    def _carry_fused(self, z, c):
        i, f = self.recurrent_activation(z[0]), self.recurrent_activation(z[1])
        c = f * c + i * self.activation(z[2])
        return c, self.recurrent_activation(z[3])

    def call(self, inputs, states, training=None):
        before, c = states[0], states[1]
        drop = self._mask("in", self.dropout, inputs, training, 4)
        again = self._mask("state", self.recurrent_dropout, before, training, 4)
        dot = backend_functions.dot
        if self.implementation == 1:
            xs = [inputs * drop[i] for i in range(4)] if drop else [inputs] * 4
            kernels = tf.split(self.kernel, num_or_size_splits=4, axis=1)
            xs = [dot(x, k) for x, k in zip(xs, kernels)]
            if self.use_bias:
                xs = [tf.nn.bias_add(x, b) for x, b in zip(xs, tf.split(self.bias, num_or_size_splits=4, axis=0))]
            hs = [before * again[i] for i in range(4)] if again else [before] * 4
            c, o = self._carry(xs, hs, c)
        else:
            z = dot(inputs * drop[0] if drop else inputs, self.kernel)
            z += dot(before * again[0] if again else before, self.recurrent_kernel)
            if self.use_bias:
                z = tf.nn.bias_add(z, self.bias)
            c, o = self._carry_fused(tf.split(z, num_or_size_splits=4, axis=1), c)
        h = o * self.activation(c)
        return h, [h, c]

    def get_config(self):
        return kept(self, super().get_config(), "recurrent_activation", "unit_forget_bias", "implementation")


@keras_class("StackedRNNCells")
class StackedRNNCells(Layer):
    """Cells one after another as one."""

    def __init__(self, cells, **kwargs):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError("All cells must have a `call` method. received cells: %s" % (cells,))
        super().__init__(**kwargs)
        self.cells = cells
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)

    state_size = property(lambda self: tuple(c.state_size for c in (self.cells[::-1] if self.reverse_state_order else self.cells)))
    output_size = property(lambda self: getattr(self.cells[-1], "output_size", nest.flatten(self.cells[-1].state_size)[0]))

    def reset_masks(self):
        for cell in self.cells:
            if hasattr(cell, "reset_masks"):
                cell.reset_masks()

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        cells = self.cells[::-1] if self.reverse_state_order else self.cells
        return tuple(c.get_initial_state(inputs=inputs, batch_size=batch_size, dtype=dtype) if hasattr(c, "get_initial_state") else zeros_state(c, inputs, batch_size, dtype)
                     for c in cells)

    def build(self, input_shape):
        shape = TensorShape(input_shape).as_list()
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell._dtype = cell._dtype or self._dtype
                cell.build(TensorShape(shape))
                cell.built = True
            shape = [shape[0], getattr(cell, "output_size", nest.flatten(cell.state_size)[0])]
        self.built = True

    def call(self, inputs, states, training=None):
        order = self.state_size[::-1] if self.reverse_state_order else self.state_size
        nested, made = nest.pack_sequence_as(order, nest.flatten(states)), []
        for cell, state in zip(self.cells, nested):
            state = state if nest.is_sequence(state) else [state]
            inputs, state = cell.call(inputs, state, training=training) if "training" in cell._arguments else cell.call(inputs, state)
            made.append(state)
        return inputs, nest.pack_sequence_as(self.state_size, nest.flatten(made))

    def get_config(self):
        config = super().get_config()
        config["cells"] = [{"class_name": type(c).__name__, "config": c.get_config()} for c in self.cells]
        return config


@keras_class("AbstractRNNCell")
class AbstractRNNCell(Layer):
    """Base of cells of one's own: call(inputs, states) gives (output, states)."""

    def call(self, inputs, states):
        raise NotImplementedError("Abstract method")

    state_size = property(lambda self: (_ for _ in ()).throw(NotImplementedError("Abstract method")))
    output_size = property(lambda self: (_ for _ in ()).throw(NotImplementedError("Abstract method")))

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zeros_state(self, inputs, batch_size, dtype)


@keras_class("RNN")
class RNN(Layer):
    """A cell over the steps of a sequence."""

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False, time_major=False, **kwargs):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError("`cell` should have a `call` method. The RNN was passed: %s" % (cell,))
        if not hasattr(cell, "state_size"):
            raise ValueError("The RNN cell should have an attribute `state_size` (tuple of integers, one integer per RNN state).")
        self.zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (kwargs.pop("input_length", None), kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.cell, self.return_sequences, self.return_state, self.go_backwards = cell, return_sequences, return_state, go_backwards
        self.stateful, self.unroll, self.time_major, self.supports_masking = stateful, unroll, time_major, True
        self._states, self._num_constants = None, 0

    @property
    def states(self):
        if self._states is None:
            return nest.map_structure(lambda _: None, self.cell.state_size) if nest.is_sequence(self.cell.state_size) else [None]
        return self._states

    @states.setter
    def states(self, states):
        self._states = states

    def build(self, input_shape):
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        sizes = TensorShape(input_shape).as_list()
        self.input_spec = None
        step = [sizes[1 if self.time_major else 0]] + sizes[2:]
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(TensorShape(step))
            self.cell.built = True
        if self.stateful:
            self.reset_states(batch=sizes[1 if self.time_major else 0])
        self.built = True

    def get_initial_state(self, inputs):
        like = tf.transpose(inputs, [1, 0, 2]) if self.time_major else inputs
        get = getattr(self.cell, "get_initial_state", None)
        batch = tf.shape(like)[0]
        state = get(inputs=None, batch_size=batch, dtype=inputs.dtype) if get else zeros_state(self.cell, None, batch, inputs.dtype)
        return list(state) if nest.is_sequence(state) else [state]

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        if isinstance(inputs, list):
            if self._num_constants:
                constants, inputs = inputs[-self._num_constants:], inputs[:-self._num_constants]
            initial_state = inputs[1:] or initial_state
            inputs = inputs[0]
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)
        more = []
        if initial_state is not None:
            initial_state = list(initial_state) if isinstance(initial_state, (list, tuple)) else [initial_state]
            more += nest.flatten(initial_state)
        if constants is not None:
            constants = list(constants) if isinstance(constants, (list, tuple)) else [constants]
            self._num_constants = len(constants)
            more += constants
        if hasattr(more[0], "_keras_history"):
            return super().__call__([inputs] + more, **kwargs)
        return super().__call__(inputs, initial_state=initial_state, constants=constants, **kwargs)

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        if isinstance(inputs, (list, tuple)):
            rest = list(inputs[1:])
            if self._num_constants:
                constants, rest = rest[-self._num_constants:], rest[:-self._num_constants]
            initial_state, inputs = rest or None, inputs[0]
        if initial_state is None:
            initial_state = list(self._states) if self.stateful and self._states is not None else self.get_initial_state(inputs)
        if isinstance(mask, list):
            mask = mask[0]
        flat = nest.flatten(self.cell.state_size)
        if len(nest.flatten(initial_state)) != len(flat):
            raise ValueError("Layer has %d states but was passed %d initial states." % (len(flat), len(nest.flatten(initial_state))))
        if hasattr(self.cell, "reset_masks"):
            self.cell.reset_masks()
        names = self.cell._arguments if isinstance(self.cell, Layer) else []
        arguments = {"training": training} if "training" in names else {}
        single = not nest.is_sequence(self.cell.state_size)

        def step(x, states):
            states = list(states)
            if constants is not None:
                states, own = states[:-len(constants)], states[-len(constants):]
                output, made = self.cell.call(x, states, constants=own, **arguments)
            else:
                output, made = self.cell.call(x, states[0] if single and len(states) == 1 and not isinstance(self.cell, _Cell) and nest.is_sequence(states[0]) else states,
                                              **arguments)
            return output, list(made) if nest.is_sequence(made) else [made]

        steps = inputs.shape.as_list()[0 if self.time_major else 1]
        if self.unroll and steps is None:
            raise ValueError("Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, specify the time dimension by passing an `input_shape` or "
                             "`batch_input_shape` argument to your first layer. If your first layer is an Embedding, you can also use the `input_length` argument.")
        last, outputs, states = backend_functions.rnn(step, inputs, initial_state, go_backwards=self.go_backwards, mask=mask, constants=constants, unroll=self.unroll,
                                                      input_length=steps, time_major=self.time_major, zero_output_for_mask=self.zero_output_for_mask)
        if self.stateful:
            self.add_update([tf.assign(a, b) for a, b in zip(nest.flatten(self._states), nest.flatten(states))])
        output = outputs if self.return_sequences else last
        return [output] + list(states) if self.return_state else output

    def compute_mask(self, inputs, mask=None):
        if isinstance(mask, list):
            mask = mask[0]
        made = mask if self.return_sequences else None
        return [made] + [None] * len(nest.flatten(self.cell.state_size)) if self.return_state else made

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        last = getattr(self.cell, "output_size", None) or nest.flatten(self.cell.state_size)[0]
        out = TensorShape([sizes[0], sizes[1], last] if self.return_sequences else [sizes[0], last])
        return [out] + [TensorShape([sizes[0]] + n) for n in _sizes(self.cell.state_size)] if self.return_state else out

    def reset_states(self, states=None, batch=None):
        """Zeros, or the given arrays, as the state that the next batch begins with."""
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        batch = batch or (self._batch_input_shape[0] if hasattr(self, "_batch_input_shape") else None)
        if batch is None and self._states is None:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n- If using a Sequential model, specify the "
                             "batch size by passing a `batch_input_shape` argument to your first layer.\n- If using the functional API, specify the batch size by passing a "
                             "`batch_shape` argument to your Input layer.")
        if self._states is None:
            self._states = [backend.variable(backend_functions.np.zeros([batch] + n), name="state") for n in _sizes(self.cell.state_size)]
            return
        for i, v in enumerate(self._states):
            backend.set_value(v, backend_functions.np.zeros(v.shape.as_list()) if states is None else states[i] if isinstance(states, (list, tuple)) else states)

    def get_config(self):
        config = kept(self, super().get_config(), "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major")
        config["cell"] = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return config

    @classmethod
    def from_config(cls, config):
        from .saving import deserialize_layer

        config = dict(config)
        return cls(deserialize_layer(config.pop("cell")), **config)


def _sequence_layer(name, cell_class, doc, **other_defaults):
    import inspect

    parameters = [p for p in inspect.signature(cell_class.__init__).parameters.values() if p.name not in ("self", "kwargs")]
    names = [p.name for p in parameters]

    def __init__(self, units, *args, **kwargs):
        given = dict(zip(names[1:], args))
        given.update((n, kwargs.pop(n)) for n in names[1:] if n in kwargs)
        cell_kwargs = {"name": None}
        for n in ("dtype", "trainable"):
            if n in kwargs:
                cell_kwargs[n] = kwargs[n]
        if given.get("implementation", 1) == 0:
            given["implementation"] = 1
        kwargs["activity_regularizer"] = lookups.regularizer(kwargs.pop("activity_regularizer", None))
        RNN.__init__(self, cell_class(units, **given, **{k: v for k, v in cell_kwargs.items() if v is not None}), **kwargs)

    def get_config(self):
        config = RNN.get_config(self)
        config.pop("cell")
        inner = self.cell.get_config()
        config.update((n, inner[n]) for n in names if n in inner)
        return config

    body = {"__init__": __init__, "get_config": get_config, "__doc__": doc, "__module__": __name__, "from_config": classmethod(lambda cls, config: cls(**config))}
    for n in names:
        body.setdefault(n, property(lambda self, n=n: getattr(self.cell, n)))
    return keras_class(name)(type(name, (RNN,), body))


SimpleRNN = _sequence_layer("SimpleRNN", SimpleRNNCell, "A plain recurrent layer.")
GRU = _sequence_layer("GRU", GRUCell, "A layer of gated recurrent units.")
LSTM = _sequence_layer("LSTM", LSTMCell, "A layer of long short-term memory.")



def _sigmoid_gates(base, name):
    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros", **kwargs):
        base.__init__(self, units, kernel_initializer=kernel_initializer, recurrent_initializer=recurrent_initializer, bias_initializer=bias_initializer,
                      recurrent_activation="sigmoid", **(dict(kwargs, reset_after=True) if base is GRU else kwargs))

    return type(name, (base,), {"__init__": __init__, "__doc__": base.__doc__, "__module__": __name__})


export_value(_sigmoid_gates(GRU, "CuDNNGRU"), "keras.layers.CuDNNGRU")
export_value(_sigmoid_gates(LSTM, "CuDNNLSTM"), "keras.layers.CuDNNLSTM")


@keras_class("PeepholeLSTMCell")
class PeepholeLSTMCell(LSTMCell):
    """LSTM whose gates also see the cell state."""

    def build(self, input_shape):
        super().build(input_shape)
        for name in ("input", "forget", "output"):
            setattr(self, name + "_gate_peephole_weights", self.add_weight(name + "_gate_peephole_weights", shape=(self.units,), initializer=self.kernel_initializer))

    def _carry(self, x, h, c):
        dot, n = backend_functions.dot, self.units
        i = self.recurrent_activation(x[0] + dot(h[0], self.recurrent_kernel[:, :n]) + self.input_gate_peephole_weights * c)
        f = self.recurrent_activation(x[1] + dot(h[1], self.recurrent_kernel[:, n:n * 2]) + self.forget_gate_peephole_weights * c)
        c = f * c + i * self.activation(x[2] + dot(h[2], self.recurrent_kernel[:, n * 2:n * 3]))
        return c, self.recurrent_activation(x[3] + dot(h[3], self.recurrent_kernel[:, n * 3:]) + self.output_gate_peephole_weights * c)

    def _carry_fused(self, z, c):
        i = self.recurrent_activation(z[0] + self.input_gate_peephole_weights * c)
        f = self.recurrent_activation(z[1] + self.forget_gate_peephole_weights * c)
        c = f * c + i * self.activation(z[2])
        return c, self.recurrent_activation(z[3] + self.output_gate_peephole_weights * c)


export_value(PeepholeLSTMCell, "keras.experimental.PeepholeLSTMCell")
