"""Dependencies and saved values of each kind of object, under TensorFlow's names. Lists and dicts are objects; their elements are named by index or key."""

import collections
import functools

from ... import ops
from ...functions.template import Template
from ...keras.models import Model, Sequential
from ...keras.optimizer_base import Optimizer as OptimizerV2
from ...keras.optimizers import TFOptimizer
from ...layers.base import Layer
from ...ops import Graph
from ...variable_base import Variable
from ...variables import global_variables, local_variables
from ..optimizer import Optimizer
from . import base
from .base import AutoTrackable, Trackable

_DECLARED = Trackable._checkpoint_dependencies


class Structure:
    """Represents a list attribute that TensorFlow's layer has and ours lacks, in the object graph."""

    def __init__(self, *items):
        self.items = items


def _structure(layer, name, *items):
    """The Structure for an attribute of a layer, always the same object."""
    made = layer.__dict__.setdefault("_keras_structures", {}).setdefault(name, Structure())
    made.items = items
    return made


def is_trackable(value):
    """Whether checkpoints may contain an object: one with state, a list, a dict."""
    return type(value) in (list, dict, collections.OrderedDict) or isinstance(value, (Trackable, Structure)) or hasattr(value, "_gather_saveables_for_checkpoint") and not isinstance(value, type)


base._is_trackable = is_trackable


def _of_optimizer(optimizer):
    graph = ops.get_default_graph()
    found = []
    for (name, _), variable in sorted(optimizer._non_slot_dict.items(), key=lambda item: item[0][0]):
        if variable.graph._graph_key == graph._graph_key:
            found.append((name, variable))
    return found


def _of_keras_optimizer(optimizer):
    iterations = [] if optimizer._iterations is None else [("iter", optimizer._iterations)]
    return iterations + sorted(optimizer._made_hyper.items())


def _of_template(template):
    if template.variable_scope is None:
        return []
    prefix = template.variable_scope.name + "/"
    return [(v.op.name[len(prefix):], v) for v in global_variables() + [v for v in local_variables()] if v.op.name.startswith(prefix)]


def _layers_of_model(model):
    found, weighty = [], 0
    for i, layer in enumerate(model._layers):
        if layer.weights:
            found.append(("layer_with_weights-%d" % weighty, layer))
            weighty += 1
        found.append(("layer-%d" % i, layer))
    return found


def _attributes(layer):
    """Attributes that are dependencies: public ones of our classes (lists and dicts excluded), all of the program's classes."""
    own = type(layer).__module__.startswith("weft.")
    found = []
    untracked = layer.__dict__.get("_keras_untracked", ())
    for name, value in layer.__dict__.items():
        if name in untracked:
            continue
        if name in _OURS or name in _of_bare_models() or name.startswith("_keras_") or own and (name.startswith("_") or type(value) in (list, dict)):
            continue
        if is_trackable(value):
            found.append((name, value))
    known = {id(value) for _, value in found}
    if not own or type(layer) is Model:  # variables of add_weight() that are no attributes
        more = [(v.name.partition(":")[0].rpartition("/")[2], v) for v in layer._trainable_weights + layer._non_trainable_weights if id(v) not in known and not _in_container(layer, v)]
        found, known = found + more, known | {id(v) for _, v in more}
    return found + [(r.name, r.ref) for r in layer._unconditional_checkpoint_dependencies if id(r.ref) not in known]


def _in_container(layer, variable):
    """Whether a list or dict of an attribute has the variable."""
    return any(variable is v for v in layer._layers.variables()) if hasattr(layer._layers, "variables") else False


# Attributes of our base classes that are not dependencies.
_OURS = {"_trainable_weights", "_non_trainable_weights", "_layers", "_losses", "_callable_losses", "_updates", "_inbound_nodes", "_metrics", "_activity_regularizer", "optimizer",
         "_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names", "_initial_weights", "input_spec", "_inputs", "_outputs", "_nodes", "_structure_in",
         "_structure_out", "_run_options", "_compiled_metrics", "_loss_weights", "_trainer", "history", "loss", "_graph_losses", "_reuse", "_scope"}


@functools.lru_cache(None)
def _of_bare_models():
    """Attributes that every model gets from its base classes."""
    with Graph().as_default():
        return frozenset(type("Bare", (Model,), {})().__dict__)


