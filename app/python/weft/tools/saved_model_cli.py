"""tensorflow.python.tools.saved_model_cli: shows, runs and scans SavedModels."""

import argparse
import os
import re
import sys
import warnings

import numpy as np

from .. import protos
from ..ops import Graph
from ..platform import gfile
from ..saved.saved_model import load
from ..session import Session
from . import saved_models

_OP_BLACKLIST = {"WriteFile", "ReadFile", "PrintV2"}


def get_meta_graph_def(saved_model_dir, tag_set):
    """The meta graph with exactly the tags in `tag_set`, separated by commas."""
    return saved_models.get_meta_graph_def(saved_model_dir, tag_set)


def get_signature_def_map(saved_model_dir, tag_set):
    """The signatures of a meta graph, by key."""
    return saved_models.get_meta_graph_def(saved_model_dir, tag_set).signature_def


def _signature(meta_graph_def, key):
    """The signature of that key. ValueError lists the keys if there is none; TensorFlow shows or runs an empty one."""
    if key not in meta_graph_def.signature_def:
        known = ", ".join('"%s"' % name for name in sorted(meta_graph_def.signature_def))
        raise ValueError('The SavedModel has no SignatureDef with the key "%s"; %s' % (key, "it has " + known if known else "it has none"))
    return meta_graph_def.signature_def[key]


def _show_tag_sets(saved_model_dir):
    tag_sets = saved_models.get_saved_model_tag_sets(saved_model_dir)
    print("The given SavedModel contains the following tag-sets:")
    for tag_set in sorted(tag_sets):
        print(", ".join(sorted(tag_set)))


def _show_signature_def_map_keys(saved_model_dir, tag_set):
    signatures = get_signature_def_map(saved_model_dir, tag_set)
    print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
    for key in sorted(signatures.keys()):
        print('SignatureDef key: "%s"' % key)


def _print_tensor_info(tensor_info, indent=0):
    left = "  " * indent + "    "
    shape = tensor_info.tensor_shape
    types = tensor_info.DESCRIPTOR.fields_by_name["dtype"].enum_type.values_by_number
    print(left + "dtype: " + (types[tensor_info.dtype].name if tensor_info.dtype in types else str(tensor_info.dtype)))
    print(left + "shape: " + ("unknown_rank" if shape.unknown_rank else "(" + ", ".join(str(dim.size) for dim in shape.dim) + ")"))
    print(left + "name: " + tensor_info.name)


def _show_inputs_outputs(saved_model_dir, tag_set, signature_def_key, indent=0):
    meta_graph_def = saved_models.get_meta_graph_def(saved_model_dir, tag_set)
    signature = _signature(meta_graph_def, signature_def_key)
    left = "  " * indent
    for kind, tensors in (("input", signature.inputs), ("output", signature.outputs)):
        print(left + "The given SavedModel SignatureDef contains the following %s(s):" % kind)
        for key in sorted(tensors):
            print(left + "  %ss['%s'] tensor_info:" % (kind, key))
            _print_tensor_info(tensors[key], indent + 1)
    print(left + "Method name is: %s" % signature.method_name)


def _show_all(saved_model_dir):
    for tag_set in sorted(saved_models.get_saved_model_tag_sets(saved_model_dir)):
        print("\nMetaGraphDef with tag-set: '%s' contains the following SignatureDefs:" % ", ".join(tag_set))
        joined = ",".join(tag_set)
        for key in sorted(get_signature_def_map(saved_model_dir, joined).keys()):
            print("\nsignature_def['" + key + "']:")
            _show_inputs_outputs(saved_model_dir, joined, key, indent=1)
    if any(m.HasField("object_graph_def") for m in saved_models.read_saved_model(saved_model_dir).meta_graphs):
        sys.stderr.write("weft: saved_model_cli does not show the functions of object graphs\n")


def scan_meta_graph_def(meta_graph_def):
    """Says whether a graph has ops that read or write files or print."""
    ops = {node.op for node in meta_graph_def.graph_def.node} | {n.op for f in meta_graph_def.graph_def.library.function for n in f.node_def}
    tags = meta_graph_def.meta_info_def.tags
    if ops & _OP_BLACKLIST:
        print("MetaGraph with tag set %s contains the following blacklisted ops:" % tags, ops & _OP_BLACKLIST)
    else:
        print("MetaGraph with tag set %s does not contain blacklisted ops." % tags)


