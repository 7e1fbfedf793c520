"""tf.keras.layers: cells of recurrent layers."""

import inspect

from .. import basics, engine, initializers
from . import backend_functions
from ..exports import export_value
from ..layers import lookups
from ..layers.base import Layer
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape
from ..util import nest
from .layers import in_phase


def _sizes(state_size):
    return [TensorShape(n).as_list() if isinstance(n, (list, tuple, TensorShape)) else [n] for n in nest.flatten(state_size)]


def zeros_state(cell, inputs=None, batch_size=None, dtype=None):
    """The initial state of a sequence."""
    if inputs is not None:
        batch_size, dtype = basics.shape(inputs)[0], inputs.dtype
    if batch_size is None or dtype is None:
        raise ValueError("batch_size and dtype cannot be None while constructing initial state. batch_size=%s, dtype=%s" % (batch_size, dtype))
    return nest.map_structure(lambda n: engine.zeros([batch_size] + (TensorShape(n).as_list() if isinstance(n, TensorShape) else [n]), dtype=dtype), cell.state_size)


class _Cell(Layer):
    """Base of the cells: kernels for inputs and states, bias, and dropout with one mask for all steps."""

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
            ones = engine.ones_like(like)
            made = [in_phase(training, lambda: backend_functions.dropout(ones, rate), lambda: ones) for _ in range(count)]
            self._masks[which] = made
        return self._masks[which]

    def reset_dropout_mask(self):
        self._masks.pop("in", None)

    def reset_recurrent_dropout_mask(self):
        self._masks.pop("state", None)

    def get_dropout_mask_for_cell(self, inputs, training, count=1):
        """What inputs are multiplied with: a mask per gate, the same until it is reset; None without dropout."""
        return self._mask("in", self.dropout, inputs, training, count)

    def get_recurrent_dropout_mask_for_cell(self, inputs, training, count=1):
        return self._mask("state", self.recurrent_dropout, inputs, training, count)

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
            h = engine.nn.bias_add(h, self.bias)
        output = h + backend_functions.dot(before * again[0] if again else before, self.recurrent_kernel)
        if self.activation is not None:
            output = self.activation(output)
        return output, [output]


