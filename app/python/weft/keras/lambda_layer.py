"""tf.keras.layers.Lambda."""

import inspect

import numpy as np

from ..internals.nested_shapes import convert_shapes
from ..layers.base import Layer
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape
from ..util import nest
from ..variable_base import variable_creator_scope
from . import backend, function_configs


@keras_class("Lambda")
class Lambda(Layer):
    """Applies a function of tensors. Variables that the function creates are created once, by name."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function, self.arguments, self.mask, self._output_shape = function, arguments or {}, mask, output_shape
        self.supports_masking = mask is not None
        self.__dict__["_variables_by_name"] = {}
        try:
            self._takes = set(inspect.signature(function).parameters)
        except (TypeError, ValueError):  # a function of C
            self._takes = set()

    def call(self, inputs, mask=None, training=None):
        given = dict(self.arguments)
        given.update((name, value) for name, value in (("mask", mask), ("training", training)) if name in self._takes)
        with variable_creator_scope(self._variable_creator):
            return self.function(inputs, **given)

    def _variable_creator(self, next_creator, **kwargs):
        name = kwargs["name"]
        if name not in self._variables_by_name:
            made = self._variables_by_name[name] = next_creator(**kwargs)
            self._track_variable(made)
            backend.track(made)
        return self._variables_by_name[name]

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape):
        """The given output shape, or that of a trial call."""
        input_shape = convert_shapes(input_shape, to_tuples=True) if input_shape is not None else None
        if self._output_shape is None:
            try:
                return self._tried_shape(input_shape)
            except NotImplementedError:
                raise NotImplementedError("We could not automatically infer the shape of the Lambda's output. Please specify `output_shape` for this Lambda.") from None
        if callable(self._output_shape):
            return convert_shapes(self._output_shape(input_shape), to_tuples=False)
        batch = nest.flatten(convert_shapes(input_shape, to_tuples=False))[0].as_list()[0] if input_shape else None
        return nest.map_structure(lambda s: TensorShape([batch] + s.as_list()), convert_shapes(self._output_shape, to_tuples=False))

    def get_config(self):
        config = super().get_config()
        config["function"], config["function_type"], config["module"] = function_configs.described(self.function)
        config["output_shape"], config["output_shape_type"], config["output_shape_module"] = function_configs.described(self._output_shape, allow_raw=True)
        if self.mask is not None:
            config["mask"], config["mask_type"], config["mask_module"] = function_configs.described(self.mask)
        config["arguments"] = self.arguments
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)

        def take(name, module, kind):
            return function_configs.function_of(config[name], config.pop(kind), config.pop(module, None), custom_objects)

        config["function"] = take("function", "module", "function_type")
        config["output_shape"] = take("output_shape", "output_shape_module", "output_shape_type")
        config["mask"] = take("mask", "mask_module", "mask_type") if "mask" in config else None
        # Files have arrays as lists.
        config["arguments"] = {name: np.array(value["value"]) if isinstance(value, dict) and value.get("type") == "ndarray" else value
                               for name, value in (config.get("arguments") or {}).items()}
        return cls(**config)
