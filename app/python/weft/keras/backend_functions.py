"""tf.keras.backend: functions of tensors."""

import numpy as np
import tensorflow as tf

from ..exports import export, export_value
from ..layers import lookups
from ..util import nest
from . import backend


def mark(function):
    return export("keras.backend." + function.__name__)(function)


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


# Shapes.
@mark
def batch_flatten(x):
    return tf.reshape(x, tf.stack([-1, tf.reduce_prod(tf.shape(x)[1:])]))


@mark
def repeat(x, n):
    return tf.tile(tf.expand_dims(x, 1), tf.stack([1, n, 1]))


@mark
def repeat_elements(x, rep, axis):
    size = x.shape.as_list()[axis]
    if size is not None:
        return tf.concat([s for s in tf.split(value=x, num_or_size_splits=size, axis=axis) for _ in range(rep)], axis)
    counts = np.ones(len(x.shape) + 1, dtype=np.int32)
    counts[axis + 1] = rep
    made = tf.tile(tf.expand_dims(x, axis=axis + 1), counts)
    factors = np.ones(len(x.shape), dtype=np.int32)
    factors[axis] = rep
    made = tf.reshape(made, tf.shape(x) * factors)
    made.set_shape(x.shape)
    return made


@mark
def temporal_padding(x, padding=(1, 1)):
    return tf.pad(x, [[0, 0], list(padding), [0, 0]])


def _spatial_padding(x, padding, data_format):
    inner = [list(p) for p in padding]
    first = (data_format or "channels_last") == "channels_first"
    return tf.pad(x, [[0, 0], [0, 0]] + inner if first else [[0, 0]] + inner + [[0, 0]])


@mark
def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    return _spatial_padding(x, padding, data_format)


@mark
def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    return _spatial_padding(x, padding, data_format)


@mark
def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    """Images larger by whole factors."""
    rows, cols = (2, 3) if data_format == "channels_first" else (1, 2)
    known = x.shape.as_list()
    if known[rows] is not None and known[cols] is not None:
        size = tf.constant(np.array([known[rows] * height_factor, known[cols] * width_factor], dtype="int32"))
    else:
        size = tf.shape(x)[rows:rows + 2] * tf.constant(np.array([height_factor, width_factor], dtype="int32"))
    if data_format == "channels_first":
        x = tf.transpose(x, [0, 2, 3, 1])
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    x = tf.image.resize_nearest_neighbor(x, size) if interpolation == "nearest" else tf.image.resize_bilinear(x, size)
    return tf.transpose(x, [0, 3, 1, 2]) if data_format == "channels_first" else x


@mark
def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    first = 2 if data_format == "channels_first" else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=first + i)
    return x


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


# Convolutions and pools.
def _padding(padding):
    if padding not in ("same", "valid"):
        raise ValueError("Invalid padding: " + str(padding))
    return padding.upper()


def _layout(data_format, rank):
    return ("NC" + "DHW"[3 - rank:] if data_format == "channels_first" else "N" + "DHW"[3 - rank:] + "C") if rank > 1 else ("NCW" if data_format == "channels_first" else "NWC")


@mark
def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    if padding == "causal":
        x, padding = temporal_padding(x, (dilation_rate * (kernel.shape.as_list()[0] - 1), 0)), "valid"
    return tf.nn.convolution(x, kernel, padding=_padding(padding), strides=(strides,), dilation_rate=(dilation_rate,), data_format=_layout(data_format, 1))


@mark
def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    return tf.nn.convolution(x, kernel, padding=_padding(padding), strides=strides, dilation_rate=dilation_rate, data_format=_layout(data_format, 2))


@mark
def conv3d(x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)):
    return tf.nn.convolution(x, kernel, padding=_padding(padding), strides=strides, dilation_rate=dilation_rate, data_format=_layout(data_format, 3))


