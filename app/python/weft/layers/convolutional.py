"""Convolutional layers."""

from .. import basics, engine
from ..exports import export
from ..op_calls import raw
from ..tensor_shape import TensorShape
from .base import InputSpec, Layer
from .convolution_op import Convolution
from .core import kept
from .graph_layer import GraphLayer
from .keras_names import keras_class
from .lookups import activation as get_activation, constraint as get_constraint, initializer as get_initializer, regularizer as get_regularizer


def tuple_of(value, n, name):
    """`value` as a tuple of n integers."""
    if isinstance(value, int):
        return (value,) * n
    text = "The `%s` argument must be a tuple of %d integers. Received: %s" % (name, n, value)
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(text) from None
    if len(values) != n:
        raise ValueError(text)
    for v in values:
        try:
            int(v)
        except (ValueError, TypeError):
            raise ValueError("%s including element %s of type %s" % (text, v, type(v))) from None
    return values


def padding_of(value):
    padding = value.lower()
    if padding not in {"valid", "same", "causal"}:
        raise ValueError('The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D). Received: ' + str(padding))
    return padding


def format_of(value):
    value = (value or "channels_last").lower()
    if value not in {"channels_first", "channels_last"}:
        raise ValueError('The `data_format` argument must be one of "channels_first", "channels_last". Received: ' + str(value))
    return value


def op_format(data_format, rank):
    """The data format in the notation of ops, such as NHWC."""
    space = {3: "W", 4: "HW", 5: "DHW"}[rank]
    return "N" + space + "C" if data_format == "channels_last" else "NC" + space


def output_length(length, size, padding, stride, dilation=1):
    if length is None:
        return None
    size += (size - 1) * (dilation - 1)
    length = {"same": length, "causal": length, "valid": length - size + 1, "full": length + size - 1}[padding]
    return (length + stride - 1) // stride


def transposed_length(length, size, padding, output_padding=None, stride=0, dilation=1):
    """The output length of a transposed convolution: a number or a tensor, like `length`."""
    if length is None:
        return None
    size += (size - 1) * (dilation - 1)
    if output_padding is None:
        return length * stride + max(size - stride, 0) if padding == "valid" else length * stride
    pad = size // 2 if padding == "same" else 0
    return (length - 1) * stride + size - 2 * pad + output_padding


