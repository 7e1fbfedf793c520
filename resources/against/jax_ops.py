"""TensorFlow's ops as functions of jax.numpy: (node, inputs…) -> an array or a tuple of outputs."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from static_ops import DTYPES, strided_slice_index


def _window(node, key):
    return tuple(node.attrs[key])


def _nhwc(node):
    if node.attrs.get("data_format", "NHWC") not in ("NHWC", b"NHWC"):
        raise NotImplementedError("data_format %s" % node.attrs["data_format"])


def _padding(node):
    p = node.attrs["padding"]
    if p != "EXPLICIT":
        return p
    e = node.attrs["explicit_paddings"]
    return [(e[2], e[3]), (e[4], e[5])]


def _conv(node, x, w, groups=1):
    _nhwc(node)
    return lax.conv_general_dilated(x, w, _window(node, "strides")[1:3], _padding(node), rhs_dilation=tuple(node.attrs.get("dilations", [1, 1, 1, 1]))[1:3],
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def _depthwise(node, x, w):
    return _conv(node, x, jnp.reshape(w, (w.shape[0], w.shape[1], 1, -1)), x.shape[3])


def _transposed(function, shape, dy):
    """The gradient of a linear function at dy."""
    return jax.linear_transpose(function, jax.ShapeDtypeStruct(tuple(int(d) for d in shape), dy.dtype))(dy)[0]


def _pool(node, x, init, function):
    _nhwc(node)
    return lax.reduce_window(x, np.array(init, x.dtype), function, _window(node, "ksize"), _window(node, "strides"), node.attrs["padding"])


def _max_pool(node, x):
    return _pool(node, x, -np.inf, lax.max)


def _avg_pool(node, x):
    return _pool(node, x, 0, lax.add) / _pool(node, jnp.ones(x.shape, x.dtype), 0, lax.add)


def _batch_norm(n, x, gamma, beta, mean, variance):
    if n.attrs["is_training"]:
        count = x.size // x.shape[3]
        mean = jnp.mean(x, (0, 1, 2))
        variance = jnp.mean(jnp.square(x - mean), (0, 1, 2))
    y = (x - mean) * (lax.rsqrt(variance + np.float32(n.attrs["epsilon"])) * gamma) + beta
    unbiased = variance * np.float32(count / max(count - 1, 1)) if n.attrs["is_training"] else variance
    return y, mean, unbiased, mean, variance, jnp.zeros((), x.dtype)


def _batch_norm_grad(n, dy, x, gamma, mean, variance, _):
    if not n.attrs["is_training"]:
        raise NotImplementedError("is_training=false")
    r = lax.rsqrt(variance + np.float32(n.attrs["epsilon"]))
    centred = x - mean
    sums = jnp.sum(dy, (0, 1, 2))
    products = jnp.sum(dy * centred, (0, 1, 2))
    count = np.float32(x.size // x.shape[3])
    dx = gamma * r * (dy - sums / count - centred * (r * r * products / count))
    zero = jnp.zeros((), x.dtype)
    return dx, products * r, sums, zero, zero


def _matmul(n, a, b):
    return jnp.matmul(a.T if n.attrs.get("transpose_a") else a, b.T if n.attrs.get("transpose_b") else b)


def _batch_matmul(n, a, b):
    return jnp.matmul(jnp.swapaxes(a, -1, -2) if n.attrs.get("adj_x") else a, jnp.swapaxes(b, -1, -2) if n.attrs.get("adj_y") else b)


def _sparse_xent(n, logits, labels):
    p = jax.nn.log_softmax(logits)
    hot = jax.nn.one_hot(labels, logits.shape[1], dtype=logits.dtype)
    return -jnp.take_along_axis(p, labels[:, None].astype(np.int32), 1)[:, 0], jnp.exp(p) - hot


def _xent(n, logits, labels):
    p = jax.nn.log_softmax(logits)
    return -jnp.sum(labels * p, 1), jnp.exp(p) - labels


def _reduce(function):
    def reduced(n, x, axes):
        return function(x, axis=tuple(int(i) for i in np.atleast_1d(axes)), keepdims=bool(n.attrs.get("keep_dims", False)))
    return reduced


def _gather(n, x, indices, axis=0):
    return jnp.take(x, indices, int(axis), mode="clip")


def _unique(n, x):
    # As many outputs as inputs, because shapes are fixed; the rows that are too many get no gradient.
    values, positions = jnp.unique(x, return_inverse=True, size=x.shape[0], fill_value=0)
    return values, jnp.reshape(positions, x.shape).astype(DTYPES[n.attrs.get("out_idx", "int32")])


def _stitch(n, *inputs):
    count = len(inputs) // 2
    indices, values = inputs[:count], inputs[count:]
    size = max(int(np.max(i)) for i in indices if i.size) + 1
    out = jnp.zeros((size,) + values[0].shape[indices[0].ndim:], values[0].dtype)
    for i, v in zip(indices, values):
        out = out.at[i].set(v)
    return out


def _band(n, x, lower, upper):
    rows, columns = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])[None, :]
    lower, upper = int(lower), int(upper)
    keep = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return jnp.where(keep, x, jnp.zeros((), x.dtype))


def _one_hot(n, indices, depth, on, off):
    hot = jnp.expand_dims(indices, -1) == jnp.arange(int(depth), dtype=indices.dtype)
    return jnp.where(hot, on, off)


def _reverse_sequence(n, x, lengths):
    axis, batch = int(n.attrs["seq_dim"]), int(n.attrs.get("batch_dim", 0))
    moved = jnp.moveaxis(x, (batch, axis), (0, 1))
    t = jnp.arange(moved.shape[1])[None, :]
    source = jnp.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
    return jnp.moveaxis(jax.vmap(lambda row, i: row[i])(moved, source), (0, 1), (batch, axis))


def _select(n, c, a, b):
    return jnp.where(jnp.reshape(c, c.shape + (1,) * (a.ndim - c.ndim)) if n.op == "Select" and c.ndim else c, a, b)


def _split(n, axis, x):
    return tuple(jnp.split(x, int(n.attrs["num_split"]), int(axis)))


def _softplus(n, x):
    return jnp.logaddexp(x, np.zeros((), x.dtype))


def _clip(low, high):
    return lambda n, x: jnp.clip(x, low, high)


_SELU_ALPHA, _SELU_SCALE = np.float32(1.6732632423543772), np.float32(1.0507009873554805)


def _momentum(n, v, m, lr, g, mu):
    m = m * mu + g
    return (v - lr * (g + mu * m) if n.attrs.get("use_nesterov") else v - lr * m), m


def _adam(n, v, m, s, b1p, b2p, lr, b1, b2, e, g):
    m = b1 * m + (1 - b1) * g
    s = b2 * s + (1 - b2) * g * g
    alpha = lr * jnp.sqrt(1 - b2p) / (1 - b1p)
    return v - alpha * (m * b1 + (1 - b1) * g if n.attrs.get("use_nesterov") else m) / (jnp.sqrt(s) + e), m, s


def _adagrad(n, v, a, lr, g):
    a = a + g * g if n.attrs.get("update_slots", True) else a
    return v - lr * g * lax.rsqrt(a), a


def _sparse_adagrad(n, v, a, lr, g, rows):
    a = a.at[rows].add(g * g)
    return v.at[rows].add(-lr * g * lax.rsqrt(a[rows])), a


def _rms_prop(n, v, ms, mom, lr, rho, momentum, e, g):
    ms = ms + (g * g - ms) * (1 - rho)
    mom = mom * momentum + lr * g * lax.rsqrt(ms + e)
    return v - mom, ms, mom


# Updates: the new values of the first inputs, as many as there are results.
UPDATES = {
    "Assign": lambda n, v, x: (x,), "AssignAdd": lambda n, v, x: (v + x,), "AssignSub": lambda n, v, x: (v - x,),
    "ScatterAdd": lambda n, v, i, x: (v.at[i].add(x),), "ScatterSub": lambda n, v, i, x: (v.at[i].add(-x),), "ScatterUpdate": lambda n, v, i, x: (v.at[i].set(x),),
    "ApplyGradientDescent": lambda n, v, lr, g: (v - lr * g,), "ApplyMomentum": _momentum, "ApplyAdam": _adam, "ApplyAdagrad": _adagrad,
    "SparseApplyAdagrad": _sparse_adagrad, "ApplyRMSProp": _rms_prop,
}
for _name in ("GradientDescent", "Momentum", "Adam"):
    UPDATES["ResourceApply" + _name] = UPDATES["Apply" + _name]
for _name in ("", "Add", "Sub"):
    UPDATES["Assign" + _name + "VariableOp"] = UPDATES["Assign" + _name]


def _one(function):
    return lambda n, *x: function(*x)


OPS = {
    "Identity": lambda n, x: x, "StopGradient": lambda n, x: x, "PreventGradient": lambda n, x: x, "Snapshot": lambda n, x: x, "ReadVariableOp": lambda n, x: x,
    "Abs": _one(jnp.abs), "Neg": _one(jnp.negative), "Exp": _one(jnp.exp), "Log": _one(jnp.log), "Log1p": _one(jnp.log1p), "Sqrt": _one(jnp.sqrt),
    "Rsqrt": _one(lax.rsqrt), "Square": _one(jnp.square), "Sign": _one(jnp.sign), "Floor": _one(jnp.floor), "Reciprocal": lambda n, x: 1 / x, "Erf": _one(lax.erf),
    "Tanh": _one(jnp.tanh), "Sigmoid": _one(jax.nn.sigmoid), "IsFinite": _one(jnp.isfinite), "LogicalNot": _one(jnp.logical_not),
    "Add": _one(jnp.add), "AddV2": _one(jnp.add), "Sub": _one(jnp.subtract), "Mul": _one(jnp.multiply), "RealDiv": _one(jnp.divide),
    "FloorDiv": _one(jnp.floor_divide), "FloorMod": _one(jnp.mod), "Maximum": _one(jnp.maximum), "Minimum": _one(jnp.minimum), "Pow": _one(jnp.power),
    "SquaredDifference": lambda n, a, b: jnp.square(a - b), "Less": _one(jnp.less), "LessEqual": _one(jnp.less_equal), "Greater": _one(jnp.greater),
    "GreaterEqual": _one(jnp.greater_equal), "Equal": _one(jnp.equal), "LogicalAnd": _one(jnp.logical_and), "LoopCond": lambda n, x: x,
    "AddN": lambda n, *x: functools.reduce(jnp.add, x), "Cast": lambda n, x: x.astype(DTYPES[n.attrs["DstT"]]),
    "Relu": lambda n, x: jnp.maximum(x, np.zeros((), x.dtype)), "Relu6": _clip(0, 6), "LeakyRelu": lambda n, x: jnp.where(x > 0, x, x * np.float32(n.attrs["alpha"])),
    "Elu": _one(jax.nn.elu), "Selu": _one(jax.nn.selu), "Softplus": _softplus, "Softsign": lambda n, x: x / (1 + jnp.abs(x)),
    "ReluGrad": lambda n, g, y: jnp.where(y > 0, g, np.zeros((), g.dtype)), "Relu6Grad": lambda n, g, y: jnp.where((y > 0) & (y < 6), g, np.zeros((), g.dtype)),
    "LeakyReluGrad": lambda n, g, x: jnp.where(x > 0, g, g * np.float32(n.attrs["alpha"])), "EluGrad": lambda n, g, y: jnp.where(y < 0, g * (y + 1), g),
    "SeluGrad": lambda n, g, y: jnp.where(y < 0, g * (y + _SELU_SCALE * _SELU_ALPHA), g * _SELU_SCALE),
    "SoftsignGrad": lambda n, g, x: g / jnp.square(1 + jnp.abs(x)), "SoftplusGrad": lambda n, g, x: g * jax.nn.sigmoid(x),
    "TanhGrad": lambda n, y, g: g * (1 - y * y), "SigmoidGrad": lambda n, y, g: g * y * (1 - y), "RsqrtGrad": lambda n, y, g: g * np.float32(-0.5) * y * y * y,
    "SqrtGrad": lambda n, y, g: g * np.float32(0.5) / y, "ReciprocalGrad": lambda n, y, g: -g * y * y,
    "MatMul": _matmul, "BatchMatMulV2": _batch_matmul, "BatchMatMul": _batch_matmul, "BiasAdd": lambda n, x, b: (_nhwc(n), x + b)[1],
    "BiasAddGrad": lambda n, g: (_nhwc(n), jnp.sum(g, tuple(range(g.ndim - 1))))[1], "L2Loss": lambda n, x: jnp.sum(x * x) * np.float32(0.5),
    "Softmax": _one(jax.nn.softmax), "LogSoftmax": _one(jax.nn.log_softmax), "SparseSoftmaxCrossEntropyWithLogits": _sparse_xent,
    "SoftmaxCrossEntropyWithLogits": _xent,
    "Conv2D": _conv, "DepthwiseConv2dNative": _depthwise,
    "Conv2DBackpropInput": lambda n, s, w, dy: _transposed(lambda x: _conv(n, x, w), s, dy),
    "Conv2DBackpropFilter": lambda n, x, s, dy: _transposed(lambda w: _conv(n, x, w), s, dy),
    "DepthwiseConv2dNativeBackpropInput": lambda n, s, w, dy: _transposed(lambda x: _depthwise(n, x, w), s, dy),
    "DepthwiseConv2dNativeBackpropFilter": lambda n, x, s, dy: _transposed(lambda w: _depthwise(n, x, w), s, dy),
    "MaxPool": _max_pool, "AvgPool": _avg_pool, "MaxPoolGrad": lambda n, x, y, g: jax.vjp(lambda v: _max_pool(n, v), x)[1](g)[0],
    "AvgPoolGrad": lambda n, s, g: _transposed(lambda v: _avg_pool(n, v), s, g), "FusedBatchNormV3": _batch_norm, "FusedBatchNormGradV3": _batch_norm_grad,
    "Sum": _reduce(jnp.sum), "Mean": _reduce(jnp.mean), "Max": _reduce(jnp.max), "Min": _reduce(jnp.min), "Prod": _reduce(jnp.prod),
    "ArgMax": lambda n, x, axis: jnp.argmax(x, int(axis)).astype(DTYPES[n.attrs.get("output_type", "int64")]),
    "Reshape": lambda n, x, s: jnp.reshape(x, [int(d) for d in s]), "ExpandDims": lambda n, x, i: jnp.expand_dims(x, int(i)),
    "Squeeze": lambda n, x: jnp.squeeze(x, tuple(int(i) for i in n.attrs.get("squeeze_dims", [])) or None),
    "Transpose": lambda n, x, p: jnp.transpose(x, [int(i) for i in p]), "ConcatV2": lambda n, *x: jnp.concatenate(x[:-1], int(x[-1])),
    "Split": _split, "Pack": lambda n, *x: jnp.stack(x, int(n.attrs.get("axis", 0))),
    "Unpack": lambda n, x: tuple(jnp.moveaxis(x, int(n.attrs.get("axis", 0)), 0)), "Tile": lambda n, x, m: jnp.tile(x, [int(d) for d in m]),
    "Fill": lambda n, s, v: jnp.full([int(d) for d in s], v), "Pad": lambda n, x, p: jnp.pad(x, [(int(a), int(b)) for a, b in p]),
    "Slice": lambda n, x, b, s: x[tuple(slice(int(i), None if int(k) < 0 else int(i) + int(k)) for i, k in zip(b, s))],
    "StridedSlice": lambda n, x, b, e, s: x[strided_slice_index(n, b, e, s)], "GatherV2": _gather, "Gather": _gather,
    "GatherNd": lambda n, x, i: x[tuple(jnp.moveaxis(i, -1, 0))], "OneHot": _one_hot, "Unique": _unique, "DynamicStitch": _stitch,
    "UnsortedSegmentSum": lambda n, x, i, count: jax.ops.segment_sum(jnp.reshape(x, (-1,) + x.shape[i.ndim:]), jnp.reshape(i, -1), int(count)),
    "Select": _select, "SelectV2": _select, "MatrixBandPart": _band, "ReverseSequence": _reverse_sequence, "Range": lambda n, a, b, d: jnp.arange(int(a), int(b), int(d)),
}

# What random ops give while steps are measured; while values are compared, Weft's own numbers are used.
DRAWS = {
    "RandomUniform": lambda n, key, shape: jax.random.uniform(key, [int(d) for d in shape], DTYPES[n.attrs["dtype"]]),
    "RandomStandardNormal": lambda n, key, shape: jax.random.normal(key, [int(d) for d in shape], DTYPES[n.attrs["dtype"]]),
    "TruncatedNormal": lambda n, key, shape: jax.random.truncated_normal(key, -2.0, 2.0, [int(d) for d in shape], DTYPES[n.attrs["dtype"]]),
}
