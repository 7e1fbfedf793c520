"""Converters of operations that arrange elements: the iterations are a new first dimension, so axes move by one."""

from .. import basics, constant_values, engine, ops
from .vectorizer import flat, for_types, RegisterPFor, unflat, wrap


def shifted(axis):
    """An axis of one iteration's tensor as one of the stacked tensor."""
    known = constant_values.constant_value(axis)
    if known is not None:
        moved = known + (known >= 0).astype(known.dtype)
        return engine.constant(moved, axis.dtype)
    return axis + basics.cast(engine.greater_equal(axis, 0), axis.dtype)


def in_front(first, rest):
    """A vector or matrix with a row put in front of it."""
    return engine.concat([basics.cast(ops.convert_to_tensor(first), rest.dtype), rest], 0)


@for_types("Identity StopGradient PreventGradient MatrixDiag MatrixDiagPart LogSoftmax Softmax Cholesky Cast CheckNumerics")
def _as_it_is(call):
    return call.again()


@for_types("MatrixBandPart MatrixDiagV2 MatrixDiagPartV2", stacked=1)
@for_types("MatrixSetDiag MatrixTriangularSolve MatrixInverse MatrixSolve MatrixDeterminant AddN Cross", stacked=None)
@for_types("EluGrad Relu6Grad ReluGrad LeakyReluGrad SeluGrad SigmoidGrad SoftplusGrad SoftsignGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad InvGrad", stacked=None)
@for_types("MatrixSetDiagV2", stacked=2)
def _stacked_first(call, stacked):
    """The operation takes more dimensions in front: its first inputs are stacked, the others the same for all."""
    stacked = call.num_inputs if stacked is None else stacked
    call.stack_inputs(range(stacked))
    return call.again([call.stacked_input(i) if i < stacked else call.unstacked_input(i) for i in range(call.num_inputs)])


@for_types("LogMatrixDeterminant LowerBound UpperBound")
def _one_batch_dimension(call):
    call.stack_inputs()
    return [wrap(unflat(x.t, call.count)) for x in call.again([flat(x.t) for x in call.inputs])]


@RegisterPFor("IdentityN")
def _identities(call):
    return [wrap(made.t, x.is_stacked) for made, x in zip(call.again(), call.inputs)]


@RegisterPFor("Reshape")
def _reshape(call):
    return wrap(engine.reshape(call.stacked_input(0), in_front(call.count, call.unstacked_input(1))))


@RegisterPFor("BroadcastTo")
def _broadcast_to(call):
    t, shape = call.stacked_input(0), in_front(call.count, call.unstacked_input(1))
    dims = basics.shape(t)
    ones = engine.tile([1], engine.reshape(basics.shape(shape)[0] - basics.rank(t), [1]))
    return wrap(engine.broadcast_to(engine.reshape(t, engine.concat([dims[:1], ones, dims[1:]], 0)), shape))


@for_types("ExpandDims")
@for_types("Sum Prod Max Min Mean All Any EuclideanNorm Cumsum Cumprod ArgMax ArgMin ReverseV2")
def _along_axes(call):
    return call.again([call.stacked_input(0), shifted(call.unstacked_input(1))])


@for_types("OneHot", inputs=4)
@for_types("Unpack", inputs=1)
def _axis_attribute(call, inputs):
    axis = call.get_attr("axis")
    return call.again([call.stacked_input(0)] + [call.unstacked_input(i) for i in range(1, inputs)], axis=axis + (axis >= 0))


@RegisterPFor("Pack")
def _pack(call):
    call.stack_inputs()
    axis = call.get_attr("axis")
    return call.again(axis=axis + (axis >= 0))


@RegisterPFor("Slice")
def _slice(call):
    begin, size = call.unstacked_input(1), call.unstacked_input(2)
    return call.again([call.stacked_input(0), in_front([0], begin), in_front([-1], size)])


@RegisterPFor("Tile")
def _tile(call):
    return call.again([call.stacked_input(0), in_front([1], call.unstacked_input(1))])


@for_types("Pad MirrorPad", inputs=2)
@for_types("PadV2", inputs=3)
def _pad(call, inputs):
    rest = [call.unstacked_input(i) for i in range(2, inputs)]
    return call.again([call.stacked_input(0), in_front([[0, 0]], call.unstacked_input(1))] + rest)


@RegisterPFor("Split")
def _split(call):
    return call.again([shifted(call.unstacked_input(0)), call.stacked_input(1)])


@RegisterPFor("SplitV")
def _split_v(call):
    return call.again([call.stacked_input(0), call.unstacked_input(1), shifted(call.unstacked_input(2))])


@RegisterPFor("Squeeze")
def _squeeze(call):
    axes = [i + (i >= 0) for i in call.get_attr("squeeze_dims")]
    t = call.stacked_input(0)
    if axes:
        return call.again([t], squeeze_dims=axes)
    dims = basics.shape(t)[1:]
    return wrap(engine.reshape(t, in_front(call.count, engine.boolean_mask(dims, engine.not_equal(dims, 1)))))


@RegisterPFor("Transpose")
def _transpose(call):
    return call.again([call.stacked_input(0), in_front([0], call.unstacked_input(1) + 1)])


@RegisterPFor("ZerosLike")
def _zeros_like(call):
    return wrap(engine.zeros(basics.shape(call.stacked_input(0))[1:], dtype=call.stacked_input(0).dtype), False)


@RegisterPFor("OnesLike")
def _ones_like(call):
    return wrap(engine.ones(basics.shape(call.stacked_input(0))[1:], dtype=call.stacked_input(0).dtype), False)


@RegisterPFor("Fill")
def _fill(call):
    """The value differs."""
    dims = call.unstacked_input(0)
    ones = engine.ones_like(dims)
    return wrap(engine.tile(engine.reshape(call.stacked_input(1), in_front(call.count, ones)), in_front([1], dims)))


