"""tf.feature_column: columns of numbers and of ids, for both protocols (column_base.py)."""

import collections

import numpy as np

from .. import dtypes
from ..exports import export
from ..platform import tf_logging as logging
from ..platform.gfile import Exists, GFile
from ..util import nest
from . import column_kinds as kinds
from .column_base import BothCategorical, BothDense, CategoricalColumn, _CategoricalColumn
from .column_kinds import text_or_number


def as_text(key):
    if not isinstance(key, str):
        raise ValueError("key must be a string. Got: type {}. Given key: {}.".format(type(key), key))
    return key


class NumericColumn(kinds.Numeric, BothDense, collections.namedtuple("NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"])):
    pass


def checked_shape(shape, key):
    """The shape of a feature as tuple of positive integers."""
    shape = tuple(shape) if nest.is_sequence(shape) else (shape,)
    for n in shape:
        if not isinstance(n, (int, np.integer)):
            raise TypeError("shape dimensions must be integer. shape: {}, key: {}".format(shape, key))
        if n < 1:
            raise ValueError("shape dimensions must be greater than 0. shape: {}, key: {}".format(shape, key))
    return shape


def _repeated(shape, value):
    return tuple(_repeated(shape[1:], value) for _ in range(shape[0])) if shape else value


def _has_shape(value, shape):
    if not shape or not nest.is_sequence(value):
        return not shape and not nest.is_sequence(value)
    return len(value) == shape[0] and all(_has_shape(v, shape[1:]) for v in value)


def _as_tuples(value):
    return tuple(_as_tuples(v) for v in value) if nest.is_sequence(value) else value


def default_of(shape, value, dtype, key):
    """A default for a feature as nested tuples; a number stands for all values. TypeError unless it fits the dtype."""
    if value is None:
        return None
    if isinstance(value, int) or isinstance(value, float) and dtype.is_floating:
        return _repeated(shape, value)
    if callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if nest.is_sequence(value):
        if not _has_shape(value, shape):
            raise ValueError("The shape of default_value must be equal to given shape. default_value: {}, shape: {}, key: {}".format(value, shape, key))
        flat = nest.flatten(value)
        if all(isinstance(v, int) for v in flat) or dtype.is_floating and any(isinstance(v, float) for v in flat):
            return _as_tuples(value)
    raise TypeError("default_value must be compatible with dtype. default_value: {}, dtype: {}, key: {}".format(value, dtype, key))


def numeric_arguments(key, shape, default_value, dtype, normalizer_fn):
    """The fields of a column of numbers."""
    shape, dtype = checked_shape(shape, key), dtypes.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    default_value = default_of(shape, default_value, dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))
    return as_text(key), shape, default_value, dtype, normalizer_fn


@export("feature_column.numeric_column")
def numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    """Numbers as they are."""
    return NumericColumn(*numeric_arguments(key, shape, default_value, dtype, normalizer_fn))


class BucketizedColumn(kinds.Bucketized, BothDense, BothCategorical, collections.namedtuple("BucketizedColumn", ["source_column", "boundaries"])):
    pass


def bucket_arguments(source_column, boundaries, kind):
    """The fields of a column of buckets. `kind`: the class of its source."""
    if not isinstance(source_column, kind):
        raise ValueError("source_column must be a column generated with numeric_column(). Given: {}".format(source_column))
    if len(source_column.shape) > 1:
        raise ValueError("source_column must be one-dimensional column. Given: {}".format(source_column))
    if not isinstance(boundaries, (list, tuple)) or any(a >= b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return source_column, tuple(boundaries)


@export("feature_column.bucketized_column")
def bucketized_column(source_column, boundaries):
    """The index of the bucket that a number falls in."""
    if isinstance(source_column, kinds.Numeric) and len(source_column.shape) == 1 and not boundaries:
        raise ValueError("boundaries must not be empty.")
    return BucketizedColumn(*bucket_arguments(source_column, boundaries, kinds.Numeric))


class HashedCategoricalColumn(kinds.Hashed, BothCategorical, collections.namedtuple("HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"])):
    pass


def hash_arguments(key, hash_bucket_size, dtype):
    """The fields of a column of hashes."""
    if hash_bucket_size is None:
        raise ValueError("hash_bucket_size must be set. key: {}".format(key))
    if hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be at least 1. hash_bucket_size: {}, key: {}".format(hash_bucket_size, key))
    dtype = dtypes.as_dtype(dtype)
    as_text(key)
    text_or_number(dtype, "column_name: {}".format(key))
    return key, hash_bucket_size, dtype


@export("feature_column.categorical_column_with_hash_bucket")
def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    """Ids by hashes."""
    return HashedCategoricalColumn(*hash_arguments(key, hash_bucket_size, dtype))


class VocabularyFileCategoricalColumn(kinds.VocabularyFile, BothCategorical, collections.namedtuple("VocabularyFileCategoricalColumn", [
        "key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"])):
    pass


def _others(key, num_oov_buckets, default_value, unset):
    """Refuses values for words outside of the vocabulary that do not fit together."""
    if num_oov_buckets:
        if default_value != unset:
            raise ValueError("Can't specify both num_oov_buckets and default_value in {}.".format(key))
        if num_oov_buckets < 0:
            raise ValueError("Invalid num_oov_buckets {} in {}.".format(num_oov_buckets, key))


