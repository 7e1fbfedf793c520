"""tf.keras.backend: creation, arithmetic, learning, losses. See backend_shapes.py for shapes and convolutions, backend_sequences.py for sequences."""

import numpy as np

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import cond
from ..exports import export, export_value
from ..layers import lookups
from ..layers.float_type import cast_to_floatx  # noqa: F401 (re-exported)
from ..row_functions import foldl, foldr, map_fn
from ..sparse_tensor import SparseTensor
from ..variable_base import Variable
from ..variables import assign, assign_add, assign_sub
from . import backend
from .backend import mark
from .backend_shapes import (_spatial_padding, batch_flatten, conv1d, conv2d, conv2d_transpose, conv3d, pool2d, pool3d, repeat, repeat_elements,
                             resize_images, resize_volumes, separable_conv2d, spatial_2d_padding, spatial_3d_padding, temporal_padding)  # noqa: F401 (re-exported)
from .backend_sequences import ctc_batch_cost, ctc_decode, ctc_label_dense_to_sparse, rnn  # noqa: F401 (re-exported)


def _give(name, function):
    export_value(function, "keras.backend." + name)


def _seed(seed):
    return np.random.randint(int(10e6)) if seed is None else seed


# Creation of tensors.
@mark
def zeros(shape, dtype=None, name=None):
    with ops.init_scope():
        made = engine.zeros(shape=shape, dtype=dtypes.as_dtype(dtype or backend.floatx()), name=name)
    return backend.variable(made, dtype=dtype, name=name) if made.shape.is_fully_defined() else made


@mark
def ones(shape, dtype=None, name=None):
    with ops.init_scope():
        made = engine.ones(shape=shape, dtype=dtypes.as_dtype(dtype or backend.floatx()), name=name)
    return backend.variable(made, dtype=dtype, name=name) if made.shape.is_fully_defined() else made


@mark
def eye(size, dtype=None, name=None):
    return backend.variable(engine.eye(size, dtype=dtypes.as_dtype(dtype or backend.floatx())), dtype, name)


@mark
def constant(value, dtype=None, shape=None, name=None):
    return ops.constant(value, dtype=dtype or backend.floatx(), shape=shape, name=name or "Const")


@mark
def arange(start, stop=None, step=1, dtype="int32"):
    if stop is None and start < 0:
        start = 0
    made = engine.range(start, limit=stop, delta=step, name="arange")
    return made if dtype == "int32" else basics.cast(made, dtype)


