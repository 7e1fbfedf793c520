"""tf.nn.safe_embedding_lookup_sparse: rows of a table for ids that may be missing or wrong."""

import tensorflow as tf

from ..exports import export
from ..partitioned_variable import PartitionedVariable


def _kept(ids, weights, keep):
    ids = tf.sparse_retain(ids, keep)
    return ids, weights if weights is None else tf.sparse_retain(weights, keep)


@export("nn.safe_embedding_lookup_sparse", "contrib.layers.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None, name=None, partition_strategy="div", max_norm=None):
    """As embedding_lookup_sparse; negative ids and weights that are not positive are left out, rows without ids are zeros (or the row default_id)."""
    if embedding_weights is None:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    weights = list(embedding_weights) if isinstance(embedding_weights, (list, tuple, PartitionedVariable)) else [embedding_weights]
    if not weights:
        raise ValueError("Missing embedding_weights %s." % embedding_weights)
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    weights = [w if getattr(w, "_resource", False) and dtype in (None, w.dtype) else tf.convert_to_tensor(w, dtype=dtype) for w in weights]
    with tf.name_scope(name, "embedding_lookup", weights + [sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        known = shape.shape.as_list()[0]
        rank = tf.size(shape) if known is None else known
        sparse_ids = tf.sparse_reshape(sparse_ids, [tf.reduce_prod(tf.slice(shape, [0], [rank - 1])), tf.gather(shape, rank - 1)])
        if sparse_weights is not None:
            sparse_weights = tf.SparseTensor(sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape)
        valid = tf.greater_equal(sparse_ids.values, 0)
        if sparse_weights is not None:
            valid = tf.logical_and(valid, tf.ones_like(sparse_weights.values, dtype=tf.bool))
        sparse_ids, sparse_weights = _kept(sparse_ids, sparse_weights, valid)
        if combiner != "sum" and sparse_weights is not None:
            sparse_ids, sparse_weights = _kept(sparse_ids, sparse_weights, tf.greater(sparse_weights.values, 0))
        sparse_ids, empty = tf.sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = tf.sparse_fill_empty_rows(sparse_weights, 1.0)
        result = tf.nn.embedding_lookup_sparse(weights, sparse_ids, sparse_weights, combiner=combiner, partition_strategy=partition_strategy,
                                               name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            empty = tf.tile(tf.reshape(empty, [-1, 1]), tf.stack([1, tf.shape(result)[1]]))
            result = tf.where(empty, tf.zeros_like(result), result, name=scope)
        final = tf.reshape(result, tf.concat([tf.slice(tf.cast(shape, tf.int32), [0], [rank - 1]), tf.slice(tf.shape(result), [1], [-1])], 0))
        final.set_shape(tf.TensorShape([None] * (known - 1) if known is not None else None).concatenate(result.shape[1:]))
        return final
