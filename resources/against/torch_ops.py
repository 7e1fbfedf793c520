"""TensorFlow's ops as functions of PyTorch: (node, inputs…) -> a tensor or a tuple of outputs. Inputs that are known before the step are arrays of NumPy."""
import functools

import numpy as np
import torch
import torch.nn.functional as F
from static_ops import strided_slice_index

TYPES = {"float32": torch.float32, "float64": torch.float64, "float16": torch.float16, "int32": torch.int32, "int64": torch.int64, "bool": torch.bool,
         "uint8": torch.uint8, "int8": torch.int8, "int16": torch.int16}
_aten = torch.ops.aten


def tensor(x):
    return torch.from_numpy(np.array(x)) if isinstance(x, (np.ndarray, np.generic)) else x


def _ints(x):
    return [int(i) for i in np.atleast_1d(x)]


def _nhwc(node):
    if node.attrs.get("data_format", "NHWC") != "NHWC":
        raise NotImplementedError("data_format %s" % node.attrs["data_format"])


def _pads(node, size, window):
    """(before, after) for height and width, as TensorFlow's SAME and VALID have them."""
    _nhwc(node)
    strides, dilations = node.attrs["strides"][1:3], node.attrs.get("dilations", [1, 1, 1, 1])[1:3]
    if node.attrs["padding"] == "VALID":
        return [(0, 0), (0, 0)]
    if node.attrs["padding"] == "EXPLICIT":
        e = node.attrs["explicit_paddings"]
        return [(e[2], e[3]), (e[4], e[5])]
    out = []
    for n, k, s, d in zip(size, window, strides, dilations):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        out.append((total // 2, total - total // 2))
    return out


def _first(x):
    return x.permute(0, 3, 1, 2)


def _last(x):
    return x.permute(0, 2, 3, 1)


def _padded(x, pads, value=0.0):
    (top, bottom), (left, right) = pads
    return F.pad(x, (left, right, top, bottom), value=value) if any((top, bottom, left, right)) else x


def _conv_setting(node, x_shape, w_shape):
    pads = _pads(node, x_shape[1:3], w_shape[:2])
    even = all(a == b for a, b in pads)
    return pads, even, [pads[0][0], pads[1][0]] if even else [0, 0], list(node.attrs["strides"][1:3]), list(node.attrs.get("dilations", [1, 1, 1, 1])[1:3])


def _filters(w, depthwise):
    """HWIO as PyTorch's OIHW; those of a depthwise convolution as [C*M, 1, H, W]."""
    return w.reshape(w.shape[0], w.shape[1], 1, -1).permute(3, 2, 0, 1) if depthwise else w.permute(3, 2, 0, 1)


def _conv(node, x, w, depthwise=False):
    pads, even, padding, strides, dilations = _conv_setting(node, x.shape, w.shape)
    x = _first(x) if even else _padded(_first(x), pads)
    return _last(F.conv2d(x, _filters(w, depthwise), None, strides, padding, dilations, x.shape[1] if depthwise else 1))


def _conv_backward(node, x, w, x_shape, w_shape, dy, which, depthwise=False):
    pads, even, padding, strides, dilations = _conv_setting(node, x_shape, w_shape)
    (top, bottom), (left, right) = pads
    n, h, wide, c = x_shape
    x = torch.empty([n, h, wide, c], dtype=dy.dtype) if x is None else x
    w = torch.empty(w_shape, dtype=dy.dtype) if w is None else w
    x = _first(x) if even else _padded(_first(x), pads)
    dx, dw, _ = _aten.convolution_backward(_first(dy), x, _filters(w, depthwise), None, strides, padding, dilations, False, [0, 0],
                                           c if depthwise else 1, [which == 0, which == 1, False])
    if which == 0:
        return _last(dx if even else dx[:, :, top:top + h, left:left + wide])
    dw = dw.permute(2, 3, 1, 0)
    return dw.reshape(w_shape) if depthwise else dw


def _conv_input(node, sizes, w, dy, depthwise=False):
    return _conv_backward(node, None, tensor(w), _ints(sizes), list(w.shape), dy, 0, depthwise)


def _conv_filter(node, x, sizes, dy, depthwise=False):
    return _conv_backward(node, tensor(x), None, list(x.shape), _ints(sizes), dy, 1, depthwise)


def _max_pool(node, x):
    pads = _pads(node, x.shape[1:3], node.attrs["ksize"][1:3])
    return _last(F.max_pool2d(_padded(_first(x), pads, -np.inf), node.attrs["ksize"][1:3], node.attrs["strides"][1:3]))


def _max_pool_grad(node, x, y, dy):
    pads = _pads(node, x.shape[1:3], node.attrs["ksize"][1:3])
    padded = _padded(_first(x), pads, -np.inf)
    k, s = list(node.attrs["ksize"][1:3]), list(node.attrs["strides"][1:3])
    _, where = F.max_pool2d(padded, k, s, return_indices=True)
    dx = _aten.max_pool2d_with_indices_backward(_first(dy), padded, k, s, [0, 0], [1, 1], False, where)
    top, left = pads[0][0], pads[1][0]
    return _last(dx[:, :, top:top + x.shape[1], left:left + x.shape[2]])


def _avg_pool_setting(node, shape):
    if any(a or b for a, b in _pads(node, shape[1:3], node.attrs["ksize"][1:3])):
        raise NotImplementedError("an average over a padded border")
    return list(node.attrs["ksize"][1:3]), list(node.attrs["strides"][1:3])


def _avg_pool(node, x):
    k, s = _avg_pool_setting(node, x.shape)
    return _last(F.avg_pool2d(_first(x), k, s))


def _avg_pool_grad(node, sizes, dy):
    shape = _ints(sizes)
    k, s = _avg_pool_setting(node, shape)
    x = torch.empty(shape, dtype=dy.dtype)
    return _last(_aten.avg_pool2d_backward(_first(dy), _first(x), k, s, [0, 0], False, True, None))


def _batch_norm(n, x, gamma, beta, mean, variance):
    training = n.attrs["is_training"]
    if training:
        variance, mean = torch.var_mean(x, (0, 1, 2), correction=0)
    y = (x - mean) * (torch.rsqrt(variance + n.attrs["epsilon"]) * gamma) + beta
    count = x.numel() // x.shape[3]
    return y, mean, variance * (count / max(count - 1, 1)) if training else variance, mean, variance, torch.zeros((), dtype=x.dtype)


def _batch_norm_grad(n, dy, x, gamma, mean, variance, _):
    if not n.attrs["is_training"]:
        raise NotImplementedError("is_training=false")
    r = torch.rsqrt(variance + n.attrs["epsilon"])
    centred = x - mean
    sums, products, count = dy.sum((0, 1, 2)), (dy * centred).sum((0, 1, 2)), x.numel() // x.shape[3]
    zero = torch.zeros((), dtype=x.dtype)
    return gamma * r * (dy - sums / count - centred * (r * r * products / count)), products * r, sums, zero, zero


def _matmul(n, a, b):
    return torch.matmul(a.T if n.attrs.get("transpose_a") else a, b.T if n.attrs.get("transpose_b") else b)


def _batch_matmul(n, a, b):
    return torch.matmul(a.transpose(-1, -2) if n.attrs.get("adj_x") else a, b.transpose(-1, -2) if n.attrs.get("adj_y") else b)


def _sparse_xent(n, logits, labels):
    p = torch.log_softmax(logits, 1)
    labels = labels.long()
    return -p.gather(1, labels[:, None])[:, 0], p.exp() - (labels[:, None] == torch.arange(logits.shape[1])).to(p.dtype)


def _xent(n, logits, labels):
    p = torch.log_softmax(logits, 1)
    return -(labels * p).sum(1), p.exp() - labels


def _axes(n, axes):
    return {"dim": tuple(_ints(axes)), "keepdim": bool(n.attrs.get("keep_dims", False))}


def _reduce(function):
    def reduced(n, x, axes):
        return tensor(x) if np.size(axes) == 0 else function(tensor(x), **_axes(n, axes))
    return reduced


def _gather(n, x, indices, axis=0):
    x, indices, axis = tensor(x), tensor(indices), int(axis) % max(x.ndim, 1)
    found = torch.index_select(x, axis, indices.reshape(-1))
    return found.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def _unique(n, x):
    # As many outputs as inputs, because shapes are fixed: each value stands where it comes first, and positions point there.
    first = (x[:, None] == x[None, :]).to(torch.int32).argmax(1)
    return x, first.to(TYPES[n.attrs.get("out_idx", "int32")])


def _segment_sum(n, x, rows, count):
    x, rows = tensor(x), tensor(rows)
    out = torch.zeros((int(count),) + x.shape[rows.ndim:], dtype=x.dtype)
    return out.index_add(0, rows.reshape(-1).long(), x.reshape((-1,) + x.shape[rows.ndim:]))


def _stitch(n, *inputs):
    count = len(inputs) // 2
    indices, values = inputs[:count], [tensor(v) for v in inputs[count:]]
    out = torch.zeros((max(int(i.max()) for i in indices if i.size) + 1,) + values[0].shape[indices[0].ndim:], dtype=values[0].dtype)
    for i, v in zip(indices, values):
        out = out.index_copy(0, torch.from_numpy(i.reshape(-1)).long(), v.reshape((-1,) + v.shape[i.ndim:]))
    return out


def _band(n, x, lower, upper):
    x, lower, upper = tensor(x), int(lower), int(upper)
    rows, columns = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])[None, :]
    keep = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return torch.where(torch.from_numpy(keep), x, torch.zeros((), dtype=x.dtype))


