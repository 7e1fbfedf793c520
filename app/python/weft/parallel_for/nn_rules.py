"""Converters of the operations of neural networks: the iterations become a part of the batch, or of the channels."""

from .. import basics, engine
from ..platform import tf_logging
from .vectorizer import flat, for_types, in_loop, RegisterPFor, unflat, wrap


@for_types("Conv2D AvgPool MaxPool MaxPool3D", batches=(0,))
@for_types("SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits", batches=(0, 1))
@for_types("MaxPoolGrad MaxPool3DGrad MaxPoolGradGrad MaxPool3DGradGrad", batches=(0, 1, 2))
def _in_batch(call, batches):
    return [wrap(unflat(x.t, call.count)) for x in call.again(call.flattened(batches))]


@for_types("Conv2DBackpropInput", batch=2)
@for_types("AvgPoolGrad", batch=1)
def _gradient_in_batch(call, batch):
    """The first input is the shape of the result."""
    inputs = call.flattened((batch,))
    inputs[0] *= engine.concat([call.count, engine.ones([basics.shape(inputs[0])[0] - 1], "int32")], 0)
    return [wrap(unflat(x.t, call.count)) for x in call.again(inputs)]


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _into_channels(x, data_format):
    """Stacked images with the iterations as a part of the channels, and the function that undoes it."""
    order = [1, 0, 2, 3, 4] if data_format == "NCHW" else [1, 2, 3, 0, 4]
    back = [order.index(i) for i in range(5)]
    x = engine.transpose(x, order)
    dims = basics.shape(x)
    joined = engine.concat([dims[:1], [-1], dims[3:]], 0) if data_format == "NCHW" else engine.concat([dims[:3], [-1]], 0)
    return engine.reshape(x, joined), lambda y: engine.transpose(engine.reshape(y, dims), back)


@RegisterPFor("FusedBatchNormV3")
def _batch_norm(call):
    if not call.get_attr("is_training"):
        y = call.again(call.flattened((0,)))[0]
        zeros = wrap(engine.zeros_like(call.unstacked_input(3)), False)
        return [wrap(unflat(y.t, call.count))] + [zeros] * 5
    return _normalized_channels(call, 1)


@RegisterPFor("FusedBatchNormGradV3")
def _batch_norm_gradient(call):
    return _normalized_channels(call, 2)


def _normalized_channels(call, images):
    """The first inputs are images, the others vectors with an element for each channel, but the third reserve space, which nothing here reads."""
    call.stack_inputs(range(min(call.num_inputs, 5)))
    data_format = _text(call.get_attr("data_format"))
    inputs, back = [], None
    for i in range(call.num_inputs):
        if i < images:
            x, back = _into_channels(call.stacked_input(i), data_format)
        else:
            x = engine.reshape(call.stacked_input(i), [-1]) if i < 5 else call.input(i).t
        inputs.append(x)
    made = call.again(inputs)
    return [wrap(back(made[0].t))] + [wrap(unflat(x.t, call.count)) for x in made[1:5]] + [wrap(x.t, False) for x in made[5:]]


@RegisterPFor("Conv2DBackpropFilter")
def _filter_gradient(call):
    if call.input(0).is_stacked:
        tf_logging.warn("Conv2DBackpropFilter runs in a loop over the iterations of pfor.")
        return in_loop(call)
    sizes = call.unstacked_input(1)
    grads, _ = _into_channels(call.stacked_input(2), _text(call.get_attr("data_format")))
    made = call.again([call.unstacked_input(0), sizes * engine.concat([[1, 1, 1], call.count], 0), grads])[0].t
    made = engine.reshape(made, engine.concat([sizes[:3], call.count, [-1]], 0))
    return wrap(engine.transpose(made, [3, 0, 1, 2, 4]))


@RegisterPFor("BiasAdd")
def _bias_add(call):
    channels_first = _text(call.get_attr("data_format")) == "NCHW"
    if not call.input(1).is_stacked:
        t = call.stacked_input(0)
        if channels_first:
            return wrap(unflat(call.again([flat(t), call.unstacked_input(1)])[0].t, call.count))
        return call.again([t, call.unstacked_input(1)])
    call.expanddim_inputs_for_broadcast()
    bias = call.stacked_input(1)
    if channels_first:
        dims = basics.shape(bias)
        rank = call.op.inputs[0].shape.ndims
        behind = basics.rank(call.op.inputs[0]) - 2 if rank is None else rank - 2
        # The channels are behind the batch, not last.
        ones = engine.ones([behind], "int32")
        bias = engine.reshape(bias, engine.concat([dims[:1], [1], dims[-1:], ones], 0))
    return wrap(engine.add(call.input(0).t, bias))


@RegisterPFor("BiasAddGrad")
def _bias_gradient(call):
    grad = call.stacked_input(0)
    if _text(call.get_attr("data_format")) == "NCHW":
        dims = basics.shape(grad)
        return wrap(engine.reduce_sum(engine.reshape(grad, engine.concat([dims[:3], [-1]], 0)), axis=[1, 3]))
    dims = basics.shape(grad)
    return wrap(engine.reduce_sum(engine.reshape(grad, engine.stack([dims[0], -1, dims[-1]])), axis=1))
