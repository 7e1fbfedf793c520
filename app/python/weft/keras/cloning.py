"""Copies of Keras models: clone_model, clone_and_build_model."""

from ..exports import export
from ..layers.base import Layer
from ..platform import tf_logging as logging
from ..tensor_shape import TensorShape
from ..util import nest
from . import optimizers
from .layers import Input, InputLayer
from .serialization import CustomObjectScope


def _clone_layer(layer):
    return type(layer).from_config(layer.get_config())


def share_weights(layer):
    """A layer_fn that makes no copy."""
    return layer


@export("keras.models.clone_model")
def clone_model(model, input_tensors=None, clone_function=None):
    """A model of the same layers with new variables."""
    again = clone_function or _clone_layer
    return _clone_sequential_model(model, input_tensors, again) if hasattr(model, "add") else _clone_functional_model(model, input_tensors, again)


def _check(model, layer_fn, kind):
    if kind == "functional":
        if not hasattr(model, "_set_graph"):
            raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
        if hasattr(model, "add"):
            raise ValueError("Expected `model` argument to be a functional `Model` instance, got a `Sequential` instance instead:", model)
        if not model._functional:
            raise ValueError("Expected `model` argument to be a functional `Model` instance, but got a subclass model instead.")
    elif not hasattr(model, "add"):
        raise ValueError("Expected `model` argument to be a `Sequential` model instance, but got:", model)
    if not callable(layer_fn):
        raise ValueError("Expected `layer_fn` argument to be a callable.")


def _clone_sequential_model(model, input_tensors=None, layer_fn=_clone_layer):
    _check(model, layer_fn, "sequential")
    layers = [layer_fn(layer) for layer in model.layers]
    if input_tensors is None:
        first = model._layers[0] if model._layers else None
        start = [_clone_layer(first)] if isinstance(first, InputLayer) and not model.__dict__.get("_deferred") else []
        return type(model)(layers=start + layers, name=model.name)
    given = nest.flatten(input_tensors)
    if len(given) != 1:
        raise ValueError("To clone a `Sequential` model, we expect  at most one tensor as part of `input_tensors`.")
    x = given[0]
    if hasattr(x, "_keras_history"):
        start = x._keras_history.layer
        if not isinstance(start, InputLayer):
            raise ValueError("Cannot clone a `Sequential` model on top of a tensor that comes from a Keras layer other than an `InputLayer`. Use the functional API instead.")
    else:
        start = Input(tensor=x, name="input_wrapper_for_" + x.op.name.rpartition("/")[2])._keras_history.layer
    return type(model)(layers=[start] + layers, name=model.name)


def _given_inputs(model, input_tensors):
    """The inputs of a copy: new placeholders, or the given tensors."""
    if input_tensors is None:
        return [Input(batch_shape=tuple(t.shape.as_list()), dtype=t.dtype, name=t._keras_history.layer.name) for t in model._inputs]
    given = []
    for x, t in zip(nest.flatten(input_tensors), model._inputs):
        given.append(x if hasattr(x, "_keras_history") else Input(tensor=x, name="input_wrapper_for_" + t._keras_history.layer.name))
    return given


def _clone_functional_model(model, input_tensors=None, layer_fn=_clone_layer):
    _check(model, layer_fn, "functional")
    given = _given_inputs(model, input_tensors)
    values, layers = {id(a): b for a, b in zip(model._inputs, given)}, {}
    for node in model._nodes:
        layer = node.layer
        if id(layer) not in layers:
            layers[id(layer)] = clone_model(layer) if hasattr(layer, "_set_graph") and layer_fn is _clone_layer and (layer._functional or hasattr(layer, "add")) else layer_fn(layer)
        arguments = nest.map_structure(lambda v: values.get(id(v), v), node.arguments[1])
        made = layers[id(layer)](nest.map_structure(lambda t: values.get(id(t), t), node.input_tensors), *node.arguments[0], **arguments)
        for old, new in zip(nest.flatten(node.output_tensors), nest.flatten(made)):
            values[id(old)] = new
    made = type(model)(nest.pack_sequence_as(model._structure_in, given), nest.map_structure(lambda t: values[id(t)], model._structure_out), name=model.name)
    made._keep_added([layer for layer in layers.values() if not any(layer is known for known in made._layers)])
    return made


