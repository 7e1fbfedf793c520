"""The graph of layers below tf.keras.Model (tensorflow.python.keras.engine.network)."""

import inspect

import numpy as np

from .. import dtypes, engine, ops
from ..internals.keras_tensors import assert_no_legacy_layers
from ..layers.additions import CallStack
from ..layers.base import Layer, _unique, scratch_graph
from ..layers.keras_names import layer_class
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from ..util import nest
from . import backend, cloning, functional, metrics, network_configs, saving
from .layers import Input
from .model_additions import AddLoss, AddMetric

weight_files = None  # writes and reads variables; set by weight_files.py


@layer_class
class Network(Layer):
    """Layers between inputs and outputs, or a subclass with its own call(). Model adds training."""

    def __init__(self, *args, **kwargs):
        inputs = kwargs.pop("inputs", args[0] if args else None)
        outputs = kwargs.pop("outputs", args[1] if len(args) > 1 else None)
        name = kwargs.pop("name", args[2] if len(args) > 2 else None)
        super().__init__(name=name, **kwargs)
        self._model_state()
        if outputs is not None:
            self._set_graph(inputs, outputs)

    @property
    def _holds_containers(self):
        return not self.__dict__.get("_functional")

    def _model_state(self):
        d = self.__dict__
        d.update(_inputs=None, _outputs=None, _nodes=[], _functional=False, _dict_inputs=False, supports_masking=True)
        self._training_state()

    def _training_state(self):
        """The attributes that training uses; a network has none."""

    def _set_graph(self, inputs, outputs):
        self.__dict__.update(_structure_in=inputs, _structure_out=outputs, _inputs=nest.flatten(inputs), _outputs=nest.flatten(outputs), _functional=True)
        for t in self._inputs:
            if not hasattr(t, "_keras_history"):
                raise ValueError("Input tensors to a Model must come from `tf.keras.Input`. Received: " + str(t) + " (missing previous layer metadata).")
        self.__dict__["_nodes"], self.__dict__["_layers"] = functional.network(self._inputs, self._outputs)
        assert_no_legacy_layers(self._layers)
        self._remember_itself()
        self.built = True

    def _track(self, value):
        super()._track(value)
        if isinstance(value, metrics.Metric):
            self._metrics.append(value)  # metrics stand in the order in which they are made

    def _remember_itself(self):
        """Records the model's own node, with its inputs and outputs."""
        self._inbound_nodes[:] = []
        functional.Node(self, self._structure_in, self._structure_out, ((), {}), gives=False)

    @property
    def layers(self):
        return list(self._layers)

    # A model orders variables by layer, its own last; each layer lists trainable variables first.
    def _assert_weights_created(self):
        if type(self) is not Network and "build" in type(self).__dict__ and not self.built and not self._functional and not (self._layers and all(layer.built for layer in self._layers)):
            raise ValueError("Weights for model %s have not yet been created. Weights are created when the Model is first called on inputs or `build()` is called with an "
                             "`input_shape`." % self.name)

    @property
    def trainable_weights(self):
        self._assert_weights_created()
        return _unique(self._children("trainable_weights") + self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self):
        self._assert_weights_created()
        if self.trainable:
            return _unique(self._children("non_trainable_weights") + self._non_trainable_weights)
        return _unique(self._trainable_weights + self._children("weights") + self._non_trainable_weights)

    @property
    def weights(self):
        self._assert_weights_created()
        return _unique(self._children("weights") + self._trainable_weights + self._non_trainable_weights)

    inputs = property(lambda self: self._inputs)
    outputs = property(lambda self: self._outputs)
    input = property(lambda self: self._structure_in if self._inputs is not None else Layer.input.fget(self))
    output = property(lambda self: self._structure_out if self._outputs is not None else Layer.output.fget(self))
    input_shape = property(lambda self: nest.map_structure(lambda t: tuple(t.shape.as_list()), self.input))
    output_shape = property(lambda self: nest.map_structure(lambda t: tuple(t.shape.as_list()), self.output))
    stateful_layers = property(lambda self: [layer for layer in self._layers if getattr(layer, "stateful", False)])

    @property
    def input_names(self):
        if self.__dict__.get("_own_input_names"):
            return list(self._own_input_names)
        return [t._keras_history.layer.name if hasattr(t, "_keras_history") else t.op.name for t in self._inputs]

    @property
    def output_names(self):
        """The names of the output layers, made unique."""
        if not self._functional or self.__dict__.get("_deferred"):
            return ["output_%d" % (i + 1) for i in range(len(self._outputs))]
        names, seen = [], {}
        for t in self._outputs:
            name = t._keras_history.layer.name
            seen[name] = seen.get(name, 0) + 1
            names.append(name if seen[name] == 1 else "%s_%d" % (name, seen[name] - 1))
        return names

    def get_layer(self, name=None, index=None):
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError("Was asked to retrieve layer at index " + str(index) + " but model only has " + str(len(self.layers)) + " layers.")
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self._layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)

    _builds_by_calls = property(lambda self: type(self).build is Network.build)

    def build(self, input_shape):
        """Creates the variables of a subclass: calls it on placeholders of the shape, or of each shape of a list."""
        if self._functional:
            self.built = True
            return
        if input_shape is None:
            raise ValueError("Input shape must be defined when calling build on a model subclass network.")
        if not isinstance(input_shape, (tuple, list, TensorShape)):
            raise ValueError("Specified input shape is not one of the valid types. Please specify a batch input shape of type tuple or list of input shapes. User provided input "
                             "type: {}".format(type(input_shape)))
        if input_shape and not self._inputs:
            arguments = self._arguments_to_build()
            with self._graph_to_build().as_default():
                shapes = input_shape if isinstance(input_shape, list) else [input_shape]
                given = [engine.placeholder(backend.floatx(), TensorShape(s)) for s in shapes]
                try:
                    self.call(given if isinstance(input_shape, list) else given[0], **arguments)
                except TypeError:  # also where a tensor is used as a bool
                    raise ValueError("You cannot build your model by calling `build` if your layers do not support float type inputs. Instead, in order to instantiate and build your "
                                     "model, `call` your model on real tensor data (of the correct dtype).") from None
        self.built = True

    @staticmethod
    def _graph_to_build():
        with ops.init_scope():
            eager = ops.executing_eagerly()
        return scratch_graph() if eager else ops.get_default_graph()

    def _arguments_to_build(self):
        """What build() passes to call() beside the inputs."""
        names = [p for p in inspect.signature(self.call).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if not names:
            raise ValueError("You can only call `build` on a model if its `call` method accepts an `inputs` argument.")
        required = [p.name for p in names[1:] if p.default is p.empty]
        if any(name != "training" for name in required):
            raise ValueError("Currently, you cannot build your model if it has positional or keyword arguments that are not inputs to the model, but are required for its `call` method. "
                             "Instead, in order to instantiate and build your model, `call` your model on real tensor data with all expected call arguments.")
        return {name: False for name in required}

    def call(self, inputs, training=None, mask=None):
        if not self._functional:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` method.")
        values = {id(a): b for a, b in zip(self._inputs, nest.flatten(inputs))}
        for node in self._nodes:
            given = nest.map_structure(lambda t: values.get(id(t), t), node.input_tensors)
            args, kwargs = nest.map_structure(lambda t: values.get(id(t), t), node.arguments)
            if "training" in node.layer._arguments and kwargs.get("training") is None and training is not None:
                kwargs["training"] = training
            made = node.layer(given, *args, **kwargs)
            for old, new in zip(nest.flatten(node.output_tensors), nest.flatten(made)):
                values[id(old)] = new
        return nest.map_structure(lambda t: values[id(t)], self._structure_out)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, input_shape):
        if not self._functional:
            raise NotImplementedError
        with ops.Graph().as_default():
            given = nest.map_structure(lambda s: engine.placeholder(backend.floatx(), s), input_shape)
            return nest.map_structure(lambda t: t.shape, cloning.clone_model(self)(given))

    # Functional models only.
    def add_loss(self, losses, inputs=None):
        """Adds a loss: a tensor computed from the model's inputs, or a function that creates one."""
        if not self._functional or CallStack.layers:
            super().add_loss(losses, inputs)
            return
        for loss in nest.flatten(losses):
            if callable(loss) or loss is None:
                super().add_loss(loss, inputs)
            else:
                self._insert(AddLoss(False), ops.convert_to_tensor(loss))

    def add_metric(self, value, aggregation=None, name=None):
        """Adds a metric: a tensor computed from the model's inputs."""
        if not self._functional or CallStack.layers:
            super().add_metric(value, aggregation, name)
            return
        if hasattr(value, "_metric_obj"):
            if ops.executing_eagerly():
                raise ValueError("Expected a symbolic Tensor for the metric value, received: " + str(value))
            raise ValueError("Using the result of calling a `Metric` object when calling `add_metric` on a Functional Model is not supported. Please pass the Tensor to monitor "
                             "directly.")
        self._check_metric(value, aggregation, name)
        self._insert(AddMetric(aggregation, name), value)

    def _insert(self, layer, tensor):
        nodes, layers = functional.network(self._inputs, [tensor])
        layer(tensor)
        self._extend(nodes + layer._inbound_nodes, layers + [layer])

    def _extend(self, nodes, layers):
        known, own = {id(n) for n in self._nodes}, {id(x) for x in self._layers}
        self._nodes.extend(n for n in nodes if id(n) not in known)
        self._layers.extend(x for x in layers if id(x) not in own)

    def _keep_added(self, layers):
        """Layers that are not connected to the outputs, such as those of add_loss(), with the layers between them and the inputs."""
        for layer in layers:
            for node in layer._inbound_nodes:
                if node.input_tensors is not None:
                    found = functional.network(self._inputs, nest.flatten(node.output_tensors))
                    self._extend(*found)

    # Models built from the first data.
    def _set_inputs(self, x):
        names = sorted(x) if isinstance(x, dict) else ["input_%d" % (i + 1) for i in range(len(nest.flatten(x)))]
        values = [x[n] for n in names] if isinstance(x, dict) else nest.flatten(x)
        tensors = [self._placeholder(n, v) for n, v in zip(names, values)]
        given = dict(zip(names, tensors)) if isinstance(x, dict) else nest.pack_sequence_as(x, tensors) if nest.is_sequence(x) else tensors[0]
        made = self(given, **({"training": backend.learning_phase()} if "training" in self._arguments else {}))
        self.__dict__.update(_inputs=tensors, _outputs=nest.flatten(made), _structure_in=given, _structure_out=made, _own_input_names=names, built=True)

    @staticmethod
    def _placeholder(name, value):
        if isinstance(value, (ops.Tensor, SparseTensor)):
            return value if hasattr(value, "_keras_history") else Input(tensor=value, name=name)
        if isinstance(value, (list, float, int)):
            value = np.asarray(value)
            value = np.expand_dims(value, 1) if value.ndim == 1 else value
        sizes = value.shape.as_list() if hasattr(value.shape, "as_list") else list(value.shape)
        dtype = dtypes.as_dtype(value.dtype)
        dtype = dtypes.as_dtype(backend.floatx()) if dtype.is_floating and isinstance(value, np.ndarray) else dtype
        return Input(batch_shape=(None,) + (tuple(sizes[1:]) or (1,)), dtype=dtype, name=name)

    _is_graph_network = property(lambda self: self._functional and not self.__dict__.get("_deferred"))
    _checks_shapes = property(lambda self: self._is_graph_network)
    stateful = property(lambda self: any(getattr(layer, "stateful", False) for layer in self._layers))

    def reset_states(self):
        for layer in self._layers:
            if hasattr(layer, "reset_states") and getattr(layer, "stateful", False):
                layer.reset_states()

    # Saving.

    def save_weights(self, filepath, overwrite=True, save_format=None):
        """Writes the variables: a checkpoint, or HDF5 depending on the format or the file name."""
        weight_files.save_weights(self, filepath, overwrite, save_format)

    def load_weights(self, filepath, by_name=False):
        """Reads the variables of a checkpoint or an HDF5 file."""
        return weight_files.load_weights(self, filepath, by_name)

    def _by_name(self):
        return {"layer-%d/%d" % (i, k): w for i, layer in enumerate(self.layers) for k, w in enumerate(layer.weights)}

    def save(self, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
        """Writes the model: HDF5 depending on the file name, else a folder with configuration, weights and a SavedModel."""
        saving.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def get_config(self):
        if not self._functional:
            raise NotImplementedError
        return network_configs.config_of(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return network_configs.model_of(config, custom_objects, cls)

    def to_json(self, **kwargs):
        """The configuration as JSON."""
        return saving.to_json(self, **kwargs)

    def to_yaml(self, **kwargs):
        return saving.to_yaml(self, **kwargs)

    def summary(self, line_length=None, positions=None, print_fn=None):
        """Prints layers, shapes of outputs and counts of parameters."""
        from .summary import print_summary

        if not self.built and self._outputs is None:
            raise ValueError("This model has not yet been built. Build the model first by calling `build()` or calling `fit()` with some data, or specify an `input_shape` "
                             "argument in the first layer(s) for automatic build.")
        print_summary(self, line_length, positions, print_fn)
