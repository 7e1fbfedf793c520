"""tf.feature_column: columns of numbers and of ids.

A column's `transform` gives its tensor from a FeatureCache; a categorical column gives ids (and weights), a dense one numbers."""

import collections

import numpy as np

from .. import basics, dtypes, engine, ops
from ..data.parsing import FixedLenFeature, VarLenFeature
from ..data.sparse_functions import sparse_cross_hashed
from ..data.vocabularies import index_table_from_tensor
from ..exports import export
from ..op_calls import raw
from ..platform import tf_logging as logging
from ..platform.gfile import Exists, GFile
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from .column_base import CategoricalColumn, DenseColumn, IdWeightPair
from .column_base import FeatureCache, FeatureColumn, rows_of  # noqa: F401 (re-exported)


def _as_text(key):
    if not isinstance(key, str):
        raise ValueError("key must be a string. Got: type {}, given key: {}.".format(type(key), key))
    return key


def _text_or_number(dtype, prefix):
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError("{} dtype must be string or integer. dtype: {}.".format(prefix, dtype))


def _sparse_input(tensor, ignore=None):
    if isinstance(tensor, SparseTensor):
        return tensor
    with ops.name_scope(None, "to_sparse_input", (tensor, ignore)):
        if ignore is None:
            ignore = "" if tensor.dtype == dtypes.string else -1 if tensor.dtype.is_integer else tensor.dtype.as_numpy_dtype()
        ignore = basics.cast(ignore, tensor.dtype, name="ignore_value")
        indices = engine.where(engine.not_equal(tensor, ignore), name="indices")
        return SparseTensor(indices, engine.gather_nd(tensor, indices, name="values"), basics.shape(tensor, out_type=dtypes.int64, name="dense_shape"))


# Columns of numbers.
class NumericColumn(DenseColumn, collections.namedtuple("NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"])):
    parse_example_spec = property(lambda self: {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)})
    variable_shape = property(lambda self: TensorShape(self.shape))

    def transform(self, cache):
        tensor = cache.get(self.key)
        if isinstance(tensor, SparseTensor):
            raise ValueError("The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. key: {}".format(self.key))
        if self.normalizer_fn is not None:
            tensor = self.normalizer_fn(tensor)
        return basics.cast(tensor, dtypes.float32)


def _checked_shape(shape, key):
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    for n in shape:
        if not isinstance(n, (int, np.integer)):
            raise TypeError("shape dimensions must be integer. shape: {}, key: {}".format(shape, key))
        if n < 1:
            raise ValueError("shape dimensions must be greater than 0. shape: {}, key: {}".format(shape, key))
    return shape


def _default_of(shape, value, dtype, key):
    if value is None:
        return None
    array = np.asarray(value)
    if array.ndim and tuple(array.shape) != tuple(shape):
        raise ValueError("The shape of default_value must be equal to given shape. default_value: {}, shape: {}, key: {}".format(value, shape, key))
    if not (np.issubdtype(array.dtype, np.integer) or dtype.is_floating and np.issubdtype(array.dtype, np.floating)):
        raise TypeError("default_value must be compatible with dtype. default_value: {}, dtype: {}, key: {}".format(value, dtype, key))
    nested = np.broadcast_to(array, shape).astype(dtype.as_numpy_dtype).tolist()
    return tuple(nested) if isinstance(nested, list) and len(shape) == 1 else nested


@export("feature_column.numeric_column")
def numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    """Numbers as they are."""
    shape = _checked_shape(shape, key)
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))
    return NumericColumn(_as_text(key), shape, _default_of(shape, default_value, dtype, key), dtype, normalizer_fn)


