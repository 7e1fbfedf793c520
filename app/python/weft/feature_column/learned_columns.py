"""Dense columns made from ids: counts, and rows of learned tables."""

import collections
import math

from .. import dtypes, engine, initializers, ops
from ..data import parsing
from ..exports import export
from ..tensor_shape import TensorShape
from ..training.checkpoint_reader import init_from_checkpoint
from ..variable_scope import get_variable
from . import columns
from .column_base import DenseColumn


class IndicatorColumn(DenseColumn, collections.namedtuple("IndicatorColumn", ["categorical_column"])):
    name = property(lambda self: self.categorical_column.name + "_indicator")
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: TensorShape([1, self.categorical_column.num_buckets]))

    def transform(self, cache):
        pair = self.categorical_column.sparse(cache)
        size = self.categorical_column.num_buckets
        if pair.weight_tensor is not None:
            weighted = parsing.sparse_merge(sp_ids=pair.id_tensor, sp_values=pair.weight_tensor, vocab_size=int(size))
            weighted = engine.sparse_slice(weighted, [0, 0], weighted.dense_shape)
            return engine.scatter_nd(weighted.indices, weighted.values, weighted.dense_shape)
        ids = engine.sparse_tensor_to_dense(pair.id_tensor, default_value=-1)
        return engine.reduce_sum(engine.one_hot(ids, depth=size, on_value=1.0, off_value=0.0), axis=[-2])

    def dense(self, cache, collections_, trainable):
        refuse_sequence(self, "indicator_column")
        return cache.get(self)


@export("feature_column.indicator_column")
def indicator_column(categorical_column):
    """The number of occurrences of each id."""
    return IndicatorColumn(categorical_column)


class EmbeddingColumn(DenseColumn, collections.namedtuple("EmbeddingColumn", [
        "categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable"])):
    name = property(lambda self: self.categorical_column.name + "_embedding")
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: TensorShape([self.dimension]))

    def transform(self, cache):
        return cache.get(self.categorical_column)

    def _weights(self, collections_, trainable):
        return get_variable(name="embedding_weights", shape=(self.categorical_column.num_buckets, self.dimension), dtype=dtypes.float32, initializer=self.initializer,
                            trainable=self.trainable and trainable, collections=collections_)

    def _rows(self, pair, weights):
        from .embedding import safe_embedding_lookup_sparse

        if self.ckpt_to_load_from is not None:
            init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: weights})
        return safe_embedding_lookup_sparse(embedding_weights=weights, sparse_ids=pair.id_tensor, sparse_weights=pair.weight_tensor, combiner=self.combiner,
                                            name="%s_weights" % self.name, max_norm=self.max_norm)

    def dense(self, cache, collections_, trainable):
        refuse_sequence(self, "embedding_column")
        return self.rows(cache, collections_, trainable)

    def rows(self, cache, collections_, trainable):
        pair = self.categorical_column.sparse(cache)
        weights = cache.tables.get(self)
        return self._rows(pair, self._weights(collections_, trainable) if weights is None else weights)


class SharedEmbeddingColumn(EmbeddingColumn):
    """One of several columns with the same table, which is kept in a collection."""

    def __new__(cls, shared_name, *fields):
        made = super().__new__(cls, *fields)
        made.shared_embedding_collection_name = shared_name
        return made

    name = property(lambda self: self.categorical_column.name + "_shared_embedding")
    var_scope_name = _var_scope_name = property(lambda self: self.shared_embedding_collection_name)

    def __eq__(self, other):
        return type(self) is type(other) and tuple(self) == tuple(other) and self.shared_embedding_collection_name == other.shared_embedding_collection_name

    def __hash__(self):
        return hash((self.shared_embedding_collection_name,) + tuple(self))

    def rows(self, cache, collections_, trainable):
        with ops.name_scope(None, default_name=self.name):
            pair = self.categorical_column.sparse(cache)
            known, shape = ops.get_collection(self.shared_embedding_collection_name), (self.categorical_column.num_buckets, self.dimension)
            if len(known) > 1:
                raise ValueError("Collection {} can only contain one variable. Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any "
                                 "variables to this collection. The feature_column library already adds a variable under the hood.".format(known))
            if known and tuple(known[0].shape.as_list()) != shape:
                raise ValueError("Shared embedding collection {} contains variable {} of unexpected shape {}. Expected shape is {}. ".format(
                    self.shared_embedding_collection_name, known[0].name, known[0].shape, shape))
            weights = known[0] if known else self._weights(collections_, trainable)
            if not known:
                ops.add_to_collection(self.shared_embedding_collection_name, weights)
            return self._rows(pair, weights)


def _embedding_arguments(name, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt):
    if dimension is None or dimension < 1:
        raise ValueError("Invalid dimension {}.".format(dimension))
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified." + (" Embedding of column_name: {}".format(name) if name else ""))


@export("feature_column.embedding_column")
def embedding_column(categorical_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Rows of a learned table, combined for each example."""
    _embedding_arguments(categorical_column.name, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    initializer = initializer or initializers.truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(dimension))
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable)


@export("feature_column.shared_embedding_columns")
def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None, shared_embedding_collection_name=None, ckpt_to_load_from=None,
                             tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Columns with one learned table."""
    _embedding_arguments(None, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    initializer = initializer or initializers.truncated_normal_initializer(mean=0.0, stddev=1. / math.sqrt(dimension))
    ordered = sorted(categorical_columns, key=lambda c: c.name)
    plain = lambda c: c.categorical_column if isinstance(c, columns.WeightedCategoricalColumn) else c  # noqa: E731
    first = plain(ordered[0])
    for c in ordered[1:]:
        c = plain(c)
        if type(c) is not type(first):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same type, or be weighted_categorical_column or sequence column of the same "
                             "type. Given column: {} of type: {} does not match given column: {} of type: {}".format(first, type(first), c, type(c)))
        if c.num_buckets != first.num_buckets:
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same number of buckets. Given column: {} with buckets: {} does  not match "
                             "column: {} with buckets: {}".format(first, first.num_buckets, c, c.num_buckets))
    name = shared_embedding_collection_name or "_".join(c.name for c in ordered) + "_shared_embedding"
    return [SharedEmbeddingColumn(name, c, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable) for c in categorical_columns]


def refuse_sequence(column, kind):
    inner = column.categorical_column
    if getattr(inner, "_is_sequence", False):
        raise ValueError("In {}: {}. categorical_column must not be of type _SequenceCategoricalColumn. Suggested fix A: If you wish to use DenseFeatures, use a non-sequence "
                         "categorical_column_with_*. Suggested fix B: If you wish to create sequence input, use SequenceFeatures instead of DenseFeatures. Given (type {}): {}"
                         .format(kind, column.name, type(inner), inner))
