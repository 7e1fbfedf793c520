"""tensorflow.python.tools.freeze_graph: merges a graph and its checkpoint into one graph of constants."""

import argparse
import functools
import re

from .. import protos
from ..importer import import_graph_def
from ..platform.gfile import atomic_write_string_to_file, Exists
from ..saved.graph_util import convert_variables_to_constants
from ..saved.saved_model import load
from ..session import Session
from ..training import checkpoints, saver as saver_lib
from ..training.checkpoint_reader import NewCheckpointReader
from . import saved_models
from .programs import run_program
from .strip_unused import read_message


def _names(text):
    return text.replace(" ", "").split(",")


def _has_no_variables(sess):
    return not any(op.type.startswith("Variable") or op.type.endswith("VariableOp") for op in sess.graph.get_operations())


def _without_devices(graph_def):
    for node in graph_def.node:
        node.device = ""


def _saver_of_checkpoint(sess, input_checkpoint, version):
    """A saver of the tensors of the graph that the checkpoint contains."""
    tensors = [t.name for op in sess.graph.get_operations() for t in op.values()]
    parts = [name.split(":")[0] for name in tensors if re.search(r"/part_\d+/", name)]
    variables, partitioned = {}, False
    for key in NewCheckpointReader(input_checkpoint).get_variable_to_shape_map():
        try:
            variables[key] = sess.graph.get_tensor_by_name(key + ":0")
        except KeyError:
            continue  # belongs to a variable that this graph does not use
        partitioned = partitioned or any(key in name for name in parts)
    try:
        return saver_lib.Saver(var_list=variables, write_version=version)
    except TypeError:
        if partitioned:
            raise ValueError("Models containing partition variables cannot be converted from checkpoint files. Please pass in a SavedModel using the flag --input_saved_model_dir.")
        if _has_no_variables(sess):
            raise ValueError("No variables were found in this model. It is likely the model was frozen previously. You cannot freeze a graph twice.")
        raise


