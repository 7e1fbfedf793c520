"""tf.feature_column.input_layer, linear_model, make_parse_example_spec; DenseFeatures and SequenceFeatures of Keras."""

import re

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export
from ..layers.base import Layer
from ..layers.graph_layer import GraphLayer
from ..layers.keras_names import keras_class
from ..layers.values import track
from ..ops import GraphKeys
from ..variable_scope import _PureVariableScope, get_variable_scope, variable_scope
from ..variable_store import AUTO_REUSE
from ..variables import global_variables
from . import embedding
from .columns import CategoricalColumn, DenseColumn, FeatureCache, FeatureColumn, rows_of
from .learned_columns import EmbeddingColumn, SharedEmbeddingColumn
from .sequences import steps_of


def checked(feature_columns):
    """Columns as a list without repeats."""
    if isinstance(feature_columns, FeatureColumn):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    feature_columns = list(feature_columns)
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError("Items of feature_columns must be a _FeatureColumn. Given (type {}): {}.".format(type(column), column))
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    names = {}
    for column in feature_columns:
        if column.name in names:
            raise ValueError("Duplicate feature column name found for columns: {} and {}. This usually means that these columns refer to same base feature. Either one must be "
                             "discarded or a duplicated but renamed item must be inserted in features dict.".format(column, names[column.name]))
        names[column.name] = column
    return sorted(feature_columns, key=lambda c: c.name)


def _collections(given):
    given = list(given or [])
    return given + [k for k in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES) if k not in given]


def _same_batch(tensors, columns):
    known = None
    for tensor, column in zip(tensors, columns):
        n = tensor.shape.as_list()[0]
        if n is not None:
            if known is not None and known[0] != n:
                raise ValueError("Batch size (first dimension) of each feature must be same. Batch size of columns ({}, {}): ({}, {})".format(
                    known[1].name, column.name, known[0], n))
            known = known or (n, column)


def _flat(column, tensor):
    return engine.reshape(tensor, shape=(basics.shape(tensor)[0], column.variable_shape.num_elements()))


@export("feature_column.input_layer")
def input_layer(features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, cols_to_output_tensors=None):
    """The values of dense columns concatenated, ordered by name."""
    columns = checked(feature_columns)
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError("Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an embedding_column or indicator_column. Given: {}".format(column))
    kept, cache, made = _collections(weight_collections), FeatureCache(features), []
    with variable_scope(None, default_name="input_layer", values=list(features.values())):
        for column in columns:
            with variable_scope(None, default_name=column.var_scope_name):
                made.append(_flat(column, column.dense(cache, kept, trainable)))
                if cols_to_vars is not None:
                    cols_to_vars[column] = ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=get_variable_scope().name)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = made[-1]
        _same_batch(made, columns)
        return engine.concat(made, 1)


def estimator_inputs(features, feature_columns):
    """input_layer() as in the canned estimators' layer, which creates the tables of all columns as resources before it reads features."""
    columns = checked(feature_columns)
    if any(isinstance(c, SharedEmbeddingColumn) or not isinstance(c, DenseColumn) for c in columns):
        return input_layer(features, feature_columns)
    cache, made = FeatureCache(features), []
    with variable_scope(None, default_name="input_layer", values=list(features.values())):
        for column in columns:
            if isinstance(column, EmbeddingColumn):
                with _PureVariableScope(column.var_scope_name, use_resource=True):
                    cache.tables[column] = column._weights(_collections(None), True)
        for column in columns:
            with ops.name_scope(column.name):
                made.append(_flat(column, column.dense(cache, None, True)))
        _same_batch(made, columns)
        return engine.concat(made, -1)


def _keep(variable, names):
    for v in variable if hasattr(variable, "_get_variable_list") else [variable]:
        for name in names:
            if not any(v is x for x in ops.get_collection(name)):
                ops.add_to_collection(name, v)


class _ColumnLayer(GraphLayer):
    """A column times its weights."""

    def __init__(self, column, units, sparse_combiner, collections, trainable, name):
        super().__init__(trainable=trainable, name=name)
        self.column, self._units, self._combiner, self._collections = column, units, sparse_combiner, collections

    def build(self, _):
        rows = self.column.num_buckets if isinstance(self.column, CategoricalColumn) else self.column.variable_shape.num_elements()
        self.weight = self.add_weight("weights", shape=(rows, self._units), initializer=initializers.zeros_initializer(), trainable=self.trainable, dtype=dtypes.float32,
                                      use_resource=True)
        _keep(self.weight, self._collections)
        self.built = True

    def call(self, cache):
        if not isinstance(self.column, CategoricalColumn):
            return engine.matmul(_flat(self.column, self.column.dense(cache, self._collections, self.trainable)), self.weight, name="weighted_sum")
        pair = self.column.sparse(cache)
        ids = engine.sparse_reshape(pair.id_tensor, [rows_of(pair.id_tensor), -1])
        weights = pair.weight_tensor
        if weights is not None:
            weights = engine.sparse_reshape(weights, [rows_of(weights), -1])
        return embedding.safe_embedding_lookup_sparse(self.weight, ids, sparse_weights=weights, combiner=self._combiner, name="weighted_sum")


