"""tf.keras.Model and Sequential."""

from .. import ops
from ..exports import export
from ..internals.keras_tensors import assert_no_legacy_layers
from ..layers.additions import CallStack
from ..layers.base import Layer
from ..tensor_shape import TensorShape
from ..util import nest
from . import backend, functional, saving
from .layers import Input, InputLayer
from .network import Network
from .training import Trainable


@export("keras.Model", "keras.models.Model")
class Model(Trainable, Network):
    """A network with training: compile() and fit()."""


@export("keras.Sequential", "keras.models.Sequential")
class Sequential(Model):
    """Layers one after another."""

    _holds_containers = False

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        for layer in layers if isinstance(layers, (list, tuple)) else [layers] if layers is not None else ():
            self.add(layer)

    @property
    def layers(self):
        return list(self._layers[1:] if self._layers and isinstance(self._layers[0], InputLayer) else self._layers)

    def add(self, layer):
        """Appends a layer."""
        if isinstance(layer, ops.Tensor) and hasattr(layer, "_keras_history"):
            layer = layer._keras_history.layer
        assert_no_legacy_layers([layer])
        if not isinstance(layer, Layer):
            raise TypeError("The added layer must be an instance of class Layer. Found: " + str(layer))
        if any(layer is known for known in self._layers):
            raise ValueError("All layers added to a Sequential model should have unique names. Name \"%s\" is already the name of a layer in this model." % layer.name)
        if not self._layers:
            if isinstance(layer, InputLayer):
                self._layers.append(layer)
                self._put([layer.tensor], layer.tensor)
                return
            shape = getattr(layer, "_batch_input_shape", None)
            dtype = layer.dtype
            if shape is None and isinstance(layer, Model) and layer.inputs is not None:
                shape, dtype = tuple(layer.inputs[0].shape.as_list()), layer.inputs[0].dtype.name
            if shape is None and isinstance(layer, Sequential) and layer._inputs is not None:
                shape = tuple(layer._inputs[0].shape.as_list())
            if shape is not None:
                start = Input(batch_shape=shape, dtype=dtype, name=layer.name + "_input")
                self._layers.append(start._keras_history.layer)
                self._put([start], start)
        self._layers.append(layer)
        if self._outputs is not None:
            made = layer(self._outputs[0])
            if len(nest.flatten(made)) != 1:
                raise (ValueError if len(self.layers) == 1 else TypeError)("All layers in a Sequential model should have a single output tensor. For multi-output layers, use the functional API.")
            self._put(self._inputs, nest.flatten(made)[0])

    def _put(self, inputs, output):
        self.__dict__.update(_inputs=list(inputs), _outputs=[output], _structure_in=inputs[0], _structure_out=output, _functional=True, built=True)
        self.__dict__["_nodes"] = functional.network(self._inputs, self._outputs)[0]
        self._remember_itself()

    def pop(self):
        """Removes the last layer."""
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        self._layers.pop()
        if self._outputs is not None:
            if self.layers:
                last = self._layers[-1]._inbound_nodes[-1].output_tensors
                self._put(self._inputs, last)
            else:
                self.__dict__.update(_inputs=None, _outputs=None, _functional=False, built=False)
                self._layers[:] = []

    def build(self, input_shape=None):
        if self._outputs is None:
            if input_shape is None:
                raise ValueError("You must provide an `input_shape` argument.")
            self.__dict__["_build_input_shape"] = tuple(TensorShape(input_shape).as_list())
            self._begin(Input(batch_shape=self._build_input_shape, dtype=backend.floatx()))
        self.built = True

    def _begin(self, start):
        self._layers.insert(0, start._keras_history.layer)
        x = start
        for layer in self._layers[1:]:
            x = layer(x)
        self._put([start], x)

    def _set_inputs(self, x):
        # A Sequential model without an input shape takes it from the first data.
        if isinstance(x, dict):
            first = self.layers[0] if self.layers else None
            if not getattr(first, "_is_feature_layer", False):
                raise ValueError("Passing a dictionary input to a Sequential Model which doesn't have FeatureLayer as the first layer is an error.")
            super()._set_inputs(x)
            return
        start = self._placeholder("input_1", nest.flatten(x)[0])
        CallStack.layers.append((self, backend.learning_phase(), start))  # the layers inherit `training`
        try:
            self._begin(start)
        finally:
            CallStack.layers.pop()
        self.__dict__.update(_deferred=True, _build_input_shape=tuple(self._inputs[0].shape.as_list()))

    def compute_output_shape(self, input_shape):
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def _maybe_build(self, inputs):
        if self._outputs is not None:
            super()._maybe_build(inputs)

    def call(self, inputs, training=None, mask=None):
        if self._outputs is None:
            for layer in self._layers:
                inputs = layer(inputs, **({"training": training} if "training" in layer._arguments else {}))
            self.built = True
            return inputs
        return super().call(inputs, training=training)

    def predict_classes(self, x, batch_size=32, verbose=0):
        scores = self.predict(x, batch_size)
        return scores.argmax(axis=-1) if scores.shape[-1] > 1 else (scores > .5).astype("int32")

    def predict_proba(self, x, batch_size=32, verbose=0):
        return self.predict(x, batch_size)

    def get_config(self):
        return saving.sequential_config(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return saving.sequential_of(config, custom_objects, cls)
