"""tf.estimator's canned estimators: linear, deep, combined and baseline."""

import math

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import cond, group
from ..data.parsing import FixedLenFeature
from ..exports import export
from ..feature_column.columns import numeric_column
from ..feature_column.inputs import estimator_inputs, make_parse_example_spec, weighted_columns
from ..layers import functions
from ..layers.core import Dense
from ..layers.normalization import BatchNormalization
from ..losses import Reduction
from ..ops import GraphKeys
from ..partitioned_variable import min_max_variable_partitioner
from ..summaries import ops as summary
from ..training.global_step import get_global_step
from ..training.optimizers import AdagradOptimizer, AdamOptimizer, FtrlOptimizer, GradientDescentOptimizer, RMSPropOptimizer
from ..variable_scope import get_variable, variable_scope
from ..variables import assign_add
from .estimator import Estimator
from .heads import Regression, classifier_head
from .spec import ModeKeys

_RATES = {"Adagrad": lambda rate: AdagradOptimizer(rate), "Adam": lambda rate: AdamOptimizer(rate), "Ftrl": lambda rate: FtrlOptimizer(rate),
          "RMSProp": lambda rate: RMSPropOptimizer(rate), "SGD": lambda rate: GradientDescentOptimizer(rate)}


def _optimizer(what, rate):
    if isinstance(what, str):
        if what not in _RATES:
            raise ValueError("Unsupported optimizer name: {}. Supported names are: {}".format(what, tuple(sorted(_RATES))))
        return _RATES[what](rate)
    if callable(what) and not hasattr(what, "minimize"):
        what = what()
    if not hasattr(what, "minimize"):
        raise ValueError("The given object is not an Optimizer instance. Given: {}".format(what))
    return what


def _checked(features):
    if not isinstance(features, dict):
        raise ValueError("features should be a dictionary of `Tensor`s. Given type: {}".format(type(features)))
    return tuple(features.values())


def _linear_rate(columns):
    return min(0.2, 1.0 / math.sqrt(len(columns)))


def _zero_share(variables):
    with ops.name_scope("zero_fraction"):
        with ops.name_scope("total_size"):
            sizes = [basics.size(v, out_type=dtypes.int64) for v in variables]
            total = engine.add_n(sizes)
        with ops.name_scope("total_zero"):
            zeros = engine.add_n([cond(engine.equal(n, ops.constant(0, dtype=dtypes.int64)), true_fn=lambda: ops.constant(0, dtype=dtypes.float32),
                                       false_fn=lambda v=v, n=n: engine.nn.zero_fraction(v) * basics.cast(n, dtypes.float32), name="zero_count") for v, n in zip(variables, sizes)])
        with ops.name_scope("compute"):
            share = zeros / basics.cast(total, dtype=dtypes.float32, name="float32_size")
        return engine.identity(share, name="zero_fraction_or_nan")


def _linear_logits(features, units, columns, sparse_combiner="sum"):
    made = {}
    logits = weighted_columns(features, columns, units, sparse_combiner, None, True, made, "linear_model")
    bias = made.pop("bias")
    if units > 1:
        summary.histogram("bias", bias)
    else:
        summary.scalar("bias", bias[0][0])
    summary.scalar("fraction_of_zero_weights", _zero_share([v for vs in made.values() for v in vs]))
    return logits


