"""tf.keras.layers: RNN, SimpleRNN, GRU, LSTM; their cells are in cells.py."""

import tensorflow as tf

from . import backend, backend_functions
from ..exports import export_value
from ..layers import lookups
from ..layers.base import keras_class, Layer
from ..layers.core import kept
from ..tensor_shape import TensorShape
from ..util import nest
from .cells import _Cell, _sizes, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, zeros_state
from .cells import AbstractRNNCell, PeepholeLSTMCell  # noqa: F401, for those who look here


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
            self._states = [backend_functions.zeros([batch] + n) for n in _sizes(self.cell.state_size)]
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
