"""tf.keras.layers that pad, crop and upsample; spatial dropout."""

from .. import basics
from ..layers.base import InputSpec, Layer
from ..layers.core import KerasDropout, kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape
from . import backend, backend_functions


def _pairs(value, rank, what):
    """((before, after), …) from the argument of a padding or cropping layer."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if not hasattr(value, "__len__"):
        raise ValueError("`%s` should be an int or a tuple of %d elements. Found: %s" % (what, rank, value))
    given, value = value, tuple(value)
    if rank == 1:
        value = (value,) if isinstance(value[0], int) else value
    if len(value) != rank:
        raise ValueError("`%s` should have %d elements. Found: %s" % (what, rank, str(given)))
    pairs = tuple((v, v) if isinstance(v, int) else tuple(v) for v in value)
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("`%s` should be an int, or have two elements for each dimension. Found: %s" % (what, str(given)))
    return pairs


class _Spatial(Layer):
    """Base of layers that change the inner dimensions."""

    _rank = 2

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format or backend.image_data_format()
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _first(self):
        return 2 if self.data_format == "channels_first" and self._rank > 1 else 1

    def _sized(self, input_shape, change):
        sizes = TensorShape(input_shape).as_list()
        for i in range(self._rank):
            if sizes[self._first() + i] is not None:
                sizes[self._first() + i] = change(sizes[self._first() + i], i)
        return TensorShape(sizes)


class _Padding(_Spatial):
    def __init__(self, padding=1, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)
        self._pairs = _pairs(padding, self._rank, "padding")
        self.padding = self._pairs if self._rank > 1 else self._pairs[0]

    def call(self, inputs):
        if self._rank == 1:
            return backend_functions.temporal_padding(inputs, self._pairs[0])
        return backend_functions._spatial_padding(inputs, self._pairs, self.data_format, len(self._pairs))

    def compute_output_shape(self, input_shape):
        return self._sized(input_shape, lambda n, i: n + sum(self._pairs[i]))

    def get_config(self):
        return kept(self, super().get_config(), *(("padding", "data_format") if self._rank > 1 else ("padding",)))


class _Cropping(_Spatial):
    def __init__(self, cropping, data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)
        self._pairs = _pairs(cropping, self._rank, "cropping")
        self.cropping = self._pairs if self._rank > 1 else self._pairs[0]

    def call(self, inputs):
        inner = [slice(a, -b if b else None) for a, b in self._pairs]
        return inputs[tuple([slice(None)] * self._first() + inner)] if self._first() == 2 else inputs[tuple([slice(None)] + inner + [slice(None)])]

    def compute_output_shape(self, input_shape):
        return self._sized(input_shape, lambda n, i: n - sum(self._pairs[i]))

    def get_config(self):
        return kept(self, super().get_config(), *(("cropping", "data_format") if self._rank > 1 else ("cropping",)))


class _UpSampling(_Spatial):
    def __init__(self, size=2, data_format=None, interpolation="nearest", **kwargs):
        super().__init__(data_format, **kwargs)
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError('`interpolation` argument should be one of `"nearest"` or `"bilinear"`.')
        if not isinstance(size, int) and (self._rank == 1 or not hasattr(size, "__len__") or len(size) != self._rank):
            raise ValueError("The `size` argument must be a tuple of %d integers. Received: %s" % (self._rank, size))
        self.interpolation, self.size = interpolation, (size if self._rank == 1 else (size,) * self._rank) if isinstance(size, int) else tuple(size)

    def call(self, inputs):
        if self._rank == 1:
            return backend_functions.repeat_elements(inputs, self.size, axis=1)
        if self._rank == 2:
            return backend_functions.resize_images(inputs, self.size[0], self.size[1], self.data_format, self.interpolation)
        return backend_functions.resize_volumes(inputs, self.size[0], self.size[1], self.size[2], self.data_format)

    def compute_output_shape(self, input_shape):
        return self._sized(input_shape, lambda n, i: n * (self.size if self._rank == 1 else self.size[i]))

    def get_config(self):
        return kept(self, super().get_config(), *{1: ("size",), 2: ("size", "data_format", "interpolation"), 3: ("size", "data_format")}[self._rank])


def _of_ranks(name, base, doc):
    return (keras_class(name % rank)(type(name % rank, (base,), {"_rank": rank, "__doc__": doc, "__module__": __name__})) for rank in (1, 2, 3))


ZeroPadding1D, ZeroPadding2D, ZeroPadding3D = _of_ranks("ZeroPadding%dD", _Padding, "Zeros around.")


def _cropping(rank, default):
    """The class for a rank, which takes away 1 at each edge, in two dimensions 0, unless told otherwise."""
    def __init__(self, cropping=default, data_format=None, **kwargs):
        super(made, self).__init__(cropping, data_format, **kwargs)

    made = type("Cropping%dD" % rank, (_Cropping,), {"_rank": rank, "__init__": __init__, "__doc__": "Takes away at the edges.", "__module__": __name__})
    return keras_class(made.__name__)(made)


Cropping1D, Cropping2D, Cropping3D = _cropping(1, (1, 1)), _cropping(2, ((0, 0), (0, 0))), _cropping(3, ((1, 1), (1, 1), (1, 1)))
UpSampling1D, UpSampling2D, UpSampling3D = _of_ranks("UpSampling%dD", _UpSampling, "Repeats rows.")


class _SpatialDropout(KerasDropout):
    """Dropout of whole channels."""

    _rank = 1

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, **kwargs)
        self.data_format, self.input_spec = data_format or backend.image_data_format(), InputSpec(ndim=self._rank + 2)

    def _get_noise_shape(self, inputs):
        sizes = basics.shape(inputs)
        if self._rank > 1 and self.data_format == "channels_first":
            return (sizes[0], sizes[1]) + (1,) * self._rank
        return (sizes[0],) + (1,) * self._rank + (sizes[self._rank + 1],)


for _rank in (1, 2, 3):
    keras_class("SpatialDropout%dD" % _rank)(type("SpatialDropout%dD" % _rank, (_SpatialDropout,), {"_rank": _rank, "__doc__": _SpatialDropout.__doc__, "__module__": __name__}))
del _rank