def _deep_logits(features, mode, units, hidden_units, columns, activation_fn, dropout, batch_norm, partitioner):
    training = mode == ModeKeys.TRAIN
    layers, norms = [], []
    for i, n in enumerate(hidden_units):
        with variable_scope("hiddenlayer_%d" % i) as scope:
            layers.append((Dense(units=n, activation=activation_fn, kernel_initializer=initializers.glorot_uniform_initializer(), name=scope, _scope=scope), scope.name))
            if batch_norm:
                norms.append(BatchNormalization(momentum=0.999, trainable=True, name="batchnorm_%d" % i, _scope="batchnorm_%d" % i))
    with variable_scope("logits") as scope:
        last = (Dense(units=units, activation=None, kernel_initializer=initializers.glorot_uniform_initializer(), name=scope, _scope=scope), scope.name)
    for layer in [layer for layer, _ in layers + [last]] + norms:
        layer._use_resource_variables = True
    with variable_scope("input_from_feature_columns", partitioner=partitioner):
        net = estimator_inputs(features, columns)

    def seen(value, name):
        summary.scalar("%s/fraction_of_zero_values" % name, engine.nn.zero_fraction(value))
        summary.histogram("%s/activation" % name, value)

    for i, (layer, name) in enumerate(layers):
        net = layer(net)
        if dropout is not None and training:
            net = functions.dropout(net, rate=dropout, training=True)
        if batch_norm:
            net = norms[i](net, training=training)
        seen(net, name)
    logits = last[0](net)
    seen(logits, last[1])
    return logits


def _linear_fn(head, columns, optimizer, partitioner, sparse_combiner):
    columns = tuple(columns or [])

    def model_fn(features, labels, mode, config):
        parts = partitioner or min_max_variable_partitioner(max_partitions=config.num_ps_replicas if config else 0, min_slice_size=64 << 20)
        with variable_scope("linear", values=_checked(features), partitioner=parts):
            logits = _linear_logits(features, head.logits_dimension, columns, sparse_combiner)
            made = _optimizer(optimizer, 0.2) if optimizer is not None else FtrlOptimizer(learning_rate=_linear_rate(columns))
            return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=made, logits=logits)

    return model_fn


def _deep_fn(head, hidden_units, columns, optimizer, activation_fn, dropout, partitioner, batch_norm):
    columns = tuple(columns or [])

    def model_fn(features, labels, mode, config):
        made = _optimizer(optimizer, 0.05)
        replicas = config.num_ps_replicas if config else 0
        with variable_scope("dnn", values=_checked(features), partitioner=min_max_variable_partitioner(max_partitions=replicas)):
            inputs = partitioner or min_max_variable_partitioner(max_partitions=replicas, min_slice_size=64 << 20)
            logits = _deep_logits(features, mode, head.logits_dimension, hidden_units, columns, activation_fn, dropout, batch_norm, inputs)
            return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=made, logits=logits)

    return model_fn


def _both_fn(head, linear_columns, linear_optimizer, deep_columns, deep_optimizer, hidden_units, activation_fn, dropout, partitioner, batch_norm, sparse_combiner):
    linear_columns, deep_columns = tuple(linear_columns or []), tuple(deep_columns or [])
    if not linear_columns and not deep_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")

    def model_fn(features, labels, mode, config):
        values, replicas = _checked(features), config.num_ps_replicas if config else 0
        inputs = partitioner or min_max_variable_partitioner(max_partitions=replicas, min_slice_size=64 << 20)
        deep = linear = None
        if deep_columns:
            if not hidden_units:
                raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
            deep_made = _optimizer(deep_optimizer, 0.001)
            with variable_scope("dnn", values=values, partitioner=min_max_variable_partitioner(max_partitions=replicas)) as scope:
                deep_scope = scope.name
                deep = _deep_logits(features, mode, head.logits_dimension, hidden_units, deep_columns, activation_fn, dropout, batch_norm, inputs)
        if linear_columns:
            linear_made = _optimizer(linear_optimizer, min(0.005, 1.0 / math.sqrt(len(linear_columns))))
            with variable_scope("linear", values=values, partitioner=inputs) as scope:
                linear_scope = scope.name
                linear = _linear_logits(features, head.logits_dimension, linear_columns, sparse_combiner)
        logits = deep + linear if deep is not None and linear is not None else deep if deep is not None else linear

        def train(loss):
            steps, step = [], get_global_step()
            if deep is not None:
                steps.append(deep_made.minimize(loss, var_list=ops.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=deep_scope)))
            if linear is not None:
                steps.append(linear_made.minimize(loss, var_list=ops.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=linear_scope)))
            with ops.control_dependencies([group(*steps)]):
                return assign_add(step, 1).op

        return head.create_estimator_spec(features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits)

    return model_fn


