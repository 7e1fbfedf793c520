"""tf.keras.layers: inputs, elementwise functions, reshaping, noise, Embedding."""

import numpy as np

from .. import basics, context, dtypes, engine
from ..data.sparse_functions import sparse_placeholder
from ..exports import export
from ..layers import lookups
from ..layers.base import InputSpec, Layer, object_name, snake
from ..layers.core import choose, kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape
from . import backend
from .functional import Node

snake_case = snake


def in_phase(training, yes, no):
    """yes() while training, else no(); if `training` is None, depends on the learning phase."""
    return choose(backend.learning_phase() if training is None else training, yes, no)


@keras_class("InputLayer")
class InputLayer(Layer):
    """The input of a model."""

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=False, name=None, **kwargs):
        batch = kwargs.pop("batch_input_shape", None)
        if batch is not None:
            batch_size, input_shape = batch[0], tuple(batch[1:])
        super().__init__(name=name or "%s_%d" % ("input", backend.get_uid("input")), dtype=dtype or (input_tensor.dtype.base_dtype if input_tensor is not None else backend.floatx()))
        self.built, self.sparse, self.is_placeholder = True, sparse, input_tensor is None
        if input_tensor is None:
            shape = (batch_size,) + ((input_shape,) if isinstance(input_shape, int) else tuple(input_shape or ()))
            with context.keras_graph().as_default():
                make = sparse_placeholder if sparse else engine.placeholder
                input_tensor = make(self.dtype, shape, name=self.name)
        self._batch_input_shape = tuple(input_tensor.shape.as_list()) if input_tensor.shape.ndims is not None else None
        self.tensor = input_tensor
        input_tensor.graph._has_keras_inputs = True
        Node(self, None, input_tensor, ((), {}))

    input = property(lambda self: self.tensor)

    def get_config(self):
        return {"batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse, "name": self.name}


@export("keras.Input", "keras.layers.Input")
def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, ragged=False, **kwargs):
    """An input tensor of a model."""
    if ragged:
        raise NotImplementedError("Input: ragged inputs are not supported")
    batch = kwargs.pop("batch_shape", None)
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if batch is not None:
        if shape is not None:
            raise ValueError("Only provide the `shape` OR `batch_shape` argument to Input, not both at the same time.")
        batch_size, shape = batch[0], batch[1:]
    if shape is None and tensor is None:
        raise ValueError("Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does not include the batch dimension.")
    return InputLayer(shape, batch_size, dtype, tensor, sparse, name).tensor


