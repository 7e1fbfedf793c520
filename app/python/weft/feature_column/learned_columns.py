"""Dense columns made from ids: counts, and rows of learned tables; and ids for each step. For both protocols (column_base.py)."""

import collections
import math

from .. import basics, dtypes, engine, initializers, ops
from ..data import parsing
from ..exports import export
from ..partitioned_variable import PartitionedVariable
from ..tensor_shape import TensorShape
from ..training.checkpoint_reader import init_from_checkpoint
from ..training.tracking.base import AutoTrackable
from ..variable_scope import get_variable
from .column_base import (BothCategorical, BothDense, BothSequence, CategoricalColumn, IdWeightPair, OldDense, OldSequence, TensorSequenceLengthPair, _CategoricalColumn,
                          buckets_of, spec_of)
from .column_kinds import Weighted
from .embedding import safe_embedding_lookup_sparse


def length_of(sparse, elements=1):
    """The length of each row of a sparse tensor."""
    with ops.name_scope(None, "sequence_length") as scope:
        rows, places = sparse.indices[:, 0], sparse.indices[:, 1]
        places += engine.ones_like(places)
        found = basics.cast(engine.math.ceil(engine.segment_max(places, segment_ids=rows) / elements), dtypes.int64)
        absent = basics.shape(sparse)[:1] - basics.shape(found)[:1]
        return engine.concat([found, engine.zeros(absent, dtype=found.dtype)], axis=0, name=scope)


class Sequence:
    """Ids for each step."""

    name = property(lambda self: self.categorical_column.name)
    parents = property(lambda self: [self.categorical_column])
    num_buckets = property(lambda self: buckets_of(self.categorical_column))
    parse_example_spec = property(lambda self: spec_of(self.categorical_column))

    def transform(self, reader):
        return reader.get(self.categorical_column)

    def sparse(self, reader):
        ids, weights = reader.sparse(self.categorical_column)
        shape = basics.shape(ids)
        shape = [shape[0], shape[1], engine.reduce_prod(shape[2:])]
        return IdWeightPair(engine.sparse_reshape(ids, shape), weights if weights is None else engine.sparse_reshape(weights, shape))


class SequenceCategoricalColumn(Sequence, BothCategorical, collections.namedtuple("SequenceCategoricalColumn", ["categorical_column"])):
    pass


class OfIds:
    """A dense column of the ids of another one, for each example or for each step."""

    _what, _layers = None, ("DenseFeatures", "SequenceFeatures")
    parents = property(lambda self: [self.categorical_column])
    parse_example_spec = property(lambda self: spec_of(self.categorical_column))

    def _given(self):
        return "Given (type {}): {}".format(type(self.categorical_column), self.categorical_column)

    def dense(self, reader):
        if isinstance(self.categorical_column, Sequence):
            raise ValueError("In {}: {}. categorical_column must not be of type {}. Suggested fix A: If you wish to use {}, use a non-sequence categorical_column_with_*. Suggested fix B: "
                             "If you wish to create sequence input, use {} instead of {}. {}".format(
                                 self._what, self.name, reader.sequence_class, self._layers[0], self._layers[1], self._layers[0], self._given()))
        return self._numbers(reader)

    def steps(self, reader):
        if not isinstance(self.categorical_column, Sequence):
            raise ValueError("In {}: {}. categorical_column must be of type {} to use {}. Suggested fix: Use one of sequence_categorical_column_with_*. {}".format(
                self._what, self.name, reader.sequence_class, self._layers[1], self._given()))
        numbers = self._numbers(reader)
        return TensorSequenceLengthPair(dense_tensor=numbers, sequence_length=length_of(reader.sparse(self.categorical_column).id_tensor))


class Indicator(OfIds):
    """The number of occurrences of each id."""

    _what = "indicator_column"
    name = property(lambda self: "{}_indicator".format(self.categorical_column.name))
    variable_shape = property(lambda self: TensorShape([1, buckets_of(self.categorical_column)]))

    def transform(self, reader):
        ids, weights = reader.sparse(self.categorical_column)
        size = buckets_of(self.categorical_column)
        if weights is not None:
            weighted = parsing.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=int(size))
            weighted = engine.sparse_slice(weighted, [0, 0], weighted.dense_shape)
            return engine.scatter_nd(weighted.indices, weighted.values, weighted.dense_shape)
        ids = engine.sparse_tensor_to_dense(ids, default_value=-1)
        return engine.reduce_sum(engine.one_hot(ids, depth=size, on_value=1.0, off_value=0.0), axis=[-2])

    def _numbers(self, reader):
        return reader.get(self)


