"""tf.contrib.layers: the old feature columns, which are also accepted in place of tf.feature_column's."""

import collections
import math

from .. import basics, dtypes, engine, initializers, ops
from ..data import parsing
from ..data.parsing import VarLenFeature
from ..data.vocabularies import index_table_from_file, index_table_from_tensor
from ..exports import export
from ..feature_column.column_base import IdWeightPair, OldCategorical, OldDense, OldProtocol
from ..feature_column.embedding import safe_embedding_lookup_sparse
from ..operators import strided_slice
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from ..training import checkpoint_reader
from ..variable_base import Variable
from .composed import without_zeros
from .variables import model_variable

Wide = collections.namedtuple("Wide", ["ids", "weights", "size", "combiner"])


def layer(name):
    return export("contrib.layers." + name, "contrib.slim." + name)


def inner_flatten(inputs, rank):
    """The inputs reshaped to `rank` by flattening their last dimensions."""
    with ops.name_scope(None, "InnerFlatten", [inputs, rank]):
        if isinstance(inputs, SparseTensor):
            have = inputs.dense_shape.get_shape().as_list()[0]
            if have < rank:
                raise ValueError("Inputs has rank less than new_rank. {} must have rank at least {}. Received rank {}, shape {}".format(inputs, rank, have, inputs.get_shape()))
            outer, inner = inputs.dense_shape[:rank - 1], inputs.dense_shape[rank - 1:]
            return engine.sparse_reshape(inputs, engine.concat((outer, [engine.reduce_prod(inner)]), 0))
        inputs = ops.convert_to_tensor(inputs)
        with ops.control_dependencies([engine.assert_rank_at_least(inputs, rank, message="inputs has rank less than new_rank")]):
            outer = strided_slice(basics.shape(inputs), [0], [rank - 1])
            flat = engine.reshape(inputs, engine.concat((outer, [-1]), 0))
        known = inputs.get_shape()
        if known.ndims is not None:
            flat.set_shape(known.as_list()[:rank - 1] + [known[rank - 1:].num_elements()])
        return flat


def _fitting_rank(tensor, rank, name):
    have = tensor.get_shape().ndims
    if have is not None:
        if rank > have + 1:
            raise ValueError("Error while processing column {}.Rank of input Tensor ({}) should be the same as output_rank ({}). For example, sequence data should typically be 3 "
                             "dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2).".format(name, have, rank))
        if rank == have + 1:
            logging.warning("Rank of input Tensor ({}) should be the same as output_rank ({}) for column. Will attempt to expand dims. It is highly recommended that you resize your "
                            "input, as this behavior may change.".format(have, rank))
            return engine.expand_dims(tensor, -1, name="expand_dims")
        if rank == have:
            return tensor
    return inner_flatten(tensor, rank)


class OldColumn(OldProtocol):
    """Base of these columns. `config`: the parsing spec; `wide()` and `deep()`: the result of transform() as input of linear models and of networks."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.__name__ = "_" + cls.__name__.lstrip("_")  # columns are ordered by keys that begin with TensorFlow's class name

    key = property(lambda self: "{}".format(self))
    parse_example_spec = property(lambda self: self.config)

    def _key_without(self, names):
        return "{}({})".format(type(self).__name__, ", ".join("{}={}".format(k, v) for k, v in zip(self._fields, self) if k not in names))

    def checkpoint(self):
        return None


def _column(name, fields):
    """A namedtuple whose repr shows TensorFlow's class name, with the underscore."""
    return collections.namedtuple(name, fields)