@RegisterPFor("ConcatV2")
def _concat(call):
    last = call.num_inputs - 1
    call.stack_inputs(range(last))
    return call.again([x.t for x in call.inputs[:last]] + [shifted(call.unstacked_input(last))])


def _moved(x, source, target):
    """`x` with the dimension `source` at `target`; both are numbers from 0."""
    if source == target:
        return x
    if x.shape.ndims is not None:
        order = [i for i in range(x.shape.ndims) if i != source]
        return engine.transpose(x, order[:target] + [source] + order[target:])
    dims = engine.range(basics.rank(x))
    rest = engine.concat([dims[:source], dims[source + 1:]], 0)
    return engine.transpose(x, engine.concat([rest[:target], [source], rest[target:]], 0))


@for_types("Gather GatherV2")
def _gather(call):
    params, rows = call.input(0), call.input(1)
    if call.op_type == "GatherV2" and call.get_attr("batch_dims"):
        raise ValueError("No converter defined for GatherV2 with batch_dims=%d" % call.get_attr("batch_dims"))
    axis = 0 if call.op_type == "Gather" else constant_values.constant_value(call.unstacked_input(2))
    if axis is None:
        raise ValueError("Error while converting %s. The axis of a gather in pfor has to be constant." % call.op)
    axis = int(axis)
    if axis < 0:
        if call.op.inputs[0].shape.ndims is None:
            raise ValueError("Error while converting %s. The axis %d of a gather in pfor needs a known rank." % (call.op, axis))
        axis += call.op.inputs[0].shape.ndims
    if not rows.is_stacked:
        return wrap(engine.gather(params.t, rows.t, axis=axis + 1))
    if not params.is_stacked:
        known = params.t.shape.as_list() if params.t.shape.ndims else [None]
        if axis == 0 and rows.t is call.pfor.all_indices and known[0] is not None and rows.t.shape.as_list() == known[:1]:
            return wrap(params.t)  # row i in iteration i
        return wrap(_moved(engine.gather(params.t, rows.t, axis=axis), axis, 0))
    # Both differ: the rows of all iterations lie behind one another.
    params = _moved(params.t, axis + 1, 1)
    offsets = engine.range(call.count[0]) * basics.shape(params)[1]
    ones = engine.ones([basics.rank(rows.t) - 1], "int32")
    offsets = basics.cast(engine.reshape(offsets, engine.concat([call.count, ones], 0)), rows.t.dtype)
    made = engine.gather(flat(params), rows.t + offsets)
    ranks = (rows.t.shape.ndims, params.shape.ndims)
    if axis and None in ranks:
        raise ValueError("Error while converting %s. Gather, where indices and param are both loop dependent, currently requires axis=0 or known ranks. Got axis=%d" % (call.op, axis))
    for i in range(axis):
        made = _moved(made, ranks[0] + i, 1 + i)
    return wrap(made)


@RegisterPFor("GatherNd")
def _gather_nd(call):
    call.stack_inputs()
    rows = call.stacked_input(1)
    dims = basics.shape(rows)
    numbers = engine.reshape(basics.cast(engine.range(call.count[0]), rows.dtype), engine.concat([call.count, engine.ones([basics.rank(rows) - 1], "int32")], 0))
    numbers = engine.tile(numbers, engine.concat([[1], dims[1:-1], [1]], 0))
    return wrap(engine.gather_nd(call.stacked_input(0), engine.concat([numbers, rows], -1)))


def _with_iterations(call):
    """The masks of a strided slice with a dimension in front, of which everything is taken."""
    masks = {name: call.get_attr(name) << 1 for name in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")}
    return dict(masks, begin_mask=masks["begin_mask"] | 1, end_mask=masks["end_mask"] | 1)


def _bounds(call):
    return [in_front([first], call.unstacked_input(i)) for i, first in ((1, 0), (2, 0), (3, 1))]


@RegisterPFor("StridedSlice")
def _strided_slice(call):
    return call.again([call.stacked_input(0)] + _bounds(call), **_with_iterations(call))


@RegisterPFor("StridedSliceGrad")
def _strided_slice_grad(call):
    return call.again([in_front(call.count, call.unstacked_input(0))] + _bounds(call) + [call.stacked_input(4)], **_with_iterations(call))


@RegisterPFor("Shape")
def _shape(call):
    return wrap(basics.shape(call.stacked_input(0), out_type=call.get_attr("out_type"))[1:], False)


@RegisterPFor("ShapeN")
def _shapes(call):
    kind = call.get_attr("out_type")
    return [wrap(basics.shape(x.t, out_type=kind)[1 if x.is_stacked else 0:], False) for x in call.inputs]


@RegisterPFor("Size")
def _size(call):
    kind = call.get_attr("out_type")
    return wrap(basics.size(call.stacked_input(0), out_type=kind) // basics.cast(call.count[0], kind), False)


@RegisterPFor("Rank")
def _rank(call):
    return wrap(basics.rank(call.stacked_input(0)) - 1, False)


@RegisterPFor("UnsortedSegmentSum")
def _segment_sum(call):
    """The segments of iteration i are numbered from i * num_segments on."""
    call.stack_inputs([0, 1])
    data, ids, count = call.stacked_input(0), basics.cast(call.stacked_input(1), "int64"), basics.cast(call.unstacked_input(2), "int64")
    n = basics.cast(call.count, "int64")
    ones = engine.ones([basics.rank(ids) - 1], "int64")
    ids += engine.reshape(engine.range(n[0]) * count, engine.concat([n, ones], 0))
    return wrap(unflat(engine.unsorted_segment_sum(data, ids, n[0] * count), call.count))
