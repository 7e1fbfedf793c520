"""_DenseColumn and _LazyBuilder of tensorflow.python.feature_column.feature_column, for columns that programs and libraries define."""

import abc

from .column_base import DenseColumn, FeatureCache


class _LikeDense(abc.ABCMeta):
    """Every dense column is a _DenseColumn, as in TensorFlow, where the columns of tf.feature_column are of both kinds."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, DenseColumn) if cls is _DenseColumn else super().__instancecheck__(instance)


class _DenseColumn(DenseColumn, metaclass=_LikeDense):
    """A column by its methods _transform_feature(inputs) and _get_dense_tensor(inputs, weight_collections, trainable), where inputs.get() gives features and other columns."""

    @property
    @abc.abstractmethod
    def name(self):
        """The column's name, unique among the columns of a model."""

    @property
    @abc.abstractmethod
    def _variable_shape(self):
        """The TensorShape of a row of the dense tensor."""

    @property
    @abc.abstractmethod
    def _parse_example_spec(self):
        """Feature name -> how tf.io.parse_example parses it."""

    @abc.abstractmethod
    def _transform_feature(self, inputs):
        """The transformed feature; inputs.get(self) keeps it."""

    @abc.abstractmethod
    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        """The dense tensor of a batch."""

    _var_scope_name = property(lambda self: self.name)
    var_scope_name = property(lambda self: self._var_scope_name)
    variable_shape = property(lambda self: self._variable_shape)
    parse_example_spec = property(lambda self: self._parse_example_spec)

    def transform(self, cache):
        return self._transform_feature(cache)

    def dense(self, cache, collections_, trainable):
        return self._get_dense_tensor(cache, weight_collections=collections_, trainable=trainable)


class _LazyBuilder(FeatureCache):
    """Features of a batch and the results of columns, each made once."""