@mark
def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return engine.random_normal(shape, mean=mean, stddev=stddev, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    return engine.random_uniform(shape, minval=minval, maxval=maxval, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_binomial(shape, p=0.0, dtype=None, seed=None):
    dtype = dtype or backend.floatx()
    return engine.where(engine.random_uniform(shape, dtype=dtype, seed=_seed(seed)) <= p, engine.ones(shape, dtype=dtype), engine.zeros(shape, dtype=dtype))


@mark
def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return engine.truncated_normal(shape, mean, stddev, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    dtype = dtypes.as_dtype(dtype or backend.floatx())
    return backend.variable(initializers.random_uniform_initializer(low, high, dtype=dtype, seed=_seed(seed))(shape), dtype=dtype, name=name)


@mark
def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    dtype = dtypes.as_dtype(dtype or backend.floatx())
    return backend.variable(initializers.random_normal_initializer(mean, scale, dtype=dtype, seed=_seed(seed))(shape), dtype=dtype, name=name)


# Properties.
@mark
def count_params(x):
    return int(np.prod(x.shape.as_list()))


@mark
def is_sparse(tensor):
    return isinstance(tensor, SparseTensor)


@mark
def to_dense(tensor):
    return engine.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


# Arithmetic.
def _bool(x):
    return basics.cast(x, dtypes.bool_)


for _name, _function in (
        ("all", lambda x, axis=None, keepdims=False: engine.reduce_all(_bool(x), axis, keepdims)), ("any", lambda x, axis=None, keepdims=False: engine.reduce_any(_bool(x), axis, keepdims)),
        ("prod", lambda x, axis=None, keepdims=False: engine.reduce_prod(x, axis, keepdims)), ("argmin", lambda x, axis=-1: engine.argmin(x, axis)),
        ("cumsum", lambda x, axis=0: engine.cumsum(x, axis=axis)), ("cumprod", lambda x, axis=0: engine.cumprod(x, axis=axis)), ("cos", lambda x: engine.cos(x)), ("sin", lambda x: engine.sin(x)),
        ("sign", lambda x: engine.sign(x)), ("pow", lambda x, a: engine.pow(x, a)), ("maximum", lambda x, y: engine.maximum(x, y)), ("minimum", lambda x, y: engine.minimum(x, y)),
        ("not_equal", lambda x, y: engine.not_equal(x, y)), ("greater", lambda x, y: engine.greater(x, y)), ("greater_equal", lambda x, y: engine.greater_equal(x, y)),
        ("less", lambda x, y: engine.less(x, y)), ("less_equal", lambda x, y: engine.less_equal(x, y)), ("gather", lambda reference, indices: engine.gather(reference, indices)),
        ("squeeze", lambda x, axis: engine.squeeze(x, [axis])), ("stack", lambda x, axis=0: engine.stack(x, axis=axis)), ("tile", lambda x, n: engine.tile(x, [n] if isinstance(n, int) else n)),
        ("permute_dimensions", lambda x, pattern: engine.transpose(x, perm=pattern)), ("one_hot", lambda indices, num_classes: engine.one_hot(indices, depth=num_classes, axis=-1)),
        ("reverse", lambda x, axes: engine.reverse(x, [axes] if isinstance(axes, int) else axes)), ("softplus", lambda x: engine.nn.softplus(x)), ("softsign", lambda x: engine.nn.softsign(x)),
        ("elu", lambda x, alpha=1.0: lookups.elu(x, alpha)), ("hard_sigmoid", lambda x: lookups.hard_sigmoid(x)), ("l2_normalize", lambda x, axis=None: engine.nn.l2_normalize(x, axis=axis)),
        ("update", lambda x, new_x: assign(x, new_x)), ("update_add", lambda x, increment: assign_add(x, increment)),
        ("update_sub", lambda x, decrement: assign_sub(x, decrement)), ("in_top_k", lambda predictions, targets, k: engine.nn.in_top_k(predictions, targets, k)),
        ("map_fn", lambda fn, elems, name=None, dtype=None: map_fn(fn, elems, name=name, dtype=dtype)),
        ("foldl", lambda fn, elems, initializer=None, name=None: foldl(fn, elems, initializer=initializer, name=name)),
        ("foldr", lambda fn, elems, initializer=None, name=None: foldr(fn, elems, initializer=initializer, name=name)), ("backend", lambda: "tensorflow")):
    _function.__name__ = _name
    _give(_name, _function)


@mark
def var(x, axis=None, keepdims=False):
    x = basics.cast(x, backend.floatx()) if x.dtype.base_dtype == dtypes.bool_ else x
    deviation = engine.square(x - engine.reduce_mean(x, axis=axis, keepdims=True))
    return engine.reduce_mean(deviation, axis=axis, keepdims=keepdims)


@mark
def std(x, axis=None, keepdims=False):
    return engine.sqrt(var(x, axis=axis, keepdims=keepdims))


def logsumexp(x, axis=None, keepdims=False):
    return engine.reduce_logsumexp(x, axis, keepdims)


export_value(logsumexp, "keras.backend.logsumexp")


@export("keras.backend.dot")
def dot(x, y):
    """The matrix product over the last dimension of x and the second to last of y."""
    if x.shape.ndims is not None and (x.shape.ndims > 2 or y.shape.ndims > 2):
        front = [n if n is not None else basics.shape(x)[i] for i, n in enumerate(x.shape.as_list()[:-1])]
        sizes = y.shape.as_list()
        order = list(range(len(sizes)))
        order = [order.pop(-2)] + order
        flat = engine.reshape(engine.transpose(y, perm=order), [sizes[-2], -1])
        return engine.reshape(engine.matmul(engine.reshape(x, [-1, x.shape.as_list()[-1]]), flat), front + sizes[:-2] + sizes[-1:])
    return engine.sparse_tensor_dense_matmul(x, y) if is_sparse(x) else engine.matmul(x, y)


@mark
def batch_dot(x, y, axes=None):
    """Products of the elements of two batches, summed over an axis of each."""
    if isinstance(axes, int):
        axes = (axes, axes)
    nx, ny = x.shape.ndims, y.shape.ndims
    if axes is None:
        axes = [nx - 1, ny - 2 if ny > 2 else ny - 1]
    more = abs(nx - ny)
    if nx > ny:
        y = engine.reshape(y, engine.concat([basics.shape(y), [1] * more], axis=0))
    elif ny > nx:
        x = engine.reshape(x, engine.concat([basics.shape(x), [1] * more], axis=0))
    if x.shape.ndims == 2 and y.shape.ndims == 2:
        out = engine.reduce_sum(engine.multiply(x, y), axes[0]) if axes[0] == axes[1] else engine.reduce_sum(engine.multiply(engine.transpose(x, [1, 0]), y), axes[1])
    else:
        out = engine.matmul(x, y, adjoint_a=None if axes[0] == x.shape.ndims - 1 else True, adjoint_b=True if axes[1] == y.shape.ndims - 1 else None)
    if more:
        first = nx + ny - 3 if nx > ny else nx - 1
        out = engine.squeeze(out, list(range(first, first + more)))
    return engine.expand_dims(out, 1) if out.shape.ndims == 1 else out


@mark
def bias_add(x, bias, data_format=None):
    sizes = bias.shape.as_list()
    if len(sizes) == 1:
        return engine.nn.bias_add(x, bias, data_format="NCHW" if data_format == "channels_first" else "NHWC")
    return x + engine.reshape(bias, [1] + (sizes[-1:] + sizes[:-1] if data_format == "channels_first" else sizes))


# Learning.
@mark
def in_train_phase(x, alt, training=None):
    """x while training, else alt."""
    training = backend.learning_phase() if training is None else training
    call = lambda v: v() if callable(v) else v  # noqa: E731
    if isinstance(training, (bool, int)):
        return call(x) if training else call(alt)
    return switch(training, x, alt)


@mark
def in_test_phase(x, alt, training=None):
    return in_train_phase(alt, x, training=training)


@mark
def switch(condition, then_expression, else_expression):
    """Selects one of two values or functions by a condition, elementwise if the condition is a tensor of more than one element."""
    if condition.dtype != dtypes.bool_:
        condition = basics.cast(condition, "bool")
    if not condition.shape.ndims:
        as_function = lambda v: v if callable(v) else (lambda: v)  # noqa: E731
        return cond(condition, as_function(then_expression), as_function(else_expression))
    then, other = (v() if callable(v) else v for v in (then_expression, else_expression))
    for _ in range(then.shape.ndims - condition.shape.ndims):
        condition = engine.expand_dims(condition, -1)
    if condition.shape.ndims < then.shape.ndims or condition.shape != then.shape:
        condition = basics.cast(basics.cast(condition, dtypes.int32) * engine.ones_like(then, dtype=dtypes.int32), dtypes.bool_)
    return engine.where(condition, then, other)


@mark
def dropout(x, level, noise_shape=None, seed=None):
    return engine.nn.dropout(x, rate=level, noise_shape=noise_shape, seed=_seed(seed))


@mark
def moving_average_update(x, value, momentum):
    return assign_sub(x, (x - value) * basics.cast(1.0 - momentum, x.dtype.base_dtype))


@mark
def batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=1e-3):
    if axis not in (-1, x.shape.ndims - 1 if x.shape.ndims is not None else -1):  # statistics are along the last axis: move them to the given axis
        shape = [-1 if i == axis % x.shape.ndims else 1 for i in range(x.shape.ndims)]
        mean, var, beta, gamma = [None if p is None else engine.reshape(p, shape) for p in (mean, var, beta, gamma)]
    return engine.nn.batch_normalization(x, mean, var, beta, gamma, epsilon)


@mark
def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=1e-3):
    mean, variance = engine.nn.moments(x, reduction_axes)
    shape = [1 if i in reduction_axes else n for i, n in enumerate(x.shape.as_list())]
    wide = [v if v is None or sorted(reduction_axes) == list(range(x.shape.ndims))[:-1] else engine.reshape(v, shape) for v in (mean, variance, beta, gamma)]
    return engine.nn.batch_normalization(x, wide[0], wide[1], wide[2], wide[3], epsilon), mean, variance


@mark
def print_tensor(x, message=""):
    return engine.Print(x, [x], message)


# Losses.
_EPSILON = 1e-7


@mark
def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """-sum(target * log(output))"""
    if from_logits:
        return engine.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)
    if output.op.type == "Softmax" and not isinstance(output, Variable):
        return engine.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output.op.inputs[0], axis=axis)
    output = output / engine.reduce_sum(output, axis, True)
    output = engine.clip_by_value(output, ops.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype), 1. - backend.epsilon())
    return -engine.reduce_sum(target * engine.log(output), axis)


