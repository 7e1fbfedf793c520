"""Cells that wrap cells."""

import hashlib
import numbers

from .. import engine, ops
from ..control_flow import TensorArray
from ..keras.function_configs import described, function_of
from ..layers.base import Layer
from ..platform import tf_logging as logging
from ..tensor_shape import TensorShape
from ..util import nest
from ..variable_scope import variable_scope
from .cells import LSTMStateTuple, RNNCell, assert_like_rnncell, cell_export


class Wrapping:
    """Mixin of cells with the sizes and states of a wrapped cell."""

    def __init__(self, cell, dtype=None, **kwargs):
        super().__init__(dtype=dtype, **kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = self._cell = cell

    state_size = property(lambda self: self.cell.state_size)
    output_size = property(lambda self: self.cell.output_size)
    wrapped_cell = property(lambda self: self.cell)

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self):
        return dict(super().get_config(), cell={"class_name": type(self.cell).__name__, "config": self.cell.get_config()})


class _Wrapper(RNNCell):
    """A wrapper that calls the cell in its own variable scope."""

    def __call__(self, inputs, state, scope=None):
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.__call__, scope=scope)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        cell = config.pop("cell")
        try:
            assert_like_rnncell("cell", cell)
        except TypeError:
            raise ValueError("RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell in the config with a RNNCell instance.") from None
        return cls(cell, **config)


def _dropped_part(substate):
    """The parts of a state that dropout applies to: not the memory of LSTMs, nor TensorArrays."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(substate, TensorArray)


def _traversed(function, structure):
    """`function` applied to a structure: False holds for all of it, True descends into its elements."""
    answer = function(structure)
    if not nest.is_sequence(structure) or answer is False:
        return answer
    if nest.is_sequence(answer):
        return answer
    made = [_traversed(function, s) for s in structure]
    return type(structure)(*made) if hasattr(structure, "_fields") else type(structure)(made)


def _numbered(shallow, function, *structures):
    """map_structure_up_to with the position as first argument."""
    count = [-1]

    def call(*leaves):
        count[0] += 1
        return function(count[0], *leaves)

    return nest.map_structure_up_to(shallow, call, *structures)


class DropoutWrapping(Wrapping):
    """Dropout of a cell's inputs, outputs and states."""

    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, variational_recurrent=False, input_size=None, dtype=None, seed=None,
                 dropout_state_filter_visitor=None, **kwargs):
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _dropped_part
        with ops.name_scope("DropoutWrapperInit"):
            for probability, name in ((input_keep_prob, "input_keep_prob"), (state_keep_prob, "state_keep_prob"), (output_keep_prob, "output_keep_prob")):
                tensor = ops.convert_to_tensor(probability)
                known = ops.constant_value(tensor)
                if known is not None and (known < 0 or known > 1):
                    raise ValueError("Parameter %s must be between 0 and 1: %d" % (name, known))
                setattr(self, "_" + name, tensor if known is None else float(known))
        self._variational_recurrent, self._input_size, self._seed = variational_recurrent, input_size, seed
        self._recurrent_input_noise = self._recurrent_state_noise = self._recurrent_output_noise = None
        if variational_recurrent:
            self._make_noise(cell, input_size, dtype)

    def _make_noise(self, cell, input_size, dtype):
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")

        def noise(salt):
            def make(i, size):
                shape = engine.concat(([1], TensorShape(size).as_list()), 0)
                return engine.random_uniform(shape, seed=self._gen_seed(salt, i), dtype=dtype)

            return make

        if not isinstance(self._input_keep_prob, numbers.Real) or self._input_keep_prob < 1.0:
            if input_size is None:
                raise ValueError("When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be provided")
            self._recurrent_input_noise = _numbered(input_size, noise("input"), input_size)
        self._recurrent_state_noise = _numbered(cell.state_size, noise("state"), cell.state_size)
        self._recurrent_output_noise = _numbered(cell.output_size, noise("output"), cell.output_size)

    def _gen_seed(self, salt_prefix, index):
        if self._seed is None:
            return None
        text = "%s%s_%d" % (self._seed, salt_prefix, index)
        return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _dropout(self, values, salt, noise, keep_prob, shallow=None):
        shallow = values if shallow is None else shallow
        if not self._variational_recurrent:
            def drop(i, wanted, v):
                if isinstance(wanted, bool) and not wanted:
                    return v
                return engine.nn.dropout(v, rate=1.0 - keep_prob, seed=self._gen_seed(salt, i))

            return _numbered(shallow, drop, shallow, values)

        def drop_always(i, wanted, v, n):
            if isinstance(wanted, bool) and not wanted:
                return v
            kept = engine.floor(keep_prob + n)
            out = engine.div(v, keep_prob) * kept
            out.set_shape(v.get_shape())
            return out

        return _numbered(shallow, drop_always, shallow, values, noise)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        def drops(p):
            return not isinstance(p, float) or p < 1

        if drops(self._input_keep_prob):
            inputs = self._dropout(inputs, "input", self._recurrent_input_noise, self._input_keep_prob)
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if drops(self._state_keep_prob):
            shallow = _traversed(self._dropout_state_filter, new_state)
            new_state = self._dropout(new_state, "state", self._recurrent_state_noise, self._state_keep_prob, shallow)
        if drops(self._output_keep_prob):
            output = self._dropout(output, "output", self._recurrent_output_noise, self._output_keep_prob)
        return output, new_state

    def get_config(self):
        config = dict(super().get_config(), input_keep_prob=self._input_keep_prob, output_keep_prob=self._output_keep_prob, state_keep_prob=self._state_keep_prob,
                      variational_recurrent=self._variational_recurrent, input_size=self._input_size, seed=self._seed)
        if self._dropout_state_filter is not _dropped_part:
            config["dropout_state_filter_visitor"], config["dropout_state_filter_visitor_type"], config["dropout_state_filter_visitor_module"] = described(self._dropout_state_filter)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return super().from_config(_with_function(config, "dropout_state_filter_visitor", custom_objects), custom_objects)