@mark
def conv2d_transpose(x, kernel, output_shape, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    output_shape = tf.stack(list(output_shape)) if isinstance(output_shape, (tuple, list)) else output_shape
    first = data_format == "channels_first"
    return tf.nn.conv2d_transpose(x, kernel, output_shape, (1, 1) + tuple(strides) if first else (1,) + tuple(strides) + (1,), padding=_padding(padding),
                                  data_format=_layout(data_format, 2))


@mark
def separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    first = data_format == "channels_first"
    return tf.nn.separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1) + tuple(strides) if first else (1,) + tuple(strides) + (1,),
                                  padding=_padding(padding), rate=dilation_rate, data_format=_layout(data_format, 2))


def _pool(x, pool_size, strides, padding, data_format, pool_mode, rank):
    first = data_format == "channels_first"
    around = (lambda v: (1, 1) + tuple(v)) if first else (lambda v: (1,) + tuple(v) + (1,))
    if pool_mode not in ("max", "avg"):
        raise ValueError("Invalid pooling mode: " + str(pool_mode))
    function = getattr(tf.nn, pool_mode + ("_pool" if rank == 2 else "_pool3d"))
    return function(x, around(pool_size), around(strides), padding=_padding(padding), data_format=_layout(data_format, rank))


@mark
def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 2)


@mark
def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 3)


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


# Sequences.
def _wide(mask, like, fixed=1):
    """A mask of steps for tensors with more dimensions."""
    for _ in range(like.shape.ndims - mask.shape.ndims):
        mask = tf.expand_dims(mask, -1)
    return tf.tile(mask, [1] * fixed + [n if n is not None else tf.shape(like)[i + fixed] for i, n in enumerate(like.shape.as_list()[fixed:])])