def freeze_graph_with_def_protos(input_graph_def, input_saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph, clear_devices,
                                 initializer_nodes, variable_names_whitelist="", variable_names_blacklist="", input_meta_graph_def=None, input_saved_model_dir=None,
                                 saved_model_tags=None, checkpoint_version=2):
    """The frozen GraphDef, also written to `output_graph`. `restore_op_name` and `filename_tensor_name` have no effect, as in TensorFlow."""
    if not input_saved_model_dir and not checkpoints.checkpoint_exists(input_checkpoint):
        raise ValueError("Input checkpoint '" + input_checkpoint + "' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    if clear_devices and (input_meta_graph_def or input_graph_def):
        _without_devices(input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def)
    if input_graph_def:
        import_graph_def(input_graph_def, name="")
    with Session() as sess:
        if input_saver_def:
            saver_lib.Saver(saver_def=input_saver_def, write_version=checkpoint_version).restore(sess, input_checkpoint)
        elif input_meta_graph_def:
            saver_lib.import_meta_graph(input_meta_graph_def, clear_devices=True).restore(sess, input_checkpoint)
            if initializer_nodes:
                sess.run(_names(initializer_nodes))
        elif input_saved_model_dir:
            load(sess, saved_model_tags or [], input_saved_model_dir)
        else:
            _saver_of_checkpoint(sess, input_checkpoint, checkpoint_version).restore(sess, input_checkpoint)
            if initializer_nodes:
                sess.run(_names(initializer_nodes))
        frozen = convert_variables_to_constants(
            sess, input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def, _names(output_node_names),
            variable_names_whitelist=_names(variable_names_whitelist) if variable_names_whitelist else None,
            variable_names_blacklist=_names(variable_names_blacklist) if variable_names_blacklist else None)
    if output_graph:
        atomic_write_string_to_file(output_graph, frozen.SerializeToString())
    return frozen


def _read(path, what, message, binary):
    if not Exists(path):
        raise IOError("Input %s file '%s' does not exist!" % (what, path))
    return read_message(path, message, binary)


def _parse_input_graph_proto(input_graph, input_binary):
    return _read(input_graph, "graph", protos.GraphDef(), input_binary)


def _parse_input_meta_graph_proto(input_graph, input_binary):
    found = _read(input_graph, "meta graph", protos.MetaGraphDef(), input_binary)
    print("Loaded meta graph file '" + input_graph)
    return found


def _parse_input_saver_proto(input_saver, input_binary):
    return _read(input_saver, "saver", protos.SaverDef(), input_binary)


def freeze_graph(input_graph, input_saver, input_binary, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph, clear_devices,
                 initializer_nodes, variable_names_whitelist="", variable_names_blacklist="", input_meta_graph=None, input_saved_model_dir=None, saved_model_tags="serve",
                 checkpoint_version=2):
    """freeze_graph_with_def_protos() with messages read from files. Names are separated by commas."""
    graph_def = meta_graph_def = saver_def = None
    if input_saved_model_dir:
        graph_def = saved_models.get_meta_graph_def(input_saved_model_dir, saved_model_tags).graph_def
    elif input_graph:
        graph_def = _parse_input_graph_proto(input_graph, input_binary)
    if input_meta_graph:
        meta_graph_def = _parse_input_meta_graph_proto(input_meta_graph, input_binary)
    if input_saver:
        saver_def = _parse_input_saver_proto(input_saver, input_binary)
    return freeze_graph_with_def_protos(graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph, clear_devices,
                                        initializer_nodes, variable_names_whitelist, variable_names_blacklist, meta_graph_def, input_saved_model_dir,
                                        _names(saved_model_tags), checkpoint_version=checkpoint_version)


def main(unused_args, flags):
    if not flags.output_graph:
        raise ValueError("--output_graph needs the file to write")
    if flags.checkpoint_version not in (1, 2):
        raise ValueError("Invalid checkpoint version (must be '1' or '2'): %d" % flags.checkpoint_version)
    freeze_graph(flags.input_graph, flags.input_saver, flags.input_binary, flags.input_checkpoint, flags.output_node_names, flags.restore_op_name, flags.filename_tensor_name,
                 flags.output_graph, flags.clear_devices, flags.initializer_nodes, flags.variable_names_whitelist, flags.variable_names_blacklist, flags.input_meta_graph,
                 flags.input_saved_model_dir, flags.saved_model_tags, flags.checkpoint_version)


_TEXTS = (("input_graph", "", "GraphDef file to load"), ("input_saver", "", "SaverDef file to load"), ("input_checkpoint", "", "checkpoint to load"),
          ("output_graph", "", "file for the frozen graph"), ("output_node_names", "", "names of the outputs, separated by commas"),
          ("restore_op_name", "save/restore_all", "has no effect"), ("filename_tensor_name", "save/Const:0", "has no effect"),
          ("initializer_nodes", "", "operations to run before freezing, separated by commas"), ("variable_names_whitelist", "", "variables to convert (all)"),
          ("variable_names_blacklist", "", "variables not to convert"), ("input_meta_graph", "", "MetaGraphDef file to load"),
          ("input_saved_model_dir", "", "folder of a SavedModel"), ("saved_model_tags", "serve", "tags of its meta graph, separated by commas"))


def run_main():
    """The command line program."""
    parser = argparse.ArgumentParser()
    parser.register("type", "bool", lambda v: v.lower() == "true")
    for name, default, about in _TEXTS:
        parser.add_argument("--" + name, type=str, default=default, help=about)
    parser.add_argument("--checkpoint_version", type=int, default=2, help="version of the checkpoint's format")
    parser.add_argument("--input_binary", nargs="?", const=True, type="bool", default=False, help="whether input files are binary")
    parser.add_argument("--clear_devices", nargs="?", const=True, type="bool", default=True, help="whether nodes lose their devices")
    flags, unparsed = parser.parse_known_args()
    run_program("freeze_graph", functools.partial(main, unparsed, flags))
