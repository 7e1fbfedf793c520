"""tf.lite.TFLiteConverter: writes graphs as TensorFlow Lite models of float operators."""

from google.protobuf import text_format

from .. import _weft, errors, ops, protos, settings
from ..exports import export
from ..importer import import_graph_def
from ..platform import gfile
from ..saved.graph_util import convert_variables_to_constants
from ..saved.saved_model import SavedModelLoader
from ..session import Session
from . import constants


def _base(name):
    return name.partition(":")[0]


def _read_graph(path):
    if not gfile.Exists(path):
        raise IOError("File '{0}' does not exist.".format(path))
    content = gfile.read_file_to_string(path, binary_mode=True)
    graph = protos.GraphDef()
    try:
        graph.ParseFromString(content)
    except Exception:
        try:
            text_format.Merge(content.decode("utf-8"), graph)
        except (text_format.ParseError, UnicodeDecodeError):
            raise IOError("Unable to parse input file '{}'.".format(path)) from None
    return graph


def _is_frozen(graph):
    return not any(node.op in ("Variable", "VariableV2", "VarHandleOp", "ReadVariableOp") for node in graph.node)


def _make_placeholder(graph, node):
    """Turns a node that computes an input into a placeholder of the same type."""
    with ops.Graph().as_default() as known:
        import_graph_def(graph, name="")
        dtype = known.get_tensor_by_name(node.name + ":0").dtype.base_dtype.as_datatype_enum
    del node.input[:]
    node.attr.clear()
    node.op = "Placeholder"
    node.attr["dtype"].type = dtype


def _with_shapes(graph, shapes):
    """The graph with other shapes of its inputs."""
    out = protos.GraphDef()
    out.CopyFrom(graph)
    nodes = {node.name: node for node in out.node}
    for name, shape in shapes.items():
        if name not in nodes:
            raise ValueError("Invalid tensors '{}' were found.".format(name))
        if shape is None:
            continue
        if nodes[name].op not in ("Placeholder", "PlaceholderWithDefault"):
            _make_placeholder(graph, nodes[name])
        sizes = nodes[name].attr["shape"].shape
        sizes.Clear()
        for size in shape:
            sizes.dim.add(size=-1 if size is None else int(size))
    return out


def _has_unknown_rank(graph, name):
    return any(node.name == name and node.op == "Placeholder" and ("shape" not in node.attr or node.attr["shape"].shape.unknown_rank) for node in graph.node)