@mark
def rnn(step_function, inputs, initial_states, go_backwards=False, mask=None, constants=None, unroll=False, input_length=None, time_major=False, zero_output_for_mask=False):
    """step_function(input, states) over the steps of a sequence: the last output, all outputs, the last states."""
    swap = lambda t: tf.transpose(t, [1, 0] + list(range(2, t.shape.ndims)))  # noqa: E731
    if not time_major:
        inputs = nest.map_structure(swap, inputs)
    flat = nest.flatten(inputs)
    steps, known, batch = tf.shape(flat[0])[0], flat[0].shape.as_list()[0], flat[0].shape.as_list()[1]
    if mask is not None:
        if mask.dtype != tf.bool:
            mask = tf.cast(mask, tf.bool)
        if mask.shape.ndims == 2:
            mask = tf.expand_dims(mask, axis=-1)
        if not time_major:
            mask = swap(mask)
    more = list(constants or ())
    if unroll:
        if not known:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        states, outputs, all_states = tuple(initial_states), [], []
        xs = [nest.pack_sequence_as(inputs, x) for x in zip(*[tf.unstack(t) for t in flat])]
        masks = tf.unstack(mask) if mask is not None else [None] * known
        if go_backwards:
            xs, masks = xs[::-1], masks[::-1]
        for x, m in zip(xs, masks):
            output, made = step_function(x, list(states) + more)
            if m is not None:
                before = outputs[-1] if outputs and not zero_output_for_mask else tf.zeros_like(output)
                output = tf.where(_wide(m, output), output, before)
                made = nest.pack_sequence_as(made, [tf.where(_wide(m, b), a, b) for a, b in zip(nest.flatten(made), nest.flatten(list(states)))])
            states = made
            outputs.append(output)
            all_states.append(states)
        last, outputs = outputs[-1], tf.stack(outputs)
    else:
        states = tuple(initial_states)
        arrays = [tf.TensorArray(dtype=t.dtype, size=steps, tensor_array_name="input_ta_%s" % i) for i, t in enumerate(flat)]
        arrays = [a.unstack(t) if not go_backwards else a.unstack(tf.reverse(t, [0])) for a, t in zip(arrays, flat)]
        first = nest.pack_sequence_as(inputs, [t[0] for t in flat])
        sample, _ = step_function(first, list(initial_states) + more)
        results = tuple(tf.TensorArray(dtype=o.dtype, size=steps, element_shape=o.shape, tensor_array_name="output_ta_%s" % i) for i, o in enumerate(nest.flatten(sample)))
        time = tf.constant(0, dtype="int32", name="time")
        masks = None
        if mask is not None:
            if go_backwards:
                mask = tf.reverse(mask, [0])
            masks = tf.TensorArray(dtype=tf.bool, size=steps, tensor_array_name="mask_ta").unstack(mask)
        flat_states = nest.flatten(states)
        zero = tuple(tf.zeros_like(o) for o in nest.flatten(sample))

        def body(time, results, *rest):
            before = None
            if masks is not None:
                before, rest = rest[0], rest[1:]
            x = nest.pack_sequence_as(inputs, [a.read(time) for a in arrays])
            m = masks.read(time) if masks is not None else None
            now = nest.pack_sequence_as(states, list(rest))
            output, made = step_function(x, tuple(now) + tuple(more))
            flat_output, flat_made = nest.flatten(output), nest.flatten(made)
            if masks is not None:
                wide = [_wide(m, o) for o in flat_output]
                flat_output = [tf.where(w, o, b) for w, o, b in zip(wide, flat_output, zero if zero_output_for_mask else before)]
                wide = [_wide(m, b) for b in rest]
                flat_made = [tf.where(w, a, b) for w, a, b in zip(wide, flat_made, rest)]
            else:
                for a, b in zip(flat_made, rest):
                    if isinstance(a, tf.Tensor):
                        a.set_shape(b.shape)
            results = tuple(a.write(time, o) for a, o in zip(results, flat_output))
            return (time + 1, results) + ((tuple(flat_output),) if masks is not None else ()) + tuple(flat_made)

        given = (time, results) + ((zero,) if masks is not None else ()) + tuple(flat_states)
        done = tf.while_loop(cond=lambda time, *_: time < steps, body=body, loop_vars=given, parallel_iterations=32, swap_memory=True)
        made = done[3 if masks is not None else 2:]
        states = nest.pack_sequence_as(states, list(made)) if flat_states else states
        outputs = [a.stack() for a in done[1]]
        last = nest.pack_sequence_as(sample, [o[-1] for o in outputs])
        outputs = nest.pack_sequence_as(sample, outputs)

    def shaped(output):
        sizes = output.shape.as_list()
        output.set_shape([known, batch] + sizes[2:])
        return output

    outputs = nest.map_structure(shaped, outputs)
    return last, outputs if time_major else nest.map_structure(swap, outputs), list(states) if isinstance(states, (list, tuple)) else states


@mark
def ctc_label_dense_to_sparse(labels, label_lengths):
    """Rows of labels, as many of each as label_lengths says, as a sparse tensor."""
    shape = tf.shape(labels)
    there = tf.reshape(tf.range(shape[1]), [1, -1]) < tf.reshape(label_lengths, [-1, 1])
    return tf.SparseTensor(tf.cast(tf.where(there), tf.int64), tf.boolean_mask(labels, there), tf.cast(shape, tf.int64))


@mark
def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    label_length, input_length = tf.cast(tf.squeeze(label_length, axis=-1), tf.int32), tf.cast(tf.squeeze(input_length, axis=-1), tf.int32)
    labels = tf.cast(ctc_label_dense_to_sparse(y_true, label_length), tf.int32)
    y_pred = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon())
    return tf.expand_dims(tf.nn.ctc_loss(inputs=y_pred, labels=labels, sequence_length=input_length), 1)


@mark
def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    y_pred, input_length = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon()), tf.cast(input_length, tf.int32)
    if greedy:
        decoded, log_prob = tf.nn.ctc_greedy_decoder(inputs=y_pred, sequence_length=input_length)
    else:
        decoded, log_prob = tf.nn.ctc_beam_search_decoder(inputs=y_pred, sequence_length=input_length, beam_width=beam_width, top_paths=top_paths)
    return [tf.sparse_to_dense(d.indices, d.dense_shape, d.values, default_value=-1) for d in decoded], log_prob


del _name, _function
