"""Sequence columns: features with values for each step."""

import collections

from .. import basics, dtypes, engine, ops
from ..data.parsing import VarLenFeature
from ..exports import export
from ..tensor_shape import TensorShape
from . import columns
from .columns import CategoricalColumn, DenseColumn, IdWeightPair
from .learned_columns import IndicatorColumn


class SequenceCategoricalColumn(CategoricalColumn, collections.namedtuple("SequenceCategoricalColumn", ["categorical_column"])):
    _is_sequence = True
    name = property(lambda self: self.categorical_column.name)
    num_buckets = property(lambda self: self.categorical_column.num_buckets)
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)

    def transform(self, cache):
        return cache.get(self.categorical_column)

    def sparse(self, cache):
        pair = self.categorical_column.sparse(cache)
        ids = pair.id_tensor
        # Add a dimension: each step has one id.
        shape = engine.concat([ids.dense_shape[:2] if ids.dense_shape.shape.as_list()[0] is None or ids.dense_shape.shape.as_list()[0] >= 2 else ids.dense_shape, [-1]], axis=0)
        ids = engine.sparse_reshape(ids, shape)
        weights = pair.weight_tensor
        return IdWeightPair(ids, weights if weights is None else engine.sparse_reshape(weights, shape))


def _named(name, make):
    def function(*args, **kwargs):
        return SequenceCategoricalColumn(make(*args, **kwargs))

    function.__name__, function.__doc__ = name, make.__doc__
    export("feature_column." + name)(function)


for _kind in ("identity", "hash_bucket", "vocabulary_file", "vocabulary_list"):
    _named("sequence_categorical_column_with_" + _kind, getattr(columns, "categorical_column_with_" + _kind))
del _kind


class SequenceNumericColumn(DenseColumn, collections.namedtuple("SequenceNumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"])):
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(self.dtype)})
    variable_shape = property(lambda self: TensorShape(self.shape))

    def transform(self, cache):
        tensor = cache.get(self.key)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    def steps(self, cache, collections_, trainable):
        sparse = cache.get(self)
        dense = engine.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        size = 1
        for n in self.shape:
            size *= n
        rank = dense.shape.ndims
        dense = engine.reshape(dense, engine.concat([basics.shape(dense)[:1], [-1], self.shape], axis=0))
        return dense, length_of(sparse, size if rank == 2 else 1)


@export("feature_column.sequence_numeric_column")
def sequence_numeric_column(key, shape=(1,), default_value=0., dtype=dtypes.float32, normalizer_fn=None):
    """Numbers for each step."""
    shape, dtype = columns._checked_shape(shape, key), dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def length_of(sparse, elements=1):
    """The length of each row of a sparse tensor."""
    with ops.name_scope(None, "sequence_length"):
        rows, places = sparse.indices[:, 0], sparse.indices[:, 1] + 1
        found = basics.cast(engine.math.ceil(engine.segment_max(places, rows) / elements), dtypes.int64)
        batch = sparse.dense_shape[0]
        return engine.concat([found, engine.zeros([batch - basics.shape(found, out_type=dtypes.int64)[0]], dtypes.int64)], axis=0)


def steps_of(column, cache, collections_, trainable):
    """(values by step, lengths) of a sequence column."""
    if isinstance(column, SequenceNumericColumn):
        return column.steps(cache, collections_, trainable)
    inner = getattr(column, "categorical_column", None)
    if not isinstance(inner, SequenceCategoricalColumn):
        raise ValueError("All feature_columns must be of type SequenceDenseColumn. You can wrap a sequence_categorical_column with an embedding_column or indicator_column. "
                         "Given (type {}): {}".format(type(column), column))
    pair = inner.sparse(cache)
    if isinstance(column, IndicatorColumn):
        return cache.get(column), length_of(pair.id_tensor)
    return column.rows(cache, collections_, trainable), length_of(pair.id_tensor)