def _one_hot(n, indices, depth, on, off):
    indices = tensor(indices)
    return torch.where(indices[..., None] == torch.arange(int(depth), dtype=indices.dtype), tensor(on), tensor(off))


def _reverse_sequence(n, x, lengths):
    axis, batch = int(n.attrs["seq_dim"]), int(n.attrs.get("batch_dim", 0))
    moved = torch.movedim(x, (batch, axis), (0, 1))
    t = torch.arange(moved.shape[1])[None, :]
    lengths = lengths.long()[:, None]
    source = torch.where(t < lengths, lengths - 1 - t, t)
    return torch.movedim(moved[torch.arange(moved.shape[0])[:, None], source], (0, 1), (batch, axis))


def _select(n, c, a, b):
    c, a, b = tensor(c), tensor(a), tensor(b)
    return torch.where(c.reshape(c.shape + (1,) * (a.ndim - c.ndim)) if n.op == "Select" and c.ndim else c, a, b)


def _slice(n, x, begin, size):
    return tensor(x)[tuple(slice(int(i), None if int(k) < 0 else int(i) + int(k)) for i, k in zip(begin, size))]


def _squeeze(n, x):
    dims = _ints(n.attrs.get("squeeze_dims", []))
    return x.squeeze(dims) if dims else x.squeeze()


