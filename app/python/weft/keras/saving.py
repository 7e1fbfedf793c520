"""Keras models as configurations, files and copies."""

import copy
import inspect
import json
import os

import numpy as np

from .. import context, settings
from ..dtypes import DType
from ..exports import export
from ..layers import lookups
from ..layers.keras_names import unexported
from ..platform import gfile, tf_logging as logging
from ..tensor_shape import TensorShape
from . import backend, hdf5_weights, losses, operation_layer, optimizers, saved_folders  # noqa: F401 (operation_layer registers its class)
from .serialization import custom_object_scope, CustomObjectScope


def h5py():
    try:
        import h5py as module
    except ImportError:
        raise ImportError("`save_model` requires h5py.") from None
    return module


def is_hdf5(path):
    return str(path).endswith((".h5", ".hdf5", ".keras"))


def _classes():
    found = {name.rpartition(".")[2]: what for name, what in _exported().items() if name.startswith(("keras.layers.", "keras.models.", "keras.Sequential", "keras.Model")) and
             isinstance(what, type)}
    return dict(found, **unexported)


def _exported():
    from .. import exports

    return exports.names


@export("keras.layers.serialize")
def serialize_layer(layer):
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


@export("keras.layers.deserialize")
def deserialize_layer(config, custom_objects=None):
    name = config["class_name"]
    found = (custom_objects or {}).get(name) or lookups.CUSTOM.get(name) or _classes().get(name)
    if found is None:
        raise ValueError("Unknown layer: " + name)
    takes = "custom_objects" in inspect.signature(found.from_config).parameters
    with custom_object_scope({} if takes else custom_objects or {}):
        return found.from_config(copy.deepcopy(config["config"]), **({"custom_objects": custom_objects} if takes else {}))


# Configurations.
def sequential_config(model):
    """The configuration of a Sequential model. The input shape is that of its first layer, unless data or build() provided it."""
    layers = copy.deepcopy([{"class_name": type(layer).__name__, "config": layer.get_config()} for layer in model.layers])
    config, shape = {"name": model.name, "layers": layers}, model.__dict__.get("_build_input_shape")
    if shape is not None:
        config["build_input_shape"] = shape
    elif model._inputs is not None and layers and "batch_input_shape" not in layers[0]["config"]:
        layers[0]["config"]["batch_input_shape"] = tuple(model._inputs[0].shape.as_list())
    return config


def sequential_of(config, custom_objects, cls):
    """A Sequential model from its configuration."""
    layers = config["layers"] if isinstance(config, dict) else config
    model = cls(name=config.get("name") if isinstance(config, dict) else None)
    for data in layers:
        model.add(deserialize_layer(data, custom_objects))
    if isinstance(config, dict) and config.get("build_input_shape") and model._outputs is None:
        model.build(config["build_input_shape"])
    return model


