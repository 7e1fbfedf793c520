"""tf.feature_column.input_layer, linear_model, make_parse_example_spec: columns of the first protocol as one tensor."""

import re

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export
from ..functions.template import make_template
from ..keras.models import Model
from ..layers.graph_layer import GraphLayer
from ..ops import GraphKeys
from ..variable_scope import _PureVariableScope, get_variable_scope, variable_scope
from .column_base import OldReader, _CategoricalColumn, _DenseColumn, _FeatureColumn, _LazyBuilder
from .dense_features import normalized, parse_spec, same_batch, weighted_ids, weighted_numbers
from .learned_columns import EmbeddingColumn, _SharedEmbeddingColumn


def _normalize_feature_columns(feature_columns):
    return normalized(feature_columns, _FeatureColumn)


def _collections(given):
    given = list(given or [])
    return given + [k for k in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES) if k not in given]


def _flat(column, tensor):
    return engine.reshape(tensor, shape=(basics.shape(tensor)[0], column._variable_shape.num_elements()))


def _internal_input_layer(features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, scope=None, cols_to_output_tensors=None, from_template=False):
    """input_layer() in a variable scope, or in that of a template."""
    columns = _normalize_feature_columns(feature_columns)
    for column in columns:
        if not isinstance(column, _DenseColumn):
            raise ValueError("Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an embedding_column or indicator_column. Given: {}".format(column))
    kept = _collections(weight_collections)

    def joined():
        builder, made = _LazyBuilder(features), []
        for column in columns:
            with variable_scope(None, default_name=column._var_scope_name):
                made.append(_flat(column, column._get_dense_tensor(builder, weight_collections=kept, trainable=trainable)))
                if cols_to_vars is not None:
                    cols_to_vars[column] = ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=get_variable_scope().name)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = made[-1]
        same_batch(made, columns)
        return engine.concat(made, 1)

    if from_template:
        return joined()
    with variable_scope(scope, default_name="input_layer", values=list(features.values())):
        return joined()


@export("feature_column.input_layer")
def input_layer(features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, cols_to_output_tensors=None):
    """The values of dense columns concatenated, ordered by name."""
    return _internal_input_layer(features, feature_columns, weight_collections, trainable, cols_to_vars, None, cols_to_output_tensors)


class InputLayer:
    """input_layer() as an object whose calls share variables."""

    def __init__(self, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, name="feature_column_input_layer", create_scope_now=True):
        self._name, self._cols_to_vars = name, cols_to_vars
        self._input_layer_template = make_template(name, _internal_input_layer, create_scope_now_=create_scope_now, feature_columns=feature_columns, weight_collections=weight_collections,
                                                   trainable=trainable, from_template=True)
        self._scope = self._input_layer_template.variable_scope

    def __call__(self, features):
        return self._input_layer_template(features=features, cols_to_vars=self._cols_to_vars)

    name = property(lambda self: self._name)
    non_trainable_variables = non_trainable_weights = property(lambda self: self._input_layer_template.non_trainable_variables)
    trainable_variables = trainable_weights = property(lambda self: self._input_layer_template.trainable_variables)
    variables = weights = property(lambda self: self._input_layer_template.variables)


def estimator_inputs(features, feature_columns):
    """input_layer() as in the canned estimators' layer, which creates the tables of all columns as resources before it reads features."""
    columns = _normalize_feature_columns(feature_columns)
    if any(isinstance(c, _SharedEmbeddingColumn) or not isinstance(c, _DenseColumn) for c in columns):
        return input_layer(features, feature_columns)
    builder, tables, made = _LazyBuilder(features), {}, []
    with variable_scope(None, default_name="input_layer", values=list(features.values())):
        for column in columns:
            if isinstance(column, EmbeddingColumn):
                with _PureVariableScope(column.var_scope_name, use_resource=True):
                    tables[column] = OldReader(builder, _collections(None), True).table_of(column)
        for column in columns:
            with ops.name_scope(column.name):
                if column in tables:
                    made.append(_flat(column, column.dense(OldReader(builder, None, True, tables))))
                else:
                    made.append(_flat(column, column._get_dense_tensor(builder, trainable=True)))
        same_batch(made, columns)
        return engine.concat(made, -1)


def add_to_collections(variable, names):
    """Adds a variable, or its parts, to collections; it is in the one of all variables already."""
    for v in variable if hasattr(variable, "_get_variable_list") else [variable]:
        for name in names:
            if name != GraphKeys.GLOBAL_VARIABLES and not any(v is x for x in ops.get_collection(name)):
                ops.add_to_collection(name, v)


