"""Functions composed of a few ops."""

from . import basics, device_lib, dtypes, engine, ops, records
from .exports import export
from .ops import Tensor
from .sparse_tensor import SparseTensor
from .variables import scatter_nd_update


@export("math.bessel_i0")
def bessel_i0(x, name=None):
    with ops.name_scope(name, "bessel_i0", [x]):
        return engine.exp(engine.abs(x)) * engine.raw_ops.BesselI0e(x=x)


@export("math.bessel_i1")
def bessel_i1(x, name=None):
    with ops.name_scope(name, "bessel_i1", [x]):
        return engine.exp(engine.abs(x)) * engine.raw_ops.BesselI1e(x=x)


@export("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar, x, name=None):
    """A scalar times a tensor, or times the values of IndexedSlices."""
    if not isinstance(x, ops.IndexedSlices):
        return records.function("scalar_mul")(scalar, x, name)
    scalar = ops.convert_to_tensor(scalar, dtype=x.values.dtype.base_dtype, name="scalar")
    if scalar.shape.ndims != 0:
        raise ValueError("Only scalar multiply works, got shape %s" % scalar.shape)
    return ops.IndexedSlices(engine.raw_ops.Mul(x=scalar, y=x.values, name=name), x.indices, x.dense_shape)


@export("quantize_v2")
def quantize_v2(input, min_range, max_range, T, mode="MIN_COMBINED", name=None, round_mode="HALF_AWAY_FROM_ZERO"):
    return engine.raw_ops.QuantizeV2(input=input, min_range=min_range, max_range=max_range, T=T, mode=mode, name=name, round_mode=round_mode)


@export("quantize", "quantization.quantize")
def quantize(input, min_range, max_range, T, mode="MIN_COMBINED", round_mode="HALF_AWAY_FROM_ZERO", name=None):
    """Quantizes values of a range to a small integer type."""
    return quantize_v2(input, min_range, max_range, T, mode, name, round_mode)


@export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode="HALF_TO_EVEN", name=None, narrow_range=False):
    """Quantizes values to `num_bits` bits and converts them back."""
    if round_mode != "HALF_TO_EVEN" or narrow_range:
        raise NotImplementedError("quantize_and_dequantize: round_mode %s and narrow_range are not supported" % round_mode)
    return engine.raw_ops.QuantizeAndDequantizeV2(input=input, input_min=input_min, input_max=input_max, signed_input=signed_input, num_bits=num_bits, range_given=range_given, name=name)


@export("fingerprint")
def fingerprint(data, method="farmhash64", name=None):
    """A fingerprint of eight bytes for each row."""
    return engine.raw_ops.Fingerprint(data=data, method=method, name=name)


@export("random.stateless_multinomial")
def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    return _stateless_draws(logits, num_samples, seed, output_dtype, name, "stateless_multinomial")


@export("random.stateless_categorical")
def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """Classes drawn from logits; the same seed gives the same draws."""
    return _stateless_draws(logits, num_samples, seed, dtype, name, "stateless_categorical")


def _stateless_draws(logits, num_samples, seed, dtype, name, scope):
    with ops.name_scope(name, scope, [logits, seed]):
        logits = ops.convert_to_tensor(logits, name="logits")
        return engine.raw_ops.StatelessMultinomial(logits=logits, num_samples=num_samples, seed=seed, output_dtype=dtype)


@export("sparse.expand_dims")
def sparse_expand_dims(sp_input, axis=None, name=None):
    """Inserts a dimension of size 1."""
    rank = sp_input.dense_shape.get_shape()[0]
    axis = -1 if axis is None else axis
    with ops.name_scope(name, default_name="expand_dims", values=[sp_input]):
        if isinstance(axis, int):
            axis = ops.convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        axis = engine.where_v2(axis >= 0, axis, axis + rank + 1)
        count = basics.shape(sp_input.indices)[0]
        column = engine.zeros([count, 1], dtype=dtypes.int64)
        before = engine.slice(sp_input.indices, [0, 0], [-1, axis])
        after = engine.slice(sp_input.indices, [0, axis], [-1, -1])
        indices = engine.concat([before, column, after], axis=1)
        first = engine.slice(sp_input.dense_shape, [0], [axis])
        last = engine.slice(sp_input.dense_shape, [axis], [-1])
        one = ops.convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        return SparseTensor(indices=indices, values=sp_input.values, dense_shape=engine.concat([first, one, last], axis=0))


def _whole(value, name):
    """As int64."""
    if isinstance(value, int):
        return ops.convert_to_tensor(value, name=name, dtype=dtypes.int64)
    if not isinstance(value, Tensor):
        raise TypeError("%s must be an integer value" % name)
    return value if value.dtype == dtypes.int64 else basics.cast(value, dtypes.int64)


@export("sparse.eye")
def sparse_eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """Ones on the diagonal."""
    with ops.name_scope(name, default_name="eye", values=[num_rows, num_columns]):
        num_rows = _whole(num_rows, "num_rows")
        num_columns = num_rows if num_columns is None else _whole(num_columns, "num_columns")
        size = engine.minimum(num_rows, num_columns)
        places = engine.range(size, dtype=dtypes.int64)
        return SparseTensor(indices=engine.stack([places, places], axis=1), values=engine.ones(size, dtype=dtype), dense_shape=[num_rows, num_columns])


@export("batch_scatter_update")
def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Assigns elements of a variable, batch by batch."""
    with ops.name_scope(name):
        indices = ops.convert_to_tensor(indices, name="indices")
        sizes, rank = basics.shape(indices), indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        places, parts = engine.expand_dims(indices, axis=-1), []
        for dim in range(rank - 1):
            size, shape = sizes[dim], [1] * (rank + 1)
            shape[dim] = size
            own = engine.reshape(engine.raw_ops.Range(start=0, limit=size, delta=1), shape)
            if own.dtype.base_dtype != places.dtype:
                own = engine.raw_ops.Cast(x=own, DstT=places.dtype)
            parts.append(own * engine.ones_like(places))
        return scatter_nd_update(ref, engine.concat(parts + [places], axis=-1), updates, use_locking=use_locking)


export("test.is_built_with_rocm")(lambda: device_lib.is_rocm_build)


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support():
    return device_lib.is_built_with_cuda()
