"""tf.nn.RNNCellDropoutWrapper and its kin of TensorFlow 2: wrappers that are Keras cells."""

from ..exports import export
from ..layers.keras_names import layer_class
from ..rnn.wrappers import DeviceWrapping, DropoutWrapping, ResidualWrapping
from .cells import AbstractRNNCell
from .saving import deserialize_layer


class _Wrapper(AbstractRNNCell):
    """Builds the cell and calls its call(), so that the names of its variables don't depend on the wrapper."""

    def call(self, inputs, state, **kwargs):
        return self._call_wrapped_cell(inputs, state, cell_call_fn=self.cell.call, **kwargs)

    def build(self, input_shape):
        self.cell.build(input_shape)
        self.built = True

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        return cls(deserialize_layer(config.pop("cell"), custom_objects=custom_objects), **config)


@export("compat.v2.nn.RNNCellDropoutWrapper")
@layer_class
class DropoutWrapper(DropoutWrapping, _Wrapper):
    """Dropout of a cell's inputs, outputs and states."""


@export("compat.v2.nn.RNNCellResidualWrapper")
@layer_class
class ResidualWrapper(ResidualWrapping, _Wrapper):
    """Adds a cell's inputs to its outputs."""


@export("compat.v2.nn.RNNCellDeviceWrapper")
@layer_class
class DeviceWrapper(DeviceWrapping, _Wrapper):
    """Runs a cell on a device."""
