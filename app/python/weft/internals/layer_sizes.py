"""tensorflow.python.layers.utils and tensorflow.python.keras.utils.conv_utils: parameters and sizes of convolutional layers.

The two differ a little: Keras's know causal padding, more ways to pad a transposed convolution, and the configured data format."""

import itertools

import numpy as np

from ..layers.convolutional import tuple_of as normalize_tuple  # noqa: F401 (re-exported)
from ..control_flow import smart_constant_value
from ..keras import backend
from ..util import nest
from ..variable_base import Variable


def convert_data_format(data_format, ndim):
    """The ops' data format (such as NCHW) for channels_first or channels_last."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in (3, 4, 5):
        raise ValueError("Input rank not supported:", ndim)
    space = {3: "W", 4: "HW", 5: "DHW"}[ndim]
    return "N%sC" % space if data_format == "channels_last" else "NC" + space


def normalize_data_format(value):
    data_format = value.lower()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError('The `data_format` argument must be one of "channels_first", "channels_last". Received: ' + str(value))
    return data_format


def normalize_padding(value):
    padding = value.lower()
    if padding not in ("valid", "same"):
        raise ValueError('The `padding` argument must be one of "valid", "same". Received: ' + str(padding))
    return padding


def _length(length, size, padding, stride):
    change = {"same": 0, "causal": 0, "valid": 1 - size, "full": size - 1}[padding]
    return (length + change + stride - 1) // stride


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    if input_length is None:
        return None
    assert padding in {"same", "valid", "full"}
    return _length(input_length, filter_size + (filter_size - 1) * (dilation - 1), padding, stride)


def conv_input_length(output_length, filter_size, padding, stride):
    """The input length of a convolution with this output length."""
    if output_length is None:
        return None
    assert padding in {"same", "valid", "full"}
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(input_length, filter_size, padding, stride):
    if input_length is None:
        return None
    length = input_length * stride
    if padding == "valid":
        length += max(filter_size - stride, 0)
    elif padding == "full":
        length -= stride + filter_size - 2
    return length


def constant_value(pred):
    """The static bool value of a predicate; None for variables and tensors of unknown value."""
    return None if isinstance(pred, Variable) else smart_constant_value(pred)


def object_list_uid(object_list):
    return ", ".join(str(abs(id(x))) for x in nest.flatten(object_list))


def static_shape(x):
    """The shape as a tuple, None if it is unknown."""
    if x is None:
        return None
    try:
        return tuple(x.get_shape().as_list())
    except ValueError:
        return None


def get_reachable_from_inputs(inputs, targets=None):
    """The inputs and all tensors that depend on them; stops early once all targets are found."""
    reachable, queue, wanted = set(inputs), list(inputs), set(targets or ())
    while queue:
        x = queue.pop()
        consumers = x.consumers() if hasattr(x, "consumers") else [x.op]
        for y in (y for c in consumers for y in c.outputs):
            if y not in reachable:
                reachable.add(y)
                queue.insert(0, y)
        if wanted and wanted <= reachable:
            break
    return reachable


# Keras's.
def keras_conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    if input_length is None:
        return None
    assert padding in {"same", "valid", "full", "causal"}
    return _length(input_length, filter_size + (filter_size - 1) * (dilation - 1), padding, stride)


def keras_deconv_output_length(input_length, filter_size, padding, output_padding=None, stride=0, dilation=1):
    assert padding in {"same", "valid", "full"}
    if input_length is None:
        return None
    filter_size += (filter_size - 1) * (dilation - 1)
    if output_padding is None:
        return input_length * stride + {"valid": max(filter_size - stride, 0), "full": 2 - stride - filter_size, "same": 0}[padding]
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (input_length - 1) * stride + filter_size - 2 * pad + output_padding


def keras_normalize_data_format(value):
    return normalize_data_format(backend.image_data_format() if value is None else value)


def keras_normalize_padding(value):
    if isinstance(value, (list, tuple)):
        return value
    padding = value.lower()
    if padding not in ("valid", "same", "causal"):
        raise ValueError('The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", only for `Conv1D). Received: ' + str(padding))
    return padding


def convert_kernel(kernel):
    """A kernel with its spatial axes flipped, which converts between Theano's and TensorFlow's layout."""
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.copy(kernel[(slice(None, None, -1),) * (kernel.ndim - 2)])


def conv_output_shape(input_shape, kernel_shape, strides, padding):
    """The sizes of the output; of an empty input they are 0."""
    return tuple(0 if input_shape[d] == 0 else keras_conv_output_length(input_shape[d], kernel_shape[d], padding, strides[d]) for d in range(len(kernel_shape)))


def conv_connected_inputs(input_shape, kernel_shape, output_position, strides, padding):
    """The range of input positions in each dimension that an output position sees."""
    ranges = []
    for size, kernel, position, stride in zip(input_shape, kernel_shape, output_position, strides):
        center = position * stride
        if padding == "valid":
            center += kernel // 2
        first = max(0, center - kernel // 2)
        ranges.append(range(first, min(size, center + kernel - kernel // 2)))
    return ranges


def _checked(input_shape, kernel_shape, strides, padding):
    if padding not in ("same", "valid"):
        raise NotImplementedError('Padding type %s not supported. Only "valid" and "same" are implemented.' % padding)
    rank = len(input_shape)
    kernel_shape = (kernel_shape,) * rank if isinstance(kernel_shape, int) else kernel_shape
    strides = (strides,) * rank if isinstance(strides, int) else strides
    if len(kernel_shape) != rank or len(strides) != rank:
        raise ValueError("Number of strides, input and kernel dimensions must all match. Received: %d, %d, %d." % (len(strides), rank, len(kernel_shape)))
    return kernel_shape, strides, conv_output_shape(input_shape, kernel_shape, strides, padding)


def conv_kernel_mask(input_shape, kernel_shape, strides, padding):
    """Which inputs (first axes) a weight connects with which outputs (last axes)."""
    kernel_shape, strides, output_shape = _checked(input_shape, kernel_shape, strides, padding)
    mask = np.zeros(tuple(input_shape) + output_shape, bool)
    for output in itertools.product(*[range(d) for d in output_shape]):
        for position in itertools.product(*conv_connected_inputs(input_shape, kernel_shape, output, strides, padding)):
            mask[position + output] = True
    return mask


def conv_kernel_idxs(input_shape, kernel_shape, strides, padding, filters_in, filters_out, data_format):
    """Pairs (index of the output, index of the input) in flattened pictures that a weight connects."""
    kernel_shape, strides, output_shape = _checked(input_shape, kernel_shape, strides, padding)
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError('Data format %s not recignized.`data_format` must be "channels_first" or "channels_last".' % data_format)

    def whole(space, channel):
        return (channel,) + tuple(space) if data_format == "channels_first" else tuple(space) + (channel,)

    for output in itertools.product(*[range(d) for d in output_shape]):
        for position in itertools.product(*conv_connected_inputs(input_shape, kernel_shape, output, strides, padding)):
            for f_in in range(filters_in):
                for f_out in range(filters_out):
                    yield (np.ravel_multi_index(whole(output, f_out), whole(output_shape, filters_out)), np.ravel_multi_index(whole(position, f_in), whole(input_shape, filters_in)))