class IndicatorColumn(Indicator, BothDense, BothSequence, collections.namedtuple("IndicatorColumn", ["categorical_column"])):
    pass


@export("feature_column.indicator_column")
def indicator_column(categorical_column):
    """The number of occurrences of each id."""
    return IndicatorColumn(categorical_column)


def _load(checkpoint, name, table):
    """Initializes a table from a checkpoint, if one is given."""
    if checkpoint is not None:
        init_from_checkpoint(checkpoint, {name: table._get_variable_list() if isinstance(table, PartitionedVariable) else table})


class Embedding(OfIds):
    """Rows of a learned table, combined for each example."""

    _what = "embedding_column"
    name = property(lambda self: "{}_embedding".format(self.categorical_column.name))
    variable_shape = property(lambda self: TensorShape([self.dimension]))

    def transform(self, reader):
        return reader.get(self.categorical_column)

    def _numbers(self, reader):
        pair = reader.sparse(self.categorical_column)
        table = reader.table_of(self)
        _load(self.ckpt_to_load_from, self.tensor_name_in_ckpt, table)
        return self._rows(pair, table)

    def _rows(self, pair, table):
        return safe_embedding_lookup_sparse(embedding_weights=table, sparse_ids=pair.id_tensor, sparse_weights=pair.weight_tensor, combiner=self.combiner,
                                            name="%s_weights" % self.name, max_norm=self.max_norm)


class EmbeddingColumn(Embedding, BothDense, BothSequence, collections.namedtuple("EmbeddingColumn", [
        "categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable"])):
    def create_state(self, state_manager):
        state_manager.create_variable(self, name="embedding_weights", shape=(buckets_of(self.categorical_column), self.dimension), dtype=dtypes.float32, trainable=self.trainable,
                                      use_resource=True, initializer=self.initializer)


class _SharedEmbeddingColumn(Embedding, OldDense, OldSequence, collections.namedtuple("_SharedEmbeddingColumn", [
        "categorical_column", "dimension", "combiner", "initializer", "shared_embedding_collection_name", "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable"])):
    """One of several columns with the same table, which is kept in a collection."""

    _layers = ("input_layer", "sequence_input_layer")
    name = property(lambda self: "{}_shared_embedding".format(self.categorical_column.name))
    _var_scope_name = property(lambda self: self.shared_embedding_collection_name)

    def _numbers(self, reader):
        with ops.name_scope(None, default_name=self.name):
            pair = reader.sparse(self.categorical_column)
            known, shape = ops.get_collection(self.shared_embedding_collection_name), (buckets_of(self.categorical_column), self.dimension)
            if len(known) > 1:
                raise ValueError("Collection {} can only contain one variable. Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any "
                                 "variables to this collection. The feature_column library already adds a variable under the hood.".format(known))
            if known and tuple(known[0].shape.as_list()) != shape:
                raise ValueError("Shared embedding collection {} contains variable {} of unexpected shape {}. Expected shape is {}. Suggested fix A: Choose a unique name for this "
                                 "collection. Suggested fix B: Do not add any variables to this collection. The feature_column library already adds a variable under the hood.".format(
                                     self.shared_embedding_collection_name, known[0].name, known[0].shape, shape))
            table = known[0] if known else reader.table_of(self)
            if not known:
                ops.add_to_collection(self.shared_embedding_collection_name, table)
            _load(self.ckpt_to_load_from, self.tensor_name_in_ckpt, table)
            return self._rows(pair, table)


def _refuse_old_protocol(*_, **__):
    raise ValueError("SharedEmbeddingColumns are not supported in `linear_model` or `input_layer`. Please use `DenseFeatures` or `LinearModel` instead.")