class BucketizedColumn(DenseColumn, CategoricalColumn, collections.namedtuple("BucketizedColumn", ["source_column", "boundaries"])):
    name = property(lambda self: self.source_column.name + "_bucketized")
    parse_example_spec = property(lambda self: self.source_column.parse_example_spec)
    variable_shape = property(lambda self: TensorShape(tuple(self.source_column.shape) + (len(self.boundaries) + 1,)))
    num_buckets = property(lambda self: (len(self.boundaries) + 1) * self.source_column.shape[0])

    def transform(self, cache):
        return raw("Bucketize")(cache.get(self.source_column), boundaries=self.boundaries)

    def dense(self, cache, collections_, trainable):
        return engine.one_hot(indices=basics.cast(cache.get(self), dtypes.int64), depth=len(self.boundaries) + 1, on_value=1., off_value=0.)

    def sparse(self, cache):
        tensor = cache.get(self)
        batch, width = basics.shape(tensor)[0], self.source_column.shape[0]
        rows = engine.reshape(engine.tile(engine.expand_dims(engine.range(0, batch), 1), [1, width]), (-1,))
        places = engine.tile(engine.range(0, width), [batch])
        ids = engine.reshape(tensor, (-1,)) + (len(self.boundaries) + 1) * places
        indices = basics.cast(engine.transpose(engine.stack((rows, places))), dtypes.int64)
        return IdWeightPair(SparseTensor(indices, ids, basics.cast(engine.stack([batch, width]), dtypes.int64)), None)


@export("feature_column.bucketized_column")
def bucketized_column(source_column, boundaries):
    """The index of the bucket that a number falls in."""
    if not isinstance(source_column, NumericColumn):
        raise ValueError("source_column must be a column generated with numeric_column(). Given: {}".format(source_column))
    if len(source_column.shape) > 1:
        raise ValueError("source_column must be one-dimensional column. Given: {}".format(source_column))
    if not boundaries or not isinstance(boundaries, (list, tuple)):
        raise ValueError("boundaries must be a sorted list.")
    if any(a >= b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


# Columns of ids.
class _KeyedColumn(CategoricalColumn):
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(self.dtype)})

    def transform(self, cache):
        return self.ids(_sparse_input(cache.get(self.key)))

    def _compatible(self, tensor):
        if self.dtype.is_integer != tensor.dtype.is_integer:
            raise ValueError("Column dtype and SparseTensors dtype must be compatible. key: {}, column dtype: {}, tensor dtype: {}".format(self.key, self.dtype, tensor.dtype))
        _text_or_number(tensor.dtype, "column_name: {} input_tensor".format(self.key))


class HashedCategoricalColumn(_KeyedColumn, collections.namedtuple("HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"])):
    num_buckets = property(lambda self: self.hash_bucket_size)

    def ids(self, tensor):
        self._compatible(tensor)
        values = tensor.values if self.dtype == dtypes.string else engine.as_string(tensor.values)
        return SparseTensor(tensor.indices, engine.string_to_hash_bucket_fast(values, self.hash_bucket_size, name="lookup"), tensor.dense_shape)


@export("feature_column.categorical_column_with_hash_bucket")
def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    """Ids by hashes."""
    if hash_bucket_size is None:
        raise ValueError("hash_bucket_size must be set. key: {}".format(key))
    if hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be at least 1. hash_bucket_size: {}, key: {}".format(hash_bucket_size, key))
    dtype = dtypes.as_dtype(dtype)
    _text_or_number(dtype, "column_name: {}".format(key))
    return HashedCategoricalColumn(_as_text(key), hash_bucket_size, dtype)


class _VocabularyColumn(_KeyedColumn):
    def ids(self, tensor):
        self._compatible(tensor)
        kind = self.dtype
        if tensor.dtype.is_integer:
            kind, tensor = dtypes.int64, basics.cast(tensor, dtypes.int64)
        return self.table(kind, "{}_lookup".format(self.key)).lookup(tensor)


class VocabularyFileCategoricalColumn(_VocabularyColumn, collections.namedtuple("VocabularyFileCategoricalColumn", [
        "key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"])):
    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)

    def table(self, kind, name):
        from ..data.vocabularies import index_table_from_file

        return index_table_from_file(vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
                                     default_value=self.default_value, key_dtype=kind, name=name)


