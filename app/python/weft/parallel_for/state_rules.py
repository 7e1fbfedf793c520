"""Converters of operations with state: random numbers, checks, arrays and stacks of tensors; and of parsers."""

from .. import basics, engine
from .array_rules import in_front
from .vectorizer import flat, for_types, RegisterPFor, same_op, tiled, unflat, wrap


# Random numbers: other ones in each iteration, so one call draws those of all.
@for_types("RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal")
def _random(call):
    return call.again([in_front(call.count, call.unstacked_input(0))] + [call.unstacked_input(i) for i in range(1, call.num_inputs)])


@for_types("RandomGamma RandomPoissonV2")
def _random_with_parameters(call):
    """The result has `shape` before the shape of the parameters."""
    shape, parameters = call.unstacked_input(0), call.input(1)
    if not parameters.is_stacked:
        return call.again([in_front(call.count, shape), parameters.t])
    made = call.again([shape, parameters.t])[0].t
    drawn, dims = basics.size(shape), engine.range(basics.rank(made))
    return wrap(engine.transpose(made, engine.concat([[drawn], dims[:drawn], dims[drawn + 1:]], 0)))


@RegisterPFor("Multinomial")
def _multinomial(call):
    logits, samples = call.input(0), call.unstacked_input(1)
    if logits.is_stacked:
        return wrap(unflat(call.again([flat(logits.t), samples])[0].t, call.count))
    made = call.again([logits.t, samples * call.count[0]])[0].t
    return wrap(engine.transpose(engine.reshape(made, engine.stack([-1, call.count[0], samples])), [1, 0, 2]))


# Checks.
@RegisterPFor("Assert")
def _assert(call):
    condition = call.input(0)
    return same_op(call.op, [engine.reduce_all(condition.t) if condition.is_stacked else condition.t] + [x.t for x in call.inputs[1:]])


@RegisterPFor("Print")
def _print(call):
    call.stack_inputs([0])
    return call.again()


# Parsers.
@RegisterPFor("DecodeCSV")
def _decode_csv(call):
    return call.again([call.stacked_input(0)] + [call.unstacked_input(i) for i in range(1, call.num_inputs)])


@RegisterPFor("ParseSingleExample")
def _parse_example(call):
    """A batch of examples; sparse features are then those of the batch."""
    defaults = [call.unstacked_input(i) for i in range(1, call.num_inputs)]
    made = engine.raw_ops.ParseExample(serialized=call.stacked_input(0), names=[], sparse_keys=call.get_attr("sparse_keys"), dense_keys=call.get_attr("dense_keys"),
                                       dense_defaults=defaults, sparse_types=call.get_attr("sparse_types"), dense_shapes=call.get_attr("dense_shapes"))
    return [wrap(t, True, True) for part in made for t in part]


# Arrays of tensors. One that is made in the iteration becomes an array of stacked tensors; its flow counts as stacked if its elements are. One from outside is shared.
def _source(handle):
    while handle.op.type in ("Enter", "Identity"):
        handle = handle.op.inputs[0]
    return handle.op


def _made_inside(call):
    source = _source(call.op.inputs[0])
    if source.type not in ("TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape"):
        raise ValueError("Unable to find source for handle %s" % call.op.inputs[0])
    return call.pfor.op_is_inside_loop(source)


def _flow(value):
    """The flow of an array, which is the same number in all iterations."""
    return engine.gather(value.t, 0) if value.is_stacked else value.t


@RegisterPFor("TensorArrayV3")
def _array(call):
    handle, flow = same_op(call.op, [call.unstacked_input(0)], element_shape=None).outputs
    return [wrap(handle, False), wrap(flow, False)]


@RegisterPFor("TensorArraySizeV3")
def _array_size(call):
    return wrap(same_op(call.op, [call.unstacked_input(0), _flow(call.input(1))]).outputs[0], False)


def _both_differ(call):
    return ValueError("%s of a TensorArray whose values differ between iterations, with indices that differ too, is not supported" % call.op_type)


def _gathered(call, indices, flow):
    return engine.raw_ops.TensorArrayGatherV3(handle=call.unstacked_input(0), indices=indices, flow_in=flow, dtype=call.get_attr("dtype"))


