"""Layers of columns of the second protocol: DenseFeatures, SequenceFeatures, and weighted sums (LinearModel)."""

import collections
import collections.abc

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export
from ..keras.models import Model
from ..layers.base import Layer
from ..layers.keras_names import keras_class
from ..variable_scope import _PureVariableScope, get_variable
from . import embedding, serialization
from .column_base import CategoricalColumn, DenseColumn, FeatureColumn, FeatureTransformationCache, SequenceDenseColumn, StateManager, buckets_of, rows_of
from .sequences import same_lengths


def normalized(feature_columns, kind):
    """Columns as list, ordered by name; ValueError unless they are of a class and have different names."""
    if isinstance(feature_columns, kind):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, collections.abc.Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError("Items of feature_columns must be a {}. Given (type {}): {}.".format(kind.__name__, type(column), column))
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    names = {}
    for column in feature_columns:
        if column.name in names:
            raise ValueError("Duplicate feature column name found for columns: {} and {}. This usually means that these columns refer to same base feature. Either one must be "
                             "discarded or a duplicated but renamed item must be inserted in features dict.".format(column, names[column.name]))
        names[column.name] = column
    return sorted(feature_columns, key=lambda c: c.name)


def _normalize_feature_columns(feature_columns):
    return normalized(feature_columns, FeatureColumn)


def same_batch(tensors, columns):
    """ValueError if the first dimensions of columns' tensors are known to differ."""
    known = None
    for tensor, column in zip(tensors, columns):
        n = tensor.shape.as_list()[0]
        if n is not None:
            if known is not None and known[0] != n:
                raise ValueError("Batch size (first dimension) of each feature must be same. Batch size of columns ({}, {}): ({}, {})".format(
                    known[1].name, column.name, known[0], n))
            known = known or (n, column)


def is_feature_column_v2(feature_columns):
    """Whether all columns and what they use follow the second protocol."""
    return all(isinstance(c, FeatureColumn) and c._is_v2_column for c in feature_columns)


def _transform_features_v2(features, feature_columns, state_manager):
    """column -> its transformed feature"""
    made = {}
    with ops.name_scope(None, default_name="transform_features", values=list(features.values())):
        cache = FeatureTransformationCache(features)
        for column in _normalize_feature_columns(feature_columns):
            with ops.name_scope(None, default_name=column.name):
                made[column] = cache.get(column, state_manager)
    return made


class _StateManagerImpl(StateManager):
    """Keeps variables as weights of a layer, made by tf.get_variable."""

    _getter = dict(getter=get_variable)

    def __init__(self, layer, trainable):
        self._layer, self._trainable = layer, trainable
        self._variables, self._resources = collections.defaultdict(dict), collections.defaultdict(dict)
        if layer is not None and not hasattr(layer, "_resources"):
            layer._resources = []

    def create_variable(self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True, initializer=None):
        if name in self._variables[feature_column]:
            raise ValueError("Variable already exists.")
        made = self._layer.add_variable(name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=self._trainable and trainable, use_resource=use_resource, **self._getter)
        self._variables[feature_column][name] = made
        return made

    def get_variable(self, feature_column, name):
        if name not in self._variables[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column][name]

    def add_resource(self, feature_column, name, resource):
        self._resources[feature_column][name] = resource
        if self._layer is not None:
            self._layer._resources.append(resource)

    def get_resource(self, feature_column, name):
        if name not in self._resources[feature_column]:
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column][name]


class _StateManagerImplV2(_StateManagerImpl):
    """Keeps variables as weights of a layer, made as those of other Keras layers."""

    _getter = {}


def _require_dict(features):
    if not isinstance(features, dict):
        raise ValueError("We expected a dictionary here. Instead we got: ", features)


class _OfColumns(Layer):
    """A layer whose configuration has columns."""

    def get_config(self):
        return dict(super().get_config(), feature_columns=serialization.serialize_feature_columns(self._feature_columns))

    @classmethod
    def from_config(cls, config, custom_objects=None):
        columns = serialization.deserialize_feature_columns(config["feature_columns"], custom_objects=custom_objects)
        return cls(**dict(config, feature_columns=columns))


