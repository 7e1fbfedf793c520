"""The configuration of functional models: their layers, and for each call of a layer where its inputs come from."""

import json

import numpy as np

from .. import ops
from ..internals.keras_tensors import convert_inner_node_data, ListWrapper
from ..platform import tf_logging as logging
from ..util import nest
from . import backend
from .saving import deserialize_layer, plain


def _first_call(layer):
    """The number of a layer's first call. A functional model has one already, which links its inputs with its outputs."""
    return 1 if hasattr(layer, "_set_graph") and layer._functional and not layer.__dict__.get("_deferred") else 0


class _Calls:
    """Numbers the calls that are part of a model."""

    def __init__(self, model):
        self._numbers = {}
        parts = {id(n) for n in model._nodes} | {id(t._keras_history.node) for t in model._inputs}
        for layer in model._layers:
            number = _first_call(layer)
            for node in layer._inbound_nodes:
                if id(node) in parts:
                    self._numbers[id(node)] = number
                    number += 1

    def of(self, layer):
        return [node for node in layer._inbound_nodes if id(node) in self._numbers and node.input_tensors is not None]

    def place(self, tensor):
        """[layer, call, output] of a tensor."""
        history = tensor._keras_history
        return [history.layer.name, self._numbers.get(id(history.node), 0), history.tensor_index]


def _structure(like, places):
    """The places in the structure of the tensors; a single one in a list, as in files of Keras."""
    packed = nest.pack_sequence_as(like, [ListWrapper(p) for p in places])
    return convert_inner_node_data(packed if nest.is_sequence(packed) else [packed])


def _arguments(calls, layer, arguments):
    def described(value):
        if isinstance(value, ops.Tensor):
            return ListWrapper(calls.place(value)) if hasattr(value, "_keras_history") else np.asarray(backend.get_value(value)).tolist()
        return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value

    made = convert_inner_node_data(nest.map_structure(described, arguments))
    try:
        json.dumps(made, default=plain)
    except TypeError:
        logging.warning("Layer " + layer.name + " was passed non-serializable keyword arguments: " + str(arguments) +
                        ". They will not be included in the serialized model (and thus will be missing at deserialization time).")
        return {}
    return made


def config_of(model):
    """The configuration of a functional model."""
    calls, layers = _Calls(model), []
    for layer in model._layers:
        nodes = []
        for node in calls.of(layer):
            arguments = _arguments(calls, layer, node.arguments[1])
            nodes.append(_structure(node.input_tensors, [calls.place(t) + [arguments] for t in nest.flatten(node.input_tensors)]))
        layers.append({"class_name": type(layer).__name__, "config": layer.get_config(), "name": layer.name, "inbound_nodes": nodes})
    ends = [_structure(given, [calls.place(t) for t in nest.flatten(given)]) for given in (model._structure_in, model._structure_out)]
    return {"name": model.name, "layers": layers, "input_layers": ends[0], "output_layers": ends[1]}


class _Made:
    """The layers of a model that is read, and the outputs of their calls so far."""

    def __init__(self):
        self.layers, self.outputs = {}, {}

    def add(self, name, layer):
        self.layers[name] = layer
        if hasattr(layer, "is_placeholder"):
            self.outputs[name, 0] = [layer.tensor]

    def _key(self, place):
        return place[0], max(place[1], _first_call(self.layers[place[0]]))

    def has(self, place):
        return self._key(place) in self.outputs

    def tensor(self, place):
        return self.outputs[self._key(place)][place[2]]

    def is_place(self, value):
        return isinstance(value, ListWrapper) and value.as_list()[0] in self.layers

    def resolved(self, structure):
        """A structure with the tensors in place of their places."""
        return nest.map_structure(lambda v: self.tensor(v.as_list()) if self.is_place(v) else v.as_list() if isinstance(v, ListWrapper) else v, structure)

    def call(self, name, number, node):
        """Calls a layer as `node` describes it; False if an input does not exist yet."""
        node = convert_inner_node_data(node, wrap=True)
        places = [w.as_list() for w in nest.flatten(node)]
        arguments = convert_inner_node_data(places[0][3], wrap=True) if len(places[0]) > 3 and places[0][3] else {}
        if not all(map(self.has, places)) or not all(self.has(v.as_list()) for v in nest.flatten(arguments) if self.is_place(v)):
            return False
        given = nest.pack_sequence_as(node, [self.tensor(p) for p in places])
        given = given if isinstance(given, dict) or len(places) > 1 else nest.flatten(given)[0]
        layer = self.layers[name]
        self.outputs[name, number + _first_call(layer)] = nest.flatten(layer(given, **self.resolved(arguments)))
        return True


def model_of(config, custom_objects, cls):
    """A functional model from its configuration."""
    made, waiting = _Made(), []
    for data in config["layers"]:
        made.add(data["name"], deserialize_layer(data, custom_objects))
        waiting += [(data["name"], i, node) for i, node in enumerate(data["inbound_nodes"])]
    while waiting:
        later = [call for call in waiting if not made.call(*call)]
        if len(later) == len(waiting):
            raise ValueError("The configuration's layers are not connected: " + later[0][0])
        waiting = later
    inputs, outputs = (made.resolved(convert_inner_node_data(config[k], wrap=True)) for k in ("input_layers", "output_layers"))
    one = lambda v: v[0] if isinstance(v, (list, tuple)) and len(v) == 1 else v  # noqa: E731
    model = cls(inputs=one(inputs), outputs=one(outputs), name=config.get("name"))
    model._keep_added([layer for layer in made.layers.values() if not any(layer is known for known in model._layers)])
    return model
