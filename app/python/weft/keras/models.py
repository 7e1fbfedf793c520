"""tf.keras.Model and Sequential."""

import json

import numpy as np
import tensorflow as tf

from ..exports import export
from ..training.saver import Saver
from ..util import nest
from . import backend, training
from .layers import InputLayer, Layer


def _order(outputs):
    """The calls that make `outputs`, producers first, and the inputs that they begin with."""
    calls, inputs, seen = [], [], set()

    def visit(tensor):
        record = getattr(tensor, "_keras_call", None)
        if record is None:
            raise ValueError("Output tensors to a Model must be the output of a TensorFlow `Layer` (thus holding past layer metadata). Found: " + str(tensor))
        if id(record) in seen:
            return
        seen.add(id(record))
        if record.inputs is None:
            inputs.append(tensor)
            return
        for t in nest.flatten(record.inputs):
            visit(t)
        calls.append(record)

    for tensor in outputs:
        visit(tensor)
    return calls, inputs


@export("keras.Model", "keras.models.Model")
class Model(Layer):
    """A model: layers between inputs and outputs, or a subclass with a call() of its own. compile() and fit() train it."""

    def __init__(self, *args, **kwargs):
        inputs = kwargs.pop("inputs", args[0] if args else None)
        outputs = kwargs.pop("outputs", args[1] if len(args) > 1 else None)
        super().__init__(**kwargs)
        self._inputs = self._outputs = None
        self.optimizer = self._trainer = None
        self.stop_training = False
        if outputs is not None:
            self._set_graph(inputs, outputs)

    def _set_graph(self, inputs, outputs):
        self._structure_in, self._structure_out = inputs, outputs
        self._inputs, self._outputs = nest.flatten(inputs), nest.flatten(outputs)
        self._calls, found = _order(self._outputs)
        strangers = [t for t in found if not any(t is x for x in self._inputs)]
        if strangers:
            raise ValueError("Graph disconnected: cannot obtain value for tensor " + str(strangers[0]))
        layers = [t._keras_call.layer for t in self._inputs if getattr(t, "_keras_call", None)]
        for record in self._calls:
            if not any(record.layer is layer for layer in layers):
                layers.append(record.layer)
        self._layers = layers
        self.built = True
        self.input, self.output = inputs, outputs

    def _nested(self):
        return self.layers

    @property
    def layers(self):
        return list(self._layers) if self._outputs is not None else Layer._nested(self)

    @property
    def inputs(self):
        return self._inputs

    @property
    def outputs(self):
        return self._outputs

    def get_layer(self, name=None, index=None):
        if index is not None:
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + str(name))

    def call(self, inputs, **kwargs):
        if self._outputs is None:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` method.")
        values = {id(a): b for a, b in zip(self._inputs, nest.flatten(inputs))}
        for record in self._calls:
            given = nest.map_structure(lambda t: values.get(id(t), t), record.inputs)
            made = record.layer(given, **record.kwargs)
            for old, new in zip(nest.flatten(record.outputs), nest.flatten(made)):
                values[id(old)] = new
        return nest.map_structure(lambda t: values[id(t)], self._structure_out)

    # Training.

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None, **kwargs):
        """Says how the model is trained: optimizer, losses, metrics. Options of session.run may follow (options, run_metadata)."""
        self.optimizer = training.optimizer_of(optimizer)
        self.loss, self._metrics, self._loss_weights = loss, metrics, loss_weights
        self._run_options = {k: kwargs[k] for k in ("options", "run_metadata") if k in kwargs}
        self._trainer = None

    def _training(self, x=None):
        if self.optimizer is None:
            raise RuntimeError("You must compile your model before training/testing. Use `model.compile(optimizer, loss)`.")
        if self._outputs is None:
            self._prepare(x)
        if self._trainer is None:
            self._trainer = training.Trainer(self)
        return self._trainer

    def _prepare(self, x):
        # A model without a graph gets one from the first data that it sees.
        given = nest.map_structure(lambda a: tf.placeholder(tf.as_dtype(np.asarray(a).dtype) if np.asarray(a).dtype.kind != "f" else backend.floatx(),
                                                            [None] + list(np.shape(a)[1:])), x)
        for t in nest.flatten(given):
            t._keras_call = type("Fed", (), {"inputs": None, "layer": InputLayer(input_tensor=t), "kwargs": {}, "outputs": t})()
        made = self(given)
        self._inputs, self._outputs = nest.flatten(given), nest.flatten(made)
        self._calls, self._layers = [], Layer._nested(self)
        self._structure_in, self._structure_out = given, made

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose=1, callbacks=None, validation_split=0.0, validation_data=None, shuffle=True,
            class_weight=None, sample_weight=None, initial_epoch=0, steps_per_epoch=None, **kwargs):
        """Trains; gives a History."""
        return self._training(x).fit(x, y, batch_size or 32, epochs, verbose, callbacks or (), validation_split, validation_data, shuffle, initial_epoch)

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None, **kwargs):
        """The loss, or loss and metrics, over data."""
        return _single(self._training(x).evaluate(x, y, batch_size or 32))

    def predict(self, x, batch_size=None, verbose=0, steps=None, **kwargs):
        """The outputs for data."""
        if self._outputs is None:
            self._prepare(x)
        return _single(training.predict(self, x, batch_size or 32))

    def train_on_batch(self, x, y=None, **kwargs):
        return _single(self._training(x).step(x, y, True))

    def test_on_batch(self, x, y=None, **kwargs):
        return _single(self._training(x).step(x, y, False))

    def predict_on_batch(self, x):
        return self.predict(x, batch_size=max(1, len(nest.flatten(x)[0])))

    @property
    def metrics_names(self):
        return self._training().names

    # Keeping.

    def save_weights(self, filepath, overwrite=True, save_format=None):
        """Writes the variables: a checkpoint, or an HDF5 file if the name ends like one."""
        session = backend.get_session()
        if filepath.endswith((".h5", ".hdf5", ".keras")):
            h5py = _h5py()
            with h5py.File(filepath, "w") as f:
                self._write_weights(f)
            return
        Saver(self._by_name()).save(session, filepath, write_meta_graph=False)

    def load_weights(self, filepath, by_name=False):
        session = backend.get_session()
        if filepath.endswith((".h5", ".hdf5", ".keras")):
            h5py = _h5py()
            with h5py.File(filepath, "r") as f:
                group = f["model_weights"] if "model_weights" in f else f
                for layer in self.layers:
                    if layer.name in group:
                        names = group[layer.name].attrs.get("weight_names", [])
                        values = [np.asarray(group[layer.name][n.decode() if isinstance(n, bytes) else n]) for n in names]
                        if values:
                            layer.set_weights(values)
            return
        Saver(self._by_name()).restore(session, filepath)

    def _by_name(self):
        return {"layer-%d/%d" % (i, k): w for i, layer in enumerate(self.layers) for k, w in enumerate(layer.weights)}

    def _write_weights(self, group):
        group.attrs["layer_names"] = [layer.name.encode() for layer in self.layers]
        group.attrs["backend"] = b"tensorflow"
        for layer in self.layers:
            g = group.create_group(layer.name)
            names = [w.name.encode() for w in layer.weights]
            g.attrs["weight_names"] = names
            for name, value in zip(names, layer.get_weights()):
                g.create_dataset(name.decode(), data=value)

    def save(self, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
        """Writes the model: a SavedModel folder, or the weights as HDF5 if the name ends like such a file."""
        if filepath.endswith((".h5", ".hdf5", ".keras")):
            h5py = _h5py()
            with h5py.File(filepath, "w") as f:
                f.attrs["keras_version"], f.attrs["backend"] = b"2.2.4-tf", b"tensorflow"
                self._write_weights(f.create_group("model_weights"))
            return
        inputs = {t.op.name.split("/")[-1]: t for t in self._inputs}
        outputs = {t.op.name.split("/")[0]: t for t in self._outputs}
        tf.saved_model.simple_save(backend.get_session(), filepath, inputs, outputs)

    def to_json(self, **kwargs):
        """Layers and their names as JSON."""
        return json.dumps({"class_name": type(self).__name__, "config": {"name": self.name, "layers": [
            {"class_name": type(layer).__name__, "config": layer.get_config()} for layer in self.layers]}}, **kwargs)

    def summary(self, line_length=65, positions=None, print_fn=print):
        """Prints layers, shapes of outputs and counts of parameters."""
        print_fn('Model: "%s"' % self.name)
        print_fn("_" * line_length)
        print_fn("%-29s%-26s%-10s" % ("Layer (type)", "Output Shape", "Param #"))
        print_fn("=" * line_length)
        for layer in self.layers:
            shape = layer.output_shape if layer.output is not None else "multiple"
            print_fn("%-29s%-26s%-10s" % ("%s (%s)" % (layer.name, type(layer).__name__), str(shape), layer.count_params()))
        print_fn("=" * line_length)
        counts = [sum(w.shape.num_elements() for w in ws) for ws in (self.trainable_weights, self.non_trainable_weights)]
        print_fn("Total params: {:,}".format(sum(counts)))
        print_fn("Trainable params: {:,}".format(counts[0]))
        print_fn("Non-trainable params: {:,}".format(counts[1]))
        print_fn("_" * line_length)


def _single(values):
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _h5py():
    try:
        import h5py
    except ImportError:
        raise ImportError("`save_model` requires h5py.") from None
    return h5py


@export("keras.Sequential", "keras.models.Sequential")
class Sequential(Model):
    """Layers one after another."""

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self._stack = []
        for layer in layers or ():
            self.add(layer)

    def _nested(self):
        return self._stack

    @property
    def layers(self):
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def add(self, layer):
        """Puts a layer behind the others."""
        if not isinstance(layer, Layer):
            raise TypeError("The added layer must be an instance of class Layer. Found: " + str(layer))
        first = not self._stack
        self._stack.append(layer)
        if first and isinstance(layer, InputLayer):
            self._inputs, self._outputs = [layer.tensor], [layer.tensor]
        elif first and layer.batch_input_shape is not None:
            start = InputLayer(layer.batch_input_shape[1:], layer.batch_input_shape[0], layer.dtype, name=layer.name + "_input")
            self._inputs, self._outputs = [start.tensor], [start.tensor]
            self._extend(layer)
        elif self._outputs is not None:
            self._extend(layer)
        self._trainer = None

    def _extend(self, layer):
        self._outputs = [layer(self._outputs[0])]
        self._structure_in, self._structure_out = self._inputs[0], self._outputs[0]
        self._calls, _ = _order(self._outputs)
        self.input, self.output = self._inputs[0], self._outputs[0]
        self.built = True

    def pop(self):
        """Takes the last layer off."""
        self._stack.pop()
        if self._inputs is not None:
            self._outputs = [self._stack[-1].output] if self._stack else None

    def build(self, input_shape=None):
        if self._outputs is None and input_shape is not None:
            shape = tf.TensorShape(input_shape).as_list()
            self._start(shape, backend.floatx())
        self.built = True

    def _start(self, shape, dtype):
        start = InputLayer(shape[1:], shape[0], dtype)
        self._inputs, self._outputs = [start.tensor], [start.tensor]
        for layer in self._stack:
            self._extend(layer)

    def _prepare(self, x):
        array = np.asarray(x)
        self._start([None] + list(array.shape[1:]), backend.floatx() if array.dtype.kind == "f" else tf.as_dtype(array.dtype))

    def call(self, inputs, **kwargs):
        if self._outputs is None:
            for layer in self._stack:
                inputs = layer(inputs)
            return inputs
        return super().call(inputs, **kwargs)

    def predict_classes(self, x, batch_size=32, verbose=0):
        scores = self.predict(x, batch_size)
        return scores.argmax(axis=-1) if scores.shape[-1] > 1 else (scores > .5).astype("int32")

    predict_proba = Model.predict
