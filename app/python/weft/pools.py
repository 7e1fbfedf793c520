"""tf.nn: pooling and transposed convolutions for one, two or three dimensions; losses per example; labels for CTC."""

import collections.abc

from . import basics, dtypes, engine, ops
from .exports import export
from .ops import Tensor
from .row_functions import map_fn
from .sparse_tensor import SparseTensor


def _sizes(value, n, channel_index, name):
    """The sizes of n + 2 dimensions, from one number, n numbers, or all n + 2."""
    value = [1] if value is None else value if hasattr(value, "__len__") else [value]
    if len(value) == n + 2:
        return value
    if len(value) not in (1, n):
        raise ValueError("%s should be of length 1, %s or %s but was %s" % (name, n, n + 2, len(value)))
    value = list(value) * n if len(value) == 1 else list(value)
    return [1, 1] + value if channel_index == 1 else [1] + value + [1]


def _pool_1d(op, scope):
    def pool(input, ksize, strides, padding, data_format="NWC", name=None):
        with ops.name_scope(name, scope, [input]) as name:
            data_format = data_format or "NWC"
            channels = 1 if data_format.startswith("NC") else 2
            ksize = [1] + _sizes(ksize, 1, channels, "ksize")
            strides = [1] + _sizes(strides, 1, channels, "strides")
            axis = 1 if data_format == "NWC" else 2
            wide = engine.expand_dims(input, axis)
            made = getattr(engine.raw_ops, op)(ksize=ksize, strides=strides, padding=padding, data_format="NHWC" if axis == 1 else "NCHW", name=name,
                                               **{"input" if op == "MaxPool" else "value": wide})
            return engine.squeeze(made, axis)

    return pool


avg_pool1d = export("nn.avg_pool1d")(_pool_1d("AvgPool", "AvgPool1D"))
max_pool1d = export("nn.max_pool1d")(_pool_1d("MaxPool", "MaxPool1d"))


def _pool_2d(op, scope):
    def pool(input, ksize, strides, padding, data_format="NHWC", name=None):
        with ops.name_scope(name, scope, [input]) as name:
            data_format = data_format or "NHWC"
            channels = 1 if data_format.startswith("NC") else 3
            ksize, strides = _sizes(ksize, 2, channels, "ksize"), _sizes(strides, 2, channels, "strides")
            return getattr(engine.raw_ops, op)(ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name,
                                               **{"input" if op == "MaxPool" else "value": input})

    return pool


max_pool2d = export("nn.max_pool2d")(_pool_2d("MaxPool", "MaxPool2d"))


def _pool_any(kind, one):
    def pool(input, ksize, strides, padding, data_format=None, name=None):
        if input.shape is not None:
            n = len(input.shape) - 2
        elif data_format is not None:
            n = len(data_format) - 2
        else:
            raise ValueError("The input must have a rank or a data format must be given.")
        if not 1 <= n <= 3:
            raise ValueError("Input tensor must be of rank 3, 4 or 5 but was %s." % (n + 2))
        channels = n + 1 if data_format is None or not data_format.startswith("NC") else 1
        ksize, strides = _sizes(ksize, n, channels, "ksize"), _sizes(strides, n, channels, "strides")
        if n == 1:
            return one(input, ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)
        data_format = data_format or ("NHWC" if n == 2 else "NDHWC")
        op = kind if n == 2 else kind + "3D"
        return getattr(engine.raw_ops, op)(ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name,
                                           **{"value" if op == "AvgPool" else "input": input})

    return pool


export("nn.avg_pool_v2")(_pool_any("AvgPool", avg_pool1d))
export("nn.max_pool_v2")(_pool_any("MaxPool", max_pool1d))
export("nn.avg_pool2d")(lambda value, ksize, strides, padding, data_format="NHWC", name=None, input=None: engine.nn.avg_pool(value if input is None else input, ksize, strides, padding,
                                                                                                                        data_format, name))


@export("nn.conv1d_transpose")
def conv1d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None, name=None):
    """A transposed convolution along sequences."""
    with ops.name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        if data_format not in (None, "NWC", "NCW"):
            raise ValueError('data_format must be "NWC" or "NCW".')
        axis, channels, data_format = (2, 1, "NCHW") if data_format == "NCW" else (1, 2, "NHWC")
        strides = [1] + _sizes(strides, 1, channels, "stride")
        dilations = [1] + _sizes(dilations, 1, channels, "dilations")
        input, filters = engine.expand_dims(input, axis), engine.expand_dims(filters, 0)
        if getattr(output_shape, "ndim", 1) != 1:
            raise ValueError("output_shape must be a vector, not of shape %s" % (output_shape.shape,))
        output_shape = output_shape if isinstance(output_shape, Tensor) else list(output_shape)
        output_shape = engine.concat([output_shape[:axis], [1], output_shape[axis:]], 0)
        made = engine.raw_ops.Conv2DBackpropInput(input_sizes=output_shape, filter=filters, out_backprop=input, strides=strides, padding=padding, data_format=data_format,
                                                  dilations=dilations, name=name)
        return engine.squeeze(made, axis)


