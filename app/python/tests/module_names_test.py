"""Modules of TensorFlow's own tree: weft py module_names_test.py [--write FACTS]

Without arguments: checks that every name of weft/module_names.tsv exists, and that other names are refused with a suggestion. --write writes that table from
the output of tests/interop/module_names.py: for each module of TensorFlow, the names that Weft has; and module_imports.tsv, the names that stand for other modules."""

import importlib
import importlib.util
import os
import sys
import types

import tensorflow as tf
from weft import deep_modules, namespace

_TABLE, _IMPORTS = (os.path.join(os.path.dirname(os.path.abspath(deep_modules.__file__)), "module_%s.tsv" % n) for n in ("names", "imports"))
# Names without a public path in TensorFlow, and their objects here. (An equal last part proves little: init_ops_v2.Zeros is not tf.keras.initializers.Zeros.)
_SAME = {
    "debug.wrappers.hooks": "python.debug.LocalCLIDebugHook",
    "debug.wrappers.local_cli_wrapper": "python.debug.LocalCLIDebugWrapperSession",
    "framework.errors": "errors.OperatorNotAllowedInGraphError", "framework.errors_impl": "errors.OperatorNotAllowedInGraphError", "framework.indexed_slices": "IndexedSlicesValue", "framework.meta_graph": "train.add_collection_def",
    "framework.smart_cond": "contrib.layers.smart_cond", "framework.sparse_tensor": "keras.backend.is_sparse", "framework.test_util": "test.assert_equal_graph_def",
    "keras.backend": "keras.backend.logsumexp name_scope", "keras.utils.tf_utils": "contrib.layers.smart_cond",
    "keras.optimizers": " ".join("keras.optimizers." + n for n in ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "Optimizer", "RMSprop", "SGD")),
    "ops.math_ops": " ".join("reduce_" + n for n in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")), "ops.array_ops": "listdiff",
    "ops.confusion_matrix": "confusion_matrix", "ops.linalg_ops_impl": "eye", "ops.string_ops": "string_to_number",
    "layers.utils": "contrib.layers.smart_cond", "ops.data_flow_ops": "contrib.staging.MapStagingArea contrib.staging.StagingArea",
    "ops.distributions.normal": "distributions.NormalWithSoftplusScale", "ops.image_ops_impl": "compat.v2.image.ResizeMethod", "ops.image_ops": "compat.v2.image.ResizeMethod", "ops.logging_ops": "merge_all_summaries",
    "ops.lookup_ops": " ".join("contrib.lookup." + n for n in (
        "FastHashSpec", "HashTable", "HasherSpec", "IdTableWithHashBuckets", "InitializableLookupTableBase", "LookupInterface", "MutableHashTable", "StrongHashSpec",
        "TableInitializerBase", "TextFileIdTableInitializer", "TextFileStringTableInitializer", "index_table_from_file", "index_table_from_tensor",
        "index_to_string_table_from_file", "index_to_string_table_from_tensor")) + " lookup.StaticHashTable lookup.StaticVocabularyTable",
    "ops.nn_ops": "nn.avg_pool2d nn.softmax_cross_entropy_with_logits_v2", "ops.parsing_ops": "decode_raw", "ops.state_ops": "is_variable_initialized", "ops.variable_scope": "variable_creator_scope",
    "ops.variables": "PartitionedVariable", "platform.googletest": "test.main test.test_src_dir_path", "saved_model.loader_impl": "saved_model.contains_saved_model",
    "training.saving.saveable_object": "train.experimental.SaveableObject", "training.summary_io": "train.SummaryWriter", "util.compat_internal": "compat.path_to_str",
}
_SAME["ops.standard_ops"] = _SAME["ops.math_ops"]
_SAME = {"python." + m: {p.rpartition(".")[2]: p for p in paths.split()} for m, paths in _SAME.items()}


def _facts(path):
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.rstrip("\n").split("\t")
            names = found.setdefault(words[0], [])
            if len(words) > 1 and not words[2].startswith("@"):
                names.append((words[1], [] if words[2] == "-" else words[2].split(" "), words[3] == "1", words[4] if len(words) > 4 else None))
    return found


def _ours(module, name):
    for ours in deep_modules.SOURCES.get(module, ()):
        there = getattr(importlib.import_module(ours), name, None)
        if there is not None and not isinstance(there, types.ModuleType):
            return there
    return None


