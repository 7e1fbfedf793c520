"""tf.keras.backend: shapes, convolutions, pooling."""

import numpy as np

from .. import basics, engine, ops
from .backend import mark


# Shapes.
@mark
def batch_flatten(x):
    return engine.reshape(x, engine.stack([-1, engine.reduce_prod(basics.shape(x)[1:])]))


@mark
def repeat(x, n):
    return engine.tile(engine.expand_dims(x, 1), engine.stack([1, n, 1]))


@mark
def repeat_elements(x, rep, axis):
    size = x.shape.as_list()[axis]
    if size is not None:
        if size and len(range(rep)) > (1 << 24) // size:
            raise ValueError("repeat_elements would join %d slices of %s" % (size * rep, x))
        return engine.concat([s for s in engine.split(value=x, num_or_size_splits=size, axis=axis) for _ in range(rep)], axis)
    counts = np.ones(len(x.shape) + 1, dtype=np.int32)
    counts[axis + 1] = rep
    made = engine.tile(engine.expand_dims(x, axis=axis + 1), counts)
    factors = np.ones(len(x.shape), dtype=np.int32)
    factors[axis] = rep
    made = engine.reshape(made, basics.shape(x) * factors)
    made.set_shape(x.shape)
    return made


@mark
def temporal_padding(x, padding=(1, 1)):
    return engine.pad(x, [[0, 0], list(padding), [0, 0]])


def _spatial_padding(x, padding, data_format, count):
    assert len(padding) == count and all(len(p) == 2 for p in padding), "padding must be %d pairs" % count
    inner = [list(p) for p in padding]
    first = (data_format or "channels_last") == "channels_first"
    return engine.pad(x, [[0, 0], [0, 0]] + inner if first else [[0, 0]] + inner + [[0, 0]])


@mark
def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    return _spatial_padding(x, padding, data_format, 2)


@mark
def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    return _spatial_padding(x, padding, data_format, 3)


@mark
def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    """Images enlarged by integer factors."""
    rows, cols = (2, 3) if data_format == "channels_first" else (1, 2)
    known = x.shape.as_list()
    if known[rows] is not None and known[cols] is not None:
        size = ops.constant(np.array([known[rows] * height_factor, known[cols] * width_factor], dtype="int32"))
    else:
        size = basics.shape(x)[rows:rows + 2] * ops.constant(np.array([height_factor, width_factor], dtype="int32"))
    if data_format == "channels_first":
        x = engine.transpose(x, [0, 2, 3, 1])
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    x = engine.image.resize_nearest_neighbor(x, size) if interpolation == "nearest" else engine.image.resize_bilinear(x, size)
    return engine.transpose(x, [0, 3, 1, 2]) if data_format == "channels_first" else x


@mark
def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    first = 2 if data_format == "channels_first" else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=first + i)
    return x


# Convolutions and pooling.
def _padding(padding):
    if padding not in ("same", "valid"):
        raise ValueError("Invalid padding: " + str(padding))
    return padding.upper()


def _layout(data_format, rank):
    return ("NC" + "DHW"[3 - rank:] if data_format == "channels_first" else "N" + "DHW"[3 - rank:] + "C") if rank > 1 else ("NCW" if data_format == "channels_first" else "NWC")


@mark
def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    if padding == "causal":
        x, padding = temporal_padding(x, (dilation_rate * (kernel.shape.as_list()[0] - 1), 0)), "valid"
    return engine.nn.convolution(x, kernel, padding=_padding(padding), strides=(strides,), dilation_rate=(dilation_rate,), data_format=_layout(data_format, 1))


@mark
def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    return engine.nn.convolution(x, kernel, padding=_padding(padding), strides=strides, dilation_rate=dilation_rate, data_format=_layout(data_format, 2))


@mark
def conv3d(x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)):
    return engine.nn.convolution(x, kernel, padding=_padding(padding), strides=strides, dilation_rate=dilation_rate, data_format=_layout(data_format, 3))


@mark
def conv2d_transpose(x, kernel, output_shape, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    if tuple(dilation_rate) != (1, 1):
        raise NotImplementedError("conv2d_transpose: dilation_rate %s is not supported, only (1, 1)" % (dilation_rate,))
    output_shape = engine.stack(list(output_shape)) if isinstance(output_shape, (tuple, list)) else output_shape
    first = data_format == "channels_first"
    return engine.nn.conv2d_transpose(x, kernel, output_shape, (1, 1) + tuple(strides) if first else (1,) + tuple(strides) + (1,), padding=_padding(padding),
                                      data_format=_layout(data_format, 2))


@mark
def separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    first = data_format == "channels_first"
    return engine.nn.separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1) + tuple(strides) if first else (1,) + tuple(strides) + (1,),
                                      padding=_padding(padding), rate=dilation_rate, data_format=_layout(data_format, 2))


def _pool(x, pool_size, strides, padding, data_format, pool_mode, rank):
    first = data_format == "channels_first"
    around = (lambda v: (1, 1) + tuple(v)) if first else (lambda v: (1,) + tuple(v) + (1,))
    if pool_mode not in ("max", "avg"):
        raise ValueError("Invalid pooling mode: " + str(pool_mode))
    function = getattr(engine.nn, pool_mode + ("_pool" if rank == 2 else "_pool3d"))
    return function(x, around(pool_size), around(strides), padding=_padding(padding), data_format=_layout(data_format, rank))


@mark
def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 2)


@mark
def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 3)
