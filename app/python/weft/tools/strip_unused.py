"""tensorflow.python.tools.strip_unused_lib and import_pb_to_tensorboard: cuts a graph to the part between inputs and outputs; shows a graph in TensorBoard."""

from google.protobuf import text_format

from .. import protos
from ..importer import import_graph_def
from ..ops import Graph
from ..platform.gfile import Exists, GFile
from ..saved.graph_util import extract_sub_graph
from ..session import Session
from ..summaries.writer import FileWriter


def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """The nodes that the outputs need, with placeholders for the inputs. `placeholder_type_enum`: their type, or one type for each."""
    for name in input_node_names:
        if ":" in name:
            raise ValueError("Name '%s' appears to refer to a Tensor, not a Operation." % name)
    missing, replaced = set(input_node_names), protos.GraphDef()
    for node in input_graph_def.node:
        if node.name not in input_node_names:
            replaced.node.add().CopyFrom(node)
            continue
        missing.remove(node.name)
        placeholder = replaced.node.add(op="Placeholder", name=node.name)
        several = isinstance(placeholder_type_enum, list)
        placeholder.attr["dtype"].type = placeholder_type_enum[input_node_names.index(node.name)] if several else placeholder_type_enum
        for attr in ("_output_shapes", "shape"):
            if attr in node.attr:
                placeholder.attr[attr].CopyFrom(node.attr[attr])
    if missing:
        raise KeyError("The following input nodes were not found: %s" % missing)
    return extract_sub_graph(replaced, output_node_names)


def strip_unused_from_files(input_graph, input_binary, output_graph, output_binary, input_node_names, output_node_names, placeholder_type_enum):
    """strip_unused() from file to file; returns -1 on invalid arguments."""
    if not Exists(input_graph):
        print("Input graph file '" + input_graph + "' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    graph_def = protos.GraphDef()
    with GFile(input_graph, "rb" if input_binary else "r") as f:
        if input_binary:
            graph_def.ParseFromString(f.read())
        else:
            text_format.Merge(f.read(), graph_def)
    stripped = strip_unused(graph_def, input_node_names.split(","), output_node_names.split(","), placeholder_type_enum)
    with GFile(output_graph, "wb" if output_binary else "w") as f:
        f.write(stripped.SerializeToString() if output_binary else text_format.MessageToString(stripped))
    print("%d ops in the final graph." % len(stripped.node))


def import_to_tensorboard(model_dir, log_dir):
    """Writes the graph from the file `model_dir` to a log folder for TensorBoard."""
    with Session(graph=Graph()) as sess:
        with GFile(model_dir, "rb") as f:
            import_graph_def(protos.GraphDef.FromString(f.read()))
        writer = FileWriter(log_dir)
        writer.add_graph(sess.graph)
        print("Model Imported. Visualize by running: tensorboard --logdir={}".format(log_dir))
