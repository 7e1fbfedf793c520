"""Ops on values that are known before a step runs: shapes, positions, counters. Both translations compute them with NumPy, as their compilers need them."""
import numpy as np

DTYPES = {"float32": np.float32, "float64": np.float64, "float16": np.float16, "int32": np.int32, "int64": np.int64, "bool": np.bool_, "uint8": np.uint8,
          "int8": np.int8, "int16": np.int16}
LARGEST = 4096  # elements; a larger value is computed in the step


def strided_slice_index(node, begin, end, strides):
    """The index of StridedSlice, for arrays that know Python's slices, or None where its attributes say more than they can."""
    a = node.attrs
    masks = {key: int(a.get(key, 0)) for key in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")}
    index = []
    for i, (b, e, s) in enumerate(zip(begin.tolist(), end.tolist(), strides.tolist())):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            index.append(Ellipsis)
        elif masks["new_axis_mask"] & bit:
            index.append(None)
        elif masks["shrink_axis_mask"] & bit:
            index.append(b)
        else:
            index.append(slice(None if masks["begin_mask"] & bit else b, None if masks["end_mask"] & bit else e, s))
    return tuple(index)


def broadcast_gradient_args(a, b):
    """The axes over which the gradients of two operands that were broadcast are summed."""
    rank = max(len(a), len(b))
    x, y = [1] * (rank - len(a)) + list(a), [1] * (rank - len(b)) + list(b)
    dtype = np.int32
    rx = [i for i in range(rank) if x[i] == 1 and (y[i] != 1 or i < rank - len(a))]
    ry = [i for i in range(rank) if y[i] == 1 and (x[i] != 1 or i < rank - len(b))]
    return np.array(rx, dtype), np.array(ry, dtype)


def _axes(node, axes):
    return tuple(int(i) for i in np.atleast_1d(axes))


def _reduced(function):
    return lambda n, x, axes: np.asarray(function(x, axis=_axes(n, axes), keepdims=bool(n.attrs.get("keep_dims", False)))).astype(x.dtype)


def _concat_offset(n, axis, *shapes):
    at, out = 0, []
    for shape in shapes:
        offset = np.zeros(len(shape), np.int32)
        offset[int(axis)] = at
        at += int(shape[int(axis)])
        out.append(offset)
    return tuple(out)


def _stitch(n, *inputs):
    count = len(inputs) // 2
    indices, values = inputs[:count], inputs[count:]
    out = np.zeros([max(int(i.max()) for i in indices if i.size) + 1] + list(values[0].shape[indices[0].ndim:]), values[0].dtype)
    for i, v in zip(indices, values):
        out[i] = v
    return out


def _unpack(n, x):
    return tuple(np.moveaxis(x, int(n.attrs.get("axis", 0)), 0))


def _binary(function):
    return lambda n, a, b: np.asarray(function(a, b))


STATIC = {
    "Identity": lambda n, x: x, "StopGradient": lambda n, x: x, "Snapshot": lambda n, x: x, "PreventGradient": lambda n, x: x,
    "Pack": lambda n, *x: np.stack(x, int(n.attrs.get("axis", 0))), "Unpack": _unpack,
    "StridedSlice": lambda n, x, b, e, s: np.asarray(x[strided_slice_index(n, b, e, s)]),
    "Slice": lambda n, x, b, s: x[tuple(slice(int(i), None if int(k) < 0 else int(i) + int(k)) for i, k in zip(b, s))],
    "Range": lambda n, a, b, d: np.arange(a, b, d, dtype=a.dtype), "Reshape": lambda n, x, s: x.reshape([int(d) for d in s]),
    "ExpandDims": lambda n, x, i: np.expand_dims(x, int(i)), "ConcatV2": lambda n, *x: np.concatenate(x[:-1], int(x[-1])),
    "ConcatOffset": _concat_offset, "Fill": lambda n, s, v: np.full([int(d) for d in s], v), "Cast": lambda n, x: x.astype(DTYPES[n.attrs["DstT"]]),
    "InvertPermutation": lambda n, x: np.argsort(x).astype(x.dtype), "GatherV2": lambda n, x, i, axis: np.asarray(np.take(x, i, int(axis))),
    "Tile": lambda n, x, m: np.tile(x, [int(d) for d in m]), "DynamicStitch": _stitch, "Transpose": lambda n, x, p: np.transpose(x, [int(i) for i in p]),
    "BroadcastGradientArgs": lambda n, a, b: broadcast_gradient_args(a.tolist(), b.tolist()),
    "Prod": _reduced(np.prod), "Sum": _reduced(np.sum), "Max": _reduced(np.max), "Min": _reduced(np.min),
    "Squeeze": lambda n, x: np.squeeze(x, tuple(int(i) for i in n.attrs.get("squeeze_dims", [])) or None),
    "Mul": _binary(np.multiply), "Add": _binary(np.add), "AddV2": _binary(np.add), "Sub": _binary(np.subtract), "FloorDiv": _binary(np.floor_divide),
    "FloorMod": _binary(np.mod), "Maximum": _binary(np.maximum), "Minimum": _binary(np.minimum), "Less": _binary(np.less), "LessEqual": _binary(np.less_equal),
    "Greater": _binary(np.greater), "GreaterEqual": _binary(np.greater_equal), "Equal": _binary(np.equal), "LogicalAnd": _binary(np.logical_and),
    "RealDiv": lambda n, a, b: np.asarray(a / b, a.dtype), "Neg": lambda n, x: np.asarray(-x), "LogicalNot": lambda n, x: np.asarray(~x),
    "LoopCond": lambda n, x: x,
}


def compute(node, inputs):
    """The outputs of a node whose inputs are all known, or None if it has to be computed in the step."""
    function = STATIC.get(node.op)
    if function is None or any(isinstance(x, np.ndarray) and x.size > LARGEST for x in inputs):
        return None
    if node.op in ("Fill", "Tile"):
        size = int(np.prod(inputs[0])) if node.op == "Fill" else inputs[0].size * int(np.prod(inputs[1]))
        if size > LARGEST:
            return None
    found = function(node, *inputs)
    return found if isinstance(found, tuple) else (np.asarray(found),)
