"""Layers: objects that own variables and build their part of a graph each time they are called.

The variables of Layer lie in its name scope. graph_layer.py has tf.layers.Layer, whose variables come from tf.get_variable."""

import collections
import functools
import inspect
import re
import sys
import weakref

import numpy as np

from .. import basics, context, dtypes, engine, ops, variable_scope as scopes
from ..auto_control_deps import AutomaticControlDependencies
from ..autograph import flow
from ..autograph.api import tf_convert
from ..build_errors import OperatorNotAllowedInGraphError
from ..data.structure import TensorSpec
from ..exports import export
from ..internals.nested_shapes import convert_shapes
from ..tensor_shape import TensorShape
from ..training.tracking.base import NoDependency
from ..training.tracking.module import Module
from ..util import nest
from ..variable_base import Variable
from ..variables import VariableAggregation, VariableSynchronization
from . import lookups, values
from .additions import Additions, CallStack, check_branch
from .float_type import floatx
from .held import HeldLayers, is_container
from .input_spec import InputSpec, check_inputs  # noqa: F401 (layers take InputSpec from here)
from .recorded_calls import RecordedCalls


call_recorder = None  # records calls for functional models; set by keras/functional.py
_counts = weakref.WeakKeyDictionary()
context.on_eager_reset.append(lambda graph: _counts.pop(graph, None))


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


def scratch_graph():
    """A graph for a trial call: it may use the variables that exist while execution is eager, and is dropped afterwards."""
    with ops.init_scope():
        eager = ops.executing_eagerly()
    return flow.make_trace("scratch_graph") if eager else ops.Graph()


@export("keras.layers.Layer", "keras.Layer", "contrib.keras.layers.Layer")
class Layer(Additions, RecordedCalls, Module):
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
        if isinstance(value, NoDependency):
            self.__dict__.setdefault("_keras_untracked", set()).add(name)
            value = value.value
        object.__setattr__(self, name, value)
        if isinstance(getattr(type(self), name, None), property):
            return  # its setter decides
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
            self._initialized_when_used(value)
            known = self._trainable_weights + self._non_trainable_weights
            if not any(value is v for v in known):
                (self._trainable_weights if value.trainable else self._non_trainable_weights).append(value)

    _builds_by_calls = False  # whether a call needs no build()

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
        shape = () if shape is None else tuple(TensorShape(shape).as_list())
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
            if not self._builds_by_calls:
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
            elif passed is None and "training" not in kwargs and self._in_keras_graph(flat):
                with context.made_keras_graph().as_default():
                    given["training"] = passed = learning_phase()
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

    @staticmethod
    def _in_keras_graph(flat):
        """Whether Keras's own graph is built, whose learning phase decides while execution is eager."""
        graph = ops.get_default_graph()
        outer = graph if not graph._eager else getattr(flat[0], "graph", graph) if flat else graph
        return not outer._eager and outer is context.made_keras_graph() and all(getattr(x, "graph", None) is outer for x in flat)

    def _outputs_of(self, inputs, args, kwargs):
        """The outputs of call(). In a graph those of a dynamic layer are described, and the call of a program's own layer is converted."""
        if ops.executing_eagerly():
            return self.call(inputs, *args, **kwargs)
        if self.dynamic:
            return self._described(inputs)
        try:
            if type(self).__module__.startswith("weft.") or ops.get_default_graph() is not context.made_keras_graph():
                return tf_convert(self.call)(inputs, *args, **kwargs)
            with AutomaticControlDependencies() as control:
                return nest.map_structure(functools.partial(_returned, control), tf_convert(self.call)(inputs, *args, **kwargs))
        except OperatorNotAllowedInGraphError as e:
            raise TypeError("You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass `dynamic=True` to the class constructor.\n"
                            "Encountered error:\n\"\"\"\n" + str(e) + '\n"""') from e

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
                check_branch(loss, "activity_regularizer")
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
        if flat and all(getattr(o, "_keras_mask", None) is not None for o in flat):  # already created by the call
            for output in flat:
                output._keras_mask._keras_history_checked = True
            return
        made = self.compute_mask(inputs, masks[0] if len(masks) == 1 else masks)
        for output, mask in zip(flat, nest.flatten(made) if made is not None else [None] * len(flat)):
            if isinstance(output, ops.Tensor) and getattr(output, "_keras_mask", None) is None:
                output._keras_mask = mask
            if isinstance(getattr(output, "_keras_mask", None), ops.Tensor):
                output._keras_mask._keras_history_checked = True  # its operations are no layers

    def compute_output_shape(self, input_shape):
        """The shape of the outputs. While execution is eager, that of a trial call unless the layer defines it."""
        if not ops.executing_eagerly():
            raise NotImplementedError
        return self._tried_shape(input_shape)

    def _tried_shape(self, input_shape):
        """The shape of the outputs of a trial call in a graph that is dropped; NotImplementedError if the call fails."""
        if not self.built:
            self.build(input_shape)
            self.built = True
        with scratch_graph().as_default():
            given = nest.map_structure(lambda s: engine.placeholder(self._dtype or floatx(), s), convert_shapes(input_shape, to_tuples=False))
            try:
                made = self(given, **({"training": False} if "training" in self._arguments else {}))
            except TypeError:
                raise NotImplementedError("We could not automatically infer the static shape of the layer's output. Please implement the `compute_output_shape` method on your "
                                          "layer (%s)." % type(self).__name__) from None
        return nest.map_structure(lambda t: t.shape, made)

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

    def get_config(self):
        """The arguments of a new layer like this one. NotImplementedError if the constructor of a layer without get_config() has other ones."""
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        if type(self).get_config is Layer.get_config:
            names = [p.name for p in inspect.signature(type(self).__init__).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
            if any(name not in config and name != "dynamic" for name in names):
                raise NotImplementedError("Layers with arguments in `__init__` must override `get_config`.")
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _returned(control, value):
    """An output that is computed after all operations of the call that change state."""
    if not isinstance(value, ops.Tensor) and not getattr(value, "_is_variable", False):
        return value
    made = control.mark_as_return(value)
    if hasattr(value, "_keras_mask"):
        made._keras_mask = value._keras_mask
    return made


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