@mark
def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if output.op.type == "Softmax":
            output = output.op.inputs[0]
        else:
            low = ops.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype)
            output = engine.log(engine.clip_by_value(output, low, 1 - low))
    if axis not in (-1, output.shape.ndims - 1):
        order = [i for i in range(output.shape.ndims) if i != axis % output.shape.ndims] + [axis % output.shape.ndims]
        output = engine.transpose(output, order)
    target, shape = basics.cast(target, dtypes.int64), output.shape
    flat = target.shape.ndims is None or shape.ndims is None or target.shape.ndims != shape.ndims - 1
    if flat or (shape.ndims or 0) != 2:
        target, logits = engine.reshape(target, [-1]), engine.reshape(output, [-1, int(shape[-1])])
        made = engine.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
        return engine.reshape(made, basics.shape(output)[:-1]) if shape.ndims >= 3 else made
    return engine.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)


@mark
def binary_crossentropy(target, output, from_logits=False):
    if not from_logits:
        if output.op.type == "Sigmoid":
            output = output.op.inputs[0]
        else:
            low = ops.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype)
            output = engine.clip_by_value(output, low, 1. - low)
            bce = target * engine.log(output + backend.epsilon())
            bce += (1 - target) * engine.log(1 - output + backend.epsilon())
            return -bce
    return engine.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


def local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    """A convolution whose filters differ from place to place."""
    first, rank = data_format == "channels_first", len(output_shape)
    channels = inputs.shape.as_list()[1 if first else -1]
    features, filters = kernel.shape.as_list()[1:]
    rows = []
    for place in np.ndindex(*output_shape):
        windows = [slice(p * s, p * s + k) for p, s, k in zip(place, strides, kernel_size)]
        piece = inputs[tuple([slice(None)] + ([slice(None)] if first else []) + windows + ([] if first else [slice(None)]))]
        rows.append(engine.reshape(piece, [1, -1, features]))
    out = batch_dot(engine.concat(rows, axis=0), kernel)
    out = engine.reshape(out, list(output_shape) + [-1, filters])
    del channels
    return engine.transpose(out, [rank, rank + 1] + list(range(rank)) if first else [rank] + list(range(rank)) + [rank + 1])


@mark
def local_conv1d(inputs, kernel, kernel_size, strides, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, (kernel.shape.as_list()[0],), data_format)


@mark
def local_conv2d(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


del _name, _function
