"""tensorflow.python.tools.inspect_checkpoint: prints what a checkpoint contains."""

import argparse
import re
import sys

import numpy as np

from ..platform import app
from ..training.checkpoint_reader import NewCheckpointReader


def _count_total_params(reader, count_exclude_pattern=""):
    """Number of elements of all tensors whose names do not match the pattern."""
    shapes = reader.get_variable_to_shape_map()
    if count_exclude_pattern:
        left_out = [name for name in shapes if re.search(count_exclude_pattern, name)]
        print("# Excluding %d tensors (%d params) that match %s when counting."
              % (len(left_out), sum(int(np.prod(shapes.pop(name))) for name in left_out), count_exclude_pattern))
    return int(sum(int(np.prod(shape)) for shape in shapes.values()))


def _print_tensors(reader, tensor_name, all_tensors, all_tensor_names, count_exclude_pattern):
    if all_tensors or all_tensor_names:
        for key in sorted(reader.get_variable_to_shape_map()):
            print("tensor_name: ", key)
            if all_tensors:
                print(reader.get_tensor(key))
    elif tensor_name:
        print("tensor_name: ", tensor_name)
        print(reader.get_tensor(tensor_name))
    else:
        print(reader.debug_string().decode("utf-8"))
    print("# Total number of params: %d" % _count_total_params(reader, count_exclude_pattern))


def print_tensors_in_checkpoint_file(file_name, tensor_name, all_tensors, all_tensor_names=False, count_exclude_pattern=""):
    """Prints one tensor, all tensors, all names, or else names, types and shapes. An error is printed, not raised, as in TensorFlow."""
    try:
        _print_tensors(NewCheckpointReader(file_name), tensor_name, all_tensors, all_tensor_names, count_exclude_pattern)
    except Exception as e:
        print(str(e))
        if "Data loss" in str(e) and any(ending in file_name for ending in (".index", ".meta", ".data")):
            print("\nIt's likely that this is a V2 checkpoint and you need to provide the filename\n*prefix*.  Try removing the '.' and extension.  Try:\n"
                  "inspect checkpoint --file_name = %s" % file_name.rpartition(".")[0])


def parse_numpy_printoption(kv_str):
    """Sets an option of numpy.set_printoptions() from a text such as "threshold=100000"."""
    key, equals, text = kv_str.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError("'%s' is not in the form k=v." % kv_str)
    known = np.get_printoptions()
    if key not in known:
        raise argparse.ArgumentTypeError("'%s' is not a valid printoption." % key)
    kind = type(known[key])
    if known[key] is None:
        raise argparse.ArgumentTypeError("Setting '%s' from the command line is not supported." % key)
    if kind is bool and text.lower() not in ("true", "t", "1", "false", "f", "0"):
        raise argparse.ArgumentTypeError("'%s' is not true or false." % text)
    try:
        np.set_printoptions(**{key: text.lower() in ("true", "t", "1") if kind is bool else kind(text)})
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e))


def main(unused_argv, flags):
    if not flags.file_name:
        print("Usage: inspect_checkpoint --file_name=checkpoint_file_name [--tensor_name=tensor_to_print] [--all_tensors] [--all_tensor_names] [--printoptions]")
        sys.exit(1)
    try:
        reader = NewCheckpointReader(flags.file_name)
        _print_tensors(reader, flags.tensor_name, flags.all_tensors, flags.all_tensor_names, flags.count_exclude_pattern)
    except Exception as e:  # a program says with its exit status that it failed
        sys.exit("weft: %s: %s" % (flags.file_name, " ".join(str(e).split())))


def run_main():
    """The command line program."""
    parser = argparse.ArgumentParser(prog="inspect_checkpoint", description="Prints names, shapes and values of a checkpoint's tensors.")
    parser.register("type", "bool", lambda v: v.lower() == "true")
    for name, about in (("file_name", "the checkpoint; of version 2: the prefix of its files"), ("tensor_name", "the tensor to print"),
                        ("count_exclude_pattern", "tensors whose names match are not counted, such as those of optimizers")):
        parser.add_argument("--" + name, type=str, default="", help=about)
    for name, about in (("all_tensors", "print names and values of all tensors"), ("all_tensor_names", "print the names of all tensors")):
        parser.add_argument("--" + name, nargs="?", const=True, type="bool", default=False, help=about)
    parser.add_argument("--printoptions", nargs="*", type=parse_numpy_printoption, help="options of numpy.set_printoptions(), as k=v")
    flags = parser.parse_args()
    app.run(main=lambda argv: main(argv, flags), argv=sys.argv[:1])