@export("lite.TFLiteConverter")
class TFLiteConverter:
    """Converts a graph: `TFLiteConverter.from_session(session, inputs, outputs).convert()` gives the bytes of a model."""

    def __init__(self, graph_def, input_tensors, output_tensors, input_arrays_with_shape=None, output_arrays=None, experimental_debug_info_func=None):
        settings.unused("lite.TFLiteConverter", "errors name nodes, not lines of the program", experimental_debug_info_func=(experimental_debug_info_func, None))
        self._graph_def = graph_def
        if input_tensors is None or output_tensors is None:
            if not input_arrays_with_shape or not output_arrays:
                raise ValueError("If input_tensors and output_tensors are None, both input_arrays_with_shape and output_arrays must be defined.")
            self._inputs = [name for name, _ in input_arrays_with_shape]
            self._outputs = list(output_arrays)
            self._graph_def = _with_shapes(graph_def, {_base(name): shape for name, shape in input_arrays_with_shape})
        else:
            self._inputs = [tensor.name for tensor in input_tensors]
            self._outputs = [tensor.name for tensor in output_tensors]
        self.inference_type = constants.dtypes.float32
        self.inference_input_type = None
        self.inference_output_type = None
        self.output_format = constants.TFLITE
        self.quantized_input_stats = {}
        self.default_ranges_stats = None
        self.drop_control_dependency = True
        self.reorder_across_fake_quant = False
        self.change_concat_input_ranges = False
        self.allow_custom_ops = False
        self.post_training_quantize = False
        self.optimizations = []
        self.representative_dataset = None
        self.target_spec = constants.TargetSpec()
        self.dump_graphviz_dir = None
        self.dump_graphviz_video = False
        self.experimental_new_converter = False

    @classmethod
    def from_session(cls, sess, input_tensors, output_tensors):
        """The graph of a session, with the values that its variables have now."""
        graph = sess.graph.as_graph_def(add_shapes=False)
        if not _is_frozen(graph):
            graph = convert_variables_to_constants(sess, graph, [_base(tensor.name) for tensor in output_tensors])
        return cls(graph, input_tensors, output_tensors)

    @classmethod
    def from_frozen_graph(cls, graph_def_file, input_arrays, output_arrays, input_shapes=None):
        """A file with a frozen GraphDef, binary or text."""
        graph = _read_graph(graph_def_file)
        names = {node.name for node in graph.node}
        missing = [name for name in list(input_arrays) + list(output_arrays) if _base(name) not in names]
        if missing:
            raise ValueError("Invalid tensors '{}' were found.".format(",".join(missing)))
        if not _is_frozen(graph):
            raise ValueError("Please freeze the graph using freeze_graph.py.")
        shapes = input_shapes or {}
        unknown = [name for name in shapes if _base(name) not in [_base(given) for given in input_arrays]]
        if unknown:
            raise ValueError("Invalid tensor '{}' found in tensor shapes map.".format(unknown[0]))
        return cls(graph, None, None, [(name, shapes.get(name)) for name in input_arrays], list(output_arrays))

    @classmethod
    def from_saved_model(cls, saved_model_dir, input_arrays=None, input_shapes=None, output_arrays=None, tag_set=None, signature_key=None):
        """A signature of a SavedModel."""
        tags = {"serve"} if tag_set is None else set(tag_set)
        key = "serving_default" if signature_key is None else signature_key
        with ops.Graph().as_default() as graph, Session(graph=graph) as session:
            meta = SavedModelLoader(saved_model_dir).load(session, tags)
            if key not in meta.signature_def:
                raise ValueError("No '{}' in the SavedModel's SignatureDefs. Possible values are '{}'.".format(key, ",".join(meta.signature_def)))
            signature = meta.signature_def[key]
            inputs = list(input_arrays or sorted(info.name for info in signature.inputs.values()))
            outputs = list(output_arrays or sorted(info.name for info in signature.outputs.values()))
            frozen = convert_variables_to_constants(session, graph.as_graph_def(), [_base(name) for name in outputs])
        frozen = _with_shapes(frozen, {_base(name): shape for name, shape in (input_shapes or {}).items()})
        return cls(frozen, None, None, [(name, None) for name in inputs], outputs)

    @property
    def target_ops(self):
        """The older name of target_spec.supported_ops."""
        return self.target_spec.supported_ops

    @target_ops.setter
    def target_ops(self, value):
        self.target_spec.supported_ops = value

    def get_input_arrays(self):
        """The names of the input nodes."""
        return [_base(name) for name in self._inputs]

    def convert(self):
        """The model's bytes."""
        float32, spec = constants.dtypes.float32, self.target_spec
        quantizes = {
            "inference_type": self.inference_type not in (None, float32),
            "optimizations": self.optimizations,
            "post_training_quantize": self.post_training_quantize,
            "representative_dataset": self.representative_dataset,
            "target_spec.supported_ops": set(spec.supported_ops) == {constants.OpsSet.TFLITE_BUILTINS_INT8},
            "target_spec.supported_types": any(kind != float32 for kind in spec.supported_types),
        }
        asked = [name for name, value in quantizes.items() if value]
        if asked:
            raise ValueError("Weft writes float models only: %s cannot ask for other numbers." % " and ".join(asked))
        if self.output_format != constants.TFLITE:
            raise ValueError("Weft writes lite.constants.TFLITE only.")
        for name in self._inputs:
            if _has_unknown_rank(self._graph_def, _base(name)):
                raise ValueError("Provide an input shape for input array '{}'.".format(_base(name)))
        settings.unused("lite.TFLiteConverter", "float models are written from graphs as they are", quantized_input_stats=(self.quantized_input_stats, {}, None),
                        inference_input_type=(self.inference_input_type, None, float32), inference_output_type=(self.inference_output_type, None, float32),
                        default_ranges_stats=(self.default_ranges_stats, None),
                        reorder_across_fake_quant=(self.reorder_across_fake_quant, False), change_concat_input_ranges=(self.change_concat_input_ranges, False),
                        drop_control_dependency=(self.drop_control_dependency, True), allow_custom_ops=(self.allow_custom_ops, False), dump_graphviz_dir=(self.dump_graphviz_dir, None),
                        dump_graphviz_video=(self.dump_graphviz_video, False))
        try:
            return _weft.graph_to_tflite(self._graph_def.SerializeToString(), list(self._inputs), list(self._outputs))
        except errors.OpError as error:
            raise ConverterError(error.message) from None


class ConverterError(Exception):
    """A graph that cannot be converted."""
