"""Public names that are one or a few ops."""

import tensorflow as tf

from .exports import export


@export("math.bessel_i0")
def bessel_i0(x, name=None):
    with tf.name_scope(name, "bessel_i0", [x]):
        return tf.exp(tf.abs(x)) * tf.raw_ops.BesselI0e(x=x)


@export("math.bessel_i1")
def bessel_i1(x, name=None):
    with tf.name_scope(name, "bessel_i1", [x]):
        return tf.exp(tf.abs(x)) * tf.raw_ops.BesselI1e(x=x)


@export("quantize_v2")
def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None, round_mode="HALF_AWAY_FROM_ZERO"):
    return tf.raw_ops.QuantizeV2(input=input, min_range=min_range, max_range=max_range, T=T, mode=mode, name=name, round_mode=round_mode)


@export("quantize", "quantization.quantize")
def quantize(input, min_range, max_range, T, mode="MIN_COMBINED", round_mode="HALF_AWAY_FROM_ZERO", name=None):
    """Small whole numbers in place of numbers of a range."""
    return quantize_v2(input, min_range, max_range, T, mode, name, round_mode)


@export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode="HALF_TO_EVEN", name=None, narrow_range=False):
    """Numbers as they come back from so many bits."""
    if round_mode != "HALF_TO_EVEN" or narrow_range:
        raise NotImplementedError("quantize_and_dequantize: round_mode %s and narrow_range are not supported" % round_mode)
    return tf.raw_ops.QuantizeAndDequantizeV2(input=input, input_min=input_min, input_max=input_max, signed_input=signed_input, num_bits=num_bits, range_given=range_given, name=name)


@export("fingerprint")
def fingerprint(data, method="farmhash64", name=None):
    """Eight bytes that stand for each row."""
    return tf.raw_ops.Fingerprint(data=data, method=method, name=name)


@export("random.stateless_multinomial")
def stateless_multinomial(logits, num_samples, seed, output_dtype=tf.int64, name=None):
    return _stateless_draws(logits, num_samples, seed, output_dtype, name, "stateless_multinomial")


@export("random.stateless_categorical")
def stateless_categorical(logits, num_samples, seed, dtype=tf.int64, name=None):
    """Classes drawn by their weights, the same ones each time."""
    return _stateless_draws(logits, num_samples, seed, dtype, name, "stateless_categorical")


def _stateless_draws(logits, num_samples, seed, dtype, name, scope):
    with tf.name_scope(name, scope, [logits, seed]):
        logits = tf.convert_to_tensor(logits, name="logits")
        return tf.raw_ops.StatelessMultinomial(logits=logits, num_samples=num_samples, seed=seed, output_dtype=dtype)


@export("sparse.expand_dims")
def sparse_expand_dims(sp_input, axis=None, name=None):
    """With a dimension of size one put in."""
    rank = sp_input.dense_shape.get_shape()[0]
    axis = -1 if axis is None else axis
    with tf.name_scope(name, default_name="expand_dims", values=[sp_input]):
        if isinstance(axis, int):
            axis = tf.convert_to_tensor(axis, name="axis", dtype=tf.int32)
        elif not isinstance(axis, tf.Tensor):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        axis = tf.where_v2(axis >= 0, axis, axis + rank + 1)
        count = tf.shape(sp_input.indices)[0]
        column = tf.zeros([count, 1], dtype=tf.int64)
        before = tf.slice(sp_input.indices, [0, 0], [-1, axis])
        after = tf.slice(sp_input.indices, [0, axis], [-1, -1])
        indices = tf.concat([before, column, after], axis=1)
        first = tf.slice(sp_input.dense_shape, [0], [axis])
        last = tf.slice(sp_input.dense_shape, [axis], [-1])
        one = tf.convert_to_tensor([1], name="new_shape", dtype=tf.int64)
        return tf.SparseTensor(indices=indices, values=sp_input.values, dense_shape=tf.concat([first, one, last], axis=0))


def _whole(value, name):
    """As int64."""
    if isinstance(value, int):
        return tf.convert_to_tensor(value, name=name, dtype=tf.int64)
    if not isinstance(value, tf.Tensor):
        raise TypeError("%s must be an integer value" % name)
    return value if value.dtype == tf.int64 else tf.cast(value, tf.int64)


@export("sparse.eye")
def sparse_eye(num_rows, num_columns=None, dtype=tf.float32, name=None):
    """Ones on the diagonal."""
    with tf.name_scope(name, default_name="eye", values=[num_rows, num_columns]):
        num_rows = _whole(num_rows, "num_rows")
        num_columns = num_rows if num_columns is None else _whole(num_columns, "num_columns")
        size = tf.minimum(num_rows, num_columns)
        places = tf.range(size, dtype=tf.int64)
        return tf.SparseTensor(indices=tf.stack([places, places], axis=1), values=tf.ones(size, dtype=dtype), dense_shape=[num_rows, num_columns])


@export("batch_scatter_update")
def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Elements of a variable set, batch by batch."""
    with tf.name_scope(name):
        indices = tf.convert_to_tensor(indices, name="indices")
        sizes, rank = tf.shape(indices), indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        places, parts = tf.expand_dims(indices, axis=-1), []
        for dim in range(rank - 1):
            size, shape = sizes[dim], [1] * (rank + 1)
            shape[dim] = size
            own = tf.reshape(tf.raw_ops.Range(start=0, limit=size, delta=1), shape)
            if own.dtype.base_dtype != places.dtype:
                own = tf.raw_ops.Cast(x=own, DstT=places.dtype)
            parts.append(own * tf.ones_like(places))
        return tf.scatter_nd_update(ref, tf.concat(parts + [places], axis=-1), updates, use_locking=use_locking)


export("test.is_built_with_rocm")(lambda: False)


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support():
    return tf.test.is_built_with_cuda()
