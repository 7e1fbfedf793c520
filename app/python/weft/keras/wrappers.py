"""tf.keras.layers: layers around layers: TimeDistributed, Bidirectional."""

import copy

import tensorflow as tf

from ..layers.base import Layer, keras_class
from ..layers.core import kept
from ..tensor_shape import TensorShape
from ..util import nest
from . import backend_functions


@keras_class("Wrapper")
class Wrapper(Layer):
    """A layer that holds another."""

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
    def from_config(cls, config):
        from .saving import deserialize_layer

        config = dict(config)
        return cls(deserialize_layer(config.pop("layer")), **config)


@keras_class("TimeDistributed")
class TimeDistributed(Wrapper):
    """A layer for each step of a sequence."""

    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError("`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: " + str(sizes))
        step = TensorShape([sizes[0]] + sizes[2:])
        if not self.layer.built:
            self.layer._dtype = self.layer._dtype or self._dtype
            self.layer.build(step)
            self.layer.built = True
        self.built = True

    def call(self, inputs, training=None, mask=None):
        arguments = {"training": training} if "training" in self.layer._arguments else {}
        sizes = inputs.shape.as_list()
        if sizes[0]:
            _, outputs, _ = backend_functions.rnn(lambda x, _: (self.layer.call(x, **arguments), []), inputs, initial_states=[], input_length=sizes[1], unroll=False)
            return outputs
        length = sizes[1] or tf.shape(inputs)[1]
        inner = tf.reshape(inputs, [-1] + _known(inputs, 2))
        if "mask" in self.layer._arguments and mask is not None:
            arguments["mask"] = tf.reshape(mask, [-1] + _known(mask, 2))
        y = self.layer(inner, **arguments)
        outputs = tf.reshape(y, [-1, length] + _known(y, 1))
        outputs.set_shape([sizes[0], sizes[1]] + y.shape.as_list()[1:])
        return outputs

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        inner = self.layer.compute_output_shape(TensorShape([sizes[0]] + sizes[2:])).as_list()
        return TensorShape([inner[0], sizes[1]] + inner[1:])

    def compute_mask(self, inputs, mask=None):
        return mask


def _known(tensor, first):
    """The sizes of a tensor from a dimension on, tensors where they are not known."""
    return [n if n is not None else tf.shape(tensor)[i + first] for i, n in enumerate(tensor.shape.as_list()[first:])]


@keras_class("Bidirectional")
class Bidirectional(Wrapper):
    """A recurrent layer in both directions."""

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        if not isinstance(layer, Layer):
            raise ValueError("Please initialize `Bidirectional` layer with a `Layer` instance. You passed: %s" % (layer,))
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
        Layer.__init__(self, **{k: v for k, v in kwargs.items()})
        self.layer = self.forward_layer = self._again(layer)
        self.backward_layer = backward_layer if backward_layer is not None else self._again(layer, True)
        self.forward_layer._name, self.backward_layer._name = "forward_" + self.forward_layer.name, "backward_" + self.backward_layer.name
        self.merge_mode, self.stateful, self.return_sequences, self.return_state = merge_mode, layer.stateful, layer.return_sequences, layer.return_state
        if weights is not None:
            raise NotImplementedError("Bidirectional: weights are set by set_weights() once the layer is built")
        self.supports_masking, self._num_constants = True, 0

    @staticmethod
    def _again(layer, backwards=False):
        config = copy.copy(layer.get_config())
        if backwards:
            config["go_backwards"] = not config.get("go_backwards", False)
        return type(layer).from_config(config)

    def build(self, input_shape):
        for layer in (self.forward_layer, self.backward_layer):
            with tf.name_scope(layer.name):
                layer._dtype = layer._dtype or self._dtype
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        if constants is not None:
            raise NotImplementedError("Bidirectional: constants are not supported")
        if isinstance(inputs, list):
            initial_state, inputs = inputs[1:] or initial_state, inputs[0]
        if initial_state is not None and hasattr(nest.flatten(initial_state)[0], "_keras_history"):
            return super().__call__([inputs] + nest.flatten(initial_state), **kwargs)
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        return super().__call__(inputs, **kwargs)

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        if isinstance(inputs, (list, tuple)):
            initial_state, inputs = list(inputs[1:]) or None, inputs[0]
        given = {"mask": mask, "training": training}
        if initial_state is not None:
            flat = nest.flatten(initial_state)
            if len(flat) % 2:
                raise ValueError("When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the states of the underlying RNNs. Found: " +
                                 str(initial_state))
            half = len(flat) // 2
            y = self._run(self.forward_layer, inputs, initial_state=flat[:half], **given)
            b = self._run(self.backward_layer, inputs, initial_state=flat[half:], **given)
        else:
            y, b = self._run(self.forward_layer, inputs, **given), self._run(self.backward_layer, inputs, **given)
        states = None
        if self.return_state:
            states, y, b = list(y[1:]) + list(b[1:]), y[0], b[0]
        if self.return_sequences:
            b = tf.reverse(b, [0 if self.forward_layer.time_major else 1])
        output = (tf.concat([y, b], axis=-1) if self.merge_mode == "concat" else y + b if self.merge_mode == "sum" else (y + b) / 2 if self.merge_mode == "ave"
                  else y * b if self.merge_mode == "mul" else [y, b])
        if self.return_state:
            return (output if self.merge_mode is None else [output]) + states
        return output

    @staticmethod
    def _run(layer, inputs, **given):
        return layer.call(inputs, **{k: v for k, v in given.items() if k in layer._arguments})

    def reset_states(self):
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs, mask=None):
        if isinstance(mask, list):
            mask = mask[0]
        made = mask if self.return_sequences else None
        made = [made, made] if self.merge_mode is None else made
        if self.return_state:
            return (made if isinstance(made, list) else [made]) + [None] * (2 * len(nest.flatten(self.forward_layer.cell.state_size)))
        return made

    def get_config(self):
        return kept(self, super().get_config(), "merge_mode")
