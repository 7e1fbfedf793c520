"""tf.keras.layers.experimental.RandomFourierFeatures, and the kernels that it approximates."""

import numpy as np

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export
from ..layers import lookups
from ..layers.base import InputSpec, Layer
from ..tensor_shape import TensorShape

_KERNELS = ["gaussian", "laplacian"]


def _kernel_name(given):
    """The kernel's name in lower case, None for an initializer of the program's own."""
    if not isinstance(given, str):
        return None
    if given.lower() not in _KERNELS:
        raise ValueError("Unsupported kernel type: '{}'. Supported kernel types: {}.".format(given, _KERNELS))
    return given.lower()


@export("keras.layers.experimental.RandomFourierFeatures")
class RandomFourierFeatures(Layer):
    """cos(inputs · kernel / scale + bias) with a random kernel: inner products of the outputs approximate a shift-invariant kernel function."""

    def __init__(self, output_dim, kernel_initializer="gaussian", scale=None, trainable=False, name=None, **kwargs):
        if output_dim <= 0:
            raise ValueError("`output_dim` should be a positive integer. Given: {}.".format(output_dim))
        _kernel_name(kernel_initializer)
        if scale is not None and scale <= 0.0:
            raise ValueError("When provided, `scale` should be a positive float. Given: {}.".format(scale))
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.output_dim, self.kernel_initializer, self.scale = output_dim, kernel_initializer, scale

    def _initializer(self, shape):
        kind = _kernel_name(self.kernel_initializer)
        if kind == "gaussian":
            return initializers.random_normal_initializer(stddev=1.0)
        if kind == "laplacian":
            return initializers.constant_initializer(np.tan(np.pi * (np.random.uniform(size=shape) - 0.5)))
        return self.kernel_initializer

    def build(self, input_shape):
        input_shape = TensorShape(input_shape)
        if input_shape.ndims != 2:
            raise ValueError("The rank of the input tensor should be 2. Got {} instead.".format(input_shape.ndims))
        size = input_shape.as_list()[1]
        if size is None:
            raise ValueError("The last dimension of the inputs to `RandomFourierFeatures` should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=2, axes={1: size})
        shape = (size, self.output_dim)
        self.unscaled_kernel = self.add_weight("unscaled_random_features", shape=shape, dtype=dtypes.float32, initializer=self._initializer(shape), trainable=False)
        self.bias = self.add_weight("random_features_bias", shape=(self.output_dim,), dtype=dtypes.float32, trainable=False,
                                    initializer=initializers.random_uniform_initializer(minval=0.0, maxval=2 * np.pi))
        if self.scale is None:
            self.scale = np.sqrt(size / 2.0) if _kernel_name(self.kernel_initializer) == "gaussian" else 1.0
        self.kernel_scale = self.add_weight("random_features_scale", shape=(1,), dtype=dtypes.float32, initializer=initializers.constant_initializer(self.scale), trainable=True,
                                            constraint="NonNeg")
        super().build(input_shape)

    def call(self, inputs):
        inputs = basics.cast(ops.convert_to_tensor(inputs, dtype=self.dtype), dtypes.float32)
        kernel = (1.0 / self.kernel_scale) * self.unscaled_kernel
        return engine.cos(engine.nn.bias_add(engine.matmul(inputs, kernel), self.bias))

    def compute_output_shape(self, input_shape):
        input_shape = TensorShape(input_shape).with_rank(2)
        if input_shape.as_list()[-1] is None:
            raise ValueError("The innermost dimension of input shape must be defined. Given: %s" % input_shape)
        return input_shape[:-1].concatenate(self.output_dim)

    def get_config(self):
        first = self.kernel_initializer
        return dict(super().get_config(), output_dim=self.output_dim, kernel_initializer=lookups.text_of(first) if not isinstance(first, str) else first, scale=self.scale)


# tensorflow.python.keras.utils.kernelized_utils.
def _matrix(u):
    u = ops.convert_to_tensor(u)
    if u.shape.ndims not in (1, 2):
        raise ValueError("The rank of the input tensor should be 1 or 2. Got {} instead.".format(u.shape.ndims))
    return engine.expand_dims(u, 0) if u.shape.ndims == 1 else u


def _pairs(x, y):
    """Both matrices, repeated so that they meet each row of x with each row of y."""
    x, y = _matrix(x), _matrix(y)
    sizes = [m.shape.as_list() for m in (x, y)]
    if sizes[0][1] != sizes[1][1]:
        raise ValueError("The outermost dimensions of the input tensors should match. Given: {} vs {}.".format(sizes[1][1], sizes[0][1]))
    return engine.tile(engine.expand_dims(x, 1), [1, sizes[1][0], 1]), engine.tile(engine.expand_dims(y, 0), [sizes[0][0], 1, 1])


def inner_product(u, v):
    """The inner products of the rows."""
    return engine.matmul(_matrix(u), _matrix(v), transpose_b=True)


def exact_gaussian_kernel(x, y, stddev):
    """exp(-‖u - v‖² / (2 stddev²)) for each row u of x and v of y."""
    x, y = _pairs(x, y)
    return engine.exp(-engine.reduce_sum(engine.squared_difference(x, y), 2) / (2 * stddev * stddev))


def exact_laplacian_kernel(x, y, stddev):
    """exp(-‖u - v‖₁ / stddev) for each row u of x and v of y."""
    x, y = _pairs(x, y)
    return engine.exp(-engine.reduce_sum(engine.abs(x - y), 2) / stddev)
