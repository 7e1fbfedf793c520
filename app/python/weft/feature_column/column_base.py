"""Base classes of columns and what they read from, in the two protocols of TensorFlow 1.15.

A column of the first protocol (_FeatureColumn; tensorflow.python.feature_column.feature_column) makes its variables by tf.get_variable when it is read. One of the second
(FeatureColumn; feature_column_v2) makes them in create_state(), in a StateManager. Both may be written by programs. Columns of this package say once what they are, by
transform(), dense(), sparse() and steps() of a reader, and the classes Old… and Both… make methods of the protocols of that."""

import abc
import collections

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from ..variable_scope import get_variable

IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])
TensorSequenceLengthPair = collections.namedtuple("TensorSequenceLengthPair", ["dense_tensor", "sequence_length"])
configurations = None  # the module `serialization`; it sets this itself


def rows_of(sparse):
    """The number of rows of a sparse tensor."""
    with ops.name_scope(None, "Shape", [sparse.dense_shape]):
        shape = basics.cast(sparse.dense_shape, dtypes.int32)
    return shape[0]


class _Named(metaclass=abc.ABCMeta):
    """Has a name, and is ordered by its text."""

    @property
    @abc.abstractmethod
    def name(self):
        """Unique among the columns of a model."""

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)


# The first protocol.
class _FeatureColumn(_Named):
    """A column, by what it makes of a _LazyBuilder."""

    _var_scope_name = property(lambda self: self.name)

    @abc.abstractmethod
    def _transform_feature(self, inputs):
        """The transformed feature; inputs.get(self) keeps it."""

    @property
    @abc.abstractmethod
    def _parse_example_spec(self):
        """Feature name -> how tf.io.parse_example parses it."""

    def _reset_config(self):
        """Forgets what the column has cached."""


class _DenseColumn(_FeatureColumn):
    """A column of numbers."""

    @property
    @abc.abstractmethod
    def _variable_shape(self):
        """The TensorShape of a row of the dense tensor."""

    @abc.abstractmethod
    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        """The numbers of a batch."""


class _CategoricalColumn(_FeatureColumn):
    """A column of ids below _num_buckets."""

    IdWeightPair = IdWeightPair

    @property
    @abc.abstractmethod
    def _num_buckets(self):
        """The number of ids."""

    @abc.abstractmethod
    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        """An IdWeightPair for a batch."""


class _SequenceDenseColumn(_FeatureColumn):
    """A column with numbers for each step."""

    TensorSequenceLengthPair = TensorSequenceLengthPair

    @abc.abstractmethod
    def _get_sequence_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        """A TensorSequenceLengthPair for a batch."""


# The second protocol.
class FeatureColumn(_Named):
    """A column, by what it makes of a FeatureTransformationCache and a StateManager."""

    @abc.abstractmethod
    def transform_feature(self, transformation_cache, state_manager):
        """The transformed feature; transformation_cache.get(self, state_manager) keeps it."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self):
        """Feature name -> how tf.io.parse_example parses it."""

    def create_state(self, state_manager):
        """Makes the column's variables."""

    @property
    @abc.abstractmethod
    def _is_v2_column(self):
        """Whether the column and all that it uses follow this protocol."""

    @property
    @abc.abstractmethod
    def parents(self):
        """The columns and names of features that it reads."""

    @abc.abstractmethod
    def _get_config(self):
        """What _from_config() makes the column of."""

    @classmethod
    def _from_config(cls, config, custom_objects=None, columns_by_name=None):
        """The column of a configuration."""


class DenseColumn(FeatureColumn):
    """A column of numbers."""

    @property
    @abc.abstractmethod
    def variable_shape(self):
        """The TensorShape of a row of the dense tensor."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache, state_manager):
        """The numbers of a batch."""


class CategoricalColumn(FeatureColumn):
    """A column of ids below num_buckets."""

    IdWeightPair = IdWeightPair

    @property
    @abc.abstractmethod
    def num_buckets(self):
        """The number of ids."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache, state_manager):
        """An IdWeightPair for a batch."""


class SequenceDenseColumn(FeatureColumn):
    """A column with numbers for each step."""

    TensorSequenceLengthPair = TensorSequenceLengthPair

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        """A TensorSequenceLengthPair for a batch."""


# What columns read from.
class _Features:
    """The features of a batch by name, and the results of columns, each made once."""

    _columns = None  # the class of columns

    def __init__(self, features):
        self._features, self._feature_tensors = features.copy(), {}

    def _get(self, key, transform):
        if key in self._feature_tensors:
            return self._feature_tensors[key]
        if key in self._features:
            self._feature_tensors[key] = self._get_raw_feature_as_tensor(key)
            return self._feature_tensors[key]
        if isinstance(key, str):
            raise ValueError("Feature {} is not in features dictionary.".format(key))
        if not isinstance(key, self._columns):
            raise TypeError('"key" must be either a "str" or "{}". Provided: {}'.format(self._columns.__name__, key))
        logging.debug("Transforming feature_column %s.", key)
        made = transform(key)
        if made is None:
            raise ValueError("Column {} is not supported.".format(key.name))
        self._feature_tensors[key] = made
        return made

    def _get_raw_feature_as_tensor(self, key):
        """The feature with a dimension for its values, which one of rank 1 gets here."""
        tensor = convert_to_tensor_or_sparse_tensor(self._features[key])

        def wider():
            return engine.sparse_reshape(tensor, [rows_of(tensor), 1]) if isinstance(tensor, SparseTensor) else engine.expand_dims(tensor, -1)

        rank = tensor.get_shape().ndims
        if rank == 0:
            raise ValueError("Feature (key: {}) cannot have rank 0. Given: {}".format(key, tensor))
        if rank is not None:
            return tensor if rank != 1 else wider()
        with ops.control_dependencies([engine.assert_positive(basics.rank(tensor), message="Feature (key: {}) cannot have rank 0. Given: {}".format(key, tensor))]):
            return cond(engine.equal(1, basics.rank(tensor)), wider, lambda: tensor)


