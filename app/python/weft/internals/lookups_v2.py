"""Functions of tf.compat.v2 that TensorFlow's own modules name: embeddings in contiguous parts, fractional pooling, glimpses."""

from .. import engine, ops
from ..feature_column.embedding import safe_embedding_lookup_sparse


def embedding_lookup_v2(params, ids, max_norm=None, name=None):
    return engine.nn.embedding_lookup(params, ids, partition_strategy="div", name=name, max_norm=max_norm)


def embedding_lookup_sparse_v2(params, sp_ids, sp_weights, combiner=None, max_norm=None, name=None):
    return engine.nn.embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy="div", name=name, combiner=combiner, max_norm=max_norm)


def safe_embedding_lookup_sparse_v2(embedding_weights, sparse_ids, sparse_weights=None, combiner="mean", default_id=None, max_norm=None, name=None):
    return safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=sparse_weights, combiner=combiner, default_id=default_id, name=name,
                                                  partition_strategy="div", max_norm=max_norm)


def _sequence(value, n, channel_index, name):
    """A number, or a list of 1, n or n + 2 numbers, as a list of n + 2."""
    value = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(value) == n + 2:
        return value
    if len(value) not in (1, n):
        raise ValueError("%s should be of length 1, %d or %d but was %d" % (name, n, n + 2, len(value)))
    value = value * n if len(value) == 1 else value
    return [1] + value + [1] if channel_index != 1 else [1, 1] + value


def _fractional(op, value, pooling_ratio, pseudo_random, overlapping, seed, name):
    seeds = (0, 0) if seed == 0 else ops.get_seed(seed)
    return op(value=value, pooling_ratio=pooling_ratio, pseudo_random=pseudo_random, overlapping=overlapping, deterministic=seed != 0, seed=seeds[0], seed2=seeds[1], name=name)


def fractional_max_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Maxima of regions whose size varies by `pooling_ratio`."""
    ratio = _sequence(pooling_ratio, 2, 3, "pooling_ratio")
    return _fractional(engine.raw_ops.FractionalMaxPool, value, ratio, pseudo_random, overlapping, seed, name)


def fractional_avg_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    """Means of regions whose size varies by `pooling_ratio`."""
    return _fractional(engine.raw_ops.FractionalAvgPool, value, pooling_ratio, pseudo_random, overlapping, seed, name)