class Conv(Layer):
    """Convolutions over one to three spatial dimensions."""

    def __init__(self, rank, filters, kernel_size, strides=1, padding="valid", data_format=None, dilation_rate=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=get_regularizer(activity_regularizer), **kwargs)
        self.rank, self.filters = rank, filters
        self.kernel_size, self.strides = tuple_of(kernel_size, rank, "kernel_size"), tuple_of(strides, rank, "strides")
        self.padding = padding_of(padding)
        if self.padding == "causal" and rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
        self.data_format = format_of(data_format)
        self.dilation_rate = tuple_of(dilation_rate, rank, "dilation_rate")
        self.activation = get_activation(activation)
        self.use_bias = use_bias
        self.kernel_initializer, self.bias_initializer = get_initializer(kernel_initializer), get_initializer(bias_initializer)
        self.kernel_regularizer, self.bias_regularizer = get_regularizer(kernel_regularizer), get_regularizer(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = get_constraint(kernel_constraint), get_constraint(bias_constraint)
        self.input_spec = InputSpec(ndim=rank + 2)

    @property
    def _channels_axis(self):
        return 1 if self.data_format == "channels_first" else -1

    def _channels(self, input_shape):
        found = TensorShape(input_shape).as_list()[self._channels_axis]
        if found is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return found

    def _add_kernel(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=shape, initializer=self.kernel_initializer, regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
                                      trainable=True, dtype=self.dtype)

    def _add_bias(self, size=None):
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(name="bias", shape=(self.filters if size is None else size,), initializer=self.bias_initializer, regularizer=self.bias_regularizer,
                                        constraint=self.bias_constraint, trainable=True, dtype=self.dtype)

    def build(self, input_shape):
        channels = self._channels(input_shape)
        shape = self.kernel_size + (channels, self.filters)
        self._add_kernel(shape)
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channels_axis: channels})
        padding = "VALID" if self.padding == "causal" else self.padding.upper()
        self._convolution_op = Convolution(TensorShape(input_shape), filter_shape=TensorShape(shape), dilation_rate=self.dilation_rate, strides=self.strides, padding=padding,
                                           data_format=op_format(self.data_format, self.rank + 2))
        self.built = True

    def call(self, inputs):
        outputs = self._convolution_op(inputs, self.kernel)
        if self.use_bias:
            if self.data_format == "channels_first" and self.rank == 1:
                outputs += engine.reshape(self.bias, (1, self.filters, 1))
            else:
                outputs = engine.nn.bias_add(outputs, self.bias, data_format="NCHW" if self.data_format == "channels_first" else "NHWC")
        return self.activation(outputs)

    def _compute_causal_padding(self):
        left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        return [[0, 0], [left, 0], [0, 0]] if self.data_format == "channels_last" else [[0, 0], [0, 0], [left, 0]]

    def compute_output_shape(self, input_shape):
        return self._sized(input_shape, self.filters)

    def _sized(self, input_shape, channels):
        """The shape of an output with so many channels."""
        sizes = TensorShape(input_shape).as_list()
        last = self.data_format == "channels_last"
        space = [output_length(s, k, self.padding, stride, d)
                 for s, k, stride, d in zip(sizes[1:-1] if last else sizes[2:], self.kernel_size, self.strides, self.dilation_rate)]
        return TensorShape([sizes[0]] + space + [channels] if last else [sizes[0], channels] + space)

    def get_config(self):
        return kept(self, super().get_config(), "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "activation", "use_bias", "kernel_initializer",
                    "bias_initializer", "kernel_regularizer", "bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint")


@keras_class("Conv1D", "Convolution1D")
class KerasConv1D(Conv):
    """A convolution along a sequence."""

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1, **kwargs):
        super().__init__(rank=1, filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate, **kwargs)

    def call(self, inputs):
        if self.padding == "causal":
            inputs = engine.pad(inputs, self._compute_causal_padding())
        return super().call(inputs)


@keras_class("Conv2D", "Convolution2D")
class KerasConv2D(Conv):
    """A convolution over images."""

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), **kwargs):
        super().__init__(rank=2, filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate, **kwargs)


@keras_class("Conv3D", "Convolution3D")
class KerasConv3D(Conv):
    """A convolution over volumes."""

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1), **kwargs):
        super().__init__(rank=3, filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate, **kwargs)




class _ConvTranspose(Conv):
    """A layer that computes the gradient of a convolution."""

    def _prepare(self, rank, output_padding):
        self.output_padding = None if output_padding is None else tuple_of(output_padding, rank, "output_padding")
        for stride, pad in zip(self.strides, self.output_padding or ()):
            if pad >= stride:
                raise ValueError("Stride " + str(self.strides) + " must be greater than output padding " + str(self.output_padding))

    def build(self, input_shape):
        if len(TensorShape(input_shape).as_list()) != self.rank + 2:
            raise ValueError("Inputs should have rank %d. Received input shape: " % (self.rank + 2) + str(input_shape))
        channels = self._channels(input_shape)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channels_axis: channels})
        self._add_kernel(self.kernel_size + (self.filters, channels))
        self._add_bias()
        self.built = True

    def _lengths(self, sizes):
        pads = self.output_padding or (None,) * self.rank
        return [transposed_length(s, k, self.padding, p, stride, d) for s, k, p, stride, d in zip(sizes, self.kernel_size, pads, self.strides, self.dilation_rate)]

    def get_config(self):
        return dict(super().get_config(), output_padding=self.output_padding)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if self.data_format == "channels_first":
            return TensorShape([sizes[0], self.filters] + self._lengths(sizes[2:]))
        return TensorShape([sizes[0]] + self._lengths(sizes[1:-1]) + [self.filters])


