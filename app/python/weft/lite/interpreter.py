"""tf.lite.Interpreter: runs a TensorFlow Lite model as a graph on Weft's engine.

Tensors between operators have no value that can be read: inputs, outputs and constants have."""

import numpy

from .. import _weft, dtypes, errors, ops, protos
from ..exports import export
from ..importer import import_graph_def
from ..platform import gfile
from ..session import Session


# Errors of the engine, and those of Python that pass through it.
_FAILURES = (errors.OpError, TypeError, ValueError, NotImplementedError)


class _Model:
    """The graph of a model: where its tensors are, and the session that computes them."""

    def __init__(self, meta):
        self.graph = ops.Graph()
        definition = meta.graph_def
        nodes = {}
        for node in definition.node:
            for output, tensor in enumerate(node.attr["_tflite_tensor"].list.i):
                if tensor >= 0:
                    nodes.setdefault(tensor, (node, output))
        self.names = {tensor: "%s:%d" % (node.name, output) for tensor, (node, output) in nodes.items()}
        # States are kept between calls of invoke().
        self.states = {name: self.names[tensor] for tensor, (node, _) in nodes.items() if node.op == "PlaceholderWithDefault" for name in [node.name + "/next:0"]}
        known = {node.name for node in definition.node}
        self.states = {following: name for following, name in self.states.items() if following[:-2] in known}
        with self.graph.as_default():
            import_graph_def(definition, name="")
        self.session = Session(graph=self.graph)


@export("lite.Interpreter")
class Interpreter:
    """An interpreter of a model: allocate_tensors(), set_tensor(), invoke(), get_tensor()."""

    def __init__(self, model_path=None, model_content=None, experimental_delegates=None):
        if model_path and model_content:
            raise ValueError("Can't both provide `model_path` and `model_content`")
        if not model_path and not model_content:
            raise ValueError("`model_path` or `model_content` must be specified.")
        if experimental_delegates:
            raise ValueError("Weft has no delegates: experimental_delegates must be None.")
        content = gfile.read_file_to_string(model_path, binary_mode=True) if model_path else model_content
        self._path, self._content = model_path, content
        self._sizes, self._fed, self._values, self._states = {}, {}, {}, {}
        self._model = None
        try:
            self._tensors = _weft.tflite_tensors(content)
            self._import()
        except _FAILURES as error:
            raise ValueError(self._located(error)) from None

    def _located(self, error, doing="open"):
        message = getattr(error, "message", str(error))
        return "Could not %s '%s': %s" % (doing, self._path, message) if self._path else message

    def _import(self):
        """The model as a graph, with the inputs' present shapes."""
        meta, self._warnings = _weft.tflite_to_graph(self._content, self._sizes)
        self._meta = protos.MetaGraphDef.FromString(meta)

    def allocate_tensors(self):
        if self._model is not None:
            return
        try:
            # Constants such as paddings depend on the shapes.
            if self._sizes:
                self._import()
            self._model = _Model(self._meta)
        except _FAILURES as error:
            raise RuntimeError("; ".join([self._located(error, "prepare"), *self._warnings])) from None

    def _checked(self, index):
        index = int(index)
        if not 0 <= index < len(self._tensors["tensors"]):
            raise ValueError("Invalid tensor index %d exceeds max tensor index %d" % (index, len(self._tensors["tensors"])))
        return index

    def _details(self, index):
        name, dtype, shape, scale, zero_point, axis = self._tensors["tensors"][index]
        shape = self._sizes.get(index, shape)
        if index in self._values:
            shape = self._values[index].shape
        elif self._sizes and self._model is not None and index in self._tensors["outputs"] and index in self._model.names:
            inferred = self._model.graph.get_tensor_by_name(self._model.names[index]).shape
            shape = inferred.as_list() if inferred.is_fully_defined() else shape
        return {"name": name, "index": index, "shape": numpy.array(shape, numpy.int32), "dtype": dtypes.as_dtype(dtype).as_numpy_dtype if dtype else None,
                "quantization": (scale[0], int(zero_point[0])) if len(scale) == 1 else (0.0, 0),
                "quantization_parameters": {"scales": numpy.array(scale, numpy.float32), "zero_points": numpy.array(zero_point, numpy.int32), "quantized_dimension": axis}}

    def get_tensor_details(self):
        return [self._details(index) for index, tensor in enumerate(self._tensors["tensors"]) if tensor[0] and tensor[1]]

    def get_input_details(self):
        return [self._details(index) for index in self._tensors["inputs"]]

    def get_output_details(self):
        """Name, index, shape, type and quantization of each output. The shapes are the file's; after resize_tensor_input(), those that allocate_tensors() infers
        from the inputs' shapes; and after invoke(), those of the values."""
        return [self._details(index) for index in self._tensors["outputs"]]

    def resize_tensor_input(self, input_index, tensor_size):
        index = self._checked(input_index)
        if index not in self._tensors["inputs"]:
            raise ValueError("Tensor %d is not an input." % index)
        self._sizes[index] = [int(size) for size in tensor_size]
        self._fed.pop(index, None)
        self._values, self._model = {}, None

    def set_tensor(self, tensor_index, value):
        index = self._checked(tensor_index)
        details = self._details(index)
        value = numpy.array(value)
        if value.dtype != details["dtype"] and details["dtype"] is not numpy.object_:
            raise ValueError("Cannot set tensor: Got value of type %s but expected type %s for input %d, name: %s " %
                             (value.dtype.name, numpy.dtype(details["dtype"]).name, index, details["name"]))
        if list(value.shape) != list(details["shape"]):
            raise ValueError("Cannot set tensor: Dimension mismatch. Got %s but expected %s for input %d." % (list(value.shape), list(details["shape"]), index))
        self._fed[index] = value

    def invoke(self):
        if self._model is None:
            raise RuntimeError("Invoke called on model that is not ready.")
        model = self._model
        feeds = {}
        for index in self._tensors["inputs"]:
            details = self._details(index)
            value = self._fed.get(index)
            feeds[model.names[index]] = numpy.zeros(details["shape"], details["dtype"]) if value is None else value
        feeds.update(self._states)
        fetches = [model.names[index] for index in self._tensors["outputs"] if index in model.names] + list(model.states)
        indices = [index for index in self._tensors["outputs"] if index in model.names]
        if not fetches:
            return
        try:
            values = model.session.run(fetches, feeds)
        except errors.OpError as error:
            raise RuntimeError(error.message) from None
        self._values = dict(zip(indices, values))
        self._states = dict(zip(model.states.values(), values[len(indices):]))

    def get_tensor(self, tensor_index):
        index = self._checked(tensor_index)
        for known in (self._values, self._fed):
            if index in known:
                return numpy.array(known[index])
        # Weights: the graph has them dequantised and with its own order of dimensions.
        try:
            return _weft.tflite_value(self._content, index)
        except errors.NotFoundError:
            raise ValueError("Tensor data is null. Run allocate_tensors() first") from None
        except _FAILURES as error:
            raise ValueError(self._located(error, "read")) from None

    def tensor(self, tensor_index):
        """A function that gives the tensor's value; what is written into an input's array is used by the next invoke()."""
        index = self._checked(tensor_index)
        if index in self._tensors["inputs"] and index not in self._fed:
            details = self._details(index)
            self._fed[index] = numpy.zeros(details["shape"], details["dtype"])
        return lambda: self._values[index] if index in self._values else self._fed[index]

    def reset_all_variables(self):
        self._states = {}