def _pad(n, x, pads):
    return F.pad(tensor(x), [int(v) for pair in reversed(pads.tolist()) for v in pair])


_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def _momentum(n, v, m, lr, g, mu):
    m = m * mu + g
    return (v - lr * (g + mu * m) if n.attrs.get("use_nesterov") else v - lr * m), m


def _adam(n, v, m, s, b1p, b2p, lr, b1, b2, e, g):
    m, s = b1 * m + (1 - b1) * g, b2 * s + (1 - b2) * g * g
    alpha = lr * torch.sqrt(1 - b2p) / (1 - b1p)
    return v - alpha * (m * b1 + (1 - b1) * g if n.attrs.get("use_nesterov") else m) / (torch.sqrt(s) + e), m, s


def _adagrad(n, v, a, lr, g):
    a = a + g * g if n.attrs.get("update_slots", True) else a
    return v - lr * g * torch.rsqrt(a), a


def _sparse_adagrad(n, v, a, lr, g, rows):
    rows = rows.long()
    a = a.index_add(0, rows, g * g)
    return v.index_add(0, rows, -lr * g * torch.rsqrt(a[rows])), a


def _rms_prop(n, v, ms, mom, lr, rho, momentum, e, g):
    ms = ms + (g * g - ms) * (1 - rho)
    mom = mom * momentum + lr * g * torch.rsqrt(ms + e)
    return v - mom, ms, mom


def _scatter_add(sign):
    return lambda n, v, i, x: (v.index_add(0, i.reshape(-1).long(), sign * x.reshape((-1,) + v.shape[1:])),)