def _rows_of_all(features, weight_column):
    """(the number of rows, checks that all features but the weights have as many)"""
    key = weight_column if isinstance(weight_column, str) or weight_column is None else weight_column.key
    rows, checks = None, []
    for name, feature in features.items():
        if name == key:
            continue
        size = basics.shape(feature)[0]
        if rows is None:
            rows = size
        else:
            checks.append(engine.assert_equal(rows, size))
    return rows, checks


def _baseline_fn(head, optimizer, weight_column=None):
    def model_fn(features, labels, mode, config):
        rows, checks = _rows_of_all(features, weight_column)
        with ops.control_dependencies(checks), variable_scope("baseline"):
            bias = get_variable("bias", shape=[head.logits_dimension], initializer=initializers.zeros_initializer())
            logits = engine.multiply(bias, engine.ones([rows, head.logits_dimension]))

        def train(loss):
            return _optimizer(optimizer, 0.3).minimize(loss, global_step=get_global_step())

        return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits, train_op_fn=train)

    return model_fn


_SUM = Reduction.SUM


class _Canned(Estimator):
    def _begin(self, model_fn, model_dir, config, warm_start_from):
        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


@export("estimator.LinearClassifier", "contrib.learn.LinearClassifier")
class LinearClassifier(_Canned):
    """Classes by weighted sums of feature columns."""

    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer="Ftrl", config=None, partitioner=None,
                 warm_start_from=None, loss_reduction=_SUM, sparse_combiner="sum"):
        head = classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._begin(_linear_fn(head, feature_columns, optimizer, partitioner, sparse_combiner), model_dir, config, warm_start_from)


@export("estimator.LinearRegressor", "contrib.learn.LinearRegressor")
class LinearRegressor(_Canned):
    """Numbers by weighted sums of feature columns."""

    def __init__(self, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl", config=None, partitioner=None, warm_start_from=None,
                 loss_reduction=_SUM, sparse_combiner="sum"):
        head = Regression(weight_column, label_dimension, loss_reduction)
        self._begin(_linear_fn(head, feature_columns, optimizer, partitioner, sparse_combiner), model_dir, config, warm_start_from)


@export("estimator.LinearEstimator")
class LinearEstimator(_Canned):
    """Weighted sums of feature columns with a given head."""

    def __init__(self, head, feature_columns, model_dir=None, optimizer="Ftrl", config=None, partitioner=None, sparse_combiner="sum", warm_start_from=None):
        self._begin(_linear_fn(head, feature_columns, optimizer, partitioner, sparse_combiner), model_dir, config, warm_start_from)


@export("estimator.DNNClassifier", "contrib.learn.DNNClassifier")
class DNNClassifier(_Canned):
    """Classes by a network of dense layers."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer="Adagrad", activation_fn=engine.nn.relu,
                 dropout=None, input_layer_partitioner=None, config=None, warm_start_from=None, loss_reduction=_SUM, batch_norm=False):
        head = classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        self._begin(_deep_fn(head, hidden_units, feature_columns, optimizer, activation_fn, dropout, input_layer_partitioner, batch_norm), model_dir, config, warm_start_from)


@export("estimator.DNNRegressor", "contrib.learn.DNNRegressor")
class DNNRegressor(_Canned):
    """Numbers by a network of dense layers."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer="Adagrad", activation_fn=engine.nn.relu, dropout=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None, loss_reduction=_SUM, batch_norm=False):
        head = Regression(weight_column, label_dimension, loss_reduction)
        self._begin(_deep_fn(head, hidden_units, feature_columns, optimizer, activation_fn, dropout, input_layer_partitioner, batch_norm), model_dir, config, warm_start_from)