class SharedEmbeddingColumn(Embedding, BothDense, BothSequence, collections.namedtuple("SharedEmbeddingColumn", [
        "categorical_column", "shared_embedding_column_creator", "combiner", "max_norm"])):
    """One of several columns with the table of a SharedEmbeddingColumnCreator, of the second protocol alone."""

    _is_v2_column = True
    name = property(lambda self: "{}_shared_embedding".format(self.categorical_column.name))
    dimension = property(lambda self: self.shared_embedding_column_creator.dimension)
    _parse_example_spec = _variable_shape = property(_refuse_old_protocol)
    _transform_feature = _get_dense_tensor = _get_sequence_dense_tensor = _refuse_old_protocol

    def _numbers(self, reader):
        with ops.name_scope(None, default_name=self.name):
            return self._rows(reader.sparse(self.categorical_column), self.shared_embedding_column_creator.embedding_weights)

    def _get_config(self):
        raise NotImplementedError()

    @classmethod
    def _from_config(cls, config, custom_objects=None, columns_by_name=None):
        raise NotImplementedError()


class SharedEmbeddingColumnCreator(AutoTrackable):
    """Makes columns with the same table: a variable for each graph."""

    def __init__(self, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, num_buckets, trainable, name="shared_embedding_column_creator"):
        self._dimension, self._initializer, self._num_buckets, self._trainable, self._name = dimension, initializer, num_buckets, trainable, name
        self._ckpt_to_load_from, self._tensor_name_in_ckpt = ckpt_to_load_from, tensor_name_in_ckpt
        self._embedding_weights = {}

    dimension = property(lambda self: self._dimension)

    def __call__(self, categorical_column, combiner, max_norm):
        return SharedEmbeddingColumn(categorical_column, self, combiner, max_norm)

    @property
    def embedding_weights(self):
        key = ops.get_default_graph()._graph_key
        if key not in self._embedding_weights:
            table = get_variable(name=self._name, shape=(self._num_buckets, self._dimension), dtype=dtypes.float32, initializer=self._initializer, trainable=self._trainable)
            _load(self._ckpt_to_load_from, self._tensor_name_in_ckpt, table)
            self._embedding_weights[key] = table
        return self._embedding_weights[key]


def embedding_arguments(name, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt):
    """The initializer of a table; ValueError if the arguments do not fit."""
    if dimension is None or dimension < 1:
        raise ValueError("Invalid dimension {}.".format(dimension))
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified." + (" Embedding of column_name: {}".format(name) if name else ""))
    return initializer or initializers.truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(dimension))


@export("feature_column.embedding_column")
def embedding_column(categorical_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Rows of a learned table, combined for each example."""
    initializer = embedding_arguments(categorical_column.name, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable)


def _shared(categorical_columns, collection_name, kind):
    """(number of ids, name of the table) of columns that share one; ValueError if they differ."""
    if ops.executing_eagerly():
        raise RuntimeError("shared_embedding_columns are not supported when eager execution is enabled.")
    ordered = sorted(categorical_columns, key=lambda c: c.name)
    if not isinstance(ordered[0], kind):
        raise ValueError("All categorical_columns must be subclasses of {}. Given: {}, of type: {}".format(kind.__name__, ordered[0], type(ordered[0])))
    first, *others = [c.categorical_column if isinstance(c, Weighted) else c for c in ordered]
    size = buckets_of(ordered[0])
    for c in others:
        if not isinstance(c, type(first)):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same type, or be weighted_categorical_column of the same type. Given column: {} "
                             "of type: {} does not match given column: {} of type: {}".format(first, type(first), c, type(c)))
        if size != buckets_of(c):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same number of buckets. Given column: {} with buckets: {} does  not match "
                             "column: {} with buckets: {}".format(first, size, c, buckets_of(c)))
    return size, collection_name or "_".join(c.name for c in ordered) + "_shared_embedding"


@export("feature_column.shared_embedding_columns")
def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None, shared_embedding_collection_name=None, ckpt_to_load_from=None,
                             tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Columns with one learned table, of the first protocol."""
    initializer = embedding_arguments(None, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    _, name = _shared(categorical_columns, shared_embedding_collection_name, _CategoricalColumn)
    return [_SharedEmbeddingColumn(c, dimension, combiner, initializer, name, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable) for c in categorical_columns]


def shared_embedding_columns_v2(categorical_columns, dimension, combiner="mean", initializer=None, shared_embedding_collection_name=None, ckpt_to_load_from=None,
                                tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Columns with one learned table, of the second protocol."""
    initializer = embedding_arguments(None, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    size, name = _shared(categorical_columns, shared_embedding_collection_name, CategoricalColumn)
    creator = SharedEmbeddingColumnCreator(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, size, trainable, name)
    return [creator(categorical_column=c, combiner=combiner, max_norm=max_norm) for c in categorical_columns]
