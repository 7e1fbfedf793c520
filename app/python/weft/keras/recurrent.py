"""tf.keras.layers: RNN, SimpleRNN, GRU, LSTM; their cells are in cells.py."""

import inspect

import numpy as np

from .. import basics
from . import backend, backend_functions
from ..layers import lookups
from ..layers.base import InputSpec, Layer
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..platform import tf_logging as logging
from ..tensor_shape import TensorShape
from ..util import nest
from ..variables import assign
from .cells import _sizes, arguments_of, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, zeros_state
from .cells import AbstractRNNCell, PeepholeLSTMCell  # noqa: F401 (re-exported)


@keras_class("RNN")
class RNN(Layer):
    """Applies a cell to the steps of a sequence."""

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

    def _first(self, what):
        """The first of the inputs (or of their shapes), without states and constants."""
        return what[0] if isinstance(what, list) else what

    def build(self, input_shape):
        input_shape = self._first(input_shape)
        nested = nest.is_sequence(input_shape) and not all(isinstance(getattr(d, "value", d), (int, type(None))) for d in input_shape)
        sizes = [TensorShape(s).as_list() for s in (nest.flatten(input_shape) if nested else [input_shape])]
        batch, time = (1, 0) if self.time_major else (0, 1)

        def spec(shape):
            shape = list(shape)
            shape[time] = None
            if not self.stateful:
                shape[batch] = None
            return InputSpec(shape=tuple(shape))

        own = [spec(s) for s in sizes]
        self.input_spec = own + list(self.input_spec[len(own):] if isinstance(self.input_spec, list) else [])
        steps = [TensorShape([s[batch]] + s[2:]) for s in sizes]
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell._dtype = self.cell._dtype or self._dtype
            self.cell.build(nest.pack_sequence_as(input_shape, steps) if nested else steps[0])
            self.cell.built = True
        if self.stateful:
            self.reset_states()
        self.built = True

    def get_initial_state(self, inputs):
        like = nest.flatten(inputs)[0]
        get, batch = getattr(self.cell, "get_initial_state", None), basics.shape(like)[1 if self.time_major else 0]
        state = get(inputs=None, batch_size=batch, dtype=like.dtype) if get else zeros_state(self.cell, None, batch, like.dtype)
        return list(state) if nest.is_sequence(state) else [state]

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        inputs, initial_state, constants = split_inputs(inputs, initial_state, constants, self._num_constants)
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)
        more = nest.flatten(initial_state) if initial_state is not None else []
        if initial_state is not None:
            self._check_states([s.shape.as_list() for s in more], initial_state)
        if constants is not None:
            self._num_constants = len(constants)
            more = more + list(constants)
        if all_of_keras(more, "The initial state or constants of an RNN layer"):
            before, self.input_spec = self.input_spec, None
            outputs = super().__call__([inputs] + list(initial_state or []) + list(constants or []), **kwargs)
            self.input_spec = before if before is not None else self.input_spec
            return outputs
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        if constants is not None:
            kwargs["constants"] = constants
        return super().__call__(inputs, **kwargs)

    def _check_states(self, shapes, given):
        wanted = _sizes(self.cell.state_size)
        if len(shapes) != len(wanted) or any(not TensorShape(s[1:]).is_compatible_with(TensorShape(w)) for s, w in zip(shapes, wanted)):
            raise ValueError("An `initial_state` was passed that is not compatible with `cell.state_size`. Received `state_spec`=%s; however `cell.state_size` is %s" %
                             (nest.map_structure(lambda s: InputSpec(shape=tuple(s.shape.as_list())), given), nest.flatten(self.cell.state_size)))

    def _states_of_call(self, inputs, initial_state, constants):
        if isinstance(inputs, list):
            rest = inputs[1:]
            if self._num_constants:
                constants, rest = rest[-self._num_constants:], rest[:-self._num_constants]
            initial_state, inputs = rest or None, inputs[0]
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        if len(initial_state) != len(self.states):
            raise ValueError("Layer has " + str(len(self.states)) + " states but was passed " + str(len(initial_state)) + " initial states.")
        return inputs, initial_state, constants

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        inputs, initial_state, constants = self._states_of_call(inputs, initial_state, constants)
        mask = nest.flatten(mask)[0] if mask is not None else None
        if hasattr(self.cell, "reset_masks"):
            self.cell.reset_masks()
        names = arguments_of(self.cell)
        arguments = {"training": training} if "training" in names else {}
        if constants and "constants" not in names:
            raise ValueError("RNN cell does not support constants")
        single = getattr(self.cell, "_is_tf_rnn_cell", None) is not None

        def step(x, states):
            states = list(states)
            if constants:
                arguments["constants"], states = states[-len(constants):], states[:-len(constants)]
            output, made = self.cell.call(x, states[0] if single and len(states) == 1 else states, **arguments)
            return output, list(made) if nest.is_sequence(made) else [made]

        steps = nest.flatten(inputs)[0].shape.as_list()[0 if self.time_major else 1]
        if self.unroll and steps is None:
            raise ValueError("Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, specify the time dimension by passing an `input_shape` or "
                             "`batch_input_shape` argument to your first layer. If your first layer is an Embedding, you can also use the `input_length` argument.\n- If using the "
                             "functional API, specify the time dimension by passing a `shape` or `batch_shape` argument to your Input layer.")
        last, outputs, states = backend_functions.rnn(step, inputs, initial_state, go_backwards=self.go_backwards, mask=mask, constants=constants, unroll=self.unroll,
                                                      input_length=steps, time_major=self.time_major, zero_output_for_mask=self.zero_output_for_mask)
        if self.stateful:
            self.add_update([assign(a, b) for a, b in zip(nest.flatten(self._states), nest.flatten(states))])
        output = outputs if self.return_sequences else last
        if self.return_state:
            return (output if isinstance(output, list) else [output]) + list(states)
        return output

    def compute_mask(self, inputs, mask=None):
        mask = nest.flatten(mask)[0] if mask is not None else None
        made = mask if self.return_sequences else None
        return [made] + [None] * len(self.states) if self.return_state else made

    def compute_output_shape(self, input_shape):
        batch, steps = TensorShape(nest.flatten(self._first(input_shape))[0] if nest.is_sequence(self._first(input_shape)) and not isinstance(
            self._first(input_shape), (TensorShape, tuple)) else self._first(input_shape)).as_list()[:2]
        if self.time_major:
            batch, steps = steps, batch
        last = getattr(self.cell, "output_size", None)
        last = TensorShape(last if last is not None else nest.flatten(self.cell.state_size)[0]).as_list() if not isinstance(last, int) else [last]
        front = ([steps, batch] if self.time_major else [batch, steps]) if self.return_sequences else [batch]
        out = TensorShape(front + last)
        return [out] + [TensorShape([batch] + n) for n in _sizes(self.cell.state_size)] if self.return_state else out

    def reset_states(self, states=None):
        """Sets the initial state of the next batch to zeros or to the given arrays."""
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        shape = self.input_spec[0].shape if self.input_spec else None
        batch = shape[1 if self.time_major else 0] if shape is not None else None
        if not batch:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n- If using a Sequential model, specify the "
                             "batch size by passing a `batch_input_shape` argument to your first layer.\n- If using the functional API, specify the batch size by passing a "
                             "`batch_shape` argument to your Input layer.")
        if self._states is None:
            made = nest.pack_sequence_as(self.cell.state_size, [backend_functions.zeros(n) for n in self._state_shapes(batch)])
            self._states = made if nest.is_sequence(made) else [made]
            return
        flat = nest.flatten(self._states)
        values = [np.zeros(v.shape.as_list()) for v in flat] if states is None else nest.flatten(states)
        if len(values) != len(flat):
            raise ValueError("Layer " + self.name + " expects " + str(len(flat)) + " states, but it received " + str(len(values)) + " state values. Input received: " + str(states))
        for i, (value, state) in enumerate(zip(values, flat)):
            if tuple(value.shape) != tuple(state.shape.as_list()):
                raise ValueError("State " + str(i) + " is incompatible with layer " + self.name + ": expected shape=" + str((batch, state)) + ", found shape=" + str(value.shape))
        backend.batch_set_value(list(zip(flat, values)))

    def _state_shapes(self, batch):
        return [[batch] + n for n in _sizes(self.cell.state_size)]

    def get_config(self):
        config = kept(self, super().get_config(), "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major")
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = self.zero_output_for_mask
        config["cell"] = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from .saving import deserialize_layer

        config = dict(config)
        constants = config.pop("num_constants", 0)
        layer = cls(deserialize_layer(config.pop("cell"), custom_objects), **config)
        layer._num_constants = constants
        return layer