def _is(layer, name):
    """Whether a layer is of our class of that name, or of a subclass."""
    return any(c.__name__ in (name, "Keras" + name) and c.__module__.startswith("weft.") for c in type(layer).__mro__)


def _of_layer(layer):
    found = _attributes(layer)
    if _is(layer, "Bidirectional"):
        both = _structure(layer, "_layers", layer.forward_layer, layer.backward_layer)
        return [("forward_layer", layer.forward_layer), ("_layers", both), ("backward_layer", layer.backward_layer)]
    if _is(layer, "StackedRNNCells"):
        cells = _structure(layer, "cells", *layer.cells)
        return [("cells", cells), ("_layers", _structure(layer, "_layers", cells))]
    if _is(layer, "BatchNormalization"):
        order = {name: i for i, name in enumerate(("gamma", "beta", "moving_mean", "moving_variance"))}
        weights = sorted((f for f in found if f[0] in order), key=lambda f: order[f[0]])
        return [("axis", _structure(layer, "axis"))] + weights + ([("_updates", _structure(layer, "_updates"))] if layer.built else []) + [f for f in found if f[0] not in order]
    if _is(layer, "RNN") and hasattr(layer, "cell"):
        return [("cell", layer.cell), ("state_spec", _structure(layer, "state_spec"))] + [f for f in found if f[0] not in ("cell", "state_spec")]
    return found


def dependencies(obj):
    """[(name, object)] of an object's dependencies, in TensorFlow's order."""
    if isinstance(obj, Structure):
        return [(str(i), v) for i, v in enumerate(obj.items)]
    if isinstance(obj, (list, tuple)):
        return [(str(i), v) for i, v in enumerate(obj) if is_trackable(v)]
    if isinstance(obj, dict):
        for key, value in obj.items():
            if not isinstance(key, str) and is_trackable(value):
                raise ValueError("Unable to save the object %s (a dictionary wrapper constructed automatically on attribute assignment). The wrapped dictionary contains a "
                                 "non-string key which maps to a trackable object or mutable data structure." % (obj,))
        return [(key, value) for key, value in obj.items() if is_trackable(value)]
    if isinstance(obj, Variable):
        return []
    if isinstance(obj, AutoTrackable) and not isinstance(obj, Layer) or getattr(type(obj), "_checkpoint_dependencies", _DECLARED) not in (_DECLARED, _OF_OURS):
        return [(r.name, r.ref) for r in obj._checkpoint_dependencies]
    if isinstance(obj, Optimizer):
        return _of_optimizer(obj)
    if isinstance(obj, OptimizerV2):
        return _of_keras_optimizer(obj)
    if isinstance(obj, TFOptimizer):
        return [("optimizer", obj.optimizer)]
    if isinstance(obj, Template):
        return _of_template(obj)
    if isinstance(obj, Model):
        listed = _layers_of_model(obj) if _has_fixed_layers(obj) else []
        known = {id(v) for _, v in listed}
        more = [f for f in _attributes(obj) if id(f[1]) not in known]
        optimizer = getattr(obj, "optimizer", None)
        return listed + more + ([("optimizer", optimizer)] if isinstance(optimizer, (Optimizer, OptimizerV2, TFOptimizer)) else [])
    if isinstance(obj, Layer):
        return _of_layer(obj)
    return [(r.name, r.ref) for r in obj._checkpoint_dependencies] if isinstance(obj, Trackable) else []


def _has_fixed_layers(model):
    """Whether a model is defined by its layers (Sequential, or built from inputs and outputs) and not by attributes."""
    return isinstance(model, Sequential) or model._functional


def saveables(obj):
    """name -> saved value of the object itself"""
    if isinstance(obj, (list, tuple, dict, Structure)):
        return {}
    if isinstance(obj, Variable):
        return {"VARIABLE_VALUE": obj}
    gather = getattr(obj, "_gather_saveables_for_checkpoint", None)
    return gather() if gather is not None else {}


def slots(obj, variable, name):
    """An optimizer's slot for a variable, or None."""
    try:
        return obj.get_slot(variable, name)
    except (AttributeError, KeyError):
        return None


def is_optimizer(obj):
    return isinstance(obj, (Optimizer, OptimizerV2)) or hasattr(obj, "_create_or_restore_slot_variable")


_OF_OURS = property(lambda self: [base.TrackableReference(*found) for found in dependencies(self)])
for _kind in (Layer, Optimizer, OptimizerV2, Template):
    _kind._checkpoint_dependencies = _OF_OURS