class _FCLinearWrapper(GraphLayer):
    """A column times its weights."""

    def __init__(self, feature_column, units=1, sparse_combiner="sum", weight_collections=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_column, self._units, self._sparse_combiner, self._weight_collections = feature_column, units, sparse_combiner, weight_collections

    def build(self, _):
        column = self._feature_column
        rows = column._num_buckets if isinstance(column, _CategoricalColumn) else column._variable_shape.num_elements()
        self._weight_var = self.add_weight("weights", shape=(rows, self._units), initializer=initializers.zeros_initializer(), trainable=self.trainable, dtype=dtypes.float32,
                                           use_resource=True)
        add_to_collections(self._weight_var, self._weight_collections)
        self.built = True

    def call(self, builder):
        column, given = self._feature_column, dict(weight_collections=self._weight_collections, trainable=self.trainable)
        if isinstance(column, _CategoricalColumn):
            return weighted_ids(column._get_sparse_tensors(builder, **given), self._weight_var, self._sparse_combiner)
        return weighted_numbers(column._get_dense_tensor(builder, **given), column._variable_shape.num_elements(), self._weight_var)


class _BiasLayer(GraphLayer):
    """A bias, whatever the input."""

    def __init__(self, units=1, trainable=True, weight_collections=None, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._units, self._weight_collections = units, weight_collections

    def build(self, _):
        self._bias_variable = self.add_weight("bias_weights", shape=[self._units], initializer=initializers.zeros_initializer(), trainable=self.trainable, dtype=dtypes.float32,
                                              use_resource=True)
        add_to_collections(self._bias_variable, self._weight_collections)
        self.built = True

    def call(self, _):
        return self._bias_variable


class _LinearModel(Model):
    """linear_model() as a model, whose calls share variables."""

    def __init__(self, feature_columns, units=1, sparse_combiner="sum", weight_collections=None, trainable=True, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self._feature_columns = _normalize_feature_columns(feature_columns)
        kept, around = _collections(weight_collections), get_variable_scope().name
        self._column_layers = {}
        for column in self._feature_columns:
            with variable_scope(None, default_name=column._var_scope_name) as scope:
                own = re.sub("^/+", "", scope.name[len(around):])
            self._column_layers[own] = _FCLinearWrapper(column, units, sparse_combiner, kept, trainable, own, **kwargs)
        self._bias_layer = _BiasLayer(units=units, trainable=trainable, weight_collections=kept, name="bias_layer", **kwargs)
        self._cols_to_vars = {}

    def cols_to_vars(self):
        """column -> its variables; "bias" -> the bias"""
        return self._cols_to_vars

    def call(self, features):
        with variable_scope(self.name):
            for column in self._feature_columns:
                if not isinstance(column, (_DenseColumn, _CategoricalColumn)):
                    raise ValueError("Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {}".format(column))
            builder, sums, layers = _LazyBuilder(features), [], sorted(self._column_layers.values(), key=lambda layer: layer.name)
            for layer in layers:
                sums.append(layer(builder))
                self._cols_to_vars[layer._feature_column] = ops.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=layer.scope_name)
            same_batch(sums, [layer._feature_column for layer in layers])
            total = engine.add_n(sums, name="weighted_sum_no_bias")
            made = engine.nn.bias_add(total, self._bias_layer(builder, scope=get_variable_scope()), name="weighted_sum")
            bias = self._bias_layer.variables[0]
            self._cols_to_vars["bias"] = list(bias) if hasattr(bias, "_get_variable_list") else [bias]
        return made


@export("feature_column.linear_model")
def linear_model(features, feature_columns, units=1, sparse_combiner="sum", weight_collections=None, trainable=True, cols_to_vars=None):
    """A weighted sum of all columns, and a bias."""
    with variable_scope(None, "linear_model") as scope:
        name = scope.name.rsplit("/", 1)[-1]
    return weighted_columns(features, feature_columns, units, sparse_combiner, weight_collections, trainable, cols_to_vars, name)


def weighted_columns(features, feature_columns, units, sparse_combiner, weight_collections, trainable, cols_to_vars, name):
    """linear_model() with its variables in the scope `name`."""
    model = _LinearModel(feature_columns, units, sparse_combiner, weight_collections, trainable, name=name)
    made = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return made


def _transform_features(features, feature_columns):
    """column -> its transformed feature"""
    made = {}
    with ops.name_scope(None, default_name="transform_features", values=list(features.values())):
        builder = _LazyBuilder(features)
        for column in _normalize_feature_columns(feature_columns):
            with ops.name_scope(None, default_name=column.name):
                made[column] = builder.get(column)
    return made


@export("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns):
    """The feature spec of columns for tf.parse_example."""
    return parse_spec(feature_columns, _FeatureColumn, lambda column: column._parse_example_spec)