@RegisterPFor("TensorArrayReadV3")
def _array_read(call):
    index, flow_in = call.input(1), call.input(2)
    flow, stacked = _flow(flow_in), flow_in.is_stacked and _made_inside(call)
    if index.is_stacked:
        if stacked:
            raise _both_differ(call)
        return wrap(_gathered(call, index.t, flow))
    value = same_op(call.op, [call.unstacked_input(0), index.t, flow]).outputs[0]
    if stacked and call.pfor.all_indices_partitioned:
        value = engine.gather(value, call.pfor.all_indices)
    return wrap(value, stacked)


@RegisterPFor("TensorArrayGatherV3")
def _array_gather(call):
    indices, flow_in = call.input(1), call.input(2)
    flow, stacked = _flow(flow_in), flow_in.is_stacked and _made_inside(call)
    value = _gathered(call, engine.reshape(indices.t, [-1]), flow)
    if indices.is_stacked:
        if stacked:
            raise _both_differ(call)
        return wrap(unflat(value, call.count))
    return wrap(_swapped(value) if stacked else value, stacked)


def _swapped(x):
    """`x` with its first two dimensions exchanged."""
    if x.shape.ndims is not None:
        return engine.transpose(x, [1, 0] + list(range(2, x.shape.ndims)))
    dims = engine.range(basics.rank(x))
    return engine.transpose(x, engine.concat([[1, 0], dims[2:]], 0))


@for_types("TensorArrayWriteV3", many=False)
@for_types("TensorArrayScatterV3", many=True)
def _array_write(call, many):
    handle, index, value, flow_in = call.unstacked_input(0), call.input(1), call.input(2), call.input(3)
    if value.is_stacked and call.pfor.all_indices_partitioned:
        raise ValueError("Writing non loop invariant values to TensorArray from inside a while_loop/cond not supported.")
    flow, inside = _flow(flow_in), _made_inside(call)
    if index.is_stacked == inside:
        raise ValueError("Need indices for %s to be %sloop invariant" % (handle, "" if inside else "not "))
    differs = flow_in.is_stacked or value.is_stacked or not inside
    tensor = value.t if value.is_stacked or not differs else tiled(value.t, call.count).t
    if inside:
        made = same_op(call.op, [handle, index.t, _swapped(tensor) if many and differs else tensor, flow]).outputs[0]
    else:
        rows = engine.reshape(index.t, [-1])
        made = engine.raw_ops.TensorArrayScatterV3(handle=handle, indices=rows, value=flat(tensor) if many else tensor, flow_in=flow)
    return tiled(made, call.count) if differs else wrap(made, False)


@RegisterPFor("TensorArrayGradV3")
def _array_gradient(call):
    """Each iteration has gradients of its own."""
    handle, flow = engine.raw_ops.TensorArrayGradWithShape(handle=call.unstacked_input(0), flow_in=_flow(call.input(1)), shape_to_prepend=call.count, source=call.get_attr("source"))
    return [wrap(handle, False), tiled(flow, call.count)]


# Stacks.
@RegisterPFor("StackPushV2")
def _push(call):
    source, element = _source(call.op.inputs[0]), call.input(1)
    if not call.pfor.op_is_inside_loop(source):
        raise ValueError("StackPushV2 not allowed on stacks created outside pfor")
    stacked = call.pfor.stacks.setdefault(source, element.is_stacked)
    if element.is_stacked and not stacked:
        raise ValueError("A value that differs between iterations is pushed onto a stack that had values that are the same in all. This is not supported.")
    tensor = element.t if element.is_stacked or not stacked else tiled(element.t, call.count).t
    return wrap(same_op(call.op, [call.unstacked_input(0), tensor]).outputs[0], stacked)


@RegisterPFor("StackPopV2")
def _pop(call):
    stacked = call.pfor.stacks.setdefault(_source(call.op.inputs[0]), False)
    return wrap(same_op(call.op, [call.unstacked_input(0)]).outputs[0], stacked)


@RegisterPFor("NoOp")
def _no_op(call):
    return engine.no_op()
