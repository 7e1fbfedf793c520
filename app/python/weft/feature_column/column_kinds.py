"""What the columns of numbers and of ids are, for both protocols (column_base.py)."""

from .. import basics, dtypes, engine, ops
from ..data.parsing import FixedLenFeature, VarLenFeature
from ..data.sparse_functions import sparse_cross_hashed
from ..data.vocabularies import index_table_from_file, index_table_from_tensor
from ..op_calls import raw
from ..sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from ..tensor_shape import TensorShape
from .column_base import CategoricalColumn, IdWeightPair, _CategoricalColumn, buckets_of, spec_of


def text_or_number(dtype, prefix):
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError("{} dtype must be string or integer. dtype: {}.".format(prefix, dtype))


def sparse_input(tensor, ignore_value=None):
    """A feature as sparse tensor; of a dense one without the values that stand for nothing."""
    tensor = convert_to_tensor_or_sparse_tensor(tensor)
    if isinstance(tensor, SparseTensor):
        return tensor
    with ops.name_scope(None, "to_sparse_input", (tensor, ignore_value)):
        if ignore_value is None:
            ignore_value = "" if tensor.dtype == dtypes.string else -1 if tensor.dtype.is_integer else tensor.dtype.as_numpy_dtype()
        ignore_value = basics.cast(ignore_value, tensor.dtype, name="ignore_value")
        indices = engine.where(engine.not_equal(tensor, ignore_value), name="indices")
        return SparseTensor(indices, engine.gather_nd(tensor, indices, name="values"), basics.shape(tensor, out_type=dtypes.int64, name="dense_shape"))


class Numeric:
    """Numbers as they are."""

    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)})
    variable_shape = property(lambda self: TensorShape(self.shape))

    def transform(self, reader):
        return self._transform_input_tensor(reader.get(self.key))

    def _transform_input_tensor(self, input_tensor):
        if isinstance(input_tensor, SparseTensor):
            raise ValueError("The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. key: {}".format(self.key))
        if self.normalizer_fn is not None:
            input_tensor = self.normalizer_fn(input_tensor)
        return basics.cast(input_tensor, dtypes.float32)


class Bucketized:
    """The index of the bucket that a number falls in."""

    name = property(lambda self: "{}_bucketized".format(self.source_column.name))
    parents = property(lambda self: [self.source_column])
    parse_example_spec = property(lambda self: spec_of(self.source_column))
    variable_shape = property(lambda self: TensorShape(tuple(self.source_column.shape) + (len(self.boundaries) + 1,)))
    num_buckets = property(lambda self: (len(self.boundaries) + 1) * self.source_column.shape[0])

    def transform(self, reader):
        return raw("Bucketize")(reader.get(self.source_column), boundaries=self.boundaries)

    def dense(self, reader):
        return engine.one_hot(indices=basics.cast(reader.get(self), dtypes.int64), depth=len(self.boundaries) + 1, on_value=1., off_value=0.)

    def sparse(self, reader):
        tensor = reader.get(self)
        batch, width = basics.shape(tensor)[0], self.source_column.shape[0]
        rows = engine.reshape(engine.tile(engine.expand_dims(engine.range(0, batch), 1), [1, width]), (-1,))
        places = engine.tile(engine.range(0, width), [batch])
        ids = engine.reshape(tensor, (-1,)) + (len(self.boundaries) + 1) * places
        indices = basics.cast(engine.transpose(engine.stack((rows, places))), dtypes.int64)
        return IdWeightPair(SparseTensor(indices, ids, basics.cast(engine.stack([batch, width]), dtypes.int64)), None)


class _Keyed:
    """Ids of the values of one feature."""

    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(self.dtype)})

    def transform(self, reader):
        return self.ids(sparse_input(reader.get(self.key)), reader)

    def _compatible(self, tensor):
        if self.dtype.is_integer != tensor.dtype.is_integer:
            raise ValueError("Column dtype and SparseTensors dtype must be compatible. key: {}, column dtype: {}, tensor dtype: {}".format(self.key, self.dtype, tensor.dtype))
        text_or_number(tensor.dtype, "column_name: {} input_tensor".format(self.key))


class Hashed(_Keyed):
    num_buckets = property(lambda self: self.hash_bucket_size)

    def ids(self, tensor, _):
        text_or_number(tensor.dtype, "column_name: {} input_tensor".format(self.key))
        self._compatible(tensor)
        values = tensor.values if self.dtype == dtypes.string else engine.as_string(tensor.values)
        return SparseTensor(tensor.indices, engine.string_to_hash_bucket_fast(values, self.hash_bucket_size, name="lookup"), tensor.dense_shape)


