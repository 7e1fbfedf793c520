"""tf.contrib.estimator: wrappers of estimators and optimizers, logit functions, networks over sequences."""

import inspect

from .. import basics, dtypes, engine, initializers, ops
from ..contrib.sequence_inputs import sequence_input_layer
from ..feature_column.sequences import concatenate_context_input
from ..data.iterators import make_one_shot_iterator
from ..exports import export
from ..feature_column.inputs import input_layer
from ..layers import functions
from ..losses import Reduction
from ..ops import Graph, Tensor
from ..partitioned_variable import min_max_variable_partitioner
from ..rnn.cells import BasicLSTMCell, BasicRNNCell, GRUCell, RNNCell
from ..rnn.loops import dynamic_rnn
from ..rnn.wrappers import MultiRNNCell
from ..sparse_tensor import SparseTensor
from ..summaries import ops as summary
from ..training.global_step import get_global_step
from ..training.optimizer import Optimizer
from ..variable_scope import variable_scope
from . import export_outputs
from .canned import _deep_logits, _linear_logits, _optimizer
from .estimator import Estimator
from .export_outputs import PredictOutput
from .heads import classifier_head
from .spec import ModeKeys

_DEFAULT = object()


def _contrib(*names):
    return export(*["contrib.estimator." + n for n in names])


def _parameters(function):
    return tuple(inspect.signature(function).parameters)


@export("contrib.estimator.add_metrics", "estimator.add_metrics")
def add_metrics(estimator, metric_fn):
    """An estimator with the additional metrics of metric_fn(features, labels, predictions, config)."""
    unknown = sorted(set(_parameters(metric_fn)) - {"features", "labels", "predictions", "config"})
    if unknown:
        raise ValueError("metric_fn (%s) has following not expected args: %s" % (metric_fn, unknown))

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {"features": features, "labels": labels, "predictions": spec.predictions, "config": config}
        more = metric_fn(**{n: given[n] for n in _parameters(metric_fn)})
        return spec._replace(eval_metric_ops=dict(spec.eval_metric_ops or {}, **more))

    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config, warm_start_from=estimator._warm_start)


class _Transforming(Optimizer):
    """Applies a function to gradients before another optimizer applies them."""

    def __init__(self, optimizer, transform, name):
        super().__init__(use_locking=False, name=name)
        self._optimizer, self._transform = optimizer, transform

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        return self._optimizer.apply_gradients(self._transform(grads_and_vars), global_step, name)

    def get_slot(self, *args, **kwargs):
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._optimizer.get_slot_names(*args, **kwargs)


@_contrib("clip_gradients_by_norm")
def clip_gradients_by_norm(optimizer, clip_norm):
    """The optimizer with gradients clipped to global norm `clip_norm`."""
    def clip(grads_and_vars):
        gradients, variables = zip(*grads_and_vars)
        return list(zip(engine.clip_by_global_norm(gradients, clip_norm)[0], variables))

    return _Transforming(optimizer, clip, "ClipByNorm" + optimizer.get_name())


def _checked_keys(keys):
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, (list, tuple)):
        raise TypeError("keys should be either a string or a list of strings. Given: {}".format(type(keys)))
    for key in keys:
        if not isinstance(key, str):
            raise TypeError("All items in the given keys list should be a string. There exist an item with type: {}".format(type(key)))
    return keys


def _forwarded(key, features, predictions, sparse_defaults):
    if key not in features:
        raise ValueError('keys should be exist in features. Key "{}" is not in features dict. features dict has following keys: {}. Please check arguments of forward_features.'
                         .format(key, features.keys()))
    if key in predictions:
        raise ValueError("Cannot forward feature key ({}). Since it does exist in predictions. Existing prediction keys: {}. Please check arguments of forward_features."
                         .format(key, predictions.keys()))
    feature = features[key]
    if not isinstance(feature, (Tensor, SparseTensor)):
        feature = ops.convert_to_tensor(feature)
    if sparse_defaults and key in sparse_defaults:
        if not isinstance(feature, SparseTensor):
            raise ValueError("Feature ({}) is expected to be a `SparseTensor`.".format(key))
        feature = engine.sparse_tensor_to_dense(feature, default_value=sparse_defaults[key])
    if not isinstance(feature, Tensor):
        raise ValueError("Feature ({}) should be a Tensor. Please use `keys` argument of forward_features to filter unwanted features, oradd key to argument "
                         "`sparse_default_values`.Type of features[{}] is {}.".format(key, key, type(feature)))
    return feature