def run_saved_model_with_feed_dict(saved_model_dir, tag_set, signature_def_key, input_tensor_key_feed_dict, outdir, overwrite_flag, worker=None, init_tpu=False,
                                   tf_debug=False):
    """Runs a signature and prints its outputs; with `outdir` also saves them as .npy files."""
    if init_tpu or tf_debug:
        raise ValueError("saved_model_cli: --%s is not supported" % ("init_tpu" if init_tpu else "tf_debug"))
    signature = _signature(saved_models.get_meta_graph_def(saved_model_dir, tag_set), signature_def_key)
    for key in input_tensor_key_feed_dict:
        if key not in signature.inputs:
            raise ValueError('"%s" is not a valid input key. Please choose from %s, or use --show option.' % (key, '"' + '", "'.join(signature.inputs.keys()) + '"'))
    feeds = {signature.inputs[key].name: value for key, value in input_tensor_key_feed_dict.items()}
    keys = sorted(signature.outputs.keys())
    with Session(worker or "", graph=Graph()) as sess:
        load(sess, tag_set.split(","), saved_model_dir)
        outputs = sess.run([signature.outputs[key].name for key in keys], feed_dict=feeds)
    for key, output in zip(keys, outputs):
        print("Result for output key %s:\n%s" % (key, output))
        if not outdir:
            continue
        os.makedirs(outdir, exist_ok=True)
        path = os.path.join(outdir, key + ".npy")
        if not overwrite_flag and os.path.exists(path):
            raise RuntimeError('Output file %s already exists. Add "--overwrite" to overwrite the existing output files.' % path)
        np.save(path, output)
        print("Output %s is saved to %s" % (key, path))


def preprocess_inputs_arg_string(inputs_str):
    """"key=file[name];key2=file2" as {key: (file, name or None)}."""
    found = {}
    for text in filter(bool, inputs_str.split(";")):
        match = re.match(r"([^=]+)=([^\[\]]+)(?:\[([^\[\]]+)\])?$", text)
        if not match:
            raise RuntimeError('--inputs "%s" format is incorrect. Please follow"<input_key>=<filename>", or"<input_key>=<filename>[<variable_name>]"' % text)
        found[match.group(1)] = match.group(2), match.group(3)
    return found


def preprocess_input_exprs_arg_string(input_exprs_str):
    """"key=expression;key2=expression2" as {key: value}; expressions are Python's, with NumPy as np."""
    found = {}
    for text in filter(bool, input_exprs_str.split(";")):
        key, equals, expression = text.partition("=")
        if not equals:
            raise RuntimeError('--input_exprs "%s" format is incorrect. Please follow"<input_key>=<python expression>"' % input_exprs_str)
        try:
            found[key] = eval(expression, {"np": np})
        except Exception as e:
            raise ValueError("the expression of %s cannot be evaluated: %s: %s" % (key, expression, e)) from None
    return found


def _create_example_string(example_dict):
    example = protos.Example()
    for name, values in example_dict.items():
        if not isinstance(values, list):
            raise ValueError('feature value must be a list, but %s: "%s" is %s' % (name, values, type(values)))
        feature = example.features.feature[name]
        first = values[0] if values else None
        if isinstance(first, float):
            feature.float_list.value.extend(values)
        elif isinstance(first, (str, bytes)):
            feature.bytes_list.value.extend(v.encode() if isinstance(v, str) else v for v in values)
        elif isinstance(first, int):
            feature.int64_list.value.extend(values)
        else:
            raise ValueError("Type %s for value %s is not supported for tf.train.Feature." % (type(first), first))
    return example.SerializeToString()


def preprocess_input_examples_arg_string(input_examples_str):
    """"key=[{feature: values}]" as {key: serialized Examples}."""
    found = preprocess_input_exprs_arg_string(input_examples_str)
    for key, examples in found.items():
        if not isinstance(examples, list):
            raise ValueError('tf.Example input must be a list of dictionaries, but "%s" is %s' % (examples, type(examples)))
        found[key] = [_create_example_string(example) for example in examples]
    return found


def _array_of_file(path, name):
    with gfile.GFile(path, "rb") as f:
        try:
            data = np.load(f, allow_pickle=True)
        except Exception as e:  # pickle raises errors of any kind
            raise ValueError("%s holds no arrays of NumPy's .npy or .npz: %s" % (path, type(e).__name__)) from None
        if isinstance(data, np.ndarray):
            if name:
                warnings.warn('Input file %s contains a single ndarray. Name key "%s" ignored.' % (path, name))
            return data
        if name:
            if name not in data:
                raise RuntimeError('Input file %s does not contain variable with name "%s".' % (path, name))
            return data[name]
        if not isinstance(data, np.lib.npyio.NpzFile):
            return data
        if len(data.files) != 1:
            raise RuntimeError("Input file %s contains more than one ndarrays. Please specify the name of ndarray to use." % path)
        return data[data.files[0]]


