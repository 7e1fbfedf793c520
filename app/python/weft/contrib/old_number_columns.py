"""tf.contrib.layers: real-valued, bucketized and crossed columns."""

from .. import basics, dtypes, engine
from ..data.parsing import FixedLenFeature
from ..feature_column.column_base import IdWeightPair, OldCategorical, OldDense
from ..op_calls import raw
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from .old_columns import OldColumn, SparseColumn, Wide, _column, _fitting_rank, layer


class RealValuedColumn(OldColumn, OldDense, _column("_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"])):
    name = property(lambda self: self.column_name)
    key = property(lambda self: self._key_without(["normalizer"]))
    normalizer_fn = property(lambda self: self.normalizer)
    variable_shape = property(lambda self: TensorShape([self.dimension]))

    @property
    def config(self):
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    def transform(self, reader):
        tensor = reader.get(self.name)
        return basics.cast(tensor if self.normalizer is None else self.normalizer(tensor), dtypes.float32)

    def wide(self, transformed):
        return None

    def deep(self, transformed, weight_collections, trainable, rank):
        return _fitting_rank(transformed if transformed.dtype == dtypes.float32 else basics.cast(transformed, dtypes.float32), rank, self.name)


def _default_of(value, dimension, dtype, column_name):
    """The default as a list of numbers of the column's type."""
    values = value if isinstance(value, list) else [value] * dimension
    if len(values) != dimension:
        raise ValueError("The length of default_value must be equal to dimension. default_value: {}, dimension: {}, column_name: {}".format(value, dimension, column_name))
    if all(isinstance(v, int) for v in values) and dtype.is_integer:
        return values
    if all(isinstance(v, (int, float)) for v in values) and dtype.is_floating:
        return [float(v) for v in values]
    raise TypeError("default_value must be compatible with dtype. default_value: {}, dtype: {}, column_name: {}".format(value, dtype, column_name))


@layer("real_valued_column")
def real_valued_column(column_name, dimension=1, default_value=None, dtype=dtypes.float32, normalizer=None):
    """A column of numbers."""
    if dimension is None:
        raise TypeError("dimension must be an integer. Use the _real_valued_var_len_column for variable length features.dimension: {}, column_name: {}"
                        .format(dimension, column_name))
    if not isinstance(dimension, int):
        raise TypeError("dimension must be an integer. dimension: {}, column_name: {}".format(dimension, column_name))
    if dimension < 1:
        raise ValueError("dimension must be greater than 0. dimension: {}, column_name: {}".format(dimension, column_name))
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, column_name: {}".format(dtype, column_name))
    if default_value is not None:
        default_value = tuple(_default_of(default_value, dimension, dtype, column_name))
    return RealValuedColumn(column_name, dimension, default_value, dtype, normalizer)


class BucketizedColumn(OldColumn, OldDense, OldCategorical, _column("_BucketizedColumn", ["source_column", "boundaries"])):
    name = property(lambda self: "{}_bucketized".format(self.source_column.name))
    length = property(lambda self: len(self.boundaries) + 1)
    num_buckets = property(lambda self: self.length * self.source_column.dimension)
    config = property(lambda self: self.source_column.config)
    variable_shape = property(lambda self: TensorShape([self.num_buckets]))

    def transform(self, reader):
        return raw("Bucketize")(input=reader.get(self.source_column), boundaries=list(self.boundaries), name="bucketize")

    def dense(self, reader):
        return self.deep(reader.get(self), None, reader.trainable, 2)

    def sparse(self, reader):
        return IdWeightPair(self.to_sparse_tensor(reader.get(self)), None)

    def to_sparse_tensor(self, tensor):
        """Bucket ids, distinct for each position in the column."""
        width, rows = self.source_column.dimension, basics.shape(tensor, name="shape")[0]
        if width > 1:
            first = engine.tile(engine.expand_dims(engine.range(0, rows), 1, name="expand_dims"), [1, width], name="tile")
            first = engine.reshape(first, [-1], name="reshape")
            second = engine.tile(engine.range(0, width), [rows], name="tile")
            ids = engine.reshape(tensor, [-1], name="reshape") + self.length * second
        else:
            first = engine.range(0, rows)
            second = engine.zeros([rows], dtype=dtypes.int32, name="zeros")
            ids = engine.reshape(tensor, [-1], name="reshape")
        indices = basics.cast(engine.transpose(engine.stack((first, second))), dtypes.int64)
        return SparseTensor(indices, ids, basics.cast(engine.stack([rows, width]), dtypes.int64))

    def wide(self, transformed):
        return Wide(self.to_sparse_tensor(transformed), None, self.num_buckets, "sum")

    def deep(self, transformed, weight_collections, trainable, rank):
        if rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        ones = engine.one_hot(basics.cast(transformed, dtypes.int64), self.length, 1.0, 0.0, name="one_hot")
        return engine.reshape(ones, [-1, self.num_buckets], name="reshape")