def _gate(x, i, n, count):
    """The columns (or elements) of gate i of `count`: an open slice for the first and the last one."""
    part = slice(i * n if i else None, (i + 1) * n if i + 1 < count else None)
    return x[:, part] if x.shape.ndims == 2 else x[part]


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
            bias, again_bias = engine.unstack(self.bias) if self.reset_after else (self.bias, None)
        if self.implementation == 1:
            xs = [inputs * drop[i] for i in range(3)] if drop else [inputs] * 3
            xs = [dot(x, _gate(self.kernel, i, n, 3)) for i, x in enumerate(xs)]
            if bias is not None:
                xs = [engine.nn.bias_add(x, _gate(bias, i, n, 3)) for i, x in enumerate(xs)]
            hs = [before * again[i] for i in range(3)] if again else [before] * 3
            gates = [dot(hs[i], _gate(self.recurrent_kernel, i, n, 3)) for i in range(2)]
            if again_bias is not None:
                gates = [engine.nn.bias_add(gate, _gate(again_bias, i, n, 3)) for i, gate in enumerate(gates)]
            z, r = (self.recurrent_activation(xs[i] + gates[i]) for i in range(2))
            if self.reset_after:
                inner = dot(hs[2], self.recurrent_kernel[:, n * 2:])
                if again_bias is not None:
                    inner = engine.nn.bias_add(inner, again_bias[n * 2:])
                inner = r * inner
            else:
                inner = dot(r * hs[2], self.recurrent_kernel[:, n * 2:])
            candidate = self.activation(xs[2] + inner)
        else:
            x = dot(inputs * drop[0] if drop else inputs, self.kernel)
            if bias is not None:
                x = engine.nn.bias_add(x, bias)
            xz, xr, xh = x[:, :n], x[:, n:2 * n], x[:, 2 * n:]
            before = state = before * again[0] if again else before
            if self.reset_after:
                inner = dot(state, self.recurrent_kernel)
                if again_bias is not None:
                    inner = engine.nn.bias_add(inner, again_bias)
            else:
                inner = dot(state, self.recurrent_kernel[:, :2 * n])
            gates = inner[:, :n], inner[:, n:2 * n]
            z, r = self.recurrent_activation(xz + gates[0]), self.recurrent_activation(xr + gates[1])
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
            return engine.concat([self.bias_initializer((self.units,), *args, **kwargs), initializers.ones_initializer()((self.units,), *args, **kwargs),
                                  self.bias_initializer((self.units * 2,), *args, **kwargs)], axis=0)

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
            kernels = engine.split(self.kernel, num_or_size_splits=4, axis=1)
            xs = [dot(x, k) for x, k in zip(xs, kernels)]
            if self.use_bias:
                xs = [engine.nn.bias_add(x, b) for x, b in zip(xs, engine.split(self.bias, num_or_size_splits=4, axis=0))]
            hs = [before * again[i] for i in range(4)] if again else [before] * 4
            c, o = self._carry(xs, hs, c)
        else:
            z = dot(inputs * drop[0] if drop else inputs, self.kernel)
            z += dot(before * again[0] if again else before, self.recurrent_kernel)
            if self.use_bias:
                z = engine.nn.bias_add(z, self.bias)
            c, o = self._carry_fused(engine.split(z, num_or_size_splits=4, axis=1), c)
        h = o * self.activation(c)
        return h, [h, c]

    def get_config(self):
        return kept(self, super().get_config(), "recurrent_activation", "unit_forget_bias", "implementation")


def arguments_of(cell):
    """The parameters of a cell's call()."""
    return cell._arguments if isinstance(cell, Layer) else list(inspect.signature(cell.call).parameters)


@keras_class("StackedRNNCells")
class StackedRNNCells(Layer):
    """A stack of cells as one cell."""

    def __init__(self, cells, **kwargs):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError("All cells must have a `call` method. received cells: %s" % (cells,))
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        super().__init__(**kwargs)
        self.cells = cells

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
            shape = [shape[0]] + TensorShape(getattr(cell, "output_size", nest.flatten(cell.state_size)[0])).as_list()
        self.built = True

    def call(self, inputs, states, constants=None, training=None):
        order = self.state_size[::-1] if self.reverse_state_order else self.state_size
        nested, made = nest.pack_sequence_as(order, nest.flatten(states)), []
        for cell, state in zip(self.cells, nested):
            state = state if nest.is_sequence(state) else [state]
            names = arguments_of(cell)
            inputs, state = cell.call(inputs, state, **{name: value for name, value in (("constants", constants), ("training", training)) if name in names})
            made.append(state)
        return inputs, nest.pack_sequence_as(self.state_size, nest.flatten(made))

    def get_config(self):
        config = super().get_config()
        config["cells"] = [{"class_name": type(c).__name__, "config": c.get_config()} for c in self.cells]
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from .saving import deserialize_layer

        config = dict(config)
        return cls([deserialize_layer(c, custom_objects) for c in config.pop("cells")], **config)


@keras_class("AbstractRNNCell")
class AbstractRNNCell(Layer):
    """Base of custom cells: call(inputs, states) returns (output, states)."""

    def call(self, inputs, states):
        raise NotImplementedError("Abstract method")

    state_size = property(lambda self: (_ for _ in ()).throw(NotImplementedError("Abstract method")))
    output_size = property(lambda self: (_ for _ in ()).throw(NotImplementedError("Abstract method")))

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return zeros_state(self, inputs, batch_size, dtype)


@keras_class("PeepholeLSTMCell")
class PeepholeLSTMCell(LSTMCell):
    """LSTM whose gates also depend on the cell state."""

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
