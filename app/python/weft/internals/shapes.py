"""tensorflow.python.framework.common_shapes: static output shapes from an operation's inputs."""

from .. import ops, tensor_shape
from ..tensor_shape import Dimension, TensorShape


def has_fully_defined_shape(tensor):
    return tensor.shape.is_fully_defined()


def rank(tensor):
    """The rank of a tensor; None for anything else."""
    return tensor._rank() if isinstance(tensor, ops.Tensor) else None


def scalar_shape(unused_op):
    return [TensorShape([])]


def unchanged_shape(op):
    return [op.inputs[0].get_shape()]


def unchanged_shape_with_rank(rank):
    return lambda op: [op.inputs[0].get_shape().with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank):
    return lambda op: [op.inputs[0].get_shape().with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank):
    return lambda op: [op.inputs[0].get_shape().with_rank_at_most(rank)]


def no_outputs(unused_op):
    return []


def unknown_shape(op):
    """An unknown shape for each output."""
    return [tensor_shape.unknown_shape() for _ in op.outputs]


def matmul_shape(op):
    a, b = (x.get_shape().with_rank(2) for x in op.inputs[:2])
    turned_a, turned_b = op.get_attr("transpose_a"), op.get_attr("transpose_b")
    inner_a, inner_b = a[0 if turned_a else 1], b[1 if turned_b else 0]
    inner_a.assert_is_compatible_with(inner_b)
    return [TensorShape([a[1 if turned_a else 0], b[0 if turned_b else 1]])]