class ResidualWrapping(Wrapping):
    """Adds a cell's inputs to its outputs."""

    def __init__(self, cell, residual_fn=None, **kwargs):
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)

        def add(i, o):
            i.get_shape().assert_is_compatible_with(o.get_shape())
            return i + o

        def sum_of(inputs, outputs):
            nest.assert_same_structure(inputs, outputs)
            return nest.map_structure(add, inputs, outputs)

        return (self._residual_fn or sum_of)(inputs, outputs), new_state

    def get_config(self):
        config = super().get_config()
        if self._residual_fn is not None:
            config["residual_fn"], config["residual_fn_type"], config["residual_fn_module"] = described(self._residual_fn)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return super().from_config(_with_function(config, "residual_fn", custom_objects), custom_objects)


class DeviceWrapping(Wrapping):
    """Runs a cell on a device."""

    def __init__(self, cell, device, **kwargs):
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]), ops.device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs, state, cell_call_fn, **kwargs):
        with ops.device(self._device):
            return cell_call_fn(inputs, state, **kwargs)

    def get_config(self):
        return dict(super().get_config(), device=self._device)


def _with_function(config, name, custom_objects):
    """A configuration with a function in place of its description."""
    config = dict(config)
    if name in config:
        config[name] = function_of(config[name], config.pop(name + "_type"), config.pop(name + "_module", None), custom_objects, "cell wrapper")
    return config


@cell_export("DropoutWrapper")
class DropoutWrapper(DropoutWrapping, _Wrapper):
    """Dropout of a cell's inputs, outputs and states."""


@cell_export("ResidualWrapper")
class ResidualWrapper(ResidualWrapping, _Wrapper):
    """Adds a cell's inputs to its outputs."""


@cell_export("DeviceWrapper")
class DeviceWrapper(DeviceWrapping, _Wrapper):
    """Runs a cell on a device."""


@cell_export("MultiRNNCell")
class MultiRNNCell(RNNCell):
    """A stack of cells."""

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_sequence(cells):
            raise TypeError("cells must be a list or tuple, but saw: %s." % cells)
        if len({id(c) for c in cells}) < len(cells):
            logging.log_first_n(logging.WARN, "At least two cells provided to MultiRNNCell are the same object and will share weights.", 1)
        self._cells, self._state_is_tuple = cells, state_is_tuple
        if not state_is_tuple and any(nest.is_sequence(c.state_size) for c in cells):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: %s" % str([c.state_size for c in cells]))

    @property
    def state_size(self):
        sizes = tuple(c.state_size for c in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        return self._cells[-1].output_size

    def zero_state(self, batch_size, dtype):
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(c.zero_state(batch_size, dtype) for c in self._cells)
            return super().zero_state(batch_size, dtype)

    def _weights_of(self, kind):
        found = []
        for c in self._cells:
            if isinstance(c, Layer):
                found += getattr(c, kind)
        return found

    @property
    def trainable_weights(self):
        return self._weights_of("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self):
        fixed = self._weights_of("non_trainable_weights")
        return fixed if self.trainable else self._weights_of("trainable_weights") + fixed

    def call(self, inputs, state):
        at, states = 0, []
        for i, cell in enumerate(self._cells):
            with variable_scope("cell_%d" % i):
                if self._state_is_tuple:
                    if not nest.is_sequence(state):
                        raise ValueError("Expected state to be a tuple of length %d, but received: %s" % (len(self.state_size), state))
                    own = state[i]
                else:
                    own = engine.slice(state, [0, at], [-1, cell.state_size])
                    at += cell.state_size
                inputs, new_state = cell(inputs, own)
                states.append(new_state)
        return inputs, tuple(states) if self._state_is_tuple else engine.concat(states, 1)
