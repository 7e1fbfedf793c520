"""tf.keras.layers that wrap other layers: TimeDistributed, Bidirectional."""

import copy
import inspect

from .. import basics, engine, ops, settings
from ..layers.base import InputSpec, Layer
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape
from . import backend_functions
from .recurrent import all_of_keras, split_inputs


@keras_class("Wrapper")
class Wrapper(Layer):
    """Base of layers that wrap another layer."""

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError("Please initialize `%s` layer with a `Layer` instance. You passed: %s" % (type(self).__name__, layer))
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    activity_regularizer = property(lambda self: getattr(self.layer, "activity_regularizer", None))

    def get_config(self):
        config = super().get_config()
        config["layer"] = {"class_name": type(self.layer).__name__, "config": self.layer.get_config()}
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from .saving import deserialize_layer

        config = dict(config)
        return cls(deserialize_layer(config.pop("layer"), custom_objects), **config)


def _is_built_in(layer):
    """Whether the layer's class, or a base class more specific than Layer, comes with Keras, so that its behaviour is known."""
    return any(c.__module__.startswith("weft.") and c not in Layer.__mro__ for c in type(layer).__mro__)


@keras_class("TimeDistributed")
class TimeDistributed(Wrapper):
    """Applies a layer to each step of a sequence."""

    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        # Custom layers may need the batch size; if it is known, apply them step by step.
        self._by_reshaping = _is_built_in(layer) and not getattr(layer, "stateful", False)
        self._flattened = {}

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError("`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: " + str(sizes))
        self.input_spec = InputSpec(shape=[None, None] + sizes[2:])
        super().build(TensorShape([sizes[0]] + sizes[2:]))

    def call(self, inputs, training=None, mask=None):
        arguments = {"training": training} if "training" in self.layer._arguments else {}
        sizes = inputs.shape.as_list()
        if sizes[0] and not self._by_reshaping:
            _, outputs, _ = backend_functions.rnn(lambda x, _: (self.layer(x, **arguments), []), inputs, initial_states=[], input_length=sizes[1], unroll=False)
            return outputs
        length = sizes[1] or basics.shape(inputs)[1]
        inner = self._flattened[id(inputs)] = engine.reshape(inputs, [-1] + _known(inputs, 2))
        if "mask" in self.layer._arguments and mask is not None:
            arguments["mask"] = engine.reshape(mask, [-1] + _known(mask, 2))
        y = self.layer(inner, **arguments)
        outputs = engine.reshape(y, [-1, length] + _known(y, 1))
        outputs.set_shape([sizes[0], sizes[1]] + y.shape.as_list()[1:])
        return outputs

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        inner = TensorShape(self.layer.compute_output_shape(TensorShape([sizes[0]] + sizes[2:]))).as_list()
        return TensorShape([inner[0], sizes[1]] + inner[1:])

    def compute_mask(self, inputs, mask=None):
        """The inner layer's mask for each step, else the inputs' mask reduced to whole steps."""
        sizes = inputs.shape.as_list()
        if sizes[0]:
            return mask
        inner = engine.reshape(mask, [-1] + _known(mask, 2)) if mask is not None else None
        made = self.layer.compute_mask(self._flattened.get(id(inputs), inputs), inner)
        if made is None:
            for _ in range(2, mask.shape.ndims if mask is not None else 0):
                mask = engine.reduce_any(mask, axis=-1)
            return mask
        return engine.reshape(made, [-1, sizes[1] or basics.shape(inputs)[1]] + _known(made, 1))


def _known(tensor, first):
    """The sizes of a tensor from a dimension on; unknown sizes as tensors."""
    return [n if n is not None else basics.shape(tensor)[i + first] for i, n in enumerate(tensor.shape.as_list()[first:])]


