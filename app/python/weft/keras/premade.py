"""tf.keras.experimental.LinearModel and WideDeepModel."""

from .. import engine
from ..exports import export
from ..layers import lookups
from ..layers.base import Layer
from ..layers.core import KerasDense, kept
from ..layers.keras_names import layer_class
from .models import Model
from .saving import deserialize_layer, serialize_layer
from .serialization import CustomObjectScope


@export("keras.experimental.LinearModel")
@layer_class
class LinearModel(Model):
    """A weighted sum of the features of one or several inputs."""

    def __init__(self, units=1, activation=None, use_bias=True, kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, **kwargs):
        super().__init__(**kwargs)
        self.units, self.use_bias, self.activation = units, use_bias, lookups.activation(activation)
        self.kernel_initializer, self.bias_initializer = lookups.initializer(kernel_initializer), lookups.initializer(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = lookups.regularizer(kernel_regularizer), lookups.regularizer(bias_regularizer)

    def build(self, input_shape):
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        self.dense_layers = [KerasDense(self.units, use_bias=False, kernel_initializer=self.kernel_initializer, kernel_regularizer=self.kernel_regularizer) for _ in shapes]
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.units], initializer=self.bias_initializer, regularizer=self.bias_regularizer, dtype=self.dtype, trainable=True)
        self.built = True

    def call(self, inputs):
        inputs = inputs if isinstance(inputs, (tuple, list)) else [inputs]
        if len(inputs) != len(self.dense_layers):
            raise ValueError("Expected {} inputs, but got {} inputs".format(len(self.dense_layers), len(inputs)))
        result = None
        for x, layer in zip(inputs, self.dense_layers):
            result = layer(x) if result is None else result + layer(x)
        if self.use_bias:
            result = engine.nn.bias_add(result, self.bias)
        return result if self.activation is None else self.activation(result)

    def get_config(self):
        return kept(self, Layer.get_config(self), "units", "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer")

    @classmethod
    def from_config(cls, config, custom_objects=None):
        with CustomObjectScope(custom_objects or {}):
            return cls(**config)


@export("keras.experimental.WideDeepModel")
@layer_class
class WideDeepModel(Model):
    """The mean of a linear and a deep model, trained together; each may have an optimizer of its own."""

    def __init__(self, linear_model, dnn_model, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.linear_model, self.dnn_model, self.activation = linear_model, dnn_model, lookups.activation(activation)

    def call(self, inputs):
        wide, deep = inputs if isinstance(inputs, (tuple, list)) and len(inputs) == 2 else (inputs, inputs)
        output = .5 * (self.linear_model(wide) + self.dnn_model(deep))
        return self.activation(output) if self.activation else output

    def _optimizers(self):
        return tuple(self.optimizer[:2]) if isinstance(self.optimizer, (tuple, list)) else (self.optimizer, self.optimizer)

    def _backwards(self, tape, loss):
        parts = self.linear_model.trainable_weights, self.dnn_model.trainable_weights
        for optimizer, gradients, variables in zip(self._optimizers(), tape.gradient(loss, parts), parts):
            optimizer.apply_gradients(list(zip(gradients, variables)))

    def _optimizer_updates(self):
        updates = []
        for optimizer, part in zip(self._optimizers(), (self.linear_model, self.dnn_model)):
            updates += optimizer.get_updates(params=part.trainable_weights, loss=self.total_loss)
        return updates

    def get_config(self):
        return dict(kept(self, Layer.get_config(self), "activation"), linear_model=serialize_layer(self.linear_model), dnn_model=serialize_layer(self.dnn_model))

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        parts = [deserialize_layer(config.pop(name), custom_objects) for name in ("linear_model", "dnn_model")]
        with CustomObjectScope(custom_objects or {}):
            activation = lookups.activation(config.pop("activation", None))
        return cls(*parts, activation=activation, **config)
