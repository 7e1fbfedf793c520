"""Layers: objects that own variables and build their part of a graph each time they are called.

The variables of Layer lie in its name scope. graph_layer.py has tf.layers.Layer, whose variables come from tf.get_variable."""

import collections
import inspect
import re
import sys
import weakref

import numpy as np

from .. import basics, dtypes, engine, ops, variable_scope as scopes
from ..autograph.api import tf_convert
from ..data.structure import TensorSpec
from ..exports import export
from ..tensor_shape import TensorShape
from ..training.tracking.module import Module
from ..util import nest
from ..variable_base import Variable
from ..variables import VariableAggregation, VariableSynchronization
from . import lookups, values
from .additions import Additions, CallStack
from .held import HeldLayers, is_container
from .input_spec import InputSpec, check_inputs  # noqa: F401 (layers take InputSpec from here)


call_recorder = None  # records calls for functional models; set by keras/functional.py
_counts = weakref.WeakKeyDictionary()


def snake(name):
    text = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    text = re.sub("([a-z])([A-Z])", r"\1_\2", text).lower()
    return text if text[0] != "_" else "private" + text


def object_name(base, zero_based=True):
    """`base` made unique among the objects of the default graph."""
    uses = _counts.setdefault(ops.get_default_graph(), collections.defaultdict(int))
    number = uses[base]
    uses[base] += 1
    if zero_based:
        return "%s_%d" % (base, number) if number else base
    return "%s_%d" % (base, number + 1)


def forget_names():
    _counts.clear()


def name_scope(name):
    return ops.get_default_graph().name_scope(name)


def learning_phase():
    """The placeholder that tells whether a model is being trained."""
    graph = ops.get_default_graph()
    if graph._eager:
        return getattr(graph, "_learning_phase", None) or 0
    if getattr(graph, "_learning_phase", None) is None:
        with name_scope(""):
            graph._learning_phase = basics.placeholder_with_default(False, shape=(), name="keras_learning_phase")
    return graph._learning_phase