class _Elementwise(Layer):
    """Base of layers whose outputs have the shape of the inputs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


@keras_class("Activation")
class Activation(_Elementwise):
    """Applies an activation function."""

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.activation = lookups.activation(activation)

    def call(self, inputs):
        return self.activation(inputs)

    def get_config(self):
        return kept(self, super().get_config(), "activation")


@keras_class("Reshape")
class Reshape(Layer):
    """Reshapes each element of the batch."""

    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def call(self, inputs):
        return engine.reshape(inputs, (basics.shape(inputs)[0],) + self.target_shape)

    def compute_output_shape(self, input_shape):
        """The target shape; an open size is known where the sizes of the input are."""
        sizes = TensorShape(input_shape).as_list()
        if None in sizes[1:]:
            return TensorShape([sizes[0]] + [None if n == -1 else n for n in self.target_shape])
        known, count = int(np.prod([n for n in self.target_shape if n != -1])), int(np.prod(sizes[1:]))
        if self.target_shape.count(-1) > 1:
            raise ValueError("Can only specify one unknown dimension.")
        if self.target_shape.count(-1) and (known == 0 or count % known) or not self.target_shape.count(-1) and known != count:
            raise ValueError("total size of new array must be unchanged")
        return TensorShape([sizes[0]] + [count // known if n == -1 else n for n in self.target_shape])

    def get_config(self):
        return kept(self, super().get_config(), "target_shape")


@keras_class("Permute")
class Permute(Layer):
    """Permutes the dimensions; the batch stays first."""

    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError("Invalid permutation `dims` for Permute Layer: %s. The set of indices in `dims` must be consecutive and start from 1." % (dims,))
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs):
        return engine.transpose(inputs, perm=(0,) + self.dims)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0]] + [sizes[d] for d in self.dims])

    def get_config(self):
        return kept(self, super().get_config(), "dims")


@keras_class("RepeatVector")
class RepeatVector(Layer):
    """Repeats each vector n times."""

    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def call(self, inputs):
        return backend_functions().repeat(inputs, self.n)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], self.n, sizes[1]])

    def get_config(self):
        return kept(self, super().get_config(), "n")


def backend_functions():
    from . import backend_functions as functions

    return functions


@keras_class("Masking")
class Masking(Layer):
    """Masks steps whose values all equal mask_value, for the following layers."""

    def __init__(self, mask_value=0., **kwargs):
        super().__init__(**kwargs)
        self.supports_masking, self.mask_value = True, mask_value

    def compute_mask(self, inputs, mask=None):
        return engine.reduce_any(engine.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs):
        seen = engine.reduce_any(engine.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * basics.cast(seen, inputs.dtype)
        outputs._keras_mask = engine.squeeze(seen, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)

    def get_config(self):
        return kept(self, super().get_config(), "mask_value")


@keras_class("ActivityRegularization")
class ActivityRegularization(_Elementwise):
    """Adds a penalty of its inputs to the losses."""

    def __init__(self, l1=0., l2=0., **kwargs):
        super().__init__(activity_regularizer=lookups.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2

    def call(self, inputs):
        return inputs

    def get_config(self):
        return kept(self, super().get_config(), "l1", "l2")


@keras_class("Embedding")
class Embedding(Layer):
    """Looks up rows of a table."""

    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None, activity_regularizer=None,
                 embeddings_constraint=None, mask_zero=False, input_length=None, **kwargs):
        if "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        super().__init__(dtype=kwargs.pop("dtype", backend.floatx()), activity_regularizer=lookups.regularizer(activity_regularizer), **kwargs)
        self.input_dim, self.output_dim, self.mask_zero, self.input_length = input_dim, output_dim, mask_zero, input_length
        self.embeddings_initializer, self.embeddings_regularizer = lookups.initializer(embeddings_initializer), lookups.regularizer(embeddings_regularizer)
        self.embeddings_constraint, self.supports_masking = lookups.constraint(embeddings_constraint), mask_zero

    def build(self, input_shape):
        self.embeddings = self.add_weight("embeddings", shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer,
                                          regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint)
        self.built = True

    def compute_mask(self, inputs, mask=None):
        return engine.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs):
        return engine.nn.embedding_lookup(self.embeddings, inputs if inputs.dtype in (dtypes.int32, dtypes.int64) else basics.cast(inputs, dtypes.int32))

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if self.input_length is None:
            return TensorShape(sizes + [self.output_dim])
        lengths = list(self.input_length) if isinstance(self.input_length, (list, tuple)) else [self.input_length]
        if len(lengths) != len(sizes) - 1:
            raise ValueError('"input_length" is %s, but received input has shape %s' % (self.input_length, tuple(sizes)))
        for i, (wanted, size) in enumerate(zip(lengths, sizes[1:])):
            if wanted is not None and size is not None and wanted != size:
                raise ValueError('"input_length" is %s, but received input has shape %s' % (self.input_length, tuple(sizes)))
            lengths[i] = size if wanted is None else wanted
        return TensorShape([sizes[0]] + lengths + [self.output_dim])

    def get_config(self):
        return kept(self, super().get_config(), "input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer", "activity_regularizer",
                    "embeddings_constraint", "mask_zero", "input_length")


# Activation functions with parameters.
@keras_class("LeakyReLU")
class LeakyReLU(_Elementwise):
    """x, and alpha * x below zero."""

    def __init__(self, alpha=0.3, **kwargs):
        super().__init__(**kwargs)
        self.alpha = float(alpha)

    def call(self, inputs):
        return lookups.relu(inputs, alpha=self.alpha)

    def get_config(self):
        return kept(self, super().get_config(), "alpha")


@keras_class("PReLU")
class PReLU(_Elementwise):
    """x, and a learned alpha * x below zero."""

    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None, shared_axes=None, **kwargs):
        super().__init__(**kwargs)
        self.alpha_initializer, self.alpha_regularizer = lookups.initializer(alpha_initializer), lookups.regularizer(alpha_regularizer)
        self.alpha_constraint = lookups.constraint(alpha_constraint)
        self.shared_axes = None if shared_axes is None else list(shared_axes) if isinstance(shared_axes, (list, tuple)) else [shared_axes]

    def build(self, input_shape):
        shape = TensorShape(input_shape).as_list()[1:]
        for axis in self.shared_axes or ():
            shape[axis - 1] = 1
        self.alpha = self.add_weight("alpha", shape=shape, initializer=self.alpha_initializer, regularizer=self.alpha_regularizer, constraint=self.alpha_constraint)
        self.built = True

    def call(self, inputs):
        return engine.nn.relu(inputs) + -self.alpha * engine.nn.relu(-inputs)

    def get_config(self):
        return kept(self, super().get_config(), "alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes")


@keras_class("ELU")
class ELU(_Elementwise):
    """x, and alpha * (exp(x) - 1) below zero."""

    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self.alpha = float(alpha)

    def call(self, inputs):
        return lookups.elu(inputs, self.alpha)

    def get_config(self):
        return kept(self, super().get_config(), "alpha")


@keras_class("ThresholdedReLU")
class ThresholdedReLU(_Elementwise):
    """x above theta, else 0."""

    def __init__(self, theta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.theta = float(theta)

    def call(self, inputs):
        return inputs * basics.cast(engine.greater(inputs, self.theta), inputs.dtype)

    def get_config(self):
        return kept(self, super().get_config(), "theta")


@keras_class("Softmax")
class Softmax(_Elementwise):
    """exp(x) / sum(exp(x))"""

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs):
        return lookups.softmax(inputs, axis=self.axis)

    def get_config(self):
        return kept(self, super().get_config(), "axis")


@keras_class("ReLU")
class ReLU(_Elementwise):
    """max(x, 0) with optional negative slope, maximum value and threshold."""

    def __init__(self, max_value=None, negative_slope=0, threshold=0, **kwargs):
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0.:
            raise ValueError("max_value of Relu layer cannot be negative value: " + str(max_value))
        if negative_slope < 0.:
            raise ValueError("negative_slope of Relu layer cannot be negative value: " + str(negative_slope))
        self.max_value, self.negative_slope, self.threshold = max_value, float(negative_slope), float(threshold)

    def call(self, inputs):
        return lookups.relu(inputs, alpha=self.negative_slope, max_value=self.max_value, threshold=self.threshold)

    def get_config(self):
        return kept(self, super().get_config(), "max_value", "negative_slope", "threshold")


# Noise.
@keras_class("GaussianNoise")
class GaussianNoise(_Elementwise):
    """Adds normal noise while training."""

    def __init__(self, stddev, **kwargs):
        super().__init__(**kwargs)
        self.stddev = stddev

    def call(self, inputs, training=None):
        return in_phase(training, lambda: inputs + backend_functions().random_normal(basics.shape(inputs), 0., self.stddev, inputs.dtype), lambda: engine.identity(inputs))

    def get_config(self):
        return kept(self, super().get_config(), "stddev")


@keras_class("GaussianDropout")
class GaussianDropout(_Elementwise):
    """Multiplies by normal noise around 1 while training."""

    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs, training=None):
        if not 0 < self.rate < 1:
            return inputs
        stddev = (self.rate / (1.0 - self.rate)) ** .5
        return in_phase(training, lambda: inputs * backend_functions().random_normal(basics.shape(inputs), 1.0, stddev, inputs.dtype), lambda: engine.identity(inputs))

    def get_config(self):
        return kept(self, super().get_config(), "rate")


@keras_class("AlphaDropout")
class AlphaDropout(_Elementwise):
    """Dropout that keeps mean and variance of what selu gives."""

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=None):
        if not 0. < self.rate < 1.:
            return inputs
        low, rate = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946, self.rate

        def dropped():
            keep = engine.greater_equal(backend_functions().random_uniform(self.noise_shape or basics.shape(inputs), seed=self.seed), rate)
            keep = basics.cast(keep, inputs.dtype)
            a = ((1 - rate) * (1 + rate * low ** 2)) ** -0.5
            return a * (inputs * keep + low * (1 - keep)) + -a * low * rate

        return in_phase(training, dropped, lambda: engine.identity(inputs))

    def get_config(self):
        return kept(self, super().get_config(), "rate")


del object_name
