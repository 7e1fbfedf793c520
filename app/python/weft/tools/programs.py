"""The command line programs among TensorFlow's modules, for `weft py -m MODULE`; freeze_graph, inspect_checkpoint and saved_model_cli have modules of their own."""

import argparse
import functools
import importlib
import sys

from .. import protos
from ..platform import app
from ..platform.gfile import Exists
from . import optimize_for_inference, strip_unused

PROGRAMS = {"freeze_graph": "freeze_graph", "inspect_checkpoint": "inspect_checkpoint", "saved_model_cli": "saved_model_cli", "strip_unused": None,
            "optimize_for_inference": None, "import_pb_to_tensorboard": None}


def _not_empty(text):
    if not text:
        raise argparse.ArgumentTypeError("needs a value")
    return text


def _parser(name, texts, booleans=()):
    parser = argparse.ArgumentParser(prog=name)
    parser.register("type", "bool", lambda v: v.lower() == "true")
    for option, default, about in texts:
        parser.add_argument("--" + option, type=_not_empty if default is None else str, default=default, required=default is None, help=about)
    for option, default, about in booleans:
        parser.add_argument("--" + option, nargs="?", const=True, type="bool", default=default, help=about)
    return parser


def _types(text):
    try:
        numbers = [int(n) for n in text.split(",")]
    except ValueError:
        raise ValueError("--placeholder_type_enum: '%s' is no list of numbers of DataTypes" % text) from None
    return numbers if len(numbers) > 1 else numbers[0]


def _run_strip_unused():
    parser = _parser("strip_unused",
                     (("input_graph", "", "GraphDef file to load"), ("output_graph", None, "GraphDef file to write"), ("input_node_names", "", "the inputs, separated by commas"),
                      ("output_node_names", "", "the outputs, separated by commas"), ("placeholder_type_enum", "1", "number of the placeholders' DataType")),
                     (("input_binary", False, "whether the input is binary"), ("output_binary", True, "whether the output is binary")))
    flags = parser.parse_args()
    failed = strip_unused.strip_unused_from_files(flags.input_graph, flags.input_binary, flags.output_graph, flags.output_binary, flags.input_node_names,
                                                  flags.output_node_names, _types(flags.placeholder_type_enum))
    return 1 if failed else 0


def _run_optimize_for_inference():
    parser = _parser("optimize_for_inference",
                     (("input", "", "GraphDef file to load"), ("output", None, "file to write"), ("input_names", "", "the inputs, separated by commas"),
                      ("output_names", "", "the outputs, separated by commas"), ("placeholder_type_enum", "1", "number of the placeholders' DataType, or one for each")),
                     (("frozen_graph", True, "whether files are binary"), ("toco_compatible", False, "whether to leave padding and resizing out of convolutions")))
    flags = parser.parse_args()
    if not Exists(flags.input):
        print("Input graph file '" + flags.input + "' does not exist!")
        return 1
    graph_def = strip_unused.read_message(flags.input, protos.GraphDef(), flags.frozen_graph)
    made = optimize_for_inference.optimize_for_inference(graph_def, flags.input_names.split(","), flags.output_names.split(","), _types(flags.placeholder_type_enum),
                                                         flags.toco_compatible)
    strip_unused.write_graph_def(made, flags.output, flags.frozen_graph)
    return 0


def _run_import_pb_to_tensorboard():
    parser = _parser("import_pb_to_tensorboard", (("model_dir", None, "GraphDef file to load"), ("log_dir", None, "the log folder")))
    flags = parser.parse_args()
    strip_unused.import_to_tensorboard(flags.model_dir, flags.log_dir)


def run_program(name, function):
    """Runs a program and exits; what goes wrong is one line."""

    def guarded(unused_argv):
        try:
            return function()
        except Exception as e:
            # A KeyError's text is its message in quotes.
            message = e.args[0] if isinstance(e, KeyError) and e.args else e
            sys.exit("weft: %s: %s" % (name, " ".join(str(message).split()) or type(e).__name__))

    app.run(main=guarded, argv=sys.argv[:1])


def find(module):
    """The function that runs a module of TensorFlow as a program, or None."""
    prefix, _, name = module.rpartition(".")
    if prefix not in ("tensorflow.python.tools", "tensorflow_core.python.tools") or name not in PROGRAMS:
        return None
    if PROGRAMS[name]:
        return importlib.import_module("weft.tools." + PROGRAMS[name]).run_main
    return functools.partial(run_program, name, globals()["_run_" + name])
