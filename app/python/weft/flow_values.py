"""Decomposes the values of branches and loops into tensors."""

from .graph_elements import IndexedSlices
from .sparse_tensor import SparseTensor
from .tensor_array import TensorArray
from .util import nest


def parts_of(value):
    """The tensors of a leaf of a structure."""
    if isinstance(value, IndexedSlices):
        return [value.values, value.indices] + ([value.dense_shape] if value.dense_shape is not None else [])
    if isinstance(value, SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if nest._is_composite(value):
        return nest.flatten(value, expand_composites=True)
    return [value]


def joined(like, parts):
    """Rebuilds the leaf, taking as many of `parts` (an iterator) as it needs."""
    if isinstance(like, IndexedSlices):
        values, indices = next(parts), next(parts)
        return IndexedSlices(values, indices, next(parts) if like.dense_shape is not None else None)
    if isinstance(like, SparseTensor):
        indices, values, shape = next(parts), next(parts), next(parts)
        return SparseTensor(indices, values, shape)
    if nest._is_composite(like):
        return nest.pack_sequence_as(like, [next(parts) for _ in parts_of(like)], expand_composites=True)
    value = next(parts)
    return like._with_flow(value) if isinstance(like, TensorArray) else value