@export("keras.layers.Layer", "keras.Layer", "contrib.keras.layers.Layer")
class Layer(Additions, Module):
    """Base of all layers: variables are made in build() when it is first called, the graph in call()."""

    _TF_MODULE_IGNORED_PROPERTIES = Module._TF_MODULE_IGNORED_PROPERTIES | {"_inbound_nodes", "_losses", "_callable_losses", "_updates", "_metrics", "_nodes", "_trainer", "history"}
    _tracks = True
    _keras_style = True

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **kwargs):
        allowed = {"input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast"}
        for key in kwargs:
            if key not in allowed:
                raise TypeError("Keyword argument not understood:", key)
        self._set_up()
        self._trainable, self._dynamic = trainable, dynamic
        self._init_name(name)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._dtype = dtypes.as_dtype(dtype).base_dtype.name if dtype is not None else self._default_dtype()
        if "batch_input_shape" in kwargs:
            self._batch_input_shape = tuple(kwargs["batch_input_shape"])
        elif "input_shape" in kwargs:
            self._batch_input_shape = (kwargs.get("batch_size"),) + tuple(kwargs["input_shape"])
        self._initial_weights = kwargs.get("weights")

    def _set_up(self):
        """The attributes that tracking needs; harmless if called again."""
        d = self.__dict__
        for key, value in (("stateful", False), ("built", False), ("input_spec", None), ("supports_masking", False), ("_initial_weights", None), ("_trainable", True),
                           ("_activity_regularizer", None), ("_dtype", None), ("_dynamic", False)):
            d.setdefault(key, value)
        if type(d.get("_layers")) is not HeldLayers:
            d["_layers"] = HeldLayers(_is_layer, d.get("_layers", ()))
        for key in ("_trainable_weights", "_non_trainable_weights", "_losses", "_eager_losses", "_callable_losses", "_updates", "_inbound_nodes", "_metrics"):
            d.setdefault(key, [])

    def _default_dtype(self):
        return None

    def _init_name(self, name):
        self._name = name or object_name(snake(type(self).__name__))

    # Attributes that are layers or variables become part of this one.
    def __setattr__(self, name, value):
        old = self.__dict__.get(name)
        object.__setattr__(self, name, value)
        if self._tracks and not name.startswith("_keras_") and name not in ("_layers", "_inbound_nodes", "_trainable_weights", "_non_trainable_weights", "_metrics"):
            if old is not None and old is not value:
                self._release(name, old)
            if is_container(value) and not isinstance(value, tuple) and self._holds_containers and not sys._getframe(1).f_globals.get("__name__", "").startswith("weft."):
                self._held().hold(name, value)
                for v in nest.flatten(value):
                    self._track_variable(v)
            else:
                self._track(value)

    def __delattr__(self, name):
        old = self.__dict__.get(name)
        object.__delattr__(self, name)
        if self._tracks and old is not None:
            self._release(name, old)

    _holds_containers = True  # whether layers that are added to lists and dicts of attributes later are layers of this one; not in models that are made of given layers

    def _held(self):
        if type(self.__dict__.get("_layers")) is not HeldLayers:
            self._set_up()
        return self._layers

    def _release(self, name, old):
        """What an attribute was does not belong to this layer any more, unless another attribute is the same."""
        if is_container(old):
            self._held().release(name)
        elif isinstance(old, Layer) or getattr(old, "_is_variable", False):
            if not any(old is value for value in self.__dict__.values()):
                self._held().drop(old)
                for known in (self._trainable_weights, self._non_trainable_weights):
                    known[:] = [v for v in known if v is not old]

    def _track(self, value):
        self._held()
        if isinstance(value, Layer):
            if not any(value is layer for layer in self._layers):
                self._layers.append(value)
        elif isinstance(value, (list, tuple)) and value and any(isinstance(v, Layer) for v in value):
            for v in value:
                self._track(v)
        elif isinstance(value, dict) and any(isinstance(v, Layer) for v in value.values()):
            for v in value.values():
                self._track(v)
        else:
            self._track_variable(value)

    def _track_variable(self, value):
        if getattr(value, "_is_variable", False) and hasattr(value, "trainable"):
            known = self._trainable_weights + self._non_trainable_weights
            if not any(value is v for v in known):
                (self._trainable_weights if value.trainable else self._non_trainable_weights).append(value)

    _builds_by_calls = False  # whether a call without known shapes needs no build()

    def build(self, input_shape):
        """Creates the variables; custom layers override it."""
        self.built = True

    def call(self, inputs, **kwargs):
        """Builds the outputs; custom layers override it."""
        return inputs

    # Variables.
    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None, partitioner=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, **kwargs):
        """A new variable of the layer."""
        getter = kwargs.pop("getter", _make_variable)
        collections_given = kwargs.pop("collections", None)
        kwargs.pop("experimental_autocast", None)
        for key in kwargs:
            raise TypeError("Unknown keyword argument:", key)
        dtype = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        if self._dtype is None:
            self._dtype = dtype.base_dtype.name
        initializer, regularizer, constraint = lookups.initializer(initializer), lookups.regularizer(regularizer), lookups.constraint(constraint)
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError("Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. You have specified "
                                 "trainable=True and synchronization=VariableSynchronization.ON_READ.")
            trainable = False
        elif trainable is None:
            trainable = True
        if initializer is None:
            if dtype.is_floating:
                initializer = lookups.initializer("glorot_uniform")
            elif dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
                initializer = lookups.initializer("zeros")
            else:
                raise ValueError("An initializer for variable %s of type %s is required for layer %s" % (name, dtype.base_dtype, self.name))
        shape = () if shape is None else tuple(getattr(d, "value", d) for d in (shape if not isinstance(shape, TensorShape) else shape.as_list()))
        variable = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=trainable, constraint=constraint, partitioner=partitioner,
                          use_resource=use_resource, collections=collections_given, synchronization=synchronization, aggregation=aggregation)
        if regularizer is not None:
            self._add_weight_loss(variable.name.partition(":")[0], variable, regularizer)
        self._initialized_when_used(variable)
        own = self._trainable_weights if trainable else self._non_trainable_weights
        if not any(variable is v for v in own):
            own.append(variable)
        return variable

    @staticmethod
    def _initialized_when_used(variable):
        """Initializes the variable in the first session that layers use."""
        for part in variable if isinstance(variable, scopes.PartitionedVariable) else [variable]:
            values.track(part)

    def add_variable(self, *args, **kwargs):
        return self.add_weight(*args, **kwargs)

    def _add_weight_loss(self, name, variable, regularizer):
        def loss_of(v):
            def loss():
                with name_scope(name + "/Regularizer"):
                    return regularizer(v)

            return loss

        for v in variable if isinstance(variable, scopes.PartitionedVariable) else [variable]:
            self.add_loss(loss_of(v))

    # Calls.
    @property
    def _arguments(self):
        found = type(self).__dict__.get("_call_arguments")
        if found is None:
            try:
                parameters = inspect.signature(type(self).call).parameters
                found = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)][1:]
            except (TypeError, ValueError):
                found = []
            type(self)._call_arguments = found
        return found

    def _name_scope(self):
        return self._name

    def _maybe_build(self, inputs):
        if not self.built:
            check_inputs(self.input_spec, inputs, self.name)
            flat = nest.flatten(inputs)
            if flat and self._dtype is None and hasattr(flat[0], "dtype"):
                self._dtype = flat[0].dtype.base_dtype.name
            shapes = None
            if all(hasattr(x, "shape") for x in flat):
                shapes = nest.map_structure(lambda x: x.shape, inputs)
            if shapes is not None or not self._builds_by_calls:
                self.build(shapes)
            self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def __call__(self, inputs, *args, **kwargs):
        if "_layers" not in self.__dict__:
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        if any(isinstance(x, (np.ndarray, float, int)) for x in nest.flatten(inputs)):
            inputs = nest.map_structure(lambda x: ops.convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x, inputs)
        flat = nest.flatten(inputs)
        names = self._arguments
        masks = [getattr(x, "_keras_mask", None) for x in flat]
        given = dict(kwargs)
        if "mask" in names and ("mask" in kwargs or len(args) >= names.index("mask")):
            masks = [kwargs["mask"] if "mask" in kwargs else args[names.index("mask") - 1]]
        elif "mask" in names and any(m is not None for m in masks):
            given["mask"] = masks[0] if len(masks) == 1 else masks
        if "training" in names:
            passed = kwargs.get("training") if "training" in kwargs else args[names.index("training") - 1] if len(args) >= names.index("training") else None
            if passed is None and CallStack.layers and CallStack.layers[-1][1] is not None:
                given["training"] = passed = CallStack.layers[-1][1]
        else:
            passed = given.pop("training", None)
            if passed is None and CallStack.layers:
                passed = CallStack.layers[-1][1]
        if not CallStack.layers and ops.executing_eagerly():
            self._forget_losses()
        known = call_recorder is not None and call_recorder.prepare(inputs)
        CallStack.layers.append((self, passed, inputs))
        try:
            check_inputs(self.input_spec, inputs, self.name)
            with ops._get_graph_from_inputs(nest.flatten(inputs, expand_composites=True)).as_default(), name_scope(self._name_scope()):
                self._maybe_build(inputs)
                outputs = self._outputs_of(inputs, args, given)
                if outputs is None:
                    raise ValueError("A layer's `call` method should return a Tensor or a list of Tensors, not None (layer: " + self.name + ").")
                if known:
                    outputs = call_recorder.record(self, inputs, outputs, args, kwargs)
                self._add_activity_loss(outputs)
                self._set_masks(inputs, outputs, masks)
        finally:
            CallStack.layers.pop()
        return outputs

    def _outputs_of(self, inputs, args, kwargs):
        """The outputs of call(). In a graph those of a dynamic layer are described, and the call of a program's own layer is converted."""
        if ops.executing_eagerly():
            return self.call(inputs, *args, **kwargs)
        if self.dynamic:
            return self._described(inputs)
        return tf_convert(self.call)(inputs, *args, **kwargs)

    def _described(self, inputs):
        """Placeholders for the outputs of a dynamic layer in a graph, which only knows their shapes."""
        flat = nest.flatten(inputs)
        made = self.compute_output_shape(nest.map_structure(lambda x: x.shape, inputs))
        dtype = self._dtype or flat[0].dtype.base_dtype
        is_shape = isinstance(made, TensorShape) or isinstance(made, (list, tuple)) and all(isinstance(getattr(d, "value", d), (int, type(None))) for d in made)
        shapes = [TensorShape(made)] if is_shape else [TensorShape(s) for s in made]
        outputs = [engine.placeholder(dtype, s) for s in shapes]
        return outputs[0] if is_shape else outputs

    def _forget_losses(self):
        """Forgets the losses of the previous call."""
        self._eager_losses[:] = []
        for layer in self._layers:
            layer._forget_losses()

    def apply(self, inputs, *args, **kwargs):
        return self.__call__(inputs, *args, **kwargs)

    def _add_activity_loss(self, outputs):
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                batch = basics.cast(basics.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch, inputs=True)

    def compute_mask(self, inputs, mask=None):
        if not self.supports_masking:
            if any(m is not None for m in nest.flatten(mask)):
                raise TypeError("Layer " + self.name + " does not support masking, but was passed an input_mask: " + str(mask))
            return None
        return mask

    def _set_masks(self, inputs, outputs, masks):
        flat = nest.flatten(outputs)
        if not self.supports_masking and type(self).compute_mask is Layer.compute_mask:
            return
        if flat and all(getattr(o, "_keras_mask", None) is not None for o in flat):
            return  # already created by the call
        made = self.compute_mask(inputs, masks[0] if len(masks) == 1 else masks)
        for output, mask in zip(flat, nest.flatten(made) if made is not None else [None] * len(flat)):
            if isinstance(output, ops.Tensor) and getattr(output, "_keras_mask", None) is None:
                output._keras_mask = mask

    def compute_output_shape(self, input_shape):
        raise NotImplementedError

    def compute_output_signature(self, input_signature):
        """The TensorSpec (or structure of them) of the outputs for such inputs. Their type is the layer's or that of the first input."""
        def shape_of(spec):
            if not isinstance(spec, TensorSpec):
                raise TypeError("Only TensorSpec signature types are supported, but saw signature signature entry: {}.".format(spec))
            return spec.shape

        shapes = self.compute_output_shape(nest.map_structure(shape_of, input_signature))
        dtype = self._dtype or nest.flatten(input_signature)[0].dtype
        return nest.map_structure(lambda s: TensorSpec(dtype=dtype, shape=s), shapes)

    # Properties.
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    dynamic = property(lambda self: self._dynamic or any(layer.dynamic for layer in self._layers))
    activity_regularizer = property(lambda self: self._activity_regularizer)

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = value
        for layer in self.__dict__.get("_layers", ()):
            layer.trainable = value

    @property
    def trainable_weights(self):
        return _unique(self._trainable_weights + self._children("trainable_weights")) if self.trainable else []

    @property
    def non_trainable_weights(self):
        if self.trainable:
            return _unique(self._non_trainable_weights + self._children("non_trainable_weights"))
        return _unique(self._trainable_weights + self._non_trainable_weights + self._children("weights"))

    @property
    def weights(self):
        return self.trainable_weights + self.non_trainable_weights

    variables = property(lambda self: self.weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    def count_params(self):
        if not self.built:
            raise ValueError("You tried to call `count_params` on " + self.name + ", but the layer isn't built. You can build it manually via: `" + self.name +
                             ".build(batch_input_shape)`.")
        return int(sum(np.prod(v.shape.as_list()) for v in self.weights))

    def get_weights(self):
        return values.batch_get_value(self.weights)

    def set_weights(self, weights):
        """Assigns arrays to the variables, in the order of `weights`."""
        assign_arrays(self, self.weights, weights)

    # Calls recorded for functional models.
    def _node_tensors(self, which):
        nodes = self._inbound_nodes
        if not nodes:
            raise AttributeError("Layer %s is not connected, no input to return." % self.name if which == "input" else "Layer %s has no inbound nodes." % self.name)
        if len(nodes) > 1:
            raise AttributeError("Layer %s has multiple inbound nodes, hence the notion of \"layer %s\" is ill-defined. Use `get_%s_at(node_index)` instead." % (self.name, which, which))
        return getattr(nodes[0], which + "_tensors")

    input = property(lambda self: self._node_tensors("input"))
    output = property(lambda self: self._node_tensors("output"))
    input_shape = property(lambda self: self._node_shapes("input"))
    output_shape = property(lambda self: self._node_shapes("output"))

    def _node_shapes(self, which):
        """The shapes of all calls if they agree."""
        if not self._inbound_nodes:
            raise AttributeError("The layer has never been called and thus has no defined %s shape." % which)
        shapes = [nest.map_structure(lambda t: tuple(t.shape.as_list()), getattr(n, which + "_tensors")) for n in self._inbound_nodes
                  if getattr(n, which + "_tensors") is not None]
        if not shapes or any(s != shapes[0] for s in shapes):
            raise AttributeError("The layer \"%s\" has multiple inbound nodes, with different %s shapes. Hence the notion of \"%s shape\" is ill-defined for the layer. "
                                 "Use `get_%s_shape_at(node_index)` instead." % (self.name, which, which, which))
        return shapes[0]

    def _call(self, node_index, which):
        """A call of the layer by its number."""
        nodes = self._inbound_nodes
        if not nodes:
            raise RuntimeError("The layer has never been called and thus has no defined " + which + ".")
        if not len(nodes) > node_index:
            raise ValueError("Asked to get " + which + " at node " + str(node_index) + ", but the layer has only " + str(len(nodes)) + " inbound nodes.")
        return nodes[node_index]

    def get_input_at(self, node_index):
        return self._call(node_index, "input").input_tensors

    def get_output_at(self, node_index):
        return self._call(node_index, "output").output_tensors

    def get_input_shape_at(self, node_index):
        return nest.map_structure(lambda t: tuple(t.shape.as_list()), self._call(node_index, "input shape").input_tensors)

    def get_output_shape_at(self, node_index):
        return nest.map_structure(lambda t: tuple(t.shape.as_list()), self._call(node_index, "output shape").output_tensors)

    def get_input_mask_at(self, node_index):
        return nest.map_structure(lambda t: getattr(t, "_keras_mask", None), self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        return nest.map_structure(lambda t: getattr(t, "_keras_mask", None), self.get_output_at(node_index))

    input_mask = property(lambda self: self._only_mask("input"))
    output_mask = property(lambda self: self._only_mask("output"))

    def _only_mask(self, which):
        if not self._inbound_nodes:
            raise AttributeError("Layer " + self.name + " has no inbound nodes.")
        if len(self._inbound_nodes) != 1:
            raise AttributeError('Layer ' + self.name + ' has multiple inbound nodes, hence the notion of "layer %s mask" is ill-defined. Use `get_%s_mask_at(node_index)` instead.' %
                                 (which, which))
        return getattr(self, "get_%s_mask_at" % which)(0)

    def get_config(self):
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _is_layer(value):
    return isinstance(value, Layer)


def assign_arrays(layer, variables, weights):
    """Assigns arrays to variables of a layer, one each."""
    if len(variables) != len(weights):
        raise ValueError('You called `set_weights(weights)` on layer "%s" with a  weight list of length %d, but the layer was expecting %d weights. Provided weights: %s...' %
                         (layer.name, len(weights), len(variables), str(weights)[:50]))
    for v, w in zip(variables, weights):
        if tuple(v.shape.as_list()) != np.shape(w):
            raise ValueError("Layer weight shape %s not compatible with provided weight shape %s" % (tuple(v.shape.as_list()), np.shape(w)))
    values.batch_set_value(list(zip(variables, weights)))


def _unique(variables):
    seen, out = set(), []
    for v in variables:
        if id(v) not in seen:
            seen.add(id(v))
            out.append(v)
    return out


def _make_variable(name, shape, dtype, initializer, trainable, constraint, partitioner, use_resource, collections, synchronization, aggregation):
    """A variable in the current name scope."""
    shape = TensorShape(shape)
    with ops.init_scope():
        if callable(initializer):
            value, kind = lambda: initializer(shape.as_list(), dtype=dtype), dtype.base_dtype
        else:
            value, kind = initializer, None
    return Variable(initial_value=value, name=name, trainable=trainable, dtype=kind, constraint=constraint, use_resource=True if use_resource is None else use_resource,
                    collections=collections, synchronization=synchronization, aggregation=aggregation)