@_contrib("forward_features")
def forward_features(estimator, keys=None, sparse_default_values=None):
    """An estimator whose predictions also contain features, such as keys of examples."""
    keys = _checked_keys(keys)

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        predictions = spec.predictions
        if predictions is None:
            return spec
        if not isinstance(predictions, dict):
            raise ValueError("Predictions should be a dict to be able to forward features. Given: {}".format(type(predictions)))
        more = {key: _forwarded(key, features, predictions, sparse_default_values) for key in (features.keys() if keys is None else keys)}
        predictions.update(more)
        spec = spec._replace(predictions=predictions)
        for name in ("predict", "serving_default") if spec.export_outputs else ():
            output = spec.export_outputs.get(name)
            if isinstance(output, PredictOutput):
                output.outputs.update(more)
        return spec

    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)


@export("contrib.estimator.call_logit_fn", "estimator.experimental.call_logit_fn")
def call_logit_fn(logit_fn, features, mode, params, config):
    """Calls logit_fn with those of the arguments that it accepts."""
    given = {"mode": mode, "params": params, "config": config}
    made = logit_fn(features=features, **{n: given[n] for n in _parameters(logit_fn) if n in given})
    if not isinstance(made, Tensor) and not (isinstance(made, dict) and all(isinstance(k, str) and isinstance(v, Tensor) for k, v in made.items())):
        raise ValueError("logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: %s" % made)
    return made


@export("contrib.estimator.dnn_logit_fn_builder", "estimator.experimental.dnn_logit_fn_builder")
def dnn_logit_fn_builder(units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm):
    """A function (features, mode) → logits of a deep network."""
    if not isinstance(units, int):
        raise ValueError("units must be an int.  Given type: {}".format(type(units)))

    def dnn_logit_fn(features, mode):
        return _deep_logits(features, mode, units, hidden_units, feature_columns, activation_fn, dropout, batch_norm, input_layer_partitioner)

    return dnn_logit_fn


@export("contrib.estimator.linear_logit_fn_builder", "estimator.experimental.linear_logit_fn_builder")
def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    """A function (features) → logits of a linear model."""
    def linear_logit_fn(features):
        return _linear_logits(features, units, feature_columns, sparse_combiner)

    return linear_logit_fn


@_contrib("export_saved_model_for_mode")
def export_saved_model_for_mode(estimator, export_dir_base, input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None, mode=ModeKeys.PREDICT):
    """A SavedModel of an estimator's graph for one mode."""
    return estimator.export_saved_model(export_dir_base, input_receiver_fn, assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path, experimental_mode=mode)


@_contrib("export_all_saved_models")
def export_all_saved_models(estimator, export_dir_base, input_receiver_fn_map, assets_extra=None, as_text=False, checkpoint_path=None):
    """One SavedModel of an estimator's graphs for several modes."""
    return estimator.experimental_export_all_saved_models(export_dir_base, input_receiver_fn_map, assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path)


# Networks over sequences.
_CELLS = {"basic_rnn": BasicRNNCell, "lstm": BasicLSTMCell, "gru": GRUCell}


def _cell(num_units, kind):
    kind = _CELLS.get(kind, kind)
    if not kind or not issubclass(kind, RNNCell):
        raise ValueError("Supported cell types are {}; got {}".format(list(_CELLS), kind))
    return kind(num_units=num_units)


def _cell_function(rnn_cell_fn, num_units, kind):
    if rnn_cell_fn and (num_units or kind is not _DEFAULT):
        raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
    if rnn_cell_fn:
        return rnn_cell_fn
    kind = "basic_rnn" if kind is _DEFAULT else kind

    def cells(mode):
        made = [_cell(n, kind) for n in num_units]
        return made[0] if len(made) == 1 else MultiRNNCell(made)

    return cells


def _last(activations, lengths):
    """The activations of each sequence's last step."""
    with ops.name_scope("select_last_activations", values=[activations, lengths]):
        shape = basics.shape(activations)
        rows, steps, units = shape[0], shape[1], shape[2]
        starts = basics.to_int64(engine.range(rows) * steps)
        flat = engine.reshape(activations, [rows * steps, units])
        last = engine.gather(flat, starts + (steps if lengths is None else lengths) - 1)
        last.set_shape([activations.shape[0], activations.shape[2]])
        return last