class SparseColumn(OldColumn, OldCategorical, _column("_SparseColumn", ["column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype"])):
    """Ids of words or numbers; the subclasses compute them."""

    name = property(lambda self: self.column_name)
    length = num_buckets = property(lambda self: self.bucket_size if self.bucket_size is not None else self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets)
    config = property(lambda self: {self.column_name: VarLenFeature(self.dtype)})

    def __new__(cls, column_name, is_integerized=False, bucket_size=None, lookup_config=None, combiner="sum", dtype=dtypes.string, hash_keys=None):
        if is_integerized and bucket_size is None:
            raise ValueError("bucket_size must be set if is_integerized is True. column_name: {}".format(column_name))
        if is_integerized and not dtype.is_integer:
            raise ValueError("dtype must be an integer if is_integerized is True. dtype: {}, column_name: {}.".format(dtype, column_name))
        if dtype != dtypes.string and not dtype.is_integer:
            raise ValueError("dtype must be string or integer. dtype: {}, column_name: {}".format(dtype, column_name))
        if bucket_size is None and lookup_config is None:
            raise ValueError("one of bucket_size or lookup_config must be set. column_name: {}".format(column_name))
        if bucket_size is not None and bucket_size < 1:
            raise ValueError("bucket_size must be at least 1. bucket_size: {}, column_name: {}".format(bucket_size, column_name))
        made = super().__new__(cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype)
        made.hash_keys = hash_keys
        return made

    def id_tensor(self, transformed):
        return transformed

    def weight_tensor(self, transformed):
        return None

    def transform(self, reader):
        tensor = reader.get(self.name)
        if not isinstance(tensor, SparseTensor):
            tensor = without_zeros(_fitting_rank(tensor, 2, self.name), "" if tensor.dtype == dtypes.string else -1)
        return self.ids(tensor)

    def wide(self, transformed):
        return Wide(self.id_tensor(transformed), self.weight_tensor(transformed), self.length, self.combiner)

    def deep(self, transformed, weight_collections, trainable, rank):
        raise ValueError("SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: {}".format(self))

    def is_compatible(self, other):
        if self.lookup_config and other.lookup_config:
            return self.lookup_config == other.lookup_config
        compatible = self.length == other.length and (self.dtype == other.dtype or self.dtype.is_integer and other.dtype.is_integer)
        if compatible:
            logging.warn("Column {} and {} may not have the same vocabulary.".format(self.name, other.name))
        return compatible


def _of(tensor, values):
    return SparseTensor(tensor.indices, values, tensor.dense_shape)


class _SparseColumnIntegerized(SparseColumn):
    def ids(self, tensor):
        return _of(tensor, engine.mod(tensor.values, self.bucket_size, name="mod"))


class _SparseColumnHashed(SparseColumn):
    def ids(self, tensor):
        values = engine.as_string(tensor.values) if self.dtype.is_integer else tensor.values
        if not self.hash_keys:
            return _of(tensor, engine.string_to_hash_bucket_fast(values, self.bucket_size, name="lookup"))
        hashed = [_of(tensor, engine.string_to_hash_bucket_strong(values, self.bucket_size, key)) for key in self.hash_keys]
        return engine.sparse_concat(axis=1, sp_inputs=hashed, name="lookup")


class _SparseColumnKeys(SparseColumn):
    def ids(self, tensor):
        table = index_table_from_tensor(mapping=tuple(self.lookup_config.keys), default_value=self.lookup_config.default_value, dtype=self.dtype, name="lookup")
        return table.lookup(tensor)


class _SparseColumnVocabulary(SparseColumn):
    def ids(self, tensor):
        look = self.lookup_config
        words = _of(tensor, engine.as_string(tensor.values)) if self.dtype.is_integer else tensor
        table = index_table_from_file(vocabulary_file=look.vocabulary_file, num_oov_buckets=look.num_oov_buckets, vocab_size=look.vocab_size,
                                      default_value=look.default_value, name=self.name + "_lookup")
        return table.lookup(words)