def load_inputs_from_input_arg_string(inputs_str, input_exprs_str, input_examples_str):
    """The values of all inputs, by key; of a key given twice the last one in this order."""
    feeds = {key: _array_of_file(path, name) for key, (path, name) in preprocess_inputs_arg_string(inputs_str).items()}
    for option, found in (("--input_exprs", preprocess_input_exprs_arg_string(input_exprs_str)), ("--input_examples", preprocess_input_examples_arg_string(input_examples_str))):
        for key, value in found.items():
            if key in feeds:
                warnings.warn("input_key %s has been specified in multiple options. Value in %s will be used." % (key, option))
            feeds[key] = value
    return feeds


def show(args):
    """The command `show`."""
    if args.all:
        _show_all(args.dir)
    elif args.tag_set is None:
        _show_tag_sets(args.dir)
    elif args.signature_def is None:
        _show_signature_def_map_keys(args.dir, args.tag_set)
    else:
        _show_inputs_outputs(args.dir, args.tag_set, args.signature_def)


def run(args):
    """The command `run`."""
    if not args.inputs and not args.input_exprs and not args.input_examples:
        raise AttributeError("At least one of --inputs, --input_exprs or --input_examples must be required")
    feeds = load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples)
    run_saved_model_with_feed_dict(args.dir, args.tag_set, args.signature_def, feeds, args.outdir, args.overwrite, worker=args.worker, init_tpu=args.init_tpu,
                                   tf_debug=args.tf_debug)


def scan(args):
    """The command `scan`."""
    if args.tag_set:
        scan_meta_graph_def(saved_models.get_meta_graph_def(args.dir, args.tag_set))
        return
    for meta_graph_def in saved_models.read_saved_model(args.dir).meta_graphs:
        scan_meta_graph_def(meta_graph_def)


def convert_with_tensorrt(args):
    """The command `convert`: an error, since Weft has no TensorRT."""
    raise NotImplementedError("saved_model_cli convert is not supported: Weft has no TensorRT")


def create_parser():
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="saved_model_cli", description="saved_model_cli: Command-line interface for SavedModel")
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(title="commands", description="valid commands", help="additional help")

    def command(name, function, about, tag_set_needed):
        made = commands.add_parser(name, description=about, help=about)
        made.add_argument("--dir", type=str, required=True, help="folder of the SavedModel")
        made.add_argument("--tag_set", type=str, default=None, required=tag_set_needed, help="tags of the meta graph, separated by ','")
        made.set_defaults(func=function)
        return made

    made = command("show", show, "shows tags, signatures, and their inputs and outputs", False)
    made.add_argument("--all", action="store_true", help="show everything")
    made.add_argument("--signature_def", type=str, default=None, metavar="SIGNATURE_DEF_KEY", help="the signature whose inputs and outputs to show")
    made = command("run", run, "runs a signature with inputs from files or Python expressions", True)
    made.add_argument("--signature_def", type=str, required=True, metavar="SIGNATURE_DEF_KEY", help="the signature to run")
    made.add_argument("--inputs", type=str, default="", help="'key=file' or 'key=file[name]', separated by ';': .npy, .npz or pickle files")
    made.add_argument("--input_exprs", type=str, default="", help="'key=Python expression', separated by ';'; NumPy is np")
    made.add_argument("--input_examples", type=str, default="", help="'key=[{feature: list of values}]', separated by ';': tf.Examples")
    made.add_argument("--outdir", type=str, default=None, help="folder to save the outputs in")
    made.add_argument("--overwrite", action="store_true", help="overwrite files in it")
    made.add_argument("--tf_debug", action="store_true", help="not supported: an error")
    made.add_argument("--worker", type=str, default=None, help="server that runs it, such as grpc://host:port")
    made.add_argument("--init_tpu", action="store_true", default=None, help="not supported: an error")
    command("scan", scan, "says whether the graph has ops that read or write files or print", False)
    made = command("convert", convert_with_tensorrt, "not supported: an error", True)
    made.add_argument("--output_dir", type=str, required=True, help="folder for the converted SavedModel")
    made.add_argument("method", nargs="*", help="tensorrt, with its options")
    return parser


def main():
    """Runs the command line; raises what goes wrong."""
    parser = create_parser()
    args, unknown = parser.parse_known_args()
    if not hasattr(args, "func"):
        parser.error("too few arguments")
    if unknown and args.func is not convert_with_tensorrt:
        parser.error("unrecognized arguments: " + " ".join(unknown))
    args.func(args)


def run_main():
    """The command line program: one line for what goes wrong."""
    try:
        main()
    except Exception as e:
        sys.exit("weft: saved_model_cli: " + " ".join(str(e).split()))