def _rnn_fn(head, rnn_cell_fn, sequence_columns, context_columns, optimizer, partitioner):
    sequence_columns, context_columns = tuple(sequence_columns or []), tuple(context_columns or [])

    def model_fn(features, labels, mode, config):
        if not isinstance(features, dict):
            raise ValueError("features should be a dictionary of `Tensor`s. Given type: {}".format(type(features)))
        made = optimizer if isinstance(optimizer, Optimizer) else clip_gradients_by_norm(_optimizer(optimizer, 0.05), 5.0)
        replicas, values = config.num_ps_replicas if config else 0, tuple(features.values())
        with variable_scope("rnn", values=values, partitioner=min_max_variable_partitioner(max_partitions=replicas)):
            parts = partitioner or min_max_variable_partitioner(max_partitions=replicas, min_slice_size=64 << 20)
            with variable_scope("sequence_input_layer", values=values, partitioner=parts):
                inputs, lengths = sequence_input_layer(features=features, feature_columns=sequence_columns)
                summary.histogram("sequence_length", lengths)
                if context_columns:
                    inputs = concatenate_context_input(input_layer(features=features, feature_columns=context_columns), inputs)
            outputs, _ = dynamic_rnn(cell=rnn_cell_fn(mode), inputs=inputs, sequence_length=lengths, dtype=dtypes.float32, time_major=False)
            outputs = _last(outputs, lengths)
            with variable_scope("logits", values=(outputs,)):
                logits = functions.dense(outputs, units=head.logits_dimension, activation=None, kernel_initializer=initializers.glorot_uniform_initializer())
            engine.sequence_mask(lengths)  # TensorFlow makes this node too
            return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits,
                                              train_op_fn=lambda loss: made.minimize(loss, global_step=get_global_step()))

    return model_fn


@_contrib("RNNClassifier")
class RNNClassifier(Estimator):
    """Classes of whole sequences, by a recurrent network."""

    def __init__(self, sequence_feature_columns, context_feature_columns=None, num_units=None, cell_type=_DEFAULT, rnn_cell_fn=None, model_dir=None, n_classes=2,
                 weight_column=None, label_vocabulary=None, optimizer="Adagrad", loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, input_layer_partitioner=None, config=None):
        cells = _cell_function(rnn_cell_fn, num_units, cell_type)
        head = classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(model_fn=_rnn_fn(head, cells, sequence_feature_columns, context_feature_columns, optimizer, input_layer_partitioner), model_dir=model_dir, config=config)


@_contrib("RNNEstimator")
class RNNEstimator(Estimator):
    """A recurrent network over whole sequences with a given head."""

    def __init__(self, head, sequence_feature_columns, context_feature_columns=None, num_units=None, cell_type=_DEFAULT, rnn_cell_fn=None, return_sequences=False, model_dir=None,
                 optimizer="Adagrad", input_layer_partitioner=None, config=None):
        cells = _cell_function(rnn_cell_fn, num_units, cell_type)
        if return_sequences:
            raise ValueError("Provided head must be a `_SequentialHead` object when `return_sequences` is set to True.")
        super().__init__(model_fn=_rnn_fn(head, cells, sequence_feature_columns, context_feature_columns, optimizer, input_layer_partitioner), model_dir=model_dir, config=config)


@_contrib("build_raw_supervised_input_receiver_fn")
def build_raw_supervised_input_receiver_fn(features, labels, default_batch_size=None):
    """Feeds are the features and labels themselves."""
    return export_outputs.build_raw_supervised_input_receiver_fn(features, labels, default_batch_size)


@_contrib("build_supervised_input_receiver_fn_from_input_fn")
def build_supervised_input_receiver_fn_from_input_fn(input_fn, **input_fn_args):
    """Feeds are the results of an input function."""
    with Graph().as_default():
        made = input_fn(**input_fn_args)
        if hasattr(made, "make_initializable_iterator") or type(made).__name__.endswith("Dataset"):
            made = make_one_shot_iterator(made).get_next()
        features, labels = made if isinstance(made, (list, tuple)) and len(made) == 2 else (made, None)
    return build_raw_supervised_input_receiver_fn(features, labels)