def _word(module, name, paths, own, value=None):
    """The table's entry for a name, or None. `value`: the value of a number or text in TensorFlow."""
    if module.startswith("core."):
        return name if deep_modules._message(name) is not None else None
    objects = [(p, namespace.find(p)) for p in sorted(paths, key=lambda p: (p.startswith(("compat.", "raw_ops.")), p.count("."), len(p)))]
    objects = [(p, what) for p, what in objects if what is not None and not isinstance(what, types.ModuleType)]
    plain = deep_modules.plain(module, name)
    if paths and objects:
        if module.startswith("python.ops.") and deep_modules._op(module, name) is objects[0][1]:
            return None
        return name if plain is objects[0][1] else "%s=%s" % (name, objects[0][0])
    ours = _ours(module, name)
    if ours is not None and value is not None:
        return name if repr(ours) == value else None
    if ours is not None and (own or (getattr(ours, "__module__", None) or "").startswith("weft") and (isinstance(ours, type) or not name.startswith("_"))):
        return name
    if module + "." + name in namespace.exports.names:
        return name
    parts = module.split(".")
    for path in ["contrib.%s.%s" % (parts[1], name)] if parts[0] == "contrib" and len(parts) > 1 else []:
        if namespace.find(path) is not None:
            return "%s=%s" % (name, path)
    path = _SAME.get(module, {}).get(name)
    return "%s=%s" % (name, path) if path and namespace.find(path) is not None else None


def write_imports(facts):
    """module_imports.tsv: the modules that each module imports, by the folder that they are in."""
    deep_modules._table = None
    modules, found = set(deep_modules.table()) | namespace._all_folders(), {}
    with open(facts, encoding="utf-8") as f:
        for line in f:
            words = line.rstrip("\n").split("\t")
            if len(words) == 3 and words[2].startswith("@") and words[0] in modules and words[2][1:] in modules:
                folder, _, leaf = words[2][1:].rpartition(".")
                found.setdefault(words[0], {}).setdefault(folder, []).append(leaf if leaf == words[1] else "%s=%s" % (words[1], leaf))
    with open(_IMPORTS, "w", encoding="utf-8") as f:
        f.write("# Names of TensorFlow 1.15's modules that stand for other modules (module_names_test.py --write): FOLDER:NAME,NAME=MODULE,... for each module.\n")
        for module, folders in sorted(found.items()):
            f.write(module + "\t" + " ".join("%s:%s" % (folder, ",".join(names)) for folder, names in sorted(folders.items())) + "\n")


def write(facts):
    deep_modules._table = {}
    found = _facts(facts)
    rows = {}
    for module, names in found.items():
        generated = module.rpartition(".")[2].startswith("gen_")
        words = [] if generated else [w for w in (_word(module, *n) for n in names) if w]
        if words or module.startswith(("python", "core")) or module == "tools":
            rows[module] = words
    for module in [m for m in rows if m.startswith(("contrib", "examples"))]:
        if module in namespace._all_folders() and module.count(".") < 2:
            del rows[module]  # a folder of public names
            continue
        parent = module.rpartition(".")[0]
        while "." in parent and parent not in rows and parent not in namespace._all_folders():
            rows[parent] = []
            parent = parent.rpartition(".")[0]
    with open(_TABLE, "w", encoding="utf-8") as f:
        f.write("# Modules of TensorFlow 1.15's tree and those of their names that Weft has (module_names_test.py --write). NAME=PATH: it is tf.PATH.\n")
        for module, words in sorted(rows.items()):
            f.write(module + ("\t" + " ".join(words) if words else "") + "\n")


if __name__ == "__main__" and sys.argv[1:2] == ["--write"]:
    write(sys.argv[2])
    write_imports(sys.argv[2])
    sys.exit(0)


def refused(statement, kind, *words):
    try:
        exec(statement, {"tf": tf})
    except kind as e:
        assert all(w in str(e) for w in words), (statement, str(e), words)
        return
    raise AssertionError("it did not fail: " + statement)


count = 0
for module, names in deep_modules.table().items():
    what = importlib.import_module("tensorflow." + module)
    for name in names:
        assert getattr(what, name) is not None or name in ("newaxis", "COMPRESSION_NONE"), (module, name)
        count += 1
for module, names in deep_modules.imports().items():
    what = importlib.import_module("tensorflow." + module)
    for name, path in names.items():
        assert isinstance(getattr(what, name), types.ModuleType), (module, name, path)
        count += 1