@layer("bucketized_column")
def bucketized_column(source_column, boundaries):
    """The index of the bucket that a number falls in."""
    if not isinstance(source_column, RealValuedColumn):
        raise TypeError("source_column must be an instance of _RealValuedColumn. source_column: {}".format(source_column))
    if not isinstance(boundaries, (list, tuple)) or not boundaries:
        raise ValueError("boundaries must be a non-empty list or tuple. boundaries: {}".format(boundaries))
    if any(a > b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list. boundaries: {}".format(boundaries))
    return BucketizedColumn(source_column, tuple(b for i, b in enumerate(boundaries) if i + 1 == len(boundaries) or b != boundaries[i + 1]))


class CrossedColumn(OldColumn, OldCategorical, _column("_CrossedColumn", ["columns", "hash_bucket_size", "hash_key", "combiner", "ckpt_to_load_from", "tensor_name_in_ckpt"])):
    name = property(lambda self: "_X_".join(sorted(c.name for c in self.columns)))
    length = num_buckets = property(lambda self: self.hash_bucket_size)
    config = property(lambda self: {k: v for c in self.columns for k, v in c.config.items()})

    def id_tensor(self, transformed):
        return transformed

    def weight_tensor(self, transformed):
        return None

    def checkpoint(self):
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def _leaves(self):
        return [leaf for c in self.columns for leaf in (c._leaves() if isinstance(c, CrossedColumn) else [c])]

    def transform(self, reader):
        if self.hash_key is None:
            raise NotImplementedError("tf.contrib.layers.crossed_column: the engine has no op SparseFeatureCross, whose hash a column without hash_key uses. Give a hash_key, "
                                      "or use tf.feature_column.crossed_column. column: {}".format(self.name))
        tensors = []
        for column in self._leaves():
            tensor = reader.get(column.name if isinstance(column, SparseColumn) else column)
            tensors.append(column.to_sparse_tensor(tensor) if isinstance(column, BucketizedColumn) else tensor)
        return _crossed(tensors, self.hash_bucket_size, self.hash_key)

    def wide(self, transformed):
        return Wide(transformed, None, self.length, self.combiner)

    def deep(self, transformed, weight_collections, trainable, rank):
        raise ValueError("CrossedColumn is not supported in DNN. Please use embedding_column. column: {}".format(self))


def _crossed(tensors, buckets, key):
    """SparseCross, which hashes like TensorFlow's SparseFeatureCrossV2."""
    sparse = [t for t in tensors if isinstance(t, SparseTensor)]
    dense = [t for t in tensors if not isinstance(t, SparseTensor)]

    def plain(t):
        return t if t.dtype == dtypes.string else basics.cast(t, dtypes.int64)

    made = raw("SparseCross")(indices=[t.indices for t in sparse], values=[plain(t.values) for t in sparse], shapes=[t.dense_shape for t in sparse],
                              dense_inputs=[plain(t) for t in dense], hashed_output=True, num_buckets=buckets, hash_key=key, out_type=dtypes.int64, internal_type=dtypes.string,
                              name="cross")
    return SparseTensor(*made)


@layer("crossed_column")
def crossed_column(columns, hash_bucket_size, combiner="sum", ckpt_to_load_from=None, tensor_name_in_ckpt=None, hash_key=None):
    """Combinations of ids, by their hashes."""
    for column in columns:
        if not isinstance(column, (SparseColumn, CrossedColumn, BucketizedColumn)):
            raise TypeError("columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. (column {} is a {})".format(column, type(column).__name__))
    if len(columns) < 2:
        raise ValueError("columns must contain at least 2 elements. columns: {}".format(columns))
    if hash_bucket_size < 2:
        raise ValueError("hash_bucket_size must be at least 2. hash_bucket_size: {}".format(hash_bucket_size))
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    return CrossedColumn(tuple(sorted(columns, key=lambda c: c.name)), hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)