class _LazyBuilder(_Features):
    """What columns of the first protocol read from."""

    _columns = _FeatureColumn

    def get(self, key):
        return self._get(key, lambda column: column._transform_feature(self))


class FeatureTransformationCache(_Features):
    """What columns of the second protocol read from."""

    _columns = FeatureColumn

    def get(self, key, state_manager):
        return self._get(key, lambda column: column.transform_feature(self, state_manager))


class StateManager:
    """Keeps the variables and tables of columns."""

    def create_variable(self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True, initializer=None):
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column, var):
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column, name):
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column, name, resource):
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column, name):
        raise NotImplementedError("StateManager.get_resource")


# Readers: what a column of this package makes its results of.
class OldReader:
    """Reads from a _LazyBuilder. `tables`: embedding column -> its table, where that exists already."""

    sequence_class = "_SequenceCategoricalColumn"

    def __init__(self, inputs, collections_=None, trainable=None, tables=None):
        self.inputs, self.collections, self.trainable, self.tables = inputs, collections_, trainable, tables or {}

    def get(self, key):
        return self.inputs.get(key)

    def sparse(self, column):
        return column._get_sparse_tensors(self.inputs, weight_collections=self.collections, trainable=self.trainable)

    def table_of(self, column):
        """The embedding column's table, a variable."""
        if column in self.tables:
            return self.tables[column]
        return get_variable(name="embedding_weights", shape=(buckets_of(column.categorical_column), column.dimension), dtype=dtypes.float32, initializer=column.initializer,
                            trainable=column.trainable and self.trainable, collections=self.collections)

    def keep(self, column, name, resource):
        """The table of a vocabulary belongs to the graph alone."""


class StateReader:
    """Reads from a FeatureTransformationCache and a StateManager."""

    sequence_class = "SequenceCategoricalColumn"
    tables = {}

    def __init__(self, cache, state_manager):
        self.cache, self.state = cache, state_manager

    def get(self, key):
        return self.cache.get(key, self.state)

    def sparse(self, column):
        return column.get_sparse_tensors(self.cache, self.state)

    def table_of(self, column):
        return self.state.get_variable(column, name="embedding_weights")

    def keep(self, column, name, resource):
        if self.state is not None:
            self.state.add_resource(column, name, resource)


def buckets_of(column):
    """The number of ids of a categorical column of either protocol."""
    return column.num_buckets if isinstance(column, (CategoricalColumn, OldProtocol)) else column._num_buckets


def spec_of(column):
    """A column's parse_example_spec, in either protocol."""
    return column.parse_example_spec if isinstance(column, (FeatureColumn, OldProtocol)) else column._parse_example_spec


class OldProtocol:
    """Makes methods of the first protocol from transform() and its kin. A column has a name, parse_example_spec, and variable_shape or num_buckets."""

    var_scope_name = property(lambda self: self._var_scope_name)
    _parse_example_spec = property(lambda self: self.parse_example_spec)

    def _transform_feature(self, inputs):
        return self.transform(OldReader(inputs))


class OldDense(OldProtocol, _DenseColumn):
    _variable_shape = property(lambda self: self.variable_shape)

    def dense(self, reader):
        return reader.get(self)

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return self.dense(OldReader(inputs, weight_collections, trainable))


class OldCategorical(OldProtocol, _CategoricalColumn):
    _num_buckets = property(lambda self: self.num_buckets)

    def sparse(self, reader):
        return IdWeightPair(reader.get(self), None)

    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        return self.sparse(OldReader(inputs, weight_collections, trainable))


class OldSequence(OldProtocol, _SequenceDenseColumn):
    def _get_sequence_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return self.steps(OldReader(inputs, weight_collections, trainable))


class NewProtocol:
    """Makes methods of the second protocol from transform() and its kin."""

    _is_v2_column = property(lambda self: all(isinstance(p, str) or isinstance(p, FeatureColumn) and p._is_v2_column for p in self.parents))
    parents = property(lambda self: [self.key])

    def transform_feature(self, transformation_cache, state_manager):
        return self.transform(StateReader(transformation_cache, state_manager))

    def _get_config(self):
        return configurations.config_of(self)

    @classmethod
    def _from_config(cls, config, custom_objects=None, columns_by_name=None):
        return cls(**configurations.arguments_of(cls, config, custom_objects, columns_by_name))


class BothDense(NewProtocol, OldDense, DenseColumn):
    def get_dense_tensor(self, transformation_cache, state_manager):
        return self.dense(StateReader(transformation_cache, state_manager))


class BothCategorical(NewProtocol, OldCategorical, CategoricalColumn):
    def get_sparse_tensors(self, transformation_cache, state_manager):
        return self.sparse(StateReader(transformation_cache, state_manager))


class _NewSteps(NewProtocol):
    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        return self.steps(StateReader(transformation_cache, state_manager))


class NewSequence(_NewSteps, SequenceDenseColumn):
    pass


class BothSequence(_NewSteps, OldSequence, SequenceDenseColumn):
    pass
