"""Base classes of columns, and the cache of a batch's features."""

import collections

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..sparse_tensor import SparseTensor, SparseTensorValue


IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])


def rows_of(sparse):
    """The number of rows of a sparse tensor."""
    with ops.name_scope(None, "Shape", [sparse.dense_shape]):
        shape = basics.cast(sparse.dense_shape, dtypes.int32)
    return shape[0]


class FeatureCache:
    """Features of a batch by name, and the cached results of columns."""

    def __init__(self, features):
        self._features, self._made = dict(features), {}
        self.tables = {}  # embedding column -> its table, where that is made before the columns' values

    def get(self, key):
        if key not in self._made:
            if isinstance(key, str):
                if key not in self._features:
                    raise ValueError("Feature {} is not in features dictionary.".format(key))
                self._made[key] = self._tensor(key)
            elif isinstance(key, FeatureColumn):
                self._made[key] = key.transform(self)
            else:
                raise TypeError('"key" must be either a "str" or "_FeatureColumn". Provided: {}'.format(key))
        return self._made[key]

    def _tensor(self, key):
        tensor = self._features[key]
        if not isinstance(tensor, SparseTensor):
            tensor = ops.convert_to_tensor(tensor) if not isinstance(tensor, SparseTensorValue) else SparseTensor.from_value(tensor)

        def wider():
            return engine.sparse_reshape(tensor, [rows_of(tensor), 1]) if isinstance(tensor, SparseTensor) else engine.expand_dims(tensor, -1)

        rank = tensor.get_shape().ndims
        if rank == 0:
            raise ValueError("Feature (key: {}) cannot have rank 0. Given: {}".format(key, tensor))
        if rank is not None:
            return tensor if rank != 1 else wider()
        with ops.control_dependencies([engine.assert_positive(basics.rank(tensor), message="Feature (key: {}) cannot have rank 0. Given: {}".format(key, tensor))]):
            return cond(engine.equal(1, basics.rank(tensor)), wider, lambda: tensor)


class FeatureColumn:
    """Base of all columns."""

    name = property(lambda self: self.key)
    var_scope_name = _var_scope_name = property(lambda self: self.name)
    parse_example_spec = property(lambda self: {})
    _parse_example_spec = property(lambda self: self.parse_example_spec)

    def transform(self, cache):
        raise NotImplementedError("the column %s of class %s: columns that programs define must be a tensorflow.python.feature_column.feature_column._DenseColumn" % (self.name, type(self).__name__))


class DenseColumn(FeatureColumn):
    """A column of numbers."""

    _variable_shape = property(lambda self: self.variable_shape)

    def dense(self, cache, collections_, trainable):
        return cache.get(self)


class CategoricalColumn(FeatureColumn):
    """A column of ids below num_buckets."""

    IdWeightPair = IdWeightPair
    _num_buckets = property(lambda self: self.num_buckets)

    def sparse(self, cache):
        return IdWeightPair(cache.get(self), None)