@keras_class("Conv2DTranspose", "Convolution2DTranspose")
class KerasConv2DTranspose(KerasConv2D, _ConvTranspose):
    """A transposed convolution over images."""

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", output_padding=None, data_format=None, dilation_rate=(1, 1), **kwargs):
        super().__init__(filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate, **kwargs)
        self._prepare(2, output_padding)

    build = _ConvTranspose.build
    compute_output_shape = _ConvTranspose.compute_output_shape

    def call(self, inputs):
        first = self.data_format == "channels_first"
        shape = basics.shape(inputs)
        batch = shape[0]
        height, width = (shape[2], shape[3]) if first else (shape[1], shape[2])
        height, width = self._lengths([height, width])
        wanted = engine.stack((batch, self.filters, height, width) if first else (batch, height, width, self.filters))
        format = "NCHW" if first else "NHWC"
        strides = (1, 1) + self.strides if first else (1,) + self.strides + (1,)
        wanted[0]  # Keras compares it with None, which adds this node
        if self.dilation_rate == (1, 1):
            outputs = engine.nn.conv2d_transpose(inputs, self.kernel, wanted, strides, padding=self.padding.upper(), data_format=format)
        else:
            outputs = engine.nn.atrous_conv2d_transpose(inputs, self.kernel, wanted, self.dilation_rate[0], self.padding.upper())
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            outputs = engine.nn.bias_add(outputs, self.bias, data_format=format)
        return self.activation(outputs)


@keras_class("Conv3DTranspose", "Convolution3DTranspose")
class KerasConv3DTranspose(KerasConv3D, _ConvTranspose):
    """A transposed convolution over volumes."""

    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", output_padding=None, data_format=None, **kwargs):
        super().__init__(filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, **kwargs)
        self._prepare(3, output_padding)

    def get_config(self):
        config = super().get_config()
        del config["dilation_rate"]
        return config

    build = _ConvTranspose.build
    compute_output_shape = _ConvTranspose.compute_output_shape

    def call(self, inputs):
        first = self.data_format == "channels_first"
        shape = basics.shape(inputs)
        batch = shape[0]
        at = 2 if first else 1
        depth, height, width = shape[at], shape[at + 1], shape[at + 2]
        space = self._lengths([depth, height, width])
        strides = (1, 1) + self.strides if first else (1,) + self.strides + (1,)
        wanted = engine.stack([batch, self.filters] + space if first else [batch] + space + [self.filters])
        outputs = engine.nn.conv3d_transpose(inputs, self.kernel, wanted, strides, data_format="NCDHW" if first else "NDHWC", padding=self.padding.upper())
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            shape = outputs.shape.as_list()
            if first:
                flat = engine.reshape(outputs, [-1 if shape[0] is None else shape[0], shape[1], shape[2] * shape[3], shape[4]])
                outputs = engine.reshape(engine.nn.bias_add(flat, self.bias, data_format="NCHW"), [-1 if shape[0] is None else shape[0]] + shape[1:])
            else:
                outputs = engine.nn.bias_add(outputs, self.bias, data_format="NHWC")
        return self.activation(outputs)