@export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None, dtype=dtypes.string):
    """Ids by the lines of a file."""
    if not vocabulary_file:
        raise ValueError("Missing vocabulary_file in {}.".format(key))
    if vocabulary_size is None:
        if not Exists(vocabulary_file):
            raise ValueError("vocabulary_file in {} does not exist.".format(key))
        with GFile(vocabulary_file) as f:
            vocabulary_size = sum(1 for _ in f)
        logging.info("vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.", vocabulary_size, key, vocabulary_file)
    if vocabulary_size < 1:
        raise ValueError("Invalid vocabulary_size in {}.".format(key))
    return VocabularyFileCategoricalColumn(_as_text(key), vocabulary_file, vocabulary_size, 0 if num_oov_buckets is None else num_oov_buckets, _vocabulary_dtype(key, dtype),
                                           _vocabulary_default(key, num_oov_buckets, default_value))


def _vocabulary_dtype(key, dtype):
    dtype = dtypes.as_dtype(dtype)
    _text_or_number(dtype, "column_name: {}".format(key))
    return dtype


def _vocabulary_default(key, num_oov_buckets, default_value):
    if num_oov_buckets:
        if default_value is not None and default_value != -1:
            raise ValueError("Can't specify both num_oov_buckets and default_value in {}.".format(key))
        if num_oov_buckets < 0:
            raise ValueError("Invalid num_oov_buckets {} in {}.".format(num_oov_buckets, key))
    return -1 if default_value is None else default_value


class VocabularyListCategoricalColumn(_VocabularyColumn, collections.namedtuple("VocabularyListCategoricalColumn", [
        "key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"])):
    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)

    def table(self, kind, name):
        return index_table_from_tensor(tuple(self.vocabulary_list), default_value=self.default_value, num_oov_buckets=self.num_oov_buckets, dtype=kind, name=name)


