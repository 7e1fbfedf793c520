"""Pooling layers."""

from .. import basics, engine
from ..exports import export
from ..op_calls import raw
from ..tensor_shape import TensorShape
from .base import InputSpec, Layer
from .convolutional import format_of, op_format, output_length, padding_of, tuple_of
from .core import kept
from .graph_layer import GraphLayer


class _Pooling(Layer):
    """The maximum or mean of each window."""

    _rank = 2
    _kind = "max"

    def __init__(self, pool_size, strides=None, padding="valid", data_format=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.pool_size = tuple_of(pool_size, self._rank, "pool_size")
        self.strides = tuple_of(pool_size if strides is None else strides, self._rank, "strides")
        self.padding, self.data_format = padding_of(padding), format_of(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _pool_images(self, inputs, size, strides, format):
        op = engine.nn.max_pool if self._kind == "max" else engine.nn.avg_pool
        wide = (lambda v: (1,) + v + (1,)) if format == "NHWC" else (lambda v: (1, 1) + v)
        return op(inputs, ksize=wide(size), strides=wide(strides), padding=self.padding.upper(), data_format=format)

    def call(self, inputs):
        last = self.data_format == "channels_last"
        if self._rank == 1:
            axis = 2 if last else 3
            return engine.squeeze(self._pool_images(engine.expand_dims(inputs, axis), self.pool_size + (1,), self.strides + (1,), "NHWC" if last else "NCHW"), axis)
        if self._rank == 2:
            return self._pool_images(inputs, self.pool_size, self.strides, op_format(self.data_format, 4))
        if not last:
            inputs = engine.transpose(inputs, (0, 2, 3, 4, 1))
        outputs = raw("MaxPool3D" if self._kind == "max" else "AvgPool3D")(inputs, (1,) + self.pool_size + (1,), (1,) + self.strides + (1,), self.padding.upper())
        return outputs if last else engine.transpose(outputs, (0, 4, 1, 2, 3))

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        last = self.data_format == "channels_last"
        space = [output_length(s, k, self.padding, stride) for s, k, stride in zip(sizes[1:-1] if last else sizes[2:], self.pool_size, self.strides)]
        return TensorShape([sizes[0]] + space + [sizes[-1]] if last else sizes[:2] + space)

    def get_config(self):
        return kept(self, super().get_config(), "strides", "pool_size", "padding", "data_format")


def _classes(kind, rank):
    word = {"max": "Max", "average": "Average"}[kind]
    short = {"max": "Max", "average": "Avg"}[kind]

    def keras_init(self, pool_size=2, strides=None, padding="valid", data_format=None, **kwargs):
        super(keras, self).__init__(pool_size=pool_size, strides=strides, padding=padding, data_format=data_format, **kwargs)

    def init(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **kwargs):
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        super(own, self).__init__(pool_size=pool_size, strides=strides, padding=padding, data_format=data_format, name=name, **kwargs)

    text = "The %s of each window of a%s." % ("greatest value" if kind == "max" else "mean", {1: " sequence", 2: "n image", 3: " volume"}[rank])
    name = "%sPooling%dD" % (word, rank)
    keras = type(name, (_Pooling,), {"__init__": keras_init, "__doc__": text, "_rank": rank, "_kind": kind, "__module__": __name__})
    own = type(name, (keras, GraphLayer), {"__init__": init, "__doc__": text, "__module__": __name__})
    export("keras.layers." + name, "keras.layers.%sPool%dD" % (short, rank))(keras)
    export("layers." + name)(own)
    return keras, own


(KerasMaxPooling1D, MaxPooling1D), (KerasMaxPooling2D, MaxPooling2D), (KerasMaxPooling3D, MaxPooling3D) = (_classes("max", n) for n in (1, 2, 3))
(KerasAveragePooling1D, AveragePooling1D), (KerasAveragePooling2D, AveragePooling2D), (KerasAveragePooling3D, AveragePooling3D) = (_classes("average", n) for n in (1, 2, 3))


class _GlobalPooling(Layer):
    """One value for each channel."""

    _rank, _reduce = 2, "reduce_mean"

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = format_of(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)
        self.supports_masking = self._counts_unmasked

    # The mean over a sequence includes only unmasked steps.
    _counts_unmasked = property(lambda self: self._rank == 1 and self._reduce == "reduce_mean")

    def call(self, inputs, mask=None):
        first = 1 if self.data_format == "channels_last" else 2
        if mask is not None and self._counts_unmasked:
            wide = engine.expand_dims(basics.cast(mask, inputs.dtype.base_dtype), 2 if first == 1 else 1)
            return engine.reduce_sum(inputs * wide, axis=first) / engine.reduce_sum(wide, axis=first)
        axes = list(range(first, first + self._rank))
        return getattr(engine, self._reduce)(inputs, axis=axes if self._rank > 1 else axes[0])

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], sizes[-1] if self.data_format == "channels_last" else sizes[1]])

    def compute_mask(self, inputs, mask=None):
        return None if self._counts_unmasked else super().compute_mask(inputs, mask)

    def get_config(self):
        return kept(self, super().get_config(), "data_format")


def _global_class(word, short, reduce, rank):
    name = "Global%sPooling%dD" % (word, rank)
    made = type(name, (_GlobalPooling,), {"_rank": rank, "_reduce": reduce, "__doc__": _GlobalPooling.__doc__, "__module__": __name__})
    return export("keras.layers." + name, "keras.layers.Global%sPool%dD" % (short, rank))(made)


GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D = (_global_class("Max", "Max", "reduce_max", n) for n in (1, 2, 3))
GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D = (_global_class("Average", "Avg", "reduce_mean", n) for n in (1, 2, 3))
