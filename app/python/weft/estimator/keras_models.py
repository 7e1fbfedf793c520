"""model_to_estimator: an estimator whose model function copies a compiled Keras model into the estimator's graph."""

import os

from .. import ops
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from ..session import Session
from ..sparse_tensor import SparseTensor
from ..training.checkpoints import latest_checkpoint
from ..training.global_step import create_global_step, get_global_step, get_or_create_global_step
from ..training.saver import Saver
from ..training.scaffold import Scaffold
from ..training.tracking.object_graph import ObjectGraphView
from ..variables import global_variables_initializer
from ..keras import backend
from ..keras.cloning import clone_and_build_model, in_place_subclassed_model_state_restoration
from ..keras.models import Sequential
from ..keras.saving import load_model
from .estimator import Estimator
from .export_outputs import PredictOutput
from .spec import EstimatorSpec, ModeKeys


def _is_functional(model):
    return model._is_graph_network or isinstance(model, Sequential)


def _tensor(x):
    return x if isinstance(x, (ops.Tensor, SparseTensor)) else ops.convert_to_tensor(x)


def _ordered(given, keys, what, of_model):
    """Features or labels as a list in the model's order. KeyError if a dict has other keys."""
    if given is None:
        return None
    if isinstance(given, (list, tuple)):
        return [_tensor(x) for x in given]
    if not isinstance(given, dict):
        return [_tensor(given)]
    different = set(given) ^ set(keys)
    if different:
        raise KeyError("The dictionary passed into %s does not have the expected %s keys defined in the keras model.\n\tExpected keys: %s\n\t%s keys: %s\n\tDifference: %s"
                       % (what, of_model, set(keys), what, set(given), different))
    return [_tensor(given[key]) for key in keys]


def _names(model, kind, count):
    return getattr(model, kind + "_names") if model._is_graph_network else ["%s_%d" % (kind, i) for i in range(1, count + 1)]


def _as_inputs(model, features, labels):
    """(inputs, targets, sample weights) of a model from what an input function gave."""
    weights = None
    if isinstance(features, dict) and set(features) == {"features", "sample_weights"}:
        features, weights = features["features"], features["sample_weights"]
    count = len(features) if isinstance(features, dict) else 0
    inputs = _ordered(features, _names(model, "input", count), "features", "inputs")
    count = len(labels) if isinstance(labels, dict) else 0
    return inputs, _ordered(labels, _names(model, "output", count), "labels", "outputs"), weights


def _copy(mode, model, custom_objects, features=None, labels=None, optimizer_config=None):
    """The model in the current graph, compiled unless it is to predict."""
    backend.set_learning_phase(mode == ModeKeys.TRAIN)
    inputs, targets, weights = _as_inputs(model, features, labels)
    compiled = mode != ModeKeys.PREDICT
    made = clone_and_build_model(model, inputs, targets, custom_objects, compile_clone=compiled, in_place_reset=not _is_functional(model),
                                 optimizer_iterations=get_or_create_global_step() if compiled else None, optimizer_config=optimizer_config)
    if weights is not None and compiled:
        weights = weights if isinstance(weights, (list, tuple)) else [weights]
        for endpoint, weight in zip(made._training_endpoints, weights):
            endpoint.sample_weight_mode, endpoint.sample_weight = "samplewise", ops.convert_to_tensor(weight)
        made._make_weighted_part()
    return made


def _optimizer_config(model):
    try:
        return model.optimizer.get_config()
    except (NotImplementedError, AttributeError):  # an optimizer of tf.train
        return None


def _object_saver(model):
    """A saver of the model's variables under the keys of its objects, and of the step."""
    model._track_trackable(get_global_step(), "estimator_global_step")
    return Saver(var_list=ObjectGraphView(model).frozen_saveable_objects(), sharded=True)


def _model_fn(keras_model, custom_objects, by_object):
    config = _optimizer_config(keras_model)

    def model_fn(features, labels, mode):
        model = _copy(mode, keras_model, custom_objects, features, labels, config)
        predictions = dict(zip(model.output_names, model.outputs))
        loss = train_op = metrics = None
        if mode == ModeKeys.TRAIN:
            model._make_train_function()
            train_op = model.train_function.updates_op
        elif mode == ModeKeys.EVAL:
            model._make_test_function()
        if mode != ModeKeys.PREDICT:
            loss = model.total_loss
            metrics = {m.name: m for m in model._compile_metric_functions} or None
        in_place_subclassed_model_state_restoration(keras_model)
        scaffold = Scaffold(saver=_object_saver(model)) if by_object else None
        return EstimatorSpec(mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
                             export_outputs={"serving_default": PredictOutput(predictions)}, scaffold=scaffold)

    return model_fn


def _first_checkpoint(model, custom_objects, config, model_dir, by_object):
    """The path of a checkpoint of the model's variables, from which the estimator starts; written unless there is one."""
    folder = os.path.join(model_dir, "keras")
    found = latest_checkpoint(folder)
    if found:
        return found
    weights = model.get_weights()
    gfile.MakeDirs(folder)
    path = os.path.join(folder, "keras_model.ckpt")
    with ops.Graph().as_default():
        ops.set_random_seed(config.tf_random_seed)
        create_global_step()
        copy = _copy(ModeKeys.TRAIN, model, custom_objects)
        copy._make_train_function()
        with Session(config=config.session_config) as session:
            session.run(global_variables_initializer())
            copy.set_weights(weights)
            if by_object:
                copy._track_trackable(get_global_step(), "estimator_global_step")
                copy.save_weights(path)
            else:
                Saver().save(session, path)
    return path


@export("keras.estimator.model_to_estimator")
def model_to_estimator(keras_model=None, keras_model_path=None, custom_objects=None, model_dir=None, config=None, checkpoint_format="saver"):
    """An Estimator that trains, evaluates and exports a compiled Keras model, which starts from the model's variables.

    `checkpoint_format`: "saver" for names of variables or "checkpoint" for names of objects, which needs a functional or Sequential model."""
    if not (keras_model or keras_model_path):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    if not keras_model:
        logging.info("Loading models from %s", keras_model_path)
        keras_model = load_model(keras_model_path)
    else:
        logging.info("Using the Keras model provided.")
    by_object = checkpoint_format in (None, "checkpoint")
    if by_object and not _is_functional(keras_model):
        raise ValueError("Object-based checkpoints are currently not supported with subclassed models.")
    if checkpoint_format not in (None, "checkpoint", "saver"):
        raise ValueError('Checkpoint format must be one of "checkpoint" or "saver". Got {}'.format(checkpoint_format))
    if not getattr(keras_model, "optimizer", None):
        raise ValueError("The given keras model has not been compiled yet. Please compile the model with `model.compile()` before calling `model_to_estimator()`.")
    made = Estimator(_model_fn(keras_model, custom_objects, by_object), model_dir=model_dir, config=config)
    if keras_model._is_graph_network:
        made._warm_from(_first_checkpoint(keras_model, custom_objects, made.config, made.model_dir, by_object))
    elif keras_model.built:
        logging.warning("You are creating an Estimator from a Keras model manually subclassed from `Model`, that was already called on some inputs (and thus already had weights). "
                        "Its weights cannot be kept: the estimator has a freshly initialized version of the model. The model that you passed stays as it is.")
    return made