# Updates: the new values of the first inputs, as many as there are results.
UPDATES = {
    "Assign": lambda n, v, x: (x,), "AssignAdd": lambda n, v, x: (v + x,), "AssignSub": lambda n, v, x: (v - x,),
    "ScatterAdd": _scatter_add(1), "ScatterSub": _scatter_add(-1), "ApplyGradientDescent": lambda n, v, lr, g: (v - lr * g,), "ApplyMomentum": _momentum,
    "ApplyAdam": _adam, "ApplyAdagrad": _adagrad, "SparseApplyAdagrad": _sparse_adagrad, "ApplyRMSProp": _rms_prop,
}
for _name in ("GradientDescent", "Momentum", "Adam"):
    UPDATES["ResourceApply" + _name] = UPDATES["Apply" + _name]
for _name in ("", "Add", "Sub"):
    UPDATES["Assign" + _name + "VariableOp"] = UPDATES["Assign" + _name]


def _same(n, x):
    return x


def _one(function):
    return lambda n, *x: function(*x)


# Element by element and alike: all inputs are tensors, or numbers beside a tensor.
TENSOR_OPS = {
    "Identity": _same, "StopGradient": _same, "PreventGradient": _same, "Snapshot": _same, "ReadVariableOp": _same, "LoopCond": _same,
    "Abs": _one(torch.abs), "Neg": _one(torch.neg), "Exp": _one(torch.exp), "Log": _one(torch.log), "Log1p": _one(torch.log1p), "Sqrt": _one(torch.sqrt),
    "Rsqrt": _one(torch.rsqrt), "Square": _one(torch.square), "Sign": _one(torch.sign), "Floor": _one(torch.floor), "Reciprocal": _one(torch.reciprocal),
    "Erf": _one(torch.erf), "Tanh": _one(torch.tanh), "Sigmoid": _one(torch.sigmoid), "IsFinite": _one(torch.isfinite), "LogicalNot": _one(torch.logical_not),
    "Relu": _one(torch.relu), "Relu6": lambda n, x: torch.clamp(x, 0, 6), "LeakyRelu": lambda n, x: torch.where(x > 0, x, x * n.attrs["alpha"]),
    "Elu": _one(F.elu), "Selu": _one(F.selu), "Softplus": _one(F.softplus), "Softsign": lambda n, x: x / (1 + x.abs()),
    "ReluGrad": lambda n, g, y: torch.where(y > 0, g, 0.0), "Relu6Grad": lambda n, g, y: torch.where((y > 0) & (y < 6), g, 0.0),
    "LeakyReluGrad": lambda n, g, x: torch.where(x > 0, g, g * n.attrs["alpha"]), "EluGrad": lambda n, g, y: torch.where(y < 0, g * (y + 1), g),
    "SeluGrad": lambda n, g, y: torch.where(y < 0, g * (y + _SELU_SCALE * _SELU_ALPHA), g * _SELU_SCALE),
    "SoftsignGrad": lambda n, g, x: g / torch.square(1 + x.abs()), "SoftplusGrad": lambda n, g, x: g * torch.sigmoid(x),
    "TanhGrad": lambda n, y, g: g * (1 - y * y), "SigmoidGrad": lambda n, y, g: g * y * (1 - y), "RsqrtGrad": lambda n, y, g: g * -0.5 * y * y * y,
    "SqrtGrad": lambda n, y, g: g * 0.5 / y, "ReciprocalGrad": lambda n, y, g: -g * y * y,
    "MatMul": _matmul, "BatchMatMulV2": _batch_matmul, "BatchMatMul": _batch_matmul, "BiasAdd": lambda n, x, b: (_nhwc(n), x + b)[1],
    "BiasAddGrad": lambda n, g: (_nhwc(n), g.sum(tuple(range(g.ndim - 1))))[1], "L2Loss": lambda n, x: (x * x).sum() * 0.5,
    "Softmax": lambda n, x: torch.softmax(x, -1), "LogSoftmax": lambda n, x: torch.log_softmax(x, -1),
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_xent, "SoftmaxCrossEntropyWithLogits": _xent,
    "Conv2D": _conv, "DepthwiseConv2dNative": lambda n, x, w: _conv(n, x, w, True), "MaxPool": _max_pool, "MaxPoolGrad": _max_pool_grad, "AvgPool": _avg_pool,
    "FusedBatchNormV3": _batch_norm, "FusedBatchNormGradV3": _batch_norm_grad, "Unique": _unique, "ReverseSequence": _reverse_sequence,
    "AddN": lambda n, *x: functools.reduce(torch.add, x), "Cast": lambda n, x: x.to(TYPES[n.attrs["DstT"]]), "Squeeze": _squeeze,
    "Pack": lambda n, *x: torch.stack(x, int(n.attrs.get("axis", 0))), "Unpack": lambda n, x: tuple(torch.unbind(x, int(n.attrs.get("axis", 0)))),
    "GatherNd": lambda n, x, i: x[tuple(i.long().unbind(-1))],
}
# Of two operands; a number known before the step stays a number.
BINARY = {
    "Add": torch.add, "AddV2": torch.add, "Sub": torch.sub, "Mul": torch.mul, "RealDiv": torch.div, "FloorDiv": torch.floor_divide, "FloorMod": torch.remainder,
    "Pow": torch.pow, "SquaredDifference": lambda a, b: torch.square(a - b), "Less": torch.lt, "LessEqual": torch.le, "Greater": torch.gt,
    "GreaterEqual": torch.ge, "Equal": torch.eq, "LogicalAnd": torch.logical_and,
    "Maximum": lambda a, b: torch.maximum(torch.as_tensor(a, dtype=getattr(b, "dtype", None)), torch.as_tensor(b, dtype=getattr(a, "dtype", None))),
    "Minimum": lambda a, b: torch.minimum(torch.as_tensor(a, dtype=getattr(b, "dtype", None)), torch.as_tensor(b, dtype=getattr(a, "dtype", None))),
}
# With inputs that say how: axes, shapes, positions.
OTHER_OPS = {
    "Conv2DBackpropInput": _conv_input, "Conv2DBackpropFilter": _conv_filter,
    "DepthwiseConv2dNativeBackpropInput": lambda n, s, w, dy: _conv_input(n, s, w, dy, True),
    "DepthwiseConv2dNativeBackpropFilter": lambda n, x, s, dy: _conv_filter(n, x, s, dy, True), "AvgPoolGrad": _avg_pool_grad,
    "Sum": _reduce(torch.sum), "Mean": _reduce(torch.mean), "Max": _reduce(torch.amax), "Min": _reduce(torch.amin),
    "ArgMax": lambda n, x, axis: torch.argmax(x, int(axis)).to(TYPES[n.attrs.get("output_type", "int64")]),
    "Reshape": lambda n, x, s: tensor(x).reshape(_ints(s) if np.size(s) else ()), "ExpandDims": lambda n, x, i: tensor(x).unsqueeze(int(i)),
    "Transpose": lambda n, x, p: tensor(x).permute(_ints(p)), "ConcatV2": lambda n, *x: torch.cat([tensor(v) for v in x[:-1]], int(x[-1])),
    "Split": lambda n, axis, x: tuple(torch.chunk(x, int(n.attrs["num_split"]), int(axis))), "Tile": lambda n, x, m: tensor(x).repeat(_ints(m)),
    "Fill": lambda n, s, v: tensor(v).expand(_ints(s) if np.size(s) else ()), "Pad": _pad, "Slice": _slice,
    "StridedSlice": lambda n, x, b, e, s: tensor(x)[strided_slice_index(n, b, e, s)], "GatherV2": _gather, "Gather": _gather, "OneHot": _one_hot,
    "DynamicStitch": _stitch, "UnsortedSegmentSum": _segment_sum, "Select": _select, "SelectV2": _select, "MatrixBandPart": _band,
    "Range": lambda n, a, b, d: torch.arange(int(a), int(b), int(d)),
}
# What random ops give while steps are measured; while values are compared, Weft's own numbers are used.
DRAWS = {
    "RandomUniform": lambda n, shape: torch.rand(_ints(shape), dtype=TYPES[n.attrs["dtype"]]),
    "RandomStandardNormal": lambda n, shape: torch.randn(_ints(shape), dtype=TYPES[n.attrs["dtype"]]),
}