def file_arguments(key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype):
    """The fields of a column of the words of a file."""
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
    _others(key, num_oov_buckets, default_value, None)
    dtype = dtypes.as_dtype(dtype)
    text_or_number(dtype, "column_name: {}".format(key))
    return as_text(key), vocabulary_file, vocabulary_size, 0 if num_oov_buckets is None else num_oov_buckets, dtype, -1 if default_value is None else default_value


@export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None, dtype=dtypes.string):
    """Ids by the lines of a file."""
    return VocabularyFileCategoricalColumn(*file_arguments(key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype))


def categorical_column_with_vocabulary_file_v2(key, vocabulary_file, vocabulary_size=None, dtype=dtypes.string, default_value=None, num_oov_buckets=0):
    """categorical_column_with_vocabulary_file() with the parameters of version 2."""
    return categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype)


class VocabularyListCategoricalColumn(kinds.VocabularyList, BothCategorical, collections.namedtuple("VocabularyListCategoricalColumn", [
        "key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"])):
    pass


def list_arguments(key, vocabulary_list, dtype, default_value, num_oov_buckets):
    """The fields of a column of the words of a list."""
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError("vocabulary_list {} must be non-empty, column_name: {}".format(vocabulary_list, key))
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError("Duplicate keys in vocabulary_list {}, column_name: {}".format(vocabulary_list, key))
    own = np.array(vocabulary_list).dtype
    own = dtypes.string if own.kind in "USO" else dtypes.as_dtype(own)
    _others(key, num_oov_buckets, default_value, -1)
    text_or_number(own, "column_name: {} vocabulary".format(key))
    dtype = dtypes.as_dtype(dtype) if dtype is not None else own
    if dtype.is_integer != own.is_integer:
        raise ValueError("dtype {} and vocabulary dtype {} do not match, column_name: {}".format(dtype, own, key))
    text_or_number(dtype, "column_name: {}".format(key))
    return as_text(key), tuple(vocabulary_list), dtype, default_value, num_oov_buckets


@export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    """Ids by the positions in a list."""
    return VocabularyListCategoricalColumn(*list_arguments(key, vocabulary_list, dtype, default_value, num_oov_buckets))


class IdentityCategoricalColumn(kinds.Identity, BothCategorical, collections.namedtuple("IdentityCategoricalColumn", ["key", "number_buckets", "default_value"])):
    num_buckets = property(lambda self: self.number_buckets)


def identity_arguments(key, num_buckets, default_value):
    """The fields of a column of ids as they are."""
    if num_buckets < 1:
        raise ValueError("num_buckets {} < 1, column_name {}".format(num_buckets, key))
    if default_value is not None and (default_value < 0 or default_value >= num_buckets):
        raise ValueError("default_value {} not in range [0, {}), column_name {}".format(default_value, num_buckets, key))
    return as_text(key), num_buckets, default_value


@export("feature_column.categorical_column_with_identity")
def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Ids as they are."""
    return IdentityCategoricalColumn(*identity_arguments(key, num_buckets, default_value))


class WeightedCategoricalColumn(kinds.Weighted, BothCategorical, collections.namedtuple("WeightedCategoricalColumn", ["categorical_column", "weight_feature_key", "dtype"])):
    pass


def weight_arguments(categorical_column, weight_feature_key, dtype):
    """The fields of a column of ids with weights."""
    dtype = dtypes.as_dtype(dtype) if dtype is not None else None
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype {} is not convertible to float.".format(dtype))
    return categorical_column, weight_feature_key, dtype


@export("feature_column.weighted_categorical_column")
def weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    """Ids with weights."""
    return WeightedCategoricalColumn(*weight_arguments(categorical_column, weight_feature_key, dtype))


class CrossedColumn(kinds.Crossed, BothCategorical, collections.namedtuple("CrossedColumn", ["keys", "hash_bucket_size", "hash_key"])):
    pass


def cross_arguments(keys, hash_bucket_size, hash_key, kind):
    """The fields of a column of combinations. `kind`: the classes of columns that may be combined."""
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be > 1. hash_bucket_size: {}".format(hash_bucket_size))
    if not keys or len(keys) < 2:
        raise ValueError("keys must be a list with length > 1. Given: {}".format(keys))
    for key in keys:
        if not isinstance(key, (str,) + kind):
            raise ValueError("Unsupported key type. All keys must be either string, or categorical column except HashedCategoricalColumn. Given: {}".format(key))
        if isinstance(key, kinds.Hashed):
            raise ValueError("categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing will increase probability of collision. Instead, use the "
                             "feature name as a string. Given: {}".format(key))
    return tuple(keys), hash_bucket_size, hash_key


@export("feature_column.crossed_column")
def crossed_column(keys, hash_bucket_size, hash_key=None):
    """Ids of the combinations of several features."""
    return CrossedColumn(*cross_arguments(keys, hash_bucket_size, hash_key, (CategoricalColumn, _CategoricalColumn)))