print("%d names of %d modules" % (count, len(deep_modules.table())))

# Imports as programs write them.
for statement in ("from tensorflow.python.framework import ops, dtypes, tensor_shape, constant_op", "from tensorflow.python.framework.ops import GraphKeys, convert_to_tensor",
                  "from tensorflow.python.ops import array_ops, math_ops, nn_ops, rnn_cell_impl, control_flow_ops, gen_math_ops", "from tensorflow.python.ops.rnn_cell_impl import LSTMStateTuple, RNNCell",
                  "from tensorflow.python.ops.math_ops import reduce_sum, matmul, tanh", "from tensorflow.python.platform import gfile, flags, tf_logging as logging",
                  "import tensorflow.python.platform.gfile as g; g.Exists", "from tensorflow.python.client import device_lib; device_lib.list_local_devices",
                  "from tensorflow.python.client.timeline import Timeline", "from tensorflow.python.training.moving_averages import ExponentialMovingAverage",
                  "from tensorflow.python.layers.convolutional import Conv2D", "from tensorflow.python.util import nest; nest.flatten", "import tensorflow.contrib.slim as slim; slim.conv2d",
                  "from tensorflow.core.framework import graph_pb2, types_pb2; assert types_pb2.DT_FLOAT == 1; graph_pb2.GraphDef", "from tensorflow.core.protobuf.config_pb2 import ConfigProto",
                  "from tensorflow.contrib.layers.python.layers.layers import conv2d", "from tensorflow.examples.tutorials.mnist import input_data; input_data.read_data_sets",
                  "from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets", "from tensorflow.python import debug as d; d.LocalCLIDebugWrapperSession",
                  "import tensorflow.python as p; p.framework.ops.Graph", "import tensorflow as t; t.python.ops.nn_ops.relu"):
    exec(statement, {})

# Names that do not exist.
refused("from tensorflow.python.ops.nonsense import Foo", ModuleNotFoundError, "tensorflow.python.ops.nonsense")
refused("import tensorflow.python.framework.opps", ModuleNotFoundError, "opps", "'tensorflow.python.framework.ops'")
refused("import tensorflow.core.framework.nonsense_pb2", ModuleNotFoundError, "nonsense_pb2")
refused("import tensorflow.examples.nonsense", ModuleNotFoundError, "nonsense")
refused("import tensorflow.nonsense.more", ModuleNotFoundError, "nonsense")
assert importlib.import_module("tensorflow.python.ops.init_ops_v2").Zeros is not tf.keras.initializers.Zeros
refused("from tensorflow.python.framework.ops import relu", ImportError, "'relu'", "tensorflow.python.framework.ops", "'tf.nn.relu'")
refused("from tensorflow.python.ops.init_ops_v2 import UniformUnitScaling", ImportError, "'UniformUnitScaling'")
refused("from tensorflow.contrib import nonsense", ImportError, "nonsense")
refused("from tensorflow import Supervisor", ImportError, "'tf.train.Supervisor'")
refused("from tensorflow.core.framework.graph_pb2 import Nonsense", ImportError, "Nonsense")
refused("tf.Supervisor", AttributeError, "'tf.train.Supervisor'")
refused("tf.session", AttributeError, "'Session'")
refused("tf.constnat", AttributeError, "'constant'")
refused("tf.scalar_summary", AttributeError, "'tf.summary.scalar'")
refused("tf.train.SummaryWriterr", AttributeError, "'SummaryWriter'")
refused("tf.layers.dence", AttributeError, "'dense'")
refused("tf.python.ops.nonsense", AttributeError, "nonsense")
refused("tf.LSTMCell", AttributeError, "LSTMCell'")
for nothing_like in ("tf.qwrtz", "tf.train.xxyyzz"):
    try:
        eval(nothing_like)
    except AttributeError as e:
        assert "nearest" not in str(e), e
for phantom in ("TensorBoardDebugWrapperSession", "TensorBoardDebugHook", "GrpcDebugWrapperSession", "GrpcDebugHook"):
    refused("from tensorflow.python.debug import " + phantom, ImportError, phantom)
refused("from tensorflow.python import debug; debug.TensorBoardDebugWrapperSession", AttributeError, "python.debug.LocalCLIDebugWrapperSession'")
# A mere check whether a module exists raises nothing.
assert importlib.util.find_spec("tensorflow.nonsense") is None
assert not hasattr(tf, "nonsense")
print("module names: all as expected")
