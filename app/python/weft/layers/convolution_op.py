"""Convolutions with dilation, as the layers use them."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..op_calls import raw


def _paddings(filter_shape, n, rate):
    """SAME padding before and after each spatial dimension, for the dilated kernel size."""
    sizes = filter_shape[:n]
    extra = sizes + (sizes - 1) * (rate - 1) - 1
    before = extra // 2
    after = extra - before
    return engine.stack([[before[i], after[i]] for i in range(n)])


def _adjusted(value, fill, axes):
    """Prepends rows of `fill` for spatial dimensions before the first one in `axes`."""
    known = ops.constant_value(value)
    rows = [np.full([axes[0] - 1] + value.shape.as_list()[1:], fill, dtype=value.dtype.as_numpy_dtype)] if axes[0] > 1 else []
    rows.append(known if known is not None else value)
    return np.concatenate(rows) if known is not None else engine.concat(rows, 0)


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops) with which space_to_batch_nd divides the input into equal blocks."""
    with ops.name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = ops.convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block_shape = ops.convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        if not block_shape.shape.is_fully_defined():
            raise ValueError("Shape %s is not fully defined" % block_shape.shape)
        n = block_shape.shape.with_rank(1).as_list()[0]
        if n == 0:
            return engine.zeros([0, 2], dtypes.int32), engine.zeros([0, 2], dtypes.int32)
        input_shape.shape.assert_is_compatible_with([n])
        if base_paddings is not None:
            base_paddings = ops.convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base_paddings.shape.assert_is_compatible_with([n, 2])
        else:
            base_paddings = engine.zeros([n, 2], dtypes.int32)
        known = [ops.constant_value(t) for t in (block_shape, input_shape, base_paddings)]
        if not any(k is None for k in known):
            block_shape, input_shape, base_paddings = known
        before, after = base_paddings[:, 0], base_paddings[:, 1]
        full = input_shape + before + after
        extra = (block_shape - full % block_shape) % block_shape
        after = after + extra
        return (engine.stack([[before[i], after[i]] for i in range(n)], name="paddings"), engine.stack([[0, extra[i]] for i in range(n)], name="crops"))


class Convolution:
    """A convolution: creates its constants once and builds its ops at each call."""

    def __init__(self, input_shape, filter_shape, padding, strides=None, dilation_rate=None, data_format=None):
        n = filter_shape.ndims - 2
        if input_shape.ndims != n + 2:
            raise ValueError("input tensor must have rank %d" % (n + 2))
        self._first = data_format is not None and data_format.startswith("NC")
        channels, wanted = input_shape.as_list()[1 if self._first else n + 1], filter_shape.as_list()[n]
        if channels is not None and wanted is not None and channels != wanted:
            raise ValueError("number of input channels does not match corresponding dimension of filter, {} != {}".format(channels, wanted))
        rate = np.array([1] * n if dilation_rate is None else dilation_rate, dtype=np.int32)
        strides = np.array([1] * n if strides is None else strides, dtype=np.int32)
        if np.any(rate < 1):
            raise ValueError("all values of dilation_rate must be positive")
        if np.any(strides < 1):
            raise ValueError("all values of strides must be positive")
        if np.any(strides > 1) and np.any(rate > 1):
            raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
        self._n, self._input_shape, self._data_format = n, input_shape, data_format
        self._strides = [int(s) for s in strides]
        self._axes = list(range(2, n + 2) if self._first else range(1, n + 1))
        self._rates, self._rate = rate, ops.convert_to_tensor(rate, dtypes.int32, name="dilation_rate")
        self._plain = bool(np.all(rate == 1))
        self._padding = padding if self._plain else "VALID"
        if self._plain:
            return
        if padding == "SAME":
            sizes = ops.convert_to_tensor(filter_shape, name="filter_shape")
            self._base = _paddings(ops.constant_value(sizes), n, rate)
        elif padding == "VALID":
            self._base = np.zeros([n, 2], np.int32)
        else:
            raise ValueError("Invalid padding method %r" % padding)

    def _convolve(self, x, kernel):
        format = self._data_format
        strides = self._strides
        if self._n == 1:
            first = format in ("NCW", "NCHW")
            with ops.name_scope(None, "conv1d", [x, kernel]) as scope:
                axis = 2 if first else 1
                x = engine.expand_dims(x, axis)
                kernel = engine.expand_dims(kernel, 0)
                out = raw("Conv2D")(x, kernel, [1, 1, 1] + strides if first else [1, 1] + strides + [1], self._padding, data_format="NCHW" if first else "NHWC", name=scope)
                return engine.squeeze(out, [axis])
        strides = [1, 1] + strides if self._first else [1] + strides + [1]
        op = "Conv2D" if self._n == 2 else "Conv3D"
        return raw(op)(x, kernel, strides, self._padding, data_format=format or ("NHWC" if self._n == 2 else "NDHWC"))

    def __call__(self, x, kernel):
        if self._plain:
            return self._convolve(x, kernel)
        sizes = [self._input_shape.as_list()[i] for i in self._axes]
        if None in sizes:
            shape = basics.shape(x)
            sizes = engine.stack([shape[i] for i in self._axes])
        # A layer that was built in a graph may be called on values.
        rates = self._rate if ops.executing_eagerly() == getattr(self._rate, "_is_eager", False) else ops.convert_to_tensor(self._rates, dtypes.int32)
        paddings, crops = required_space_to_batch_paddings(input_shape=sizes, base_paddings=self._base, block_shape=rates)
        rate, paddings, crops = _adjusted(rates, 1, self._axes), _adjusted(paddings, 0, self._axes), _adjusted(crops, 0, self._axes)
        x = raw("SpaceToBatchND")(input=x, block_shape=rate, paddings=paddings)
        out = raw("BatchToSpaceND")(input=self._convolve(x, kernel), block_shape=rate, crops=crops)
        if self._first and not out.shape.as_list()[1]:
            shape = out.shape.as_list()
            shape[1] = kernel.shape.as_list()[-1]
            out.set_shape(shape)
        return out