class _SeparableConv(Conv):
    """A depthwise convolution followed by a 1x1 convolution across channels."""

    def __init__(self, rank, filters, kernel_size, depth_multiplier=1, depthwise_initializer="glorot_uniform", pointwise_initializer="glorot_uniform",
                 depthwise_regularizer=None, pointwise_regularizer=None, depthwise_constraint=None, pointwise_constraint=None, **kwargs):
        super().__init__(rank=rank, filters=filters, kernel_size=kernel_size, **kwargs)
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer, self.pointwise_initializer = get_initializer(depthwise_initializer), get_initializer(pointwise_initializer)
        self.depthwise_regularizer, self.pointwise_regularizer = get_regularizer(depthwise_regularizer), get_regularizer(pointwise_regularizer)
        self.depthwise_constraint, self.pointwise_constraint = get_constraint(depthwise_constraint), get_constraint(pointwise_constraint)

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channels_axis: channels})
        self.depthwise_kernel = self.add_weight(name="depthwise_kernel", shape=self.kernel_size + (channels, self.depth_multiplier), initializer=self.depthwise_initializer,
                                                regularizer=self.depthwise_regularizer, constraint=self.depthwise_constraint, trainable=True, dtype=self.dtype)
        self.pointwise_kernel = self.add_weight(name="pointwise_kernel", shape=(1,) * self.rank + (self.depth_multiplier * channels, self.filters),
                                                initializer=self.pointwise_initializer, regularizer=self.pointwise_regularizer, constraint=self.pointwise_constraint,
                                                trainable=True, dtype=self.dtype)
        self._add_bias()
        self.built = True

    def get_config(self):
        config = kept(self, super().get_config(), "depth_multiplier", "depthwise_initializer", "pointwise_initializer", "depthwise_regularizer", "pointwise_regularizer",
                      "depthwise_constraint", "pointwise_constraint")
        for name in ("kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            config.pop(name)
        return config


@keras_class("SeparableConv2D", "SeparableConvolution2D")
class KerasSeparableConv2D(_SeparableConv):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), depth_multiplier=1, **kwargs):
        super().__init__(rank=2, filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate,
                         depth_multiplier=depth_multiplier, **kwargs)

    def call(self, inputs):
        first = self.data_format == "channels_first"
        format = op_format(self.data_format, 4)
        outputs = engine.nn.separable_conv2d(inputs, self.depthwise_kernel, self.pointwise_kernel, strides=(1, 1) + self.strides if first else (1,) + self.strides + (1,),
                                             padding=self.padding.upper(), rate=self.dilation_rate, data_format=format)
        if self.use_bias:
            outputs = engine.nn.bias_add(outputs, self.bias, data_format=format)
        return self.activation(outputs)


@keras_class("SeparableConv1D", "SeparableConvolution1D")
class KerasSeparableConv1D(_SeparableConv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None, dilation_rate=1, depth_multiplier=1, **kwargs):
        super().__init__(rank=1, filters=filters, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, dilation_rate=dilation_rate,
                         depth_multiplier=depth_multiplier, **kwargs)

    def call(self, inputs):
        if self.padding == "causal":
            inputs = engine.pad(inputs, self._compute_causal_padding())
        first = self.data_format == "channels_first"
        axis = 2 if first else 1
        inputs = engine.expand_dims(inputs, axis)
        deep, point = engine.expand_dims(self.depthwise_kernel, 0), engine.expand_dims(self.pointwise_kernel, 0)
        format = op_format(self.data_format, 4)
        outputs = engine.nn.separable_conv2d(inputs, deep, point, strides=(1, 1) + self.strides * 2 if first else (1,) + self.strides * 2 + (1,),
                                             padding="VALID" if self.padding == "causal" else self.padding.upper(), rate=(1,) + self.dilation_rate, data_format=format)
        if self.use_bias:
            outputs = engine.nn.bias_add(outputs, self.bias, data_format=format)
        return self.activation(engine.squeeze(outputs, [axis]))


