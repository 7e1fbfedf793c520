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


def _split(name):
    """A tensor's node and output number; a node's name means its first output."""
    node, _, index = name.partition(":")
    return node, int(index) if index.isdigit() else 0


def _full(name):
    return "%s:%d" % _split(name)


def _types_and_counts(graph, names):
    """{tensor name: number of its type}, and {node name: number of outputs}, of tensors named in full."""
    with ops.Graph().as_default() as known:
        import_graph_def(graph, name="")
        counts = {node: len(known.get_operation_by_name(node).outputs) for node in map(_base, names)}
        for node, index in map(_split, names):
            if index >= counts[node]:
                raise ValueError("Invalid tensors '{}:{}' were found.".format(node, index))
        return {name: known.get_tensor_by_name(name).dtype.base_dtype.as_datatype_enum for name in names}, counts


def _turn_into_placeholder(node, dtype):
    del node.input[:]
    node.attr.clear()
    node.op = "Placeholder"
    node.attr["dtype"].type = dtype


def _placeholder_for_output(graph, name, dtype, taken):
    """A new placeholder that the readers of one of a node's outputs read instead; the node keeps its other outputs."""
    node, index = _split(name)
    made = graph.node.add(name="%s_%d" % (node, index), op="Placeholder")
    while made.name in taken:
        made.name += "_"
    taken.add(made.name)
    made.attr["dtype"].type = dtype
    for reader in graph.node:
        for i, source in enumerate(reader.input):
            if not source.startswith("^") and _split(source) == (node, index):
                reader.input[i] = made.name
    return made


def _with_shapes(graph, shapes):
    """The graph with other shapes of its inputs, and {tensor name: the placeholder that stands for it}, where that has another name."""
    out = protos.GraphDef()
    out.CopyFrom(graph)
    nodes = {node.name: node for node in out.node}
    for name in shapes:
        if _base(name) not in nodes:
            raise ValueError("Invalid tensors '{}' were found.".format(name))
    given, stand_ins, taken = {_full(name): shape for name, shape in shapes.items() if shape is not None}, {}, set(nodes)
    computed = [name for name in given if nodes[_base(name)].op not in ("Placeholder", "PlaceholderWithDefault")]
    types, counts = _types_and_counts(graph, computed) if computed else ({}, {})
    for name, shape in given.items():
        node = nodes[_base(name)]
        if name in types and counts[node.name] > 1:
            node = _placeholder_for_output(out, name, types[name], taken)
            stand_ins[name] = node.name
        elif name in types:
            _turn_into_placeholder(node, types[name])
        sizes = node.attr["shape"].shape
        sizes.Clear()
        for size in shape:
            sizes.dim.add(size=-1 if size is None else int(size))
    return out, stand_ins


def _named_shapes(inputs, shapes):
    """(input, its shape or None) for each input. "x" and "x:0" mean the same. ValueError names a shape of something else."""
    known = {_split(name): shape for name, shape in (shapes or {}).items()}
    for name in shapes or {}:
        if _split(name) not in map(_split, inputs):
            raise ValueError("Invalid tensor '{}' found in tensor shapes map.".format(name))
    return [(name, known.get(_split(name))) for name in inputs]


def _has_unknown_rank(graph, name):
    return any(node.name == name and node.op == "Placeholder" and ("shape" not in node.attr or node.attr["shape"].shape.unknown_rank) for node in graph.node)


@export("lite.TFLiteConverter")
class TFLiteConverter:
    """Converts a graph: `TFLiteConverter.from_session(session, inputs, outputs).convert()` gives the bytes of a model."""

    def __init__(self, graph_def, input_tensors, output_tensors, input_arrays_with_shape=None, output_arrays=None, experimental_debug_info_func=None):
        settings.unused("lite.TFLiteConverter", "errors name nodes, not lines of the program", experimental_debug_info_func=(experimental_debug_info_func, None))
        self._graph_def = graph_def
        self._stand_ins = {}
        if input_tensors is None or output_tensors is None:
            if not input_arrays_with_shape or not output_arrays:
                raise ValueError("If input_tensors and output_tensors are None, both input_arrays_with_shape and output_arrays must be defined.")
            self._inputs = [name for name, _ in input_arrays_with_shape]
            self._outputs = list(output_arrays)
            self._graph_def, self._stand_ins = _with_shapes(graph_def, dict(input_arrays_with_shape))
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
        return cls(graph, None, None, _named_shapes(input_arrays, input_shapes), list(output_arrays))

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
        return cls(frozen, None, None, _named_shapes(inputs, input_shapes), outputs)

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
        inputs = [self._stand_ins.get(_full(name), name) for name in self._inputs]
        for name in inputs:
            if _has_unknown_rank(self._graph_def, _base(name)):
                raise ValueError("Provide an input shape for input array '{}'.".format(_base(name)))
        settings.unused("lite.TFLiteConverter", "float models are written from graphs as they are", quantized_input_stats=(self.quantized_input_stats, {}, None),
                        inference_input_type=(self.inference_input_type, None, float32), inference_output_type=(self.inference_output_type, None, float32),
                        default_ranges_stats=(self.default_ranges_stats, None),
                        reorder_across_fake_quant=(self.reorder_across_fake_quant, False), change_concat_input_ranges=(self.change_concat_input_ranges, False),
                        drop_control_dependency=(self.drop_control_dependency, True), allow_custom_ops=(self.allow_custom_ops, False), dump_graphviz_dir=(self.dump_graphviz_dir, None),
                        dump_graphviz_video=(self.dump_graphviz_video, False))
        try:
            return _weft.graph_to_tflite(self._graph_def.SerializeToString(), inputs, list(self._outputs))
        except errors.OpError as error:
            raise ConverterError(error.message) from None


class ConverterError(Exception):
    """A graph that cannot be converted."""
