"""tf.keras.backend: functions of tensors; making, arithmetic, learning, losses. Shapes and convolutions, sequences are beside it."""

import numpy as np
import tensorflow as tf

from ..exports import export, export_value
from ..layers import lookups
from . import backend
from .backend import mark
from .backend_shapes import (_spatial_padding, batch_flatten, conv1d, conv2d, conv2d_transpose, conv3d, pool2d, pool3d, repeat, repeat_elements,
                             resize_images, resize_volumes, separable_conv2d, spatial_2d_padding, spatial_3d_padding, temporal_padding)  # noqa: F401, for those who look here
from .backend_sequences import ctc_batch_cost, ctc_decode, ctc_label_dense_to_sparse, rnn  # noqa: F401, for those who look here


def _give(name, function):
    export_value(function, "keras.backend." + name)


def _seed(seed):
    return np.random.randint(int(10e6)) if seed is None else seed


# Making tensors.
@mark
def zeros(shape, dtype=None, name=None):
    made = tf.zeros(shape=shape, dtype=tf.as_dtype(dtype or backend.floatx()), name=name)
    return backend.variable(made, dtype=dtype, name=name) if made.shape.is_fully_defined() else made


@mark
def ones(shape, dtype=None, name=None):
    made = tf.ones(shape=shape, dtype=tf.as_dtype(dtype or backend.floatx()), name=name)
    return backend.variable(made, dtype=dtype, name=name) if made.shape.is_fully_defined() else made


@mark
def eye(size, dtype=None, name=None):
    return backend.variable(tf.eye(size, dtype=tf.as_dtype(dtype or backend.floatx())), dtype, name)


@mark
def constant(value, dtype=None, shape=None, name=None):
    return tf.constant(value, dtype=dtype or backend.floatx(), shape=shape, name=name or "Const")


@mark
def arange(start, stop=None, step=1, dtype="int32"):
    if stop is None and start < 0:
        start = 0
    made = tf.range(start, limit=stop, delta=step, name="arange")
    return made if dtype == "int32" else tf.cast(made, dtype)