@export("estimator.DNNEstimator")
class DNNEstimator(_Canned):
    """A network of dense layers with a given head."""

    def __init__(self, head, hidden_units, feature_columns, model_dir=None, optimizer="Adagrad", activation_fn=engine.nn.relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, batch_norm=False):
        self._begin(_deep_fn(head, hidden_units, feature_columns, optimizer, activation_fn, dropout, input_layer_partitioner, batch_norm), model_dir, config, warm_start_from)


def _both(name, make_head, doc):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl", dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
                 dnn_activation_fn=engine.nn.relu, dnn_dropout=None, input_layer_partitioner=None, config=None, warm_start_from=None, batch_norm=False,
                 linear_sparse_combiner="sum", **head_arguments):
        self._begin(_both_fn(make_head(**head_arguments), linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn,
                             dnn_dropout, input_layer_partitioner, batch_norm, linear_sparse_combiner), model_dir, config, warm_start_from)

    return export("estimator." + name)(type(name, (_Canned,), {"__init__": __init__, "__doc__": doc, "__module__": __name__}))


DNNLinearCombinedClassifier = _both("DNNLinearCombinedClassifier", lambda n_classes=2, weight_column=None, label_vocabulary=None, loss_reduction=_SUM: classifier_head(
    n_classes, weight_column, label_vocabulary, loss_reduction), "Classes by a linear model and a network together.")
DNNLinearCombinedRegressor = _both("DNNLinearCombinedRegressor", lambda label_dimension=1, weight_column=None, loss_reduction=_SUM: Regression(
    weight_column, label_dimension, loss_reduction), "Numbers by a linear model and a network together.")
DNNLinearCombinedEstimator = _both("DNNLinearCombinedEstimator", lambda head: head, "A linear model and a network together with a head of one's own.")


@export("estimator.BaselineClassifier")
class BaselineClassifier(_Canned):
    """Predicts the class frequencies, ignoring the features."""

    def __init__(self, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer="Ftrl", config=None, loss_reduction=_SUM):
        self._begin(_baseline_fn(classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction), optimizer, weight_column), model_dir, config, None)


@export("estimator.BaselineRegressor")
class BaselineRegressor(_Canned):
    """Predicts the mean label, ignoring the features."""

    def __init__(self, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl", config=None, loss_reduction=_SUM):
        self._begin(_baseline_fn(Regression(weight_column, label_dimension, loss_reduction), optimizer, weight_column), model_dir, config, None)


@export("estimator.BaselineEstimator")
class BaselineEstimator(_Canned):
    """A bias alone with a given head."""

    def __init__(self, head, model_dir=None, optimizer="Ftrl", config=None):
        self._begin(_baseline_fn(head, optimizer), model_dir, config, None)


def _example_spec(feature_columns, label_key, label, weight_column):
    spec = make_parse_example_spec(feature_columns)
    if label_key in spec:
        raise ValueError("label should not be used as feature. label_key: {}, features: {}".format(label_key, spec.keys()))
    spec[label_key] = label
    if weight_column is not None:
        column = numeric_column(weight_column) if isinstance(weight_column, str) else weight_column
        if column.key in spec:
            raise ValueError("Key {} should not be used as feature, because it is already used as feature or label".format(column.key))
        spec.update(column.parse_example_spec)
    return spec


@export("estimator.classifier_parse_example_spec")
def classifier_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.int64, label_default=None, weight_column=None):
    """The feature spec for tf.parse_example: features, the class and its weight."""
    return _example_spec(feature_columns, label_key, FixedLenFeature((1,), label_dtype, label_default), weight_column)


@export("estimator.regressor_parse_example_spec")
def regressor_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.float32, label_default=None, label_dimension=1, weight_column=None):
    return _example_spec(feature_columns, label_key, FixedLenFeature((label_dimension,), label_dtype, label_default), weight_column)