class _Vocabulary(_Keyed):
    def ids(self, tensor, reader):
        self._compatible(tensor)
        kind, name = self.dtype, "{}_lookup".format(self.key)
        if tensor.dtype.is_integer:
            kind, tensor = dtypes.int64, basics.cast(tensor, dtypes.int64)
        table = self.table(kind, name)
        reader.keep(self, name, table)
        return table.lookup(tensor)


class VocabularyFile(_Vocabulary):
    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)

    def table(self, kind, name):
        return index_table_from_file(vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
                                     default_value=self.default_value, key_dtype=kind, name=name)


class VocabularyList(_Vocabulary):
    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)

    def table(self, kind, name):
        return index_table_from_tensor(tuple(self.vocabulary_list), default_value=self.default_value, num_oov_buckets=self.num_oov_buckets, dtype=kind, name=name)


class Identity(_Keyed):
    """A subclass has num_buckets."""

    parse_example_spec = property(lambda self: {self.key: VarLenFeature(dtypes.int64)})

    def ids(self, tensor, _):
        if not tensor.dtype.is_integer:
            raise ValueError("Invalid input, not integer. key: {} dtype: {}".format(self.key, tensor.dtype))
        values = basics.cast(tensor.values, dtypes.int64, name="values")
        count, zero = basics.cast(self.num_buckets, dtypes.int64, name="num_buckets"), basics.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            checks = (engine.assert_less(values, count, data=(values, count), message='Bucket index for categorical column "{}" exceeds number of buckets'.format(self.name),
                                         name="assert_less_than_num_buckets"),
                      engine.assert_greater_equal(values, zero, data=(values,), message='Negative bucket index for categorical column "{}"'.format(self.name),
                                                  name="assert_greater_or_equal_0"))
            with ops.control_dependencies([c for c in checks if c is not None]):
                values = engine.identity(values)
        else:
            choose = engine.where if self._old_select else engine.where_v2
            values = choose(engine.logical_or(values < zero, values >= count, name="out_of_range"),
                            engine.fill(dims=basics.shape(values), value=basics.cast(self.default_value, dtypes.int64), name="default_values"), values)
        return SparseTensor(tensor.indices, values, tensor.dense_shape)

    _old_select = False


class Weighted:
    """Ids with weights."""

    name = property(lambda self: "{}_weighted_by_{}".format(self.categorical_column.name, self.weight_feature_key))
    parents = property(lambda self: [self.categorical_column, self.weight_feature_key])
    num_buckets = property(lambda self: buckets_of(self.categorical_column))

    @property
    def parse_example_spec(self):
        spec = dict(spec_of(self.categorical_column))
        if self.weight_feature_key in spec:
            raise ValueError("Parse config {} already exists for {}.".format(spec[self.weight_feature_key], self.weight_feature_key))
        spec[self.weight_feature_key] = VarLenFeature(self.dtype)
        return spec

    def transform(self, reader):
        weights = reader.get(self.weight_feature_key)
        if weights is None:
            raise ValueError("Missing weights {}.".format(self.weight_feature_key))
        weights = convert_to_tensor_or_sparse_tensor(weights)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError("Bad dtype, expected {}, but got {}.".format(self.dtype, weights.dtype))
        if not isinstance(weights, SparseTensor):
            weights = sparse_input(weights, ignore_value=0.0)
        if not weights.dtype.is_floating:
            weights = basics.cast(weights, dtypes.float32)
        return reader.get(self.categorical_column), weights

    def sparse(self, reader):
        return IdWeightPair(*reader.get(self))


class Crossed:
    """Ids of the combinations of several features."""

    name = property(lambda self: "_X_".join(sorted(k if isinstance(k, str) else k.name for k in self.leaves())))
    parents = property(lambda self: list(self.keys))
    num_buckets = property(lambda self: self.hash_bucket_size)

    def leaves(self):
        found = []
        for key in self.keys:
            found += key.leaves() if isinstance(key, Crossed) else [key]
        return found

    @property
    def parse_example_spec(self):
        spec = {}
        for key in self.keys:
            spec.update({key: VarLenFeature(dtypes.string)} if isinstance(key, str) else spec_of(key))
        return spec

    def transform(self, reader):
        tensors = []
        for key in self.leaves():
            if isinstance(key, str):
                tensors.append(reader.get(key))
            elif isinstance(key, (CategoricalColumn, _CategoricalColumn)):
                pair = reader.sparse(key)
                if pair.weight_tensor is not None:
                    raise ValueError("crossed_column does not support weight_tensor, but the given column populates weight_tensor. Given column: {}".format(key.name))
                tensors.append(pair.id_tensor)
            else:
                raise ValueError("Unsupported column type. Given: {}".format(key))
        return sparse_cross_hashed(inputs=tensors, num_buckets=self.hash_bucket_size, hash_key=self.hash_key)