_Lookup = collections.namedtuple("_SparseIdLookupConfig", ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"])


@layer("sparse_column_with_integerized_feature")
def sparse_column_with_integerized_feature(column_name, bucket_size, combiner="sum", dtype=dtypes.int64):
    """Numbers as ids, modulo `bucket_size`."""
    return _SparseColumnIntegerized(column_name, is_integerized=True, bucket_size=bucket_size, combiner=combiner, dtype=dtype)


@layer("sparse_column_with_hash_bucket")
def sparse_column_with_hash_bucket(column_name, hash_bucket_size, combiner="sum", dtype=dtypes.string, hash_keys=None):
    """Words as ids, by their hashes."""
    if hash_keys is not None:
        if not isinstance(hash_keys, list) or not hash_keys:
            raise ValueError("hash_keys must be a non-empty list.")
        if not all(isinstance(pair, list) and len(pair) == 2 and all(isinstance(k, int) for k in pair) for pair in hash_keys):
            raise ValueError("Each element of hash_keys must be a pair of integers.")
    return _SparseColumnHashed(column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype, hash_keys=hash_keys)


@layer("sparse_column_with_keys")
def sparse_column_with_keys(column_name, keys, default_value=-1, combiner="sum", dtype=dtypes.string):
    """Words as ids, by their positions in a list."""
    keys = tuple(keys)
    return _SparseColumnKeys(column_name, lookup_config=_Lookup(None, keys, 0, len(keys), default_value), combiner=combiner, dtype=dtype)


@layer("sparse_column_with_vocabulary_file")
def sparse_column_with_vocabulary_file(column_name, vocabulary_file, num_oov_buckets=0, vocab_size=None, default_value=-1, combiner="sum", dtype=dtypes.string):
    """Words as ids, by their line numbers in a file."""
    if vocab_size is None:
        raise ValueError("vocab_size should be defined. column_name: {}".format(column_name))
    return _SparseColumnVocabulary(column_name, lookup_config=_Lookup(vocabulary_file, None, num_oov_buckets, vocab_size, default_value), combiner=combiner, dtype=dtype)


class WeightedSparseColumn(OldColumn, OldCategorical, _column("_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"])):
    name = property(lambda self: "{}_weighted_by_{}".format(self.sparse_id_column.name, self.weight_column_name))
    length = num_buckets = property(lambda self: self.sparse_id_column.length)
    lookup_config = property(lambda self: self.sparse_id_column.lookup_config)
    config = property(lambda self: dict(self.sparse_id_column.config, **{self.weight_column_name: VarLenFeature(self.dtype)}))

    def id_tensor(self, transformed):
        return transformed[0]

    def weight_tensor(self, transformed):
        return transformed[1]

    def transform(self, reader):
        ids = reader.get(self.sparse_id_column)
        weights = reader.get(self.weight_column_name)
        if not isinstance(weights, SparseTensor):
            weights = without_zeros(weights)
        return ids, weights if self.dtype.is_floating else basics.cast(weights, dtypes.float32)

    def sparse(self, reader):
        return IdWeightPair(*reader.get(self))

    def wide(self, transformed):
        return Wide(transformed[0], transformed[1], self.length, self.sparse_id_column.combiner)

    def deep(self, transformed, weight_collections, trainable, rank):
        raise ValueError("WeightedSparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: {}".format(self))

    def is_compatible(self, other):
        return self.sparse_id_column.is_compatible(other.sparse_id_column if isinstance(other, WeightedSparseColumn) else other)