@export("nn.conv_transpose")
def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None):
    """A transposed convolution along one, two or three dimensions, which the length of `output_shape` decides."""
    with ops.name_scope(name, "conv_transpose", [input, output_shape]) as name:
        if isinstance(output_shape, ops.Tensor):
            length = output_shape.shape.as_list()[0]
        elif isinstance(output_shape, collections.abc.Sized):
            length = len(output_shape)
        else:
            raise ValueError("output_shape must be a tensor or sized collection.")
        if not 3 <= length <= 5:
            raise ValueError("output_shape must be of length 3, 4 or 5 but was %d." % length)
        if length == 3:
            return conv1d_transpose(input, filters, output_shape, strides, padding, data_format, dilations, name)
        flat = length == 4
        data_format = data_format or ("NHWC" if flat else "NDHWC")
        channels = 1 if data_format.startswith("NC") else length - 1
        op = engine.raw_ops.Conv2DBackpropInput if flat else engine.raw_ops.Conv3DBackpropInputV2
        return op(input_sizes=output_shape, filter=filters, out_backprop=input, strides=_sizes(strides, length - 2, channels, "strides"), padding=padding, data_format=data_format,
                  dilations=_sizes(dilations, length - 2, channels, "dilations"), name=name)


def _size(tensor, axis):
    """A static size, or else the size at run time."""
    known = tensor.shape.as_list()[axis] if tensor.shape.ndims is not None else None
    return known or basics.shape(tensor)[axis]


@export("nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1):
    return engine.nn.ctc_beam_search_decoder(inputs, sequence_length=sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=False)


@export("nn.collapse_repeated")
def collapse_repeated(labels, seq_length, name=None):
    """(rows with consecutive repeated labels removed, their lengths)."""
    with ops.name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = ops.convert_to_tensor(labels, name="labels")
        seq_length = ops.convert_to_tensor(seq_length, name="seq_length")
        kept = engine.concat([engine.ones_like(labels[:, :1], dtypes.bool_), engine.not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        kept = engine.logical_and(kept, engine.sequence_mask(seq_length, maxlen=_size(labels, 1)))
        lengths = engine.reduce_sum(basics.cast(kept, dtypes.int32), axis=1)
        longest = engine.reduce_max(lengths)
        places = engine.sequence_mask(lengths, maxlen=longest)
        flat_labels, flat_kept, flat_places = (engine.reshape(t, [-1]) for t in (labels, kept, places))
        numbers = engine.range(_size(flat_places, 0))
        flat = engine.scatter_nd(indices=engine.expand_dims(engine.boolean_mask(numbers, flat_places), axis=1), updates=engine.boolean_mask(flat_labels, flat_kept), shape=basics.shape(flat_places))
        return engine.reshape(flat, [_size(labels, 0), longest]), basics.cast(lengths, seq_length.dtype)


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels, name=None):
    """(the distinct labels of each row, the index of each label among them)."""
    with ops.name_scope(name, "ctc_unique_labels", [labels]):
        labels = ops.convert_to_tensor(labels, name="labels")

        def unique(x):
            found = engine.unique(x)
            padded = engine.pad(found.y, [[0, _size(found.idx, 0) - _size(found.y, 0)]])
            return [basics.cast(padded, dtypes.int64), found.idx]

        return map_fn(unique, labels, dtype=[dtypes.int64, dtypes.int32])


def dense_labels_to_sparse(dense, length):
    """The labels of rows of `dense`, each `length` long, as a sparse tensor."""
    dense = ops.convert_to_tensor(dense)
    mask = engine.sequence_mask(length, maxlen=basics.shape(dense)[1])
    sizes = [basics.cast(size, dtypes.int64) for size in (basics.shape(dense)[0], engine.reduce_max(length))]
    return SparseTensor(engine.where(mask), basics.cast(engine.boolean_mask(dense, mask), dtypes.int32), engine.stack(sizes))


def _blank_last(labels, logits, blank_index):
    """Labels and logits whose blank is the last class, where the op CTCLoss has it."""
    count = _size(logits, 2)
    blank = blank_index + count if blank_index < 0 else blank_index
    if isinstance(count, int) and blank == count - 1:
        return labels, logits
    moved = engine.concat([logits[:, :, :blank], logits[:, :, blank + 1:], logits[:, :, blank:blank + 1]], axis=2)
    values = engine.where(engine.less(labels.values, basics.cast(blank, labels.values.dtype)), labels.values, labels.values - 1)
    return SparseTensor(labels.indices, values, labels.dense_shape), moved


@export("nn.ctc_loss_v2")
def ctc_loss_v2(labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=None, name=None):
    """The CTC loss of each row. `labels`: a sparse tensor, or a matrix with the lengths `label_length`; the blank of a matrix is class 0 unless `blank_index` says otherwise.

    `unique`, what ctc_unique_labels() gives, is not needed here."""
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        labels, logits = _blank_last(labels, ops.convert_to_tensor(logits), blank_index)
        return engine.nn.ctc_loss(labels=labels, inputs=logits, sequence_length=logit_length, time_major=logits_time_major)
    return ctc_loss_dense(labels, logits, label_length, logit_length, logits_time_major, unique, 0 if blank_index is None else blank_index, name)


def ctc_loss_dense(labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=0, name=None):
    """ctc_loss_v2() for a matrix of labels. Frames after `logit_length` have no gradient (TensorFlow 1.15 gives them the softmax)."""
    with ops.name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        sparse = dense_labels_to_sparse(labels, ops.convert_to_tensor(label_length))
        sparse, logits = _blank_last(sparse, ops.convert_to_tensor(logits, name="logits"), blank_index)
        lengths = basics.cast(logit_length, dtypes.int32)
        return engine.nn.ctc_loss(labels=sparse, inputs=logits, sequence_length=lengths, time_major=logits_time_major)
