"""tf.nn.safe_embedding_lookup_sparse: rows of a table for ids that may be missing or wrong."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..partitioned_variable import PartitionedVariable
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape


def _kept(ids, weights, keep):
    ids = engine.sparse_retain(ids, keep)
    return ids, weights if weights is None else engine.sparse_retain(weights, keep)


@export("nn.safe_embedding_lookup_sparse", "contrib.layers.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None, name=None, partition_strategy="div", max_norm=None):
    """As embedding_lookup_sparse; ignores negative ids and non-positive weights; rows without ids are zeros (or the row default_id)."""
    if embedding_weights is None:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    weights = list(embedding_weights) if isinstance(embedding_weights, (list, tuple, PartitionedVariable)) else [embedding_weights]
    if not weights:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    weights = [w if getattr(w, "_resource", False) and dtype in (None, w.dtype) else ops.convert_to_tensor(w, dtype=dtype) for w in weights]
    with ops.name_scope(name, "embedding_lookup", weights + [sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        known = shape.shape[0].value
        rank = basics.size(shape) if known is None else known
        sparse_ids = engine.sparse_reshape(sparse_ids, [engine.reduce_prod(engine.slice(shape, [0], [rank - 1])), engine.gather(shape, rank - 1)])
        if sparse_weights is not None:
            sparse_weights = SparseTensor(sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape)
        valid = engine.greater_equal(sparse_ids.values, 0)
        if sparse_weights is not None:
            valid = engine.logical_and(valid, engine.ones_like(sparse_weights.values, dtype=dtypes.bool_))
        sparse_ids, sparse_weights = _kept(sparse_ids, sparse_weights, valid)
        if combiner != "sum" and sparse_weights is not None:
            sparse_ids, sparse_weights = _kept(sparse_ids, sparse_weights, engine.greater(sparse_weights.values, 0))
        sparse_ids, empty = engine.sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = engine.sparse_fill_empty_rows(sparse_weights, 1.0)
        result = engine.nn.embedding_lookup_sparse(weights, sparse_ids, sparse_weights, combiner=combiner, partition_strategy=partition_strategy,
                                                   name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            empty = engine.tile(engine.reshape(empty, [-1, 1]), engine.stack([1, basics.shape(result)[1]]))
            result = engine.where(empty, engine.zeros_like(result), result, name=scope)
        final = engine.reshape(result, engine.concat([engine.slice(basics.cast(shape, dtypes.int32), [0], [rank - 1]), engine.slice(basics.shape(result), [1], [-1])], 0))
        final.set_shape(TensorShape([None] * (known - 1) if known is not None else None).concatenate(result.shape[1:]))
        return final