class _Bias(GraphLayer):
    def __init__(self, units, collections, trainable):
        super().__init__(trainable=trainable, name="bias_layer")
        self._units, self._collections = units, collections

    def build(self, _):
        self.bias = self.add_weight("bias_weights", shape=[self._units], initializer=initializers.zeros_initializer(), trainable=self.trainable, dtype=dtypes.float32,
                                      use_resource=True)
        _keep(self.bias, self._collections)
        self.built = True

    def call(self, _):
        return self.bias


@export("feature_column.linear_model")
def linear_model(features, feature_columns, units=1, sparse_combiner="sum", weight_collections=None, trainable=True, cols_to_vars=None):
    """A weighted sum of all columns, and a bias."""
    with variable_scope(None, "linear_model") as scope:
        name = scope.name[5:] if scope.name.startswith("./") else scope.name
    return weighted_columns(features, feature_columns, units, sparse_combiner, weight_collections, trainable, cols_to_vars, name)


def weighted_columns(features, feature_columns, units, sparse_combiner, weight_collections, trainable, cols_to_vars, name):
    """linear_model() with its variables in the scope `name`."""
    columns, kept, layers, around = checked(feature_columns), _collections(weight_collections), [], get_variable_scope().name
    for column in columns:
        if not isinstance(column, (DenseColumn, CategoricalColumn)):
            raise ValueError("Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {}".format(column))
        with variable_scope(None, default_name=column.var_scope_name) as scope:
            own = scope.name[len(around):]
        layers.append(_ColumnLayer(column, units, sparse_combiner, kept, trainable, re.sub("^/+", "", own)))
    bias = _Bias(units, kept, trainable)
    with ops.name_scope(name), variable_scope(name):
        cache, sums = FeatureCache(features), []
        for layer in sorted(layers, key=lambda l: l.name):
            sums.append(layer(cache))
            if cols_to_vars is not None:
                cols_to_vars[layer.column] = ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=layer.scope_name)
        _same_batch(sums, [l.column for l in layers])
        total = engine.add_n(sums, name="weighted_sum_no_bias")
        made = engine.nn.bias_add(total, bias(cache, scope=get_variable_scope()), name="weighted_sum")
        if cols_to_vars is not None:
            cols_to_vars["bias"] = [bias.bias]
    return made


@export("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns):
    """The feature spec of columns for tf.parse_example."""
    spec = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError("All feature_columns must be _FeatureColumn instances. Given: {}".format(column))
        for key, value in column.parse_example_spec.items():
            if key in spec and value != spec[key]:
                raise ValueError("feature_columns contain different parse_spec for key {}. Given {} and {}".format(key, value, spec[key]))
        spec.update(column.parse_example_spec)
    return spec


@keras_class("DenseFeatures")
class DenseFeatures(Layer):
    """A layer that concatenates the values of dense columns; the input is a dict of features."""

    _is_feature_layer = True

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._columns = checked(feature_columns)
        for column in self._columns:
            if not isinstance(column, DenseColumn):
                raise ValueError("Items of feature_columns must be a DenseColumn. You can wrap a categorical column with an embedding_column or indicator_column. Given: {}".format(column))

    def build(self, _):
        self.built = True

    def call(self, features, cols_to_output_tensors=None):
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        cache, made = FeatureCache(features), []
        for column in self._columns:
            with ops.name_scope(column.name), variable_scope(self.name + "/" + column.var_scope_name, reuse=AUTO_REUSE):
                before = {id(v) for v in global_variables()}
                made.append(_flat(column, column.dense(cache, None, self.trainable)))
                for v in global_variables():
                    if id(v) not in before:
                        track(v)
                        (self._trainable_weights if self.trainable else self._non_trainable_weights).append(v)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = made[-1]
        return engine.concat(made, axis=-1)


@export("keras.experimental.SequenceFeatures")
class SequenceFeatures(Layer):
    """A layer that concatenates the values of sequence columns for each step; also returns the lengths."""

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._columns = checked(feature_columns)

    def build(self, _):
        self.built = True

    def call(self, features):
        cache, made, lengths = FeatureCache(features), [], []
        for column in self._columns:
            with variable_scope(self.name + "/" + column.var_scope_name, reuse=AUTO_REUSE):
                dense, length = steps_of(column, cache, None, self.trainable)
            shape = basics.shape(dense)
            made.append(engine.reshape(dense, engine.stack([shape[0], shape[1], column.variable_shape.num_elements()])))
            lengths.append(length)
        checks = [engine.assert_equal(lengths[0], n) for n in lengths[1:]]
        with ops.control_dependencies(checks):
            length = engine.identity(lengths[0]) if checks else lengths[0]
        return engine.concat(made, axis=-1), length