def plain(value):
    """The JSON of an object in a configuration."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return value.as_list()
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if hasattr(value, "__name__"):
        return value.__name__
    raise TypeError("Not JSON Serializable:", value)


def _described(model):
    return {"class_name": type(model).__name__, "config": model.get_config(), "keras_version": "2.2.4-tf", "backend": "tensorflow"}


def to_json(model, **kwargs):
    return json.dumps(_described(model), default=plain, **kwargs)


def to_yaml(model, **kwargs):
    try:
        import yaml
    except ImportError:
        raise ImportError("Requires yaml module installed.") from None
    return yaml.dump(json.loads(to_json(model)), **kwargs)


@export("keras.models.model_from_config")
def model_from_config(config, custom_objects=None):
    if isinstance(config, list):
        raise TypeError("`model_from_config` expects a dictionary, not a list. Maybe you meant to use `Sequential.from_config(config)`?")
    return deserialize_layer(config, custom_objects)


@export("keras.models.model_from_json")
def model_from_json(json_string, custom_objects=None):
    return model_from_config(json.loads(json_string), custom_objects)


@export("keras.models.model_from_yaml")
def model_from_yaml(yaml_string, custom_objects=None):
    try:
        import yaml
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
    return model_from_config(yaml.safe_load(yaml_string), custom_objects)


# Files.
def _text(name):
    return name.decode() if isinstance(name, bytes) else name


def _training_config(model):
    if model.optimizer is None or isinstance(model.optimizer, optimizers.TFOptimizer):
        return None
    return {"optimizer_config": optimizers.serialize(model.optimizer), "loss": model.loss, "metrics": model._compile_metrics, "weighted_metrics": model._compile_weighted_metrics,
            "sample_weight_mode": model.sample_weight_mode, "loss_weights": model.loss_weights}


def may_overwrite(path):
    """Whether a path is free, or the user agrees to overwrite it."""
    path = str(path)
    if not any(gfile.Exists(p) for p in (path, path + ".index")):
        return True
    answer = input("[WARNING] %s already exists - overwrite? [y/n]" % path).strip().lower()
    while answer not in ("y", "n"):
        answer = input("Enter y (overwrite) or n (cancel).").strip().lower()
    return answer == "y"


@export("keras.models.save_model")
def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
    """Writes a model: HDF5, or a folder with a SavedModel, the configuration and the variables."""
    if signatures is not None:
        raise NotImplementedError("save_model: signatures is not supported; tf.saved_model.Builder writes models with signatures of one's own")
    if not overwrite and not may_overwrite(filepath):
        return
    described = dict(_described(model)) if model._functional else None
    training = _training_config(model) if include_optimizer and model.optimizer is not None else None
    if is_hdf5(filepath) or save_format in ("h5", "hdf5", "keras"):
        if described is None:
            raise NotImplementedError("Saving the model to HDF5 format requires the model to be a Functional model or a Sequential model. It does not work for subclassed models.")
        with h5py().File(filepath, "w") as f:
            f.attrs["keras_version"], f.attrs["backend"] = b"2.2.4-tf", b"tensorflow"
            f.attrs["model_config"] = json.dumps(described, default=plain).encode()
            hdf5_weights.save_weights_to_hdf5_group(f.create_group("model_weights"), model.layers)
            if training:
                f.attrs["training_config"] = json.dumps(training, default=plain).encode()
                if model.optimizer.variables():
                    g = f.create_group("optimizer_weights")
                    names = [v.name.encode() for v in model.optimizer.variables()]
                    hdf5_weights.save_attributes_to_hdf5_group(g, "weight_names", names)
                    for name, value in zip(names, model.optimizer.get_weights()):
                        g.create_dataset(name.decode(), data=value)
        return
    if model.outputs is None:
        raise ValueError("Model {} cannot be saved because the input shapes have not been set. Usually, input shapes are automatically determined from calling .fit() or .predict(). To "
                         "manually set the shapes, call model._set_inputs(inputs).".format(model))
    saved_folders.write(model, str(filepath), described, training, plain)


@export("keras.models.load_model")
def load_model(filepath, custom_objects=None, compile=True):
    """Reads a model written by save_model()."""
    filepath = str(filepath)
    if is_hdf5(filepath) or os.path.isfile(filepath):
        with h5py().File(filepath, "r") as f:
            if "model_config" not in f.attrs:
                raise ValueError("No model found in config file.")
            model = model_from_config(json.loads(_text(f.attrs["model_config"])), custom_objects)
            hdf5_weights.load_weights_from_hdf5_group(f["model_weights"], model.layers)
            training = json.loads(_text(f.attrs["training_config"])) if "training_config" in f.attrs else None
            state = [np.asarray(f["optimizer_weights"][_text(n)]) for n in hdf5_weights.load_attributes_from_hdf5_group(f["optimizer_weights"], "weight_names")] if "optimizer_weights" in f else None
        if compile and training:
            _compile(model, training, custom_objects)
            if state and model.optimizer is not None:
                with context.keras_graph().as_default():
                    model._make_train_function()
                try:
                    model.optimizer.set_weights(state)
                except ValueError:
                    logging.warning("Error in loading the saved optimizer state. As a result, your model is starting with a freshly initialized optimizer.")
        return model
    data = saved_folders.configuration(filepath)
    model = model_from_config(data["model"], custom_objects)
    if compile and data["training"]:
        _compile(model, data["training"], custom_objects)
    saved_folders.read_variables(model, filepath)
    return model


def _own(what, custom_objects):
    """Replaces names of custom losses and metrics by the objects, in lists and dicts."""
    if isinstance(what, dict):
        return {k: _own(v, custom_objects) for k, v in what.items()}
    if isinstance(what, (list, tuple)):
        return [_own(v, custom_objects) for v in what]
    return custom_objects.get(what, what) if isinstance(what, str) else what


def _compile(model, training, custom_objects):
    custom_objects = custom_objects or {}
    with CustomObjectScope(custom_objects):
        loss = training["loss"]
        loss = losses.deserialize(loss, custom_objects) if isinstance(loss, dict) and "class_name" in loss else _own(loss, custom_objects)
        model.compile(optimizers.deserialize(training["optimizer_config"], custom_objects), loss=loss, metrics=_own(training["metrics"], custom_objects),
                      weighted_metrics=_own(training.get("weighted_metrics"), custom_objects), loss_weights=training["loss_weights"],
                      sample_weight_mode=training["sample_weight_mode"])


@export("keras.experimental.export_saved_model")
def export_saved_model(model, saved_model_path, custom_objects=None, as_text=False, input_signature=None, serving_only=False):
    if input_signature is not None:
        raise NotImplementedError("export_saved_model: input_signature is not supported: the model's inputs are the signature's")
    settings.unused("keras.experimental.export_saved_model", "the folder has one graph, in the binary format", as_text=(as_text, False), serving_only=(serving_only, False))
    if not model._functional and not hasattr(model, "add"):
        raise NotImplementedError("export_saved_model: a subclassed model has no configuration")
    save_model(model, saved_model_path, save_format="tf")


@export("keras.experimental.load_from_saved_model")
def load_from_saved_model(saved_model_path, custom_objects=None):
    return load_model(saved_model_path, custom_objects)