@export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    """Ids by the positions in a list."""
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError("vocabulary_list {} must be non-empty, column_name: {}".format(vocabulary_list, key))
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError("Duplicate keys in vocabulary_list {}, column_name: {}".format(vocabulary_list, key))
    own = dtypes.as_dtype(np.array(vocabulary_list).dtype) if np.array(vocabulary_list).dtype.kind not in "USO" else dtypes.string
    _text_or_number(own, "column_name: {} vocabulary".format(key))
    dtype = dtypes.as_dtype(dtype) if dtype is not None else own
    _text_or_number(dtype, "column_name: {}".format(key))
    if dtype.is_integer != own.is_integer:
        raise ValueError("dtype {} and vocabulary dtype {} do not match, column_name: {}".format(dtype, own, key))
    _vocabulary_default(key, num_oov_buckets, default_value)
    return VocabularyListCategoricalColumn(_as_text(key), tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


class IdentityCategoricalColumn(_KeyedColumn, collections.namedtuple("IdentityCategoricalColumn", ["key", "number_buckets", "default_value"])):
    num_buckets = property(lambda self: self.number_buckets)
    dtype = dtypes.int64

    def ids(self, tensor):
        if not tensor.dtype.is_integer:
            raise ValueError("Invalid input, not integer. key: {} dtype: {}".format(self.key, tensor.dtype))
        values = basics.cast(tensor.values, dtypes.int64, name="values")
        count, zero = basics.cast(self.num_buckets, dtypes.int64, name="num_buckets"), basics.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            checks = (engine.assert_less(values, count, data=(values, count), message='Bucket index for categorical column "{}" exceeds number of buckets'.format(self.name),
                                         name="assert_less_than_num_buckets"),
                      engine.assert_greater_equal(values, zero, data=(values,), message='Negative bucket index for categorical column "{}"'.format(self.name),
                                                  name="assert_greater_or_equal_0"))
            with ops.control_dependencies(checks):
                values = engine.identity(values)
        else:
            values = engine.where_v2(engine.logical_or(values < zero, values >= count, name="out_of_range"),
                                     engine.fill(dims=basics.shape(values), value=basics.cast(self.default_value, dtypes.int64), name="default_values"), values)
        return SparseTensor(tensor.indices, values, tensor.dense_shape)


@export("feature_column.categorical_column_with_identity")
def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Numbers that are ids."""
    if num_buckets < 1:
        raise ValueError("num_buckets {} < 1, column_name {}".format(num_buckets, key))
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError("default_value {} not in range [0, {}), column_name {}".format(default_value, num_buckets, key))
    return IdentityCategoricalColumn(_as_text(key), num_buckets, default_value)


class WeightedCategoricalColumn(CategoricalColumn, collections.namedtuple("WeightedCategoricalColumn", ["categorical_column", "weight_feature_key", "dtype"])):
    name = property(lambda self: "{}_weighted_by_{}".format(self.categorical_column.name, self.weight_feature_key))
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    @property
    def parse_example_spec(self):
        spec = dict(self.categorical_column.parse_example_spec)
        if self.weight_feature_key in spec:
            raise ValueError("Parse config {} already exists for {}.".format(spec[self.weight_feature_key], self.weight_feature_key))
        spec[self.weight_feature_key] = VarLenFeature(self.dtype)
        return spec

    def transform(self, cache):
        weights = cache.get(self.weight_feature_key)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError("Bad dtype, expected {}, but got {}.".format(self.dtype, weights.dtype))
        if not isinstance(weights, SparseTensor):
            weights = _sparse_input(weights, ignore=0.0)
        if not weights.dtype.is_floating:
            weights = basics.cast(weights, dtypes.float32)
        return cache.get(self.categorical_column), weights

    def sparse(self, cache):
        return IdWeightPair(*cache.get(self))


@export("feature_column.weighted_categorical_column")
def weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    """Ids with weights."""
    dtype = dtypes.as_dtype(dtype) if dtype is not None else None
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype {} is not convertible to float.".format(dtype))
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


class CrossedColumn(CategoricalColumn, collections.namedtuple("CrossedColumn", ["keys", "hash_bucket_size", "hash_key"])):
    name = property(lambda self: "_X_".join(sorted(k if isinstance(k, str) else k.name for k in self.leaves())))
    num_buckets = property(lambda self: self.hash_bucket_size)

    def leaves(self):
        found = []
        for key in self.keys:
            found += key.leaves() if isinstance(key, CrossedColumn) else [key]
        return found

    @property
    def parse_example_spec(self):
        spec = {}
        for key in self.keys:
            spec.update({key: VarLenFeature(dtypes.string)} if isinstance(key, str) else key.parse_example_spec)
        return spec

    def transform(self, cache):
        tensors = []
        for key in self.leaves():
            if isinstance(key, str):
                tensors.append(cache.get(key))
                continue
            pair = key.sparse(cache)
            if pair.weight_tensor is not None:
                raise ValueError("crossed_column does not support weight_tensor, but the given column populates weight_tensor. Given column: {}".format(key.name))
            tensors.append(pair.id_tensor)
        return sparse_cross_hashed(inputs=tensors, num_buckets=self.hash_bucket_size, hash_key=self.hash_key)


@export("feature_column.crossed_column")
def crossed_column(keys, hash_bucket_size, hash_key=None):
    """Ids of the combinations of several features."""
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be > 1. hash_bucket_size: {}".format(hash_bucket_size))
    if not keys or len(keys) < 2:
        raise ValueError("keys must be a list with length > 1. Given: {}".format(keys))
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError("Unsupported key type. All keys must be either string, or categorical column except HashedCategoricalColumn. Given: {}".format(key))
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError("categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing will increase probability of collision. Instead, use the "
                             "feature name as a string. Given: {}".format(key))
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)