@layer("weighted_sparse_column")
def weighted_sparse_column(sparse_id_column, weight_column_name, dtype=dtypes.float32):
    """Ids, each with a weight from another feature."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype is not convertible to float. Given {}".format(dtype))
    return WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


class OneHotColumn(OldColumn, OldDense, _column("_OneHotColumn", ["sparse_id_column"])):
    name = property(lambda self: "{}_one_hot".format(self.sparse_id_column.name))
    length = property(lambda self: self.sparse_id_column.length)
    config = property(lambda self: self.sparse_id_column.config)
    variable_shape = property(lambda self: TensorShape([self.length]))

    def transform(self, reader):
        return reader.get(self.sparse_id_column)

    def dense(self, reader):
        return self.deep(reader.get(self), None, reader.trainable, 2)

    def wide(self, transformed):
        return None

    def deep(self, transformed, weight_collections, trainable, rank):
        ids, weights = inner_flatten(self.sparse_id_column.id_tensor(transformed), rank), self.sparse_id_column.weight_tensor(transformed)
        if weights is None:
            ids = engine.sparse_tensor_to_dense(ids, default_value=-1)
            return engine.reduce_sum(engine.one_hot(ids, depth=self.length, on_value=1.0, off_value=0.0), axis=[rank - 1])
        weighted = parsing.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
        weighted = engine.sparse_slice(weighted, engine.zeros_like(weighted.dense_shape), weighted.dense_shape)
        dense = engine.sparse_tensor_to_dense(weighted)
        return engine.reshape(dense, engine.concat([basics.shape(dense)[:-1], [self.length]], axis=0))


@layer("one_hot_column")
def one_hot_column(sparse_id_column):
    """Ids as one-hot rows."""
    return OneHotColumn(sparse_id_column)


_EMBEDDING = ["sparse_id_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt", "shared_embedding_name", "shared_vocab_size", "max_norm", "trainable"]


class EmbeddingColumn(OldColumn, OldDense, _column("_EmbeddingColumn", _EMBEDDING)):
    name = property(lambda self: "{}{}_embedding".format(self.sparse_id_column.name, "" if self.shared_embedding_name is None else "_shared"))
    length = property(lambda self: self.sparse_id_column.length if self.shared_vocab_size is None else self.shared_vocab_size)
    config = property(lambda self: self.sparse_id_column.config)
    key = property(lambda self: self._key_without(["initializer"]))
    variable_shape = property(lambda self: TensorShape([self.dimension]))

    def __new__(cls, sparse_id_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None, shared_embedding_name=None,
                shared_vocab_size=None, max_norm=None, trainable=True):
        if initializer is not None and not callable(initializer):
            raise ValueError("initializer must be callable if specified. Embedding of column_name: {}".format(sparse_id_column.name))
        if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
            raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
        if initializer is None:
            logging.warn('The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to "1/sqrt(dimension)" in core implementation '
                         "(tf.feature_column.embedding_column).")
            initializer = initializers.truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(sparse_id_column.length))
        return super().__new__(cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, shared_embedding_name, shared_vocab_size, max_norm,
                               trainable)

    def transform(self, reader):
        return reader.get(self.sparse_id_column)

    def dense(self, reader):
        return self.deep(reader.get(self), reader.collections, reader.trainable, 2)

    def checkpoint(self):
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def wide(self, transformed):
        raise ValueError("Column {} is not supported in linear models. Please use sparse_column.".format(self))

    def _table(self, weight_collections, trainable):
        shape = [self.length, self.dimension]

        def make(name):
            return model_variable(name=name, shape=shape, dtype=dtypes.float32, initializer=self.initializer, trainable=trainable and self.trainable, collections=weight_collections)

        if self.shared_embedding_name is None:
            return make("weights")
        place = "SHARED_EMBEDDING_COLLECTION_" + self.shared_embedding_name.upper()
        shared = ops.get_collection_ref(place)
        if len(shared) > 1:
            raise ValueError("Collection %s can only contain one (partitioned) variable." % place)
        if not shared:
            shared.append(make(self.shared_embedding_name))
        elif shared[0].get_shape().as_list() != shape:
            raise ValueError("The embedding variable with name {} already exists, but its shape does not match required embedding shape here. Please make sure to use different "
                             "shared_embedding_name for different shared embeddings.".format(self.shared_embedding_name))
        return shared[0]

    def deep(self, transformed, weight_collections, trainable, rank):
        ids, weights = self.sparse_id_column.id_tensor(transformed), self.sparse_id_column.weight_tensor(transformed)
        ids = inner_flatten(ids, rank)
        weights = None if weights is None else inner_flatten(weights, rank)
        table = parts_of(self._table(weight_collections, trainable))
        restore(self.checkpoint(), table)
        return safe_embedding_lookup_sparse(table, ids, sparse_weights=weights, combiner=self.combiner, name=self.name + "weights", max_norm=self.max_norm)


def parts_of(variable):
    """The parts of a partitioned variable, or [variable]."""
    return [variable] if isinstance(variable, Variable) else list(variable)


def restore(checkpoint, variables):
    if checkpoint is not None:
        checkpoint_reader.init_from_checkpoint(checkpoint[0], {checkpoint[1]: variables[0] if len(variables) == 1 else variables})


@layer("embedding_column")
def embedding_column(sparse_id_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Ids as rows of an embedding matrix."""
    return EmbeddingColumn(sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm=max_norm, trainable=trainable)


def _shared_name(columns):
    """From the names of the first three columns; weighted ones come last."""
    plain = sorted(c for c in columns if isinstance(c, SparseColumn))
    weighted = sorted((c for c in columns if not isinstance(c, SparseColumn)), key=lambda c: c.name)
    names = [c.name for c in plain + weighted]
    return "_".join(names[:3]) + ("_plus_{}_others".format(len(names) - 3) if len(names) > 3 else "") + "_shared_embedding"


@layer("shared_embedding_columns")
def shared_embedding_columns(sparse_id_columns, dimension, combiner="mean", shared_embedding_name=None, initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None,
                             max_norm=None, trainable=True):
    """Embedding columns with one matrix."""
    columns = sparse_id_columns
    if not isinstance(columns, collections.abc.Sequence) or isinstance(columns, str):
        raise TypeError("sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type {}.".format(type(columns)))
    if len(columns) < 1:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in columns:
        if not isinstance(column, (SparseColumn, WeightedSparseColumn)):
            raise TypeError("Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but {} is not.".format(column))
    size = None
    if len(columns) > 1:
        first, size = columns[0], columns[0].length
        if not all([first.is_compatible(c) if isinstance(first, WeightedSparseColumn) else c.is_compatible(first) for c in columns[1:]]):
            raise ValueError("The input sparse id columns are not compatible.")
        shared_embedding_name = shared_embedding_name or _shared_name(columns)
    made = [EmbeddingColumn(c, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, shared_embedding_name, size, max_norm=max_norm, trainable=trainable)
            for c in columns]
    return made if len(columns) == 1 else tuple(made)
