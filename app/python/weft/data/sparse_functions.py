"""Sparse tensors: placeholders, serialized forms, crosses."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..sparse_tensor import SparseTensor, SparseTensorValue


def _below(name, part):
    return None if name is None else "%s/%s" % (name, part)


@export("sparse_placeholder", "sparse.placeholder")
def sparse_placeholder(dtype, shape=None, name=None):
    """A placeholder for a sparse tensor."""
    rank = None
    if shape is not None:
        rank = shape.get_shape()[0] if isinstance(shape, ops.Tensor) else len(shape)
        known = isinstance(shape, ops.Tensor) or None not in (shape.as_list() if hasattr(shape, "as_list") else shape)
        shape = ops.convert_to_tensor(shape, dtype=dtypes.int64, name=_below(name, "shape")) if known else None
    if shape is None:
        shape = engine.placeholder(dtypes.int64, shape=[rank], name=_below(name, "shape"))
    values = engine.placeholder(dtype, shape=[None], name=_below(name, "values"))
    return SparseTensor(values=values, indices=engine.placeholder(dtypes.int64, shape=[None, rank], name=_below(name, "indices")), dense_shape=shape)


def _sparse(value):
    if not isinstance(value, (SparseTensor, SparseTensorValue)):
        raise TypeError("Input must be a SparseTensor.")
    return SparseTensor.from_value(value)


@export("serialize_sparse", "io.serialize_sparse")
def serialize_sparse(sp_input, name=None, out_type=None):
    """A sparse tensor serialized as a vector of three elements."""
    value = _sparse(sp_input)
    return engine.raw_ops.SerializeSparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, name=name, out_type=out_type or dtypes.string)


@export("serialize_many_sparse", "io.serialize_many_sparse")
def serialize_many_sparse(sp_input, name=None, out_type=None):
    """The rows of a sparse tensor, each serialized as a vector of three elements."""
    value = _sparse(sp_input)
    return engine.raw_ops.SerializeManySparse(sparse_indices=value.indices, sparse_values=value.values, sparse_shape=value.dense_shape, name=name, out_type=out_type or dtypes.string)


def _restored(made, rank):
    indices, values, shape = made
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)


@export("deserialize_many_sparse", "io.deserialize_many_sparse")
def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """The sparse tensor of serialized rows."""
    return _restored(engine.raw_ops.DeserializeManySparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name), rank)


def deserialize_sparse(serialized_sparse, dtype, rank=None, name=None):
    return _restored(engine.raw_ops.DeserializeSparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name), rank)


@export("sparse_mask", "sparse.mask")
def sparse_mask(a, mask_indices, name=None):
    """IndexedSlices without the rows in `mask_indices`."""
    with ops.name_scope(name, "sparse_mask", [a.indices, mask_indices]) as name:
        kept, places = engine.setdiff1d(a.indices, mask_indices)
        return ops.IndexedSlices(engine.gather(a.values, places, name=name), kept, a.dense_shape)


def _cross(inputs, hashed, num_buckets=0, hash_key=None, name=None):
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(i, (SparseTensor, ops.Tensor)) for i in inputs):
        raise TypeError("All inputs must be Tensor or SparseTensor.")
    sparse = [i for i in inputs if isinstance(i, SparseTensor)]
    values, dense = [i.values for i in sparse], [i for i in inputs if not isinstance(i, SparseTensor)]
    inner = dtypes.string if all(v.dtype == dtypes.string for v in values + dense) else dtypes.int64
    values, dense = ([v if v.dtype == dtypes.string else basics.cast(v, dtypes.int64) for v in part] for part in (values, dense))
    indices, out, shape = engine.raw_ops.SparseCross(indices=[i.indices for i in sparse], values=values, shapes=[i.dense_shape for i in sparse], dense_inputs=dense,
                                                     hashed_output=hashed, num_buckets=num_buckets, hash_key=hash_key or 0xDECAFCAFFE,
                                                     out_type=dtypes.int64 if hashed else dtypes.string, internal_type=inner, name=name)
    return SparseTensor(indices, out, shape)


@export("sparse.cross")
def sparse_cross(inputs, name=None):
    """All combinations of features, as strings."""
    return _cross(inputs, False, name=name)


@export("sparse.cross_hashed")
def sparse_cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """All combinations of features, as bucket numbers."""
    return _cross(inputs, True, num_buckets, hash_key, name)