@keras_class("Bidirectional")
class Bidirectional(Wrapper):
    """A recurrent layer applied in both directions. In output sequences masked steps are zero."""

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError("Please initialize `Bidirectional` layer with a `Layer` instance. You passed: %s" % (layer,))
        if backward_layer is not None and not isinstance(backward_layer, Layer):
            raise ValueError("`backward_layer` need to be a `Layer` instance. You passed: %s" % (backward_layer,))
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
        Layer.__init__(self, **kwargs)
        self.forward_layer = self.layer = self._again(layer)
        self.backward_layer = self._again(layer, True) if backward_layer is None else backward_layer
        self._backward_config = backward_layer.get_config() if backward_layer is not None else None
        self.forward_layer._name, self.backward_layer._name = "forward_" + self.forward_layer.name, "backward_" + self.backward_layer.name
        self._check_layers()
        for half in (self.forward_layer, self.backward_layer):
            if getattr(half, "zero_output_for_mask", None) is not None:
                half.zero_output_for_mask = half.return_sequences
        # As in TensorFlow, the wrapper itself is not stateful: training carries states on, evaluation and prediction do not.
        self.merge_mode, self.return_sequences, self.return_state = merge_mode, layer.return_sequences, layer.return_state
        settings.unused("keras.layers.Bidirectional", "as in TensorFlow; set_weights() sets them once the layer is built", weights=(weights, None))
        self.supports_masking, self._num_constants, self.input_spec = True, 0, layer.input_spec

    def _check_layers(self):
        if self.forward_layer.go_backwards == self.backward_layer.go_backwards:
            raise ValueError("Forward layer and backward layer should have different `go_backwards` value.")
        for name in ("stateful", "return_sequences", "return_state"):
            one, other = getattr(self.forward_layer, name), getattr(self.backward_layer, name)
            if one != other:
                raise ValueError("Forward layer and backward layer are expected to have the same value for attribute {}, got {} and {}".format(name, one, other))

    @staticmethod
    def _again(layer, backwards=False):
        config = copy.copy(layer.get_config())
        if backwards:
            config["go_backwards"] = not config["go_backwards"]
        if "custom_objects" not in inspect.signature(type(layer).from_config).parameters:
            return type(layer).from_config(config)
        cell = getattr(layer, "cell", None)
        cells = [c for c in [cell] + list(getattr(cell, "cells", ())) if c is not None]
        return type(layer).from_config(config, custom_objects={type(c).__name__: type(c) for c in cells})

    def build(self, input_shape):
        for layer in (self.forward_layer, self.backward_layer):
            with ops.name_scope(layer.name):
                layer._dtype = layer._dtype or self._dtype
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        inputs, initial_state, constants = split_inputs(inputs, initial_state, constants, self._num_constants)
        if isinstance(inputs, list):
            initial_state, inputs = inputs[1:] or initial_state, inputs[0]
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)
        more = []
        if initial_state is not None:
            if len(initial_state) % 2:
                raise ValueError("When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the states of the underlying RNNs. Found: " +
                                 str(initial_state))
            kwargs["initial_state"] = initial_state
            more += initial_state
        if constants is not None:
            kwargs["constants"] = constants
            more += constants
            self._num_constants = self.forward_layer._num_constants = self.backward_layer._num_constants = len(constants)
        if not all_of_keras(more, "The initial state of a Bidirectional layer"):
            return super().__call__(inputs, **kwargs)
        kwargs.update({k: None for k in ("initial_state", "constants")})
        before, self.input_spec = self.input_spec, None
        outputs = super().__call__([inputs] + more, **kwargs)
        self.input_spec = before
        return outputs

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        names = self.layer._arguments
        given = {k: v for k, v in (("training", training), ("mask", mask), ("constants", constants)) if k in names}
        ahead, back = dict(given), dict(given)
        inputs_ahead = inputs_back = inputs
        if "initial_state" in names:
            if isinstance(inputs, list) and len(inputs) > 1:  # states of the forward layer, of the backward layer, constants
                count, fixed = self._num_constants, inputs[len(inputs) - self._num_constants:]
                half = (len(inputs) - count) // 2 + 1
                inputs_ahead, inputs_back = [inputs[0]] + inputs[1:half] + fixed, [inputs[0]] + inputs[half:len(inputs) - count] + fixed
                for own in (ahead, back):
                    if "constants" in own:
                        own["constants"] = None
            elif initial_state is not None:
                half = len(initial_state) // 2
                ahead["initial_state"], back["initial_state"] = initial_state[:half], initial_state[half:]
        y, b = self.forward_layer(inputs_ahead, **ahead), self.backward_layer(inputs_back, **back)
        states = None
        if self.return_state:
            states, y, b = list(y[1:]) + list(b[1:]), y[0], b[0]
        if self.return_sequences:
            b = engine.reverse(b, [1])
        output = (engine.concat([y, b], axis=-1) if self.merge_mode == "concat" else y + b if self.merge_mode == "sum" else (y + b) / 2 if self.merge_mode == "ave"
                  else y * b if self.merge_mode == "mul" else [y, b])
        if self.return_state:
            return (output if self.merge_mode is None else [output]) + states
        return output

    def reset_states(self):
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_output_shape(self, input_shape):
        shapes = self.forward_layer.compute_output_shape(input_shape)
        states = list(shapes[1:]) if self.return_state else []
        sizes = TensorShape(shapes[0] if self.return_state else shapes).as_list()
        if self.merge_mode == "concat":
            sizes[-1] *= 2
        made = [TensorShape(sizes), TensorShape(sizes)] if self.merge_mode is None else TensorShape(sizes)
        if self.return_state:
            return (made if isinstance(made, list) else [made]) + states + states
        return made

    def compute_mask(self, inputs, mask=None):
        if isinstance(mask, list):
            mask = mask[0]
        made = mask if self.return_sequences else None
        made = [made, made] if self.merge_mode is None else made
        if self.return_state:
            return (made if isinstance(made, list) else [made]) + [None] * (2 * len(self.forward_layer.states))
        return made

    def get_config(self):
        config = kept(self, super().get_config(), "merge_mode")
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if self._backward_config is not None:
            config["backward_layer"] = {"class_name": type(self.backward_layer).__name__, "config": self._backward_config}
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from .saving import deserialize_layer

        config = dict(config)
        constants, backward = config.pop("num_constants", 0), config.pop("backward_layer", None)
        if backward is not None:
            config["backward_layer"] = deserialize_layer(backward, custom_objects)
        layer = super().from_config(config, custom_objects)
        layer._num_constants = constants
        return layer