def get_conv_output_size(input_size, filter_size, strides, padding_type):
    """The output sizes of a convolution; None if unknown. `padding_type`: b"VALID" or b"SAME"."""
    input_size, filter_size = (tuple(tensor_shape.as_dimension(d).value for d in sizes) for sizes in (input_size, filter_size))
    strides = [int(s) for s in strides]
    if all(d == 1 for d in input_size + filter_size):
        return input_size
    if any(f is not None and i is not None and f > i for f, i in zip(filter_size, input_size)):
        raise ValueError("Filter must not be larger than the input: Filter: %r Input: %r" % (filter_size, input_size))
    if padding_type == b"VALID":
        return tuple(None if i is None or f is None else (i - f + s) // s for i, f, s in zip(input_size, filter_size, strides))
    if padding_type == b"SAME":
        return tuple(None if i is None else (i + s - 1) // s for i, s in zip(input_size, strides))
    raise ValueError("Invalid padding: %r" % padding_type)


def get2d_conv_output_size(input_height, input_width, filter_height, filter_width, row_stride, col_stride, padding_type):
    return get_conv_output_size((input_height, input_width), (filter_height, filter_width), (row_stride, col_stride), padding_type)


def _data_format(op):
    try:
        return op.get_attr("data_format")
    except ValueError:
        return None


def _sizes(op, shape, key):
    """(batch, rows, columns, depth) of a shape or attribute in the operation's data format."""
    values = op.get_attr(key) if key else shape
    if _data_format(op) == b"NCHW":
        return values[0], values[2], values[3], values[1]
    return values[0], values[1], values[2], values[3]


def _shape(op, batch, rows, columns, depth):
    return TensorShape([batch, depth, rows, columns] if _data_format(op) == b"NCHW" else [batch, rows, columns, depth])


def _windows(op, filter_size, depth):
    """The output shape of a convolution or pooling."""
    batch, rows, columns, _ = _sizes(op, op.inputs[0].get_shape().with_rank(4), None)
    batch_stride, row_stride, col_stride, depth_stride = _sizes(op, None, "strides")
    if batch_stride != 1 or depth_stride != 1:
        raise ValueError("Current implementation does not yet support strides in the batch and depth dimensions.")
    rows, columns = get_conv_output_size((rows, columns), filter_size, (row_stride, col_stride), op.get_attr("padding"))
    return [_shape(op, batch, rows, columns, depth)]


def conv2d_shape(op):
    size = op.inputs[1].get_shape().with_rank(4)
    _sizes(op, op.inputs[0].get_shape().with_rank(4), None)[3].assert_is_compatible_with(size[2])
    return _windows(op, (size[0], size[1]), size[3])


def depthwise_conv2d_native_shape(op):
    size = op.inputs[1].get_shape().with_rank(4)
    op.inputs[0].get_shape().with_rank(4)[3].assert_is_compatible_with(size[2])
    if op.get_attr("strides")[1] != op.get_attr("strides")[2]:
        raise ValueError("Current implementation only supports equal length strides in the row and column dimensions.")
    return _windows(op, (size[0], size[1]), size[3] * size[2])


def separable_conv2d_shape(op):
    depthwise, pointwise = (x.get_shape().with_rank(4) for x in op.inputs[1:3])
    op.inputs[0].get_shape().with_rank(4)[3].assert_is_compatible_with(depthwise[2])
    for d in (0, 1):
        if pointwise[d].value not in (1, None):
            raise ValueError("Pointwise filter must have size 1")
    (depthwise[3] * depthwise[2]).assert_is_compatible_with(pointwise[2])
    if op.get_attr("strides")[1] != op.get_attr("strides")[2]:
        raise ValueError("Current implementation only supports equal length strides in the row and column dimensions.")
    return _windows(op, (depthwise[0], depthwise[1]), pointwise[3])


def avg_pool_shape(op):
    batch_size, rows, columns, depth_size = _sizes(op, None, "ksize")
    if batch_size != 1 or depth_size != 1:
        raise ValueError("Current implementation does not support pooling in the batch and depth dimensions.")
    return _windows(op, (rows, columns), _sizes(op, op.inputs[0].get_shape().with_rank(4), None)[3])


def max_pool_shape(op):
    """The output shape of pooling over rows and columns, or over depth."""
    batch, in_rows, in_columns, depth = _sizes(op, op.inputs[0].get_shape().with_rank(4), None)
    batch_size, rows, columns, depth_size = _sizes(op, None, "ksize")
    batch_stride, row_stride, column_stride, depth_stride = _sizes(op, None, "strides")
    if batch_size != 1:
        raise ValueError("Current implementation does not support pooling in the batch dimension.")
    if batch_stride != 1:
        raise ValueError("Current implementation does not support strides in the batch dimension.")
    if not (rows == 1 and columns == 1 or depth_size == 1):
        raise ValueError("MaxPooling supports exactly one of pooling across depth or pooling across width/height.")
    if depth_size == 1:
        rows, columns = get_conv_output_size((in_rows, in_columns), (rows, columns), (row_stride, column_stride), op.get_attr("padding"))
        return [_shape(op, batch, rows, columns, depth)]
    if depth % depth_size > 0:
        raise ValueError("Depthwise max pooling requires the depth window to evenly divide the input depth.")
    if depth_stride != depth_size:
        raise ValueError("Depthwise max pooling requires the depth window to equal the depth stride.")
    return [_shape(op, batch, in_rows, in_columns, depth // depth_size)]


def _broadcast_shape_helper(shape_x, shape_y):
    """The broadcast dimensions; None if they are incompatible."""
    x, y = list(reversed(shape_x.dims)), list(reversed(shape_y.dims))
    size = max(len(x), len(y))
    x, y = (d + [Dimension(1)] * (size - len(d)) for d in (x, y))
    found = []
    for a, b in zip(reversed(x), reversed(y)):
        if a.value is None and b.value is None:
            found.append(Dimension(None))
        elif a.value is None or b.value is None:
            known = b if a.value is None else a
            found.append(known if known.value > 1 else Dimension(None))  # a size of 1 says nothing about the other dimension
        elif a.value == b.value or 1 in (a.value, b.value):
            found.append(b if a.value == 1 else a)
        else:
            return None
    return found


def is_broadcast_compatible(shape_x, shape_y):
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    return _broadcast_shape_helper(shape_x, shape_y) is not None


def broadcast_shape(shape_x, shape_y):
    """The broadcast shape; ValueError if the shapes are incompatible."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return tensor_shape.unknown_shape()
    dims = _broadcast_shape_helper(shape_x, shape_y)
    if dims is None:
        raise ValueError("Incompatible shapes for broadcasting: %s and %s" % (shape_x, shape_y))
    return TensorShape(dims)


def call_cpp_shape_fn(op, require_shape_fn=True):
    """The engine's shapes of an operation's outputs."""
    return {"shapes": [t.shape.as_proto().SerializeToString() for t in op.outputs], "handle_data": [None] * len(op.outputs), "inputs_needed": b""}