def split_inputs(inputs, initial_state, constants, num_constants):
    """(inputs, states, constants) of a call, which may pass all of them in one list."""
    if isinstance(inputs, list):
        assert initial_state is None and constants is None
        if num_constants:
            constants, inputs = inputs[-num_constants:], inputs[:-num_constants]
        if len(inputs) > 1:
            initial_state, inputs = inputs[1:], inputs[:1]
        inputs = inputs[0]
    as_list = lambda x: x if x is None or isinstance(x, list) else list(x) if isinstance(x, tuple) else [x]  # noqa: E731
    return inputs, as_list(initial_state), as_list(constants)


def all_of_keras(tensors, what):
    """Whether tensors come from Keras layers; ValueError if only some do."""
    known = {hasattr(t, "_keras_history") for t in nest.flatten(tensors)}
    if len(known) > 1:
        raise ValueError(what + ' cannot be specified with a mix of Keras tensors and non-Keras tensors (a "Keras tensor" is a tensor that was returned by a Keras layer, or by '
                         "`Input`)")
    return True in known


def _sequence_layer(name, cell_class, doc, is_public=True):
    parameters = [p for p in inspect.signature(cell_class.__init__).parameters.values() if p.name not in ("self", "kwargs")]
    names = [p.name for p in parameters]

    def __init__(self, units, *args, **kwargs):
        given = dict(zip(names[1:], args))
        given.update((n, kwargs.pop(n)) for n in names[1:] if n in kwargs)
        cell_kwargs = {"name": None}
        for n in ("dtype", "trainable"):
            if n in kwargs:
                cell_kwargs[n] = kwargs[n]
        if "implementation" in kwargs:  # a SimpleRNN has one implementation
            kwargs.pop("implementation")
            logging.warning("The `implementation` argument in `%s` has been deprecated. Please remove it from your layer call." % name)
        if given.get("implementation", 1) == 0:
            given["implementation"] = 1
        kwargs["activity_regularizer"] = lookups.regularizer(kwargs.pop("activity_regularizer", None))
        RNN.__init__(self, cell_class(units, **given, **{k: v for k, v in cell_kwargs.items() if v is not None}), **kwargs)

    def get_config(self):
        config = RNN.get_config(self)
        config.pop("cell")
        inner = self.cell.get_config()
        config.update((n, inner[n]) for n in names if n in inner)
        config["activity_regularizer"] = lookups.text_of(self._activity_regularizer) if self._activity_regularizer else None
        return config

    body = {"__init__": __init__, "get_config": get_config, "__doc__": doc, "__module__": __name__, "from_config": classmethod(lambda cls, config: cls(**config))}
    for n in names:
        body.setdefault(n, property(lambda self, n=n: getattr(self.cell, n)))
    made = type(name, (RNN,), body)
    return keras_class(name)(made) if is_public else made


SimpleRNN = _sequence_layer("SimpleRNN", SimpleRNNCell, "A plain recurrent layer.")
GRU = _sequence_layer("GRU", GRUCell, "A layer of gated recurrent units.")
LSTM = _sequence_layer("LSTM", LSTMCell, "A layer of long short-term memory.")