@mark
def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return tf.random_normal(shape, mean=mean, stddev=stddev, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    return tf.random_uniform(shape, minval=minval, maxval=maxval, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_binomial(shape, p=0.0, dtype=None, seed=None):
    dtype = dtype or backend.floatx()
    return tf.where(tf.random_uniform(shape, dtype=dtype, seed=_seed(seed)) <= p, tf.ones(shape, dtype=dtype), tf.zeros(shape, dtype=dtype))


@mark
def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    return tf.truncated_normal(shape, mean, stddev, dtype=dtype or backend.floatx(), seed=_seed(seed))


@mark
def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    dtype = tf.as_dtype(dtype or backend.floatx())
    return backend.variable(tf.random_uniform_initializer(low, high, dtype=dtype, seed=_seed(seed))(shape), dtype=dtype, name=name)


@mark
def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    dtype = tf.as_dtype(dtype or backend.floatx())
    return backend.variable(tf.random_normal_initializer(mean, scale, dtype=dtype, seed=_seed(seed))(shape), dtype=dtype, name=name)


# Facts.
@mark
def count_params(x):
    return int(np.prod(x.shape.as_list()))


@mark
def is_sparse(tensor):
    return isinstance(tensor, tf.SparseTensor)


@mark
def to_dense(tensor):
    return tf.sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


@mark
def cast_to_floatx(x):
    return tf.cast(x, backend.floatx()) if isinstance(x, (tf.Tensor, tf.Variable, tf.SparseTensor)) else np.asarray(x, dtype=backend.floatx())


# Arithmetic.
def _bool(x):
    return tf.cast(x, tf.bool)


for _name, _function in (
        ("all", lambda x, axis=None, keepdims=False: tf.reduce_all(_bool(x), axis, keepdims)), ("any", lambda x, axis=None, keepdims=False: tf.reduce_any(_bool(x), axis, keepdims)),
        ("prod", lambda x, axis=None, keepdims=False: tf.reduce_prod(x, axis, keepdims)), ("argmin", lambda x, axis=-1: tf.argmin(x, axis)),
        ("cumsum", lambda x, axis=0: tf.cumsum(x, axis=axis)), ("cumprod", lambda x, axis=0: tf.cumprod(x, axis=axis)), ("cos", lambda x: tf.cos(x)), ("sin", lambda x: tf.sin(x)),
        ("sign", lambda x: tf.sign(x)), ("pow", lambda x, a: tf.pow(x, a)), ("maximum", lambda x, y: tf.maximum(x, y)), ("minimum", lambda x, y: tf.minimum(x, y)),
        ("not_equal", lambda x, y: tf.not_equal(x, y)), ("greater", lambda x, y: tf.greater(x, y)), ("greater_equal", lambda x, y: tf.greater_equal(x, y)),
        ("less", lambda x, y: tf.less(x, y)), ("less_equal", lambda x, y: tf.less_equal(x, y)), ("gather", lambda reference, indices: tf.gather(reference, indices)),
        ("squeeze", lambda x, axis: tf.squeeze(x, [axis])), ("stack", lambda x, axis=0: tf.stack(x, axis=axis)), ("tile", lambda x, n: tf.tile(x, [n] if isinstance(n, int) else n)),
        ("permute_dimensions", lambda x, pattern: tf.transpose(x, perm=pattern)), ("one_hot", lambda indices, num_classes: tf.one_hot(indices, depth=num_classes, axis=-1)),
        ("reverse", lambda x, axes: tf.reverse(x, [axes] if isinstance(axes, int) else axes)), ("softplus", lambda x: tf.nn.softplus(x)), ("softsign", lambda x: tf.nn.softsign(x)),
        ("elu", lambda x, alpha=1.0: lookups.elu(x, alpha)), ("hard_sigmoid", lambda x: lookups.hard_sigmoid(x)), ("l2_normalize", lambda x, axis=None: tf.nn.l2_normalize(x, axis=axis)),
        ("update", lambda x, new_x: tf.assign(x, new_x)), ("update_add", lambda x, increment: tf.assign_add(x, increment)),
        ("update_sub", lambda x, decrement: tf.assign_sub(x, decrement)), ("in_top_k", lambda predictions, targets, k: tf.nn.in_top_k(predictions, targets, k)),
        ("map_fn", lambda fn, elems, name=None, dtype=None: tf.map_fn(fn, elems, name=name, dtype=dtype)),
        ("foldl", lambda fn, elems, initializer=None, name=None: tf.foldl(fn, elems, initializer=initializer, name=name)),
        ("foldr", lambda fn, elems, initializer=None, name=None: tf.foldr(fn, elems, initializer=initializer, name=name)), ("backend", lambda: "tensorflow")):
    _function.__name__ = _name
    _give(_name, _function)


@mark
def var(x, axis=None, keepdims=False):
    x = tf.cast(x, backend.floatx()) if x.dtype.base_dtype == tf.bool else x
    deviation = tf.square(x - tf.reduce_mean(x, axis=axis, keepdims=True))
    return tf.reduce_mean(deviation, axis=axis, keepdims=keepdims)


@mark
def std(x, axis=None, keepdims=False):
    return tf.sqrt(var(x, axis=axis, keepdims=keepdims))


def logsumexp(x, axis=None, keepdims=False):
    return tf.reduce_logsumexp(x, axis, keepdims)


export_value(logsumexp, "keras.backend.logsumexp")


@export("keras.backend.dot")
def dot(x, y):
    """The matrix product over the last dimension of x and the last but one of y."""
    if x.shape.ndims is not None and (x.shape.ndims > 2 or y.shape.ndims > 2):
        front = [n if n is not None else tf.shape(x)[i] for i, n in enumerate(x.shape.as_list()[:-1])]
        sizes = y.shape.as_list()
        order = list(range(len(sizes)))
        order = [order.pop(-2)] + order
        flat = tf.reshape(tf.transpose(y, perm=order), [sizes[-2], -1])
        return tf.reshape(tf.matmul(tf.reshape(x, [-1, x.shape.as_list()[-1]]), flat), front + sizes[:-2] + sizes[-1:])
    return tf.sparse_tensor_dense_matmul(x, y) if is_sparse(x) else tf.matmul(x, y)


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
        y = tf.reshape(y, tf.concat([tf.shape(y), [1] * more], axis=0))
    elif ny > nx:
        x = tf.reshape(x, tf.concat([tf.shape(x), [1] * more], axis=0))
    if x.shape.ndims == 2 and y.shape.ndims == 2:
        out = tf.reduce_sum(tf.multiply(x, y), axes[0]) if axes[0] == axes[1] else tf.reduce_sum(tf.multiply(tf.transpose(x, [1, 0]), y), axes[1])
    else:
        out = tf.matmul(x, y, adjoint_a=None if axes[0] == x.shape.ndims - 1 else True, adjoint_b=True if axes[1] == y.shape.ndims - 1 else None)
    if more:
        first = nx + ny - 3 if nx > ny else nx - 1
        out = tf.squeeze(out, list(range(first, first + more)))
    return tf.expand_dims(out, 1) if out.shape.ndims == 1 else out


@mark
def bias_add(x, bias, data_format=None):
    sizes = bias.shape.as_list()
    if len(sizes) == 1:
        return tf.nn.bias_add(x, bias, data_format="NCHW" if data_format == "channels_first" else "NHWC")
    return x + tf.reshape(bias, [1] + (sizes[-1:] + sizes[:-1] if data_format == "channels_first" else sizes))


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
    """One of two values or functions by a condition, element by element if it has more than one."""
    if condition.dtype != tf.bool:
        condition = tf.cast(condition, "bool")
    if not condition.shape.ndims:
        as_function = lambda v: v if callable(v) else (lambda: v)  # noqa: E731
        return tf.cond(condition, as_function(then_expression), as_function(else_expression))
    then, other = (v() if callable(v) else v for v in (then_expression, else_expression))
    for _ in range(then.shape.ndims - condition.shape.ndims):
        condition = tf.expand_dims(condition, -1)
    if condition.shape.ndims < then.shape.ndims or condition.shape != then.shape:
        condition = tf.cast(tf.cast(condition, tf.int32) * tf.ones_like(then, dtype=tf.int32), tf.bool)
    return tf.where(condition, then, other)


@mark
def dropout(x, level, noise_shape=None, seed=None):
    return tf.nn.dropout(x, rate=level, noise_shape=noise_shape, seed=_seed(seed))


@mark
def moving_average_update(x, value, momentum):
    return tf.assign_sub(x, (x - value) * tf.cast(1.0 - momentum, x.dtype.base_dtype))


@mark
def batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=1e-3):
    if axis not in (-1, x.shape.ndims - 1 if x.shape.ndims is not None else -1):  # statistics lie along the last axis: turn them to theirs
        shape = [-1 if i == axis % x.shape.ndims else 1 for i in range(x.shape.ndims)]
        mean, var, beta, gamma = [None if p is None else tf.reshape(p, shape) for p in (mean, var, beta, gamma)]
    return tf.nn.batch_normalization(x, mean, var, beta, gamma, epsilon)


@mark
def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=1e-3):
    mean, variance = tf.nn.moments(x, reduction_axes)
    shape = [1 if i in reduction_axes else n for i, n in enumerate(x.shape.as_list())]
    wide = [v if v is None or sorted(reduction_axes) == list(range(x.shape.ndims))[:-1] else tf.reshape(v, shape) for v in (mean, variance, beta, gamma)]
    return tf.nn.batch_normalization(x, wide[0], wide[1], wide[2], wide[3], epsilon), mean, variance