# Models reset in place.
_STATE = ("_layers", "_trainable_weights", "_non_trainable_weights", "_losses", "_eager_losses", "_callable_losses", "_updates", "_inbound_nodes", "_metrics")


def _in_place_subclassed_model_reset(model):
    """Replaces the layers of a subclassed model by copies without variables, and forgets what it was compiled for."""
    if model._functional or hasattr(model, "add"):
        raise ValueError("Only subclassed models can be reset in place")
    of_training = model._state_of_training()
    attributes = [(name, value) for name, value in vars(model).items() if not name.startswith("_keras_") and name not in _STATE and name not in of_training]
    model.__dict__["_before_reset"] = dict(vars(model), **{name: list(vars(model)[name]) for name in _STATE})
    for name in _STATE:
        del vars(model)[name]
    model._set_up()
    known = {}

    def fresh(value):
        if isinstance(value, dict):
            return type(value)((k, fresh(v)) for k, v in value.items())
        if isinstance(value, (list, tuple)):
            return type(value)(map(fresh, value))
        if not isinstance(value, Layer):
            return value
        if id(value) not in known:
            if hasattr(value, "_set_graph") and not value._functional and not hasattr(value, "add"):
                _in_place_subclassed_model_reset(value)
                known[id(value)] = value
            else:
                known[id(value)] = clone_model(value) if hasattr(value, "_set_graph") else _clone_layer(value)
        return known[id(value)]

    for name, value in attributes:
        members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
        if any(isinstance(v, Layer) for v in members):
            setattr(model, name, fresh(value))
    model.built = False
    model._training_state()
    model.__dict__.update(_inputs=None, _outputs=None, _nodes=[])


def in_place_subclassed_model_state_restoration(model):
    """Gives a model back what it had before it was reset in place."""
    before = model.__dict__.pop("_before_reset", None)
    if before is not None:
        model.__dict__.clear()
        model.__dict__.update(before)
        for layer in model._layers:
            if hasattr(layer, "_set_graph"):
                in_place_subclassed_model_state_restoration(layer)


def _copy_of_subclass(model, in_place_reset):
    try:
        return type(model).from_config(model.get_config())
    except NotImplementedError:
        logging.warning("This model is a subclassed model. Please implement `get_config` and `from_config` to better support cloning the model.")
    if not in_place_reset:
        raise ValueError("This model is a subclassed model. Such a model cannot be cloned, but there is a workaround where the model is reset in-place. To use this, please set the "
                         "argument `in_place_reset` to `True`. This will reset the attributes in the original model. To restore the attributes, call "
                         "`in_place_subclassed_model_state_restoration(model)`.")
    _in_place_subclassed_model_reset(model)
    return model


def _copied_optimizer(optimizer, iterations, config):
    if isinstance(optimizer, optimizers.TFOptimizer):
        return optimizers.TFOptimizer(optimizer.optimizer, iterations)
    made = type(optimizer).from_config(config or optimizer.get_config())
    if iterations is not None:
        made.iterations = iterations
    return made


def clone_and_build_model(model, input_tensors=None, target_tensors=None, custom_objects=None, compile_clone=True, in_place_reset=False, optimizer_iterations=None,
                          optimizer_config=None):
    """A copy of a model, on the given inputs, compiled as the model is."""
    optimizer = model.optimizer
    if compile_clone and not optimizer:
        raise ValueError("Error when cloning model: compile_clone was set to True, but the original model has not been compiled.")
    settings = model._compile_arguments() if compile_clone else None
    with CustomObjectScope(custom_objects or {}):
        if model._functional and not hasattr(model, "add"):
            made = clone_model(model, input_tensors)
        elif hasattr(model, "add"):
            made = clone_model(model, input_tensors)
            shape = model.__dict__.get("_build_input_shape")
            if made._outputs is None and shape is not None:
                made.build(TensorShape(shape))
        else:
            made = _copy_of_subclass(model, in_place_reset)
            if input_tensors is not None:
                made._set_inputs(input_tensors[0] if isinstance(input_tensors, (list, tuple)) and len(input_tensors) == 1 else input_tensors)
    if compile_clone:
        made.compile(_copied_optimizer(optimizer, optimizer_iterations, optimizer_config), target_tensors=target_tensors, **settings)
    return made
