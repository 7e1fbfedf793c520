"""tensorflow.python.tools.strip_unused_lib and import_pb_to_tensorboard: cuts a graph to the part between inputs and outputs; shows a graph in TensorBoard."""

import contextlib

from google.protobuf import text_format

from .. import _weft, errors, protos
from ..importer import import_graph_def
from ..ops import Graph
from ..platform.gfile import atomic_write_string_to_file, Exists, GFile
from ..session import Session
from ..summaries.writer import FileWriter


@contextlib.contextmanager
def python_errors():
    """Raises the engine's errors as those of TensorFlow's Python libraries."""
    try:
        yield
    except errors.NotFoundError as e:
        raise KeyError(e.message) from None
    except errors.OpError as e:
        if e.message.endswith(" is not in graph"):
            raise AssertionError(e.message) from None
        raise ValueError(e.message) from None


def type_numbers(placeholder_type_enum):
    return [int(t) for t in placeholder_type_enum] if isinstance(placeholder_type_enum, (list, tuple)) else [int(placeholder_type_enum)]


def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """The nodes that the outputs need, with placeholders for the inputs. `placeholder_type_enum`: their type, or one type for each."""
    with python_errors():
        made = _weft.strip_unused(input_graph_def.SerializeToString(), list(input_node_names), list(output_node_names), type_numbers(placeholder_type_enum))
    return protos.GraphDef.FromString(made)


def read_message(path, message, binary):
    """Reads a message from a file into `message` and returns it. ValueError names a file that holds none."""
    with GFile(path, "rb") as f:
        data = f.read()
    try:
        if binary:
            message.ParseFromString(data)
        else:
            text_format.Merge(data.decode("utf-8"), message)
    except Exception as e:  # protobuf's own classes, and UnicodeDecodeError
        raise ValueError("%s is no %s %s: %s" % (path, "binary" if binary else "text", type(message).__name__, e)) from None
    return message


def write_graph_def(graph_def, path, binary):
    """Writes a GraphDef: the file keeps its old contents if that fails."""
    atomic_write_string_to_file(path, graph_def.SerializeToString() if binary else text_format.MessageToString(graph_def))


def strip_unused_from_files(input_graph, input_binary, output_graph, output_binary, input_node_names, output_node_names, placeholder_type_enum):
    """strip_unused() from file to file; returns -1 on invalid arguments."""
    if not Exists(input_graph):
        print("Input graph file '" + input_graph + "' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    stripped = strip_unused(read_message(input_graph, protos.GraphDef(), input_binary), input_node_names.split(","), output_node_names.split(","), placeholder_type_enum)
    write_graph_def(stripped, output_graph, output_binary)
    print("%d ops in the final graph." % len(stripped.node))


def import_to_tensorboard(model_dir, log_dir):
    """Writes the graph from the file `model_dir` to a log folder for TensorBoard."""
    with Session(graph=Graph()) as sess:
        import_graph_def(read_message(model_dir, protos.GraphDef(), True))
        writer = FileWriter(log_dir)
        writer.add_graph(sess.graph)
        print("Model Imported. Visualize by running: tensorboard --logdir={}".format(log_dir))