@mark
def print_tensor(x, message=""):
    return tf.Print(x, [x], message)


# Losses.
_EPSILON = 1e-7


@mark
def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """-sum(target * log(output))"""
    if from_logits:
        return tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)
    if output.op.type == "Softmax" and not isinstance(output, tf.Variable):
        return tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output.op.inputs[0], axis=axis)
    output = output / tf.reduce_sum(output, axis, True)
    output = tf.clip_by_value(output, tf.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype), 1. - backend.epsilon())
    return -tf.reduce_sum(target * tf.log(output), axis)


@mark
def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    if not from_logits:
        if output.op.type == "Softmax":
            output = output.op.inputs[0]
        else:
            low = tf.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype)
            output = tf.log(tf.clip_by_value(output, low, 1 - low))
    if axis not in (-1, output.shape.ndims - 1):
        order = [i for i in range(output.shape.ndims) if i != axis % output.shape.ndims] + [axis % output.shape.ndims]
        output = tf.transpose(output, order)
    target, shape = tf.cast(target, tf.int64), output.shape
    flat = target.shape.ndims is None or shape.ndims is None or target.shape.ndims != shape.ndims - 1
    if flat or (shape.ndims or 0) != 2:
        target, logits = tf.reshape(target, [-1]), tf.reshape(output, [-1, int(shape[-1])])
        made = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
        return tf.reshape(made, tf.shape(output)[:-1]) if shape.ndims >= 3 else made
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)


@mark
def binary_crossentropy(target, output, from_logits=False):
    if not from_logits:
        if output.op.type == "Sigmoid":
            output = output.op.inputs[0]
        else:
            low = tf.convert_to_tensor(backend.epsilon(), output.dtype.base_dtype)
            output = tf.clip_by_value(output, low, 1. - low)
            bce = target * tf.log(output + backend.epsilon())
            bce += (1 - target) * tf.log(1 - output + backend.epsilon())
            return -bce
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


def local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    """A convolution whose filters differ from place to place."""
    first, rank = data_format == "channels_first", len(output_shape)
    channels = inputs.shape.as_list()[1 if first else -1]
    features, filters = kernel.shape.as_list()[1:]
    rows = []
    for place in np.ndindex(*output_shape):
        windows = [slice(p * s, p * s + k) for p, s, k in zip(place, strides, kernel_size)]
        piece = inputs[tuple([slice(None)] + ([slice(None)] if first else []) + windows + ([] if first else [slice(None)]))]
        rows.append(tf.reshape(piece, [1, -1, features]))
    out = batch_dot(tf.concat(rows, axis=0), kernel)
    out = tf.reshape(out, list(output_shape) + [-1, filters])
    del channels
    return tf.transpose(out, [rank, rank + 1] + list(range(rank)) if first else [rank] + list(range(rank)) + [rank + 1])


@mark
def local_conv1d(inputs, kernel, kernel_size, strides, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, (kernel.shape.as_list()[0],), data_format)


@mark
def local_conv2d(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


del _name, _function