@keras_class("DepthwiseConv2D")
class KerasDepthwiseConv2D(KerasConv2D):
    """Convolves each channel separately."""

    def __init__(self, kernel_size, strides=(1, 1), padding="valid", depth_multiplier=1, data_format=None, activation=None, use_bias=True,
                 depthwise_initializer="glorot_uniform", bias_initializer="zeros", depthwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, bias_constraint=None, **kwargs):
        super().__init__(filters=None, kernel_size=kernel_size, strides=strides, padding=padding, data_format=data_format, activation=activation, use_bias=use_bias,
                         bias_initializer=bias_initializer, bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer, bias_constraint=bias_constraint, **kwargs)
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = get_initializer(depthwise_initializer)
        self.depthwise_regularizer, self.depthwise_constraint = get_regularizer(depthwise_regularizer), get_constraint(depthwise_constraint)

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.depthwise_kernel = self.add_weight(shape=self.kernel_size + (channels, self.depth_multiplier), initializer=self.depthwise_initializer, name="depthwise_kernel",
                                                regularizer=self.depthwise_regularizer, constraint=self.depthwise_constraint)
        self._add_bias(channels * self.depth_multiplier)
        self.input_spec = InputSpec(ndim=4, axes={self._channels_axis: channels})
        self.built = True

    def call(self, inputs):
        format = op_format(self.data_format, 4)
        strides = (1,) + self.strides + (1,) if self.data_format == "channels_last" else (1, 1) + self.strides
        outputs = engine.nn.depthwise_conv2d(inputs, self.depthwise_kernel, strides=strides, padding=self.padding.upper(), rate=self.dilation_rate, data_format=format)
        if self.use_bias:
            outputs = raw("BiasAdd")(outputs, self.bias, data_format=format)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape):
        return self._sized(input_shape, self._channels(input_shape) * self.depth_multiplier)

    def get_config(self):
        config = super().get_config()
        for name in ("filters", "kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            del config[name]
        return kept(self, config, "depth_multiplier", "depthwise_initializer", "depthwise_regularizer", "depthwise_constraint")


def _graph_layer(name, base, separable=False, order=()):
    """The class of tf.layers made from a Keras class and GraphLayer; its default initializers come from the variable scope."""
    def __init__(self, *args, **kwargs):
        given = dict(zip(order, args))
        if len(args) > len(order) or set(given) & set(kwargs):
            raise TypeError("%s(): too many arguments" % name)
        given.update(kwargs)
        for key in ("depthwise_initializer", "pointwise_initializer") if separable else ("kernel_initializer",):
            given.setdefault(key, None)
        super(made, self).__init__(**given)

    made = type(name, (base, GraphLayer), {"__init__": __init__, "__doc__": base.__doc__, "__module__": __name__, "_order": order})
    export("layers." + name)(made)
    return made


_START = ("filters", "kernel_size", "strides", "padding")
_END = ("activity_regularizer", "kernel_constraint", "bias_constraint", "trainable", "name")
_MIDDLE = ("activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer")
_CONV = _START + ("data_format", "dilation_rate") + _MIDDLE + _END
_TRANSPOSE = _START + ("data_format",) + _MIDDLE + _END
_SEPARABLE = _START + ("data_format", "dilation_rate", "depth_multiplier", "activation", "use_bias", "depthwise_initializer", "pointwise_initializer", "bias_initializer",
                       "depthwise_regularizer", "pointwise_regularizer", "bias_regularizer", "activity_regularizer", "depthwise_constraint", "pointwise_constraint",
                       "bias_constraint", "trainable", "name")
Conv1D, Conv2D, Conv3D = (_graph_layer(n, b, order=_CONV) for n, b in (("Conv1D", KerasConv1D), ("Conv2D", KerasConv2D), ("Conv3D", KerasConv3D)))
Conv2DTranspose = _graph_layer("Conv2DTranspose", KerasConv2DTranspose, order=_TRANSPOSE)
Conv3DTranspose = _graph_layer("Conv3DTranspose", KerasConv3DTranspose, order=_TRANSPOSE)
SeparableConv1D = _graph_layer("SeparableConv1D", KerasSeparableConv1D, True, _SEPARABLE)
SeparableConv2D = _graph_layer("SeparableConv2D", KerasSeparableConv2D, True, _SEPARABLE)
