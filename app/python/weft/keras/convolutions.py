"""tf.keras.layers: convolutions and pooling."""

import tensorflow as tf

from ..exports import export
from .layers import Layer, activation_of


def _pair(value, dims):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * dims


class _Convolution(Layer):
    _dims = 2

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None, dilation_rate=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, **kwargs):
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters, self.kernel_size, self.strides = filters, _pair(kernel_size, self._dims), _pair(strides, self._dims)
        self.padding, self.dilation_rate = padding.upper(), _pair(dilation_rate, self._dims)
        self.first = data_format == "channels_first"
        self.activation, self.use_bias = activation_of(activation), use_bias
        self._kernel, self._bias = (kernel_initializer, kernel_regularizer, kernel_constraint), (bias_initializer, bias_regularizer, bias_constraint)

    def build(self, input_shape):
        channels = input_shape.as_list()[1 if self.first else -1]
        self.kernel = self.add_weight("kernel", self.kernel_size + (channels, self.filters), initializer=self._kernel[0], regularizer=self._kernel[1],
                                      constraint=self._kernel[2])
        if self.use_bias:
            self.bias = self.add_weight("bias", [self.filters], initializer=self._bias[0], regularizer=self._bias[1], constraint=self._bias[2])

    def call(self, inputs):
        formats = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}[self._dims]
        outputs = tf.nn.convolution(inputs, self.kernel, padding=self.padding, strides=self.strides, dilation_rate=self.dilation_rate,
                                    data_format=formats[self.first])
        if self.use_bias:
            outputs = tf.nn.bias_add(outputs, self.bias, data_format="NCHW" if self.first else "NHWC")
        return outputs if self.activation is None else self.activation(outputs)


@export("keras.layers.Conv2D", "keras.layers.Convolution2D")
class Conv2D(_Convolution):
    """Convolution of images."""


@export("keras.layers.Conv1D", "keras.layers.Convolution1D")
class Conv1D(_Convolution):
    """Convolution of sequences."""

    _dims = 1


class _Pooling(Layer):
    _function = ""

    def __init__(self, pool_size=(2, 2), strides=None, padding="valid", data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.pool_size = _pair(pool_size, 2)
        self.strides, self.padding = _pair(strides, 2) if strides is not None else self.pool_size, padding.upper()
        self.first = data_format == "channels_first"

    def call(self, inputs):
        window, steps = ((1, 1) + s if self.first else (1,) + s + (1,) for s in (self.pool_size, self.strides))
        return getattr(tf.nn, self._function)(inputs, ksize=window, strides=steps, padding=self.padding, data_format="NCHW" if self.first else "NHWC")


@export("keras.layers.MaxPooling2D", "keras.layers.MaxPool2D")
class MaxPooling2D(_Pooling):
    """The largest value of each window."""

    _function = "max_pool"


@export("keras.layers.AveragePooling2D", "keras.layers.AvgPool2D")
class AveragePooling2D(_Pooling):
    """The mean of each window."""

    _function = "avg_pool"


@export("keras.layers.GlobalAveragePooling2D")
class GlobalAveragePooling2D(Layer):
    """The mean of each channel."""

    def call(self, inputs):
        return tf.reduce_mean(inputs, [1, 2])


@export("keras.layers.GlobalMaxPooling2D")
class GlobalMaxPooling2D(Layer):
    """The largest value of each channel."""

    def call(self, inputs):
        return tf.reduce_max(inputs, [1, 2])
