"""tensorflow.python.feature_column.feature_column: the columns of the first protocol alone (column_base.py), which TensorFlow 1.15 keeps beside those of tf.feature_column."""

import collections

from .. import dtypes
from ..layers.graph_layer import GraphLayer
from ..variable_scope import get_variable_scope
from . import column_kinds as kinds, columns
from .column_base import OldCategorical, OldDense, OldSequence, _CategoricalColumn, buckets_of
from .learned_columns import Embedding, Indicator, Sequence, embedding_arguments


class _NumericColumn(kinds.Numeric, OldDense, collections.namedtuple("_NumericColumn", columns.NumericColumn._fields)):
    pass


class _BucketizedColumn(kinds.Bucketized, OldDense, OldCategorical, collections.namedtuple("_BucketizedColumn", columns.BucketizedColumn._fields)):
    pass


class _HashedCategoricalColumn(kinds.Hashed, OldCategorical, collections.namedtuple("_HashedCategoricalColumn", columns.HashedCategoricalColumn._fields)):
    pass


class _VocabularyFileCategoricalColumn(kinds.VocabularyFile, OldCategorical, collections.namedtuple("_VocabularyFileCategoricalColumn",
                                                                                                  columns.VocabularyFileCategoricalColumn._fields)):
    pass


class _VocabularyListCategoricalColumn(kinds.VocabularyList, OldCategorical, collections.namedtuple("_VocabularyListCategoricalColumn",
                                                                                                  columns.VocabularyListCategoricalColumn._fields)):
    pass


class _IdentityCategoricalColumn(kinds.Identity, OldCategorical, collections.namedtuple("_IdentityCategoricalColumn", ["key", "num_buckets", "default_value"])):
    _old_select = True


class _WeightedCategoricalColumn(kinds.Weighted, OldCategorical, collections.namedtuple("_WeightedCategoricalColumn", columns.WeightedCategoricalColumn._fields)):
    pass


class _CrossedColumn(kinds.Crossed, OldCategorical, collections.namedtuple("_CrossedColumn", columns.CrossedColumn._fields)):
    pass


class _SequenceCategoricalColumn(Sequence, OldCategorical, collections.namedtuple("_SequenceCategoricalColumn", ["categorical_column"])):
    pass


class _IndicatorColumn(Indicator, OldDense, OldSequence, collections.namedtuple("_IndicatorColumn", ["categorical_column"])):
    _layers = ("input_layer", "sequence_input_layer")


class _EmbeddingColumn(Embedding, OldDense, OldSequence, collections.namedtuple("_EmbeddingColumn", [
        "categorical_column", "dimension", "combiner", "layer_creator", "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable"])):
    _layers = ("input_layer", "sequence_input_layer")

    def _numbers(self, reader):
        return super()._numbers(_ByLayer(reader))


class _ByLayer:
    """A reader whose table comes from the column's layer_creator."""

    def __init__(self, reader):
        self._reader = reader
        self.get, self.sparse = reader.get, reader.sparse

    def table_of(self, column):
        return column.layer_creator(weight_collections=self._reader.collections, scope=get_variable_scope())


class _EmbeddingColumnLayer(GraphLayer):
    """The table of an embedding column as a layer without inputs."""

    def __init__(self, embedding_shape, initializer, weight_collections=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._embedding_shape, self._initializer, self._weight_collections = embedding_shape, initializer, weight_collections

    def set_weight_collections(self, weight_collections):
        """Sets the collections that the table will be in."""
        self._weight_collections = weight_collections

    def build(self, _):
        from .inputs import add_to_collections

        self._embedding_weight_var = self.add_variable(name="embedding_weights", shape=self._embedding_shape, dtype=dtypes.float32, initializer=self._initializer,
                                                       trainable=self.trainable)
        add_to_collections(self._embedding_weight_var, self._weight_collections or ())
        self.built = True

    def call(self, _):
        return self._embedding_weight_var


def _numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    return _NumericColumn(*columns.numeric_arguments(key, shape, default_value, dtype, normalizer_fn))


def _bucketized_column(source_column, boundaries):
    if not boundaries and isinstance(source_column, _NumericColumn) and len(source_column.shape) == 1:
        raise ValueError("boundaries must be a sorted list.")
    return _BucketizedColumn(*columns.bucket_arguments(source_column, boundaries, _NumericColumn))


def _categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    return _HashedCategoricalColumn(*columns.hash_arguments(key, hash_bucket_size, dtype))


def _categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None, dtype=dtypes.string):
    return _VocabularyFileCategoricalColumn(*columns.file_arguments(key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype))


def _categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    return _VocabularyListCategoricalColumn(*columns.list_arguments(key, vocabulary_list, dtype, default_value, num_oov_buckets))


def _categorical_column_with_identity(key, num_buckets, default_value=None):
    return _IdentityCategoricalColumn(*columns.identity_arguments(key, num_buckets, default_value))


def _indicator_column(categorical_column):
    return _IndicatorColumn(categorical_column)


def _weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    return _WeightedCategoricalColumn(*columns.weight_arguments(categorical_column, weight_feature_key, dtype))


def _crossed_column(keys, hash_bucket_size, hash_key=None):
    return _CrossedColumn(*columns.cross_arguments(keys, hash_bucket_size, hash_key, (_CategoricalColumn,)))


def _embedding_column(categorical_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    initializer = embedding_arguments(categorical_column.name, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    shape = (buckets_of(categorical_column), dimension)

    def create(weight_collections, scope):
        layer = _EmbeddingColumnLayer(shape, initializer, weight_collections=weight_collections, trainable=trainable, name="embedding_column_layer")
        return layer(None, scope=scope)

    return _EmbeddingColumn(categorical_column, dimension, combiner, create, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable)