class _BaseFeaturesLayer(_OfColumns):
    """Joins the values of columns of a class. A subclass has _target_shape()."""

    _is_feature_layer = True

    def __init__(self, feature_columns, expected_column_type, trainable, name, **kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = _normalize_feature_columns(feature_columns)
        self._state_manager = _StateManagerImpl(self, self.trainable)
        for column in self._feature_columns:
            if not isinstance(column, expected_column_type):
                raise ValueError("Items of feature_columns must be a {}. You can wrap a categorical column with an embedding_column or indicator_column. Given: {}".format(
                    expected_column_type, column))

    def build(self, _):
        for column in self._feature_columns:
            with _PureVariableScope(self.name), _PureVariableScope(column.name):
                column.create_state(self._state_manager)
        super().build(None)

    def compute_output_shape(self, input_shape):
        return self._target_shape(input_shape, sum(column.variable_shape.num_elements() for column in self._feature_columns))

    def _process_dense_tensor(self, column, tensor):
        return engine.reshape(tensor, shape=self._target_shape(basics.shape(tensor), column.variable_shape.num_elements()))

    def _verify_and_concat_tensors(self, tensors):
        same_batch(tensors, self._feature_columns)
        return engine.concat(tensors, -1)


@keras_class("DenseFeatures")
class DenseFeatures(_BaseFeaturesLayer):
    """A layer that concatenates the values of dense columns; the input is a dict of features."""

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(feature_columns, DenseColumn, trainable, name, **kwargs)

    @staticmethod
    def _target_shape(input_shape, total_elements):
        return (input_shape[0], total_elements)

    def call(self, features, cols_to_output_tensors=None):
        _require_dict(features)
        cache, made = FeatureTransformationCache(features), []
        for column in self._feature_columns:
            with ops.name_scope(column.name):
                made.append(self._process_dense_tensor(column, column.get_dense_tensor(cache, self._state_manager)))
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = made[-1]
        return self._verify_and_concat_tensors(made)


@export("keras.experimental.SequenceFeatures")
class SequenceFeatures(_BaseFeaturesLayer):
    """A layer that concatenates the values of sequence columns for each step; also returns the lengths."""

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(feature_columns, SequenceDenseColumn, trainable, name, **kwargs)

    @staticmethod
    def _target_shape(input_shape, total_elements):
        return (input_shape[0], input_shape[1], total_elements)

    def call(self, features):
        _require_dict(features)
        cache, made, lengths = FeatureTransformationCache(features), [], []
        for column in self._feature_columns:
            with ops.name_scope(column.name):
                dense, length = column.get_sequence_dense_tensor(cache, self._state_manager)
                made.append(self._process_dense_tensor(column, dense))
                lengths.append(length)
        same_batch(lengths, self._feature_columns)
        length = same_lengths(lengths)
        return self._verify_and_concat_tensors(made), length


def weighted_ids(pair, weights, combiner):
    """The weighted sum of the ids of each example."""
    ids, own = engine.sparse_reshape(pair.id_tensor, [rows_of(pair.id_tensor), -1]), pair.weight_tensor
    if own is not None:
        own = engine.sparse_reshape(own, [rows_of(own), -1])
    return embedding.safe_embedding_lookup_sparse(weights, ids, sparse_weights=own, combiner=combiner, name="weighted_sum")


def weighted_numbers(tensor, size, weights):
    """The weighted sum of the numbers of each example."""
    return engine.matmul(engine.reshape(tensor, shape=(basics.shape(tensor)[0], size)), weights, name="weighted_sum")


class _LinearModelLayer(_OfColumns):
    """A weighted sum of all columns, and a bias."""

    def __init__(self, feature_columns, units=1, sparse_combiner="sum", trainable=True, name=None, **kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = _normalize_feature_columns(feature_columns)
        for column in self._feature_columns:
            if not isinstance(column, (DenseColumn, CategoricalColumn)):
                raise ValueError("Items of feature_columns must be either a DenseColumn or CategoricalColumn. Given: {}".format(column))
        self._units, self._sparse_combiner = units, sparse_combiner
        self._state_manager = _StateManagerImpl(self, self.trainable)
        self.bias = None

    def build(self, _):
        with _PureVariableScope(self.name):
            for column in self._feature_columns:
                with _PureVariableScope(column.name):
                    column.create_state(self._state_manager)
                    rows = buckets_of(column) if isinstance(column, CategoricalColumn) else column.variable_shape.num_elements()
                    self._state_manager.create_variable(column, name="weights", dtype=dtypes.float32, shape=(rows, self._units), initializer=initializers.zeros_initializer(),
                                                        trainable=self.trainable)
            self.bias = self.add_variable(name="bias_weights", dtype=dtypes.float32, shape=[self._units], initializer=initializers.zeros_initializer(), trainable=self.trainable,
                                          use_resource=True, getter=get_variable)
        super().build(None)

    def _weighted(self, column, cache):
        weights = self._state_manager.get_variable(column, "weights")
        if isinstance(column, CategoricalColumn):
            return weighted_ids(column.get_sparse_tensors(cache, self._state_manager), weights, self._sparse_combiner)
        return weighted_numbers(column.get_dense_tensor(cache, self._state_manager), column.variable_shape.num_elements(), weights)

    def call(self, features):
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: {}".format(features))
        with ops.name_scope(self.name):
            cache, sums = FeatureTransformationCache(features), []
            for column in self._feature_columns:
                with ops.name_scope(column.name):
                    sums.append(self._weighted(column, cache))
            same_batch(sums, self._feature_columns)
            return engine.nn.bias_add(engine.add_n(sums, name="weighted_sum_no_bias"), self.bias, name="weighted_sum")

    def get_config(self):
        return dict(super().get_config(), units=self._units, sparse_combiner=self._sparse_combiner)


class LinearModel(Model):
    """A model of a weighted sum of columns, and a bias."""

    def __init__(self, feature_columns, units=1, sparse_combiner="sum", trainable=True, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.layer = _LinearModelLayer(feature_columns, units, sparse_combiner, trainable, name=self.name, **kwargs)

    def call(self, features):
        return self.layer(features)

    bias = property(lambda self: self.layer.bias)


def make_parse_example_spec_v2(feature_columns):
    """The feature spec of columns of the second protocol for tf.io.parse_example."""
    return parse_spec(feature_columns, FeatureColumn, lambda column: column.parse_example_spec)


def parse_spec(feature_columns, kind, spec_of):
    """The specs of columns of a class together; ValueError if two differ."""
    spec = {}
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError("All feature_columns must be {} instances. Given: {}".format(kind.__name__, column))
        own = spec_of(column)
        for key, value in own.items():
            if key in spec and value != spec[key]:
                raise ValueError("feature_columns contain different parse_spec for key {}. Given {} and {}".format(key, value, spec[key]))
        spec.update(own)
    return spec
