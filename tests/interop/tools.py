#!/usr/bin/env python3
"""Runs TensorFlow's tools and graph transforms beside `weft tools` and compares what they write and print.

    PYTHON_WITH_TENSORFLOW_1.15 tests/interop/tools.py [--weft build/release/bin/weft] [--goldens tests/golden/graph_transforms] [--table tests/interop/TOOLS.md]

--goldens writes the graphs and TensorFlow's results for tests/graph/tst_graph_transforms.cpp; --table writes the table."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib  # noqa: E402
from tensorflow.tools.graph_transforms import TransformGraph  # noqa: E402

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)


def numbers(*shape, seed=1):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def conv(x, filters, name, seed=1, **options):
    weights = tf.constant(numbers(*filters, seed=seed), name=name + "/weights")
    return tf.nn.conv2d(x, weights, strides=[1, 1, 1, 1], padding="SAME", name=name, **options)


def conv_norm():
    """Two convolutions, each with a multiplication or a fused batch norm behind it."""
    x = tf.compat.v1.placeholder(tf.float32, [1, 6, 6, 2], name="x")
    y = tf.multiply(conv(x, (3, 3, 2, 4), "conv1"), tf.constant(numbers(4, seed=2), name="factors"), name="scaled")
    y = conv(tf.nn.relu(y, name="relu"), (1, 1, 4, 3), "conv2", seed=3)
    parameters = [tf.constant(np.abs(numbers(3, seed=i)) + 0.1, name="p%d" % i) for i in range(4)]
    y = tf.compat.v1.nn.fused_batch_norm(y, *parameters, epsilon=0.001, is_training=False, name="norm")[0]
    tf.identity(y, name="out")


def old_norm():
    """Batch norms for BatchNormWithGlobalNormalization (see old_ops), alone and behind a concatenation and a dilated convolution."""
    x = tf.compat.v1.placeholder(tf.float32, [1, 6, 6, 2], name="x")

    def norm(value, channels, name, scale=True):
        p = [tf.constant(np.abs(numbers(channels, seed=i + 5)) + 0.1, name="%s/p%d" % (name, i)) for i in range(4)]
        return tf.compat.v1.nn.fused_batch_norm(value, p[0], p[1], p[2], p[3], epsilon=0.001, is_training=False, name=name + ("_scaled" if scale else "_plain"))[0]

    a = norm(conv(x, (3, 3, 2, 4), "a"), 4, "norm_a", False)
    b = norm(tf.concat([conv(x, (1, 1, 2, 3), "b1"), conv(x, (1, 1, 2, 2), "b2", seed=4)], 3, name="joined"), 5, "norm_b")
    spread = tf.space_to_batch_nd(x, tf.constant([2, 2], name="block"), tf.constant([[0, 0], [0, 0]], name="pads"), name="spread")
    c = tf.batch_to_space_nd(conv(spread, (3, 3, 2, 2), "c", seed=6), tf.constant([2, 2], name="block2"), tf.constant([[0, 0], [0, 0]], name="crops"), name="back")
    c = norm(c, 2, "norm_c")
    tf.concat([a, b, c], 3, name="out")


def weights():
    """Constants of several sizes and kinds."""
    x = tf.compat.v1.placeholder(tf.float32, [None, 64], name="x")
    y = tf.matmul(x, tf.constant(numbers(64, 32), name="w1"), name="product")
    y = tf.add(y, tf.constant(numbers(32, seed=3), name="b1"), name="sum")
    y = tf.add(tf.matmul(y, tf.constant(np.abs(numbers(32, 40, seed=4)), name="w2")), tf.constant(np.zeros(40, np.float32), name="b2"))
    y = tf.multiply(y, tf.constant(np.full(1200, -3.5, np.float32).reshape(30, 40)[0], name="same"))
    tf.add(y, tf.reduce_sum(tf.constant(-np.abs(numbers(2048, seed=9)), name="negative")), name="out")


def constants():
    """What constants determine: values, shapes, control edges, an output that is constant itself."""
    x = tf.compat.v1.placeholder(tf.float32, [2, 3], name="x")
    unknown = tf.compat.v1.placeholder(tf.float32, [None, 3], name="unknown")
    a = tf.add(tf.constant([1.0, 2.0, 3.0], name="a1"), tf.constant([4.0, 5.0, 6.0], name="a2"), name="a")
    s = tf.shape(x, name="shape_of_x")
    size = tf.multiply(tf.reduce_prod(s, name="elements"), tf.constant(2), name="doubled")
    rank = tf.rank(unknown, name="rank")
    rows = tf.shape(unknown, name="shape_of_unknown")
    with tf.control_dependencies([x]):
        waited = tf.constant(7.0, name="waited")
    late = tf.multiply(waited, tf.constant(3.0, name="three"), name="late")
    parts = tf.split(tf.constant(numbers(4, 2), name="whole"), 2, name="parts")
    y = tf.add(x * a, tf.cast(size + rank, tf.float32), name="y") + late
    tf.add_n([y, tf.reduce_sum(parts[1]) + y, tf.cast(tf.reduce_sum(rows), tf.float32) + y], name="out")
    tf.multiply(a, a, name="constant_out")


def resize():
    """Padding and resizing before convolutions."""
    x = tf.compat.v1.placeholder(tf.float32, [1, 4, 4, 2], name="x")
    size, pads = tf.constant([8, 8], name="size"), tf.constant([[0, 0], [1, 1], [1, 1], [0, 0]], name="pads")
    a = conv(tf.compat.v1.image.resize_bilinear(x, size, align_corners=True, name="resize_a"), (3, 3, 2, 2), "a")
    b = conv(tf.pad(x, pads, mode="REFLECT", name="pad_b"), (3, 3, 2, 2), "b", seed=2)
    c = conv(tf.pad(tf.compat.v1.image.resize_bilinear(x, size, name="resize_c"), pads, mode="SYMMETRIC", name="pad_c"), (3, 3, 2, 2), "c", seed=3)
    tf.add_n([tf.reduce_sum(a), tf.reduce_sum(b), tf.reduce_sum(c)], name="out")


def atrous():
    """Dilated convolutions."""
    x = tf.compat.v1.placeholder(tf.float32, [1, 8, 8, 2], name="x")
    spread = tf.space_to_batch_nd(x, tf.constant([2, 3], name="block"), tf.constant([[0, 0], [0, 1]], name="pads"), name="spread")
    weights_node = tf.constant(numbers(3, 2, 2, 3), name="w")
    y = tf.nn.conv2d(spread, weights_node, strides=[1, 1, 1, 1], padding="VALID", name="conv")
    tf.batch_to_space_nd(y, tf.constant([2, 3], name="block2"), tf.constant([[0, 0], [0, 1]], name="crops"), name="out")


def names():
    """Devices, control edges, duplicates, outputs beyond the first, unused nodes."""
    with tf.device("/cpu:0"):
        x = tf.compat.v1.placeholder(tf.float32, [2, 2], name="deep/scope/x")
        a, b = tf.constant([[1.0, 2.0]], name="a"), tf.constant([[1.0, 2.0]], name="b")
    p, q = tf.add(x, a, name="p"), tf.add(x, b, name="q")
    u, i = tf.unique(tf.reshape(p, [-1], name="flat"), name="unique")
    checked = tf.debugging.check_numerics(p, "bad", name="checked")
    with tf.control_dependencies([q, checked]):
        noise = tf.random.uniform([2, 2], seed=1, name="noise")
        noise2 = tf.random.uniform([2, 2], seed=1, name="noise2")
    same = tf.identity(tf.identity(checked, name="id1"), name="id2")
    tf.add_n([same, q, noise, noise2, tf.cast(tf.reduce_sum(i), tf.float32) + same, tf.reduce_sum(u) + same], name="out")
    tf.sqrt(x, name="unused")


def arrays():
    """A while loop with TensorArrays."""
    x = tf.compat.v1.placeholder(tf.float32, [4, 2], name="x")
    array = tf.TensorArray(tf.float32, 4, name="array").unstack(x)
    loop = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + array.read(i)), [tf.constant(0), tf.zeros([2])], name="loop")
    tf.concat([loop[1], loop[1]], 0, name="out")


def gathers():
    """Rows of constants with one column."""
    ids = tf.compat.v1.placeholder(tf.int64, [None], name="ids")
    column = np.zeros((50, 1), np.float32)
    column[[3, 17, 40], 0] = [1.5, -2.0, 0.25]
    w = tf.identity(tf.constant(column, name="w"), name="w/read")
    v = tf.identity(tf.constant(column * 2, name="v"), name="v/read")
    tf.add(tf.raw_ops.Gather(params=w, indices=ids, name="rows"), tf.gather(v, ids, name="more"), name="out")


def old_ops(graph_def):
    """Makes the batch norms older ops, which TensorFlow 1.15's Python no longer builds: FusedBatchNorm, or those of TensorFlow before 0.9."""
    for node in graph_def.node:
        if node.name == "norm":
            node.op = "FusedBatchNorm"
            del node.attr["U"]
        if node.name.startswith("norm_") and node.op.startswith("FusedBatchNorm"):
            value, gamma, beta, mean, variance = node.input
            node.op, epsilon = "BatchNormWithGlobalNormalization", node.attr["epsilon"].f
            node.input[:] = [value, mean, variance, beta, gamma]
            for name in list(node.attr):
                if name != "T":
                    del node.attr[name]
            node.attr["variance_epsilon"].f = epsilon
            node.attr["scale_after_normalization"].b = node.name.endswith("_scaled")
    return graph_def


BUILDERS = [conv_norm, old_norm, weights, constants, resize, atrous, names, arrays, gathers]

# graph, inputs, outputs, transforms
CASES = [
    ("conv_norm", "x", "out", "fold_batch_norms"), ("conv_norm", "x", "out", "fold_old_batch_norms"), ("conv_norm", "x", "out", "fold_batch_norms fold_old_batch_norms"),
    ("conv_norm", "x", "scaled,out", "strip_unused_nodes fold_constants(ignore_errors=true) fold_batch_norms fold_old_batch_norms sort_by_execution_order"),
    ("conv_norm", "relu", "out", 'strip_unused_nodes(type=half, shape="1,6,6,4")'),
    ("conv_norm", "relu", "out", 'strip_unused_nodes(name=relu, type_for_name=int8, shape_for_name="2")'),
    ("old_norm", "x", "out", "fold_old_batch_norms"), ("old_norm", "x", "out", "flatten_atrous_conv"),
    ("weights", "x", "out", "quantize_weights"), ("weights", "x", "out", "quantize_weights(minimum_size=16)"), ("weights", "x", "out", "round_weights"),
    ("weights", "x", "out", "round_weights(num_steps=7)"), ("weights", "x", "out", "fold_constants"),
    ("constants", "x,unknown", "out,constant_out", "fold_constants"), ("constants", "x,unknown", "out", "fold_constants"), ("constants", "x", "late", "fold_constants"),
    ("constants", "x,unknown", "out", "fold_constants(exclude_op=Mul)"), ("constants", "x,unknown", "out", "fold_constants(exclude_node=a)"),
    ("constants", "x,unknown", "out", "fold_constants(max_constant_size_in_bytes=8)"), ("constants", "unknown", "out", "fold_constants"),
    ("constants", "", "constant_out", "fold_constants"), ("constants", "a", "out", "fold_constants"), ("constants", "x,unknown", "", "fold_constants"),
    ("constants", "x", "nowhere", "fold_constants"), ("constants", "nowhere", "out", "fold_constants"),
    ("resize", "x", "out", "fuse_resize_and_conv"), ("resize", "x", "out", "fuse_pad_and_conv"), ("resize", "x", "out", "fuse_resize_pad_and_conv"),
    ("resize", "x", "out", "fuse_resize_pad_and_conv fuse_resize_and_conv fuse_pad_and_conv"),
    ("atrous", "x", "out", "flatten_atrous_conv"),
    ("names", "deep/scope/x", "out", "strip_unused_nodes"), ("names", "deep/scope/x", "out", "remove_nodes(op=Identity)"),
    ("names", "deep/scope/x", "out", "remove_nodes(op=Identity, op=CheckNumerics)"), ("names", "deep/scope/x", "id2", "remove_nodes(op=Identity)"),
    ("names", "deep/scope/x", "out", "remove_nodes(op=Add, op=AddV2, max_inputs=2)"), ("names", "deep/scope/x", "out", "merge_duplicate_nodes"),
    ("names", "deep/scope/x", "out", "obfuscate_names"), ("names", "deep/scope/x", "out", "sort_by_execution_order"), ("names", "deep/scope/x", "out", "remove_device"),
    ("names", "deep/scope/x", "out", 'set_device(device="/gpu:1")'), ("names", "deep/scope/x", "out", 'set_device(device="/gpu:1", if_default=true)'),
    ("names", "deep/scope/x", "out", "remove_control_dependencies"), ("names", "deep/scope/x", "out", "add_default_attributes"),
    ("names", "deep/scope/x", "out", "remove_attribute(attribute_name=T)"), ("names", "deep/scope/x", "out", "remove_attribute(attribute_name=T, op_name=Identity)"),
    ("names", "deep/scope/x", "out", "rename_attribute(old_attribute_name=T, new_attribute_name=U, op_name=Identity)"),
    ("names", "deep/scope/x", "out", "rename_attribute(old_attribute_name=T, new_attribute_name=U)"),
    ("names", "deep/scope/x", "out", "rename_op(old_op_name=Identity, new_op_name=Snapshot)"), ("names", "deep/scope/x", "out", "insert_logging"),
    ("names", "deep/scope/x", "out", "insert_logging(op=Add, op=AddV2, show_name=true, show_op=true, message=hello, first_n=3, summarize=5)"),
    ("names", "deep/scope/x", "out", "insert_logging(prefix=id)"), ("names", "deep/scope/x", "out", "fold_constants"), ("names", "x", "out", "strip_unused_nodes"),
    ("names", "deep/scope/x", "absent", "strip_unused_nodes"), ("names", "deep/scope/x", "out", "rename_op(old_op_name=Identity)"), ("names", "deep/scope/x", "out", "remove_nodes"),
    ("names", "deep/scope/x", "out", "absent_transform"), ("names", "deep/scope/x", "out", "insert_logging(first_n=many)"),
    ("arrays", "x", "out", "backport_tensor_array_v3"), ("arrays", "x", "out", "backport_concatv2"), ("arrays", "x", "out", "fold_constants"),
    ("arrays", "x", "out", "sort_by_execution_order"), ("arrays", "x", "out", "merge_duplicate_nodes"),
    ("gathers", "ids", "out", "sparsify_gather"), ("gathers", "ids", "out", "sparsify_gather(group_init_node=fill)"),
]


# tool, graph, inputs, outputs: libraries of tensorflow.python.tools
LIBRARY_CASES = [
    ("optimize_for_inference", "conv_norm", "x", "out"), ("optimize_for_inference", "old_norm", "x", "out"), ("optimize_for_inference", "resize", "x", "out"),
    ("optimize_for_inference", "names", "deep/scope/x", "out"), ("optimize_for_inference", "weights", "x", "out"), ("optimize_for_inference", "atrous", "x", "out"),
    ("optimize_for_inference", "arrays", "x", "out"), ("optimize_for_inference", "names", "absent", "out"), ("optimize_for_inference", "names", "deep/scope/x", "absent"),
    ("strip_unused", "conv_norm", "relu", "out"), ("strip_unused", "names", "deep/scope/x", "id2"), ("strip_unused", "names", "p,q", "out"),
    ("strip_unused", "arrays", "x", "out"), ("strip_unused", "names", "absent", "out"), ("strip_unused", "names", "p:0", "out"),
]


# graph and call: how the verdict may begin where Weft differs on purpose (engine/transforms/README.md).
DIFFERENCES = {
    ("names", "optimize_for_inference"): "TensorFlow fails: list index",  # it leaves a reader of CheckNumerics without an input
    ("old_norm", "fold_old_batch_norms"): "order",  # it repeats a node that two convolutions read
    ("constants", "fold_constants"): "both fail; TensorFlow: You must feed a value for placeholder",  # which of two it names depends on its threads
}


def built(builder):
    with tf.Graph().as_default() as graph:
        builder()
    return old_ops(graph.as_graph_def())


def listed(text):
    return [t for t in text.split(",") if t]


def judged(graph_def, inputs, outputs, transforms, known):
    """TensorFlow's result, or the text of its error. In a process of its own: folded constants are numbered through a process."""
    if (inputs, outputs, transforms) in known:
        return known[inputs, outputs, transforms]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.pb")
        with open(path, "wb") as f:
            f.write(graph_def.SerializeToString())
        run = subprocess.run([sys.executable, os.path.abspath(__file__), "--transform", path, inputs, outputs, transforms], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if run.returncode == 3:
            return None, run.stdout.decode()
        if run.returncode != 0:
            return None, "crashes (exit status %d)" % run.returncode
        return tf.compat.v1.GraphDef.FromString(run.stdout), None


def transform_main(path, inputs, outputs, transforms):
    with open(path, "rb") as f:
        graph_def = tf.compat.v1.GraphDef.FromString(f.read())
    try:
        result = TransformGraph(graph_def, listed(inputs), listed(outputs), [transforms])
    except Exception as e:
        sys.stdout.write(str(e))
        return 3
    sys.stdout.buffer.write(result.SerializeToString())
    return 0


def difference(ours, theirs):
    """None if equal; "order" if only the order of nodes differs; else the first difference."""
    if ours == theirs:
        return None
    a, b = {n.name: n for n in ours.node}, {n.name: n for n in theirs.node}
    for name in sorted(set(a) | set(b)):
        if name not in b:
            return "only in Weft: " + name
        if name not in a:
            return "only in TensorFlow: " + name
        if a[name] != b[name]:
            return "node %s:\n%s---\n%s" % (name, str(a[name])[:600], str(b[name])[:600])
    rest_a, rest_b = tf.compat.v1.GraphDef(), tf.compat.v1.GraphDef()
    rest_a.CopyFrom(ours), rest_b.CopyFrom(theirs)
    del rest_a.node[:], rest_b.node[:]
    return "order" if rest_a == rest_b else "versions or library"


def known_results(graphs, goldens):
    """TensorFlow's results that the goldens hold already, for graphs that have not changed."""
    known = {name: {} for name in graphs}
    path = os.path.join(goldens, "cases.json") if goldens else ""
    if not os.path.exists(path):
        return known
    for record in json.load(open(path)):
        name = record["graph"]
        with open(os.path.join(goldens, name + ".pb"), "rb") as f:
            if name not in graphs or tf.compat.v1.GraphDef.FromString(f.read()) != graphs[name]:
                continue
        result = None
        if "result" in record:
            with open(os.path.join(goldens, record["result"]), "rb") as f:
                result = tf.compat.v1.GraphDef.FromString(f.read())
        known[name][record["inputs"], record["outputs"], record["transforms"]] = result, record.get("error")
    return known


def compare_transforms(weft, graphs, goldens):
    rows, records = [], []
    known = known_results(graphs, goldens)
    for number, (name, inputs, outputs, transforms) in enumerate(CASES):
        theirs, error = judged(graphs[name], inputs, outputs, transforms, known[name])
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "in.pb"), os.path.join(folder, "out.pb")
            with open(source, "wb") as f:
                f.write(graphs[name].SerializeToString())
            run = subprocess.run([weft, "tools", "transform_graph", "--in_graph", source, "--out_graph", made, "--inputs=" + inputs, "--outputs=" + outputs,
                                  "--transforms=" + transforms], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            message = run.stderr.decode().strip()
            if run.returncode == 0:
                with open(made, "rb") as f:
                    ours = tf.compat.v1.GraphDef.FromString(f.read())
                verdict = "TensorFlow fails: " + error if error else difference(ours, theirs) or "equal"
            else:
                verdict = "both fail" if error else "fails: " + message
                if error and error.split("\n")[0] not in message:
                    verdict = "both fail; TensorFlow: %s; Weft: %s" % (error, message)
        rows.append((name, inputs, outputs, transforms, verdict))
        record = {"graph": name, "inputs": inputs, "outputs": outputs, "transforms": transforms}
        if theirs is not None and goldens:
            record["result"] = "%02d.pb" % number
            with open(os.path.join(goldens, record["result"]), "wb") as f:
                f.write(theirs.SerializeToString(deterministic=True))
        else:
            record["error"] = error
        records.append(record)
    if goldens:
        for name, graph_def in graphs.items():
            with open(os.path.join(goldens, name + ".pb"), "wb") as f:
                f.write(graph_def.SerializeToString(deterministic=True))
        with open(os.path.join(goldens, "cases.json"), "w") as f:
            json.dump(records, f, indent=1)
            f.write("\n")
    return rows


def library_result(tool, graph_def, inputs, outputs):
    try:
        if tool == "strip_unused":
            return strip_unused_lib.strip_unused(graph_def, listed(inputs), listed(outputs), 1), None
        return optimize_for_inference_lib.optimize_for_inference(graph_def, listed(inputs), listed(outputs), 1), None
    except Exception as e:
        return None, str(e).strip("\"'")


_NAMES = {"strip_unused": ("input_graph", "output_graph", "input_node_names", "output_node_names"), "optimize_for_inference": ("input", "output", "input_names", "output_names")}


def compare_libraries(weft, graphs, goldens):
    rows, records = [], []
    for number, (tool, name, inputs, outputs) in enumerate(LIBRARY_CASES):
        theirs, error = library_result(tool, graphs[name], inputs, outputs)
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "in.pb"), os.path.join(folder, "out.pb")
            with open(source, "wb") as f:
                f.write(graphs[name].SerializeToString())
            words = ["--%s=%s" % pair for pair in zip(_NAMES[tool], (source, made, inputs, outputs))]
            run = subprocess.run([weft, "tools", tool] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if run.returncode == 0:
                with open(made, "rb") as f:
                    verdict = "TensorFlow fails: " + error if error else difference(tf.compat.v1.GraphDef.FromString(f.read()), theirs) or "equal"
            else:
                verdict = "both fail" if error and error.split("\n")[0] in run.stderr.decode() else "TensorFlow: %s; Weft: %s" % (error, run.stderr.decode().strip())
        rows.append((name, inputs, outputs, tool, verdict))
        record = {"graph": name, "inputs": inputs, "outputs": outputs, "tool": tool}
        if theirs is not None and goldens:
            record["result"] = "tool%02d.pb" % number
            with open(os.path.join(goldens, record["result"]), "wb") as f:
                f.write(theirs.SerializeToString(deterministic=True))
        else:
            record["error"] = error
        records.append(record)
    if goldens:
        with open(os.path.join(goldens, "tools.json"), "w") as f:
            json.dump(records, f, indent=1)
            f.write("\n")
    return rows


def make_model(folder):
    """A checkpoint with its graph in several forms, and a SavedModel."""
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 3], name="x")
        with tf.device("/cpu:0"):
            v = tf.compat.v1.get_variable("v", initializer=np.arange(6, dtype=np.float32).reshape(3, 2) / 7)
        r = tf.compat.v1.get_variable("r", initializer=numbers(2), use_resource=True)
        big = tf.compat.v1.get_variable("big", initializer=numbers(40, 40))
        y = tf.add(tf.matmul(x, v), r, name="y")
        z = tf.reduce_max(big, name="z")
        saver = tf.compat.v1.train.Saver()
        plain = tf.compat.v1.train.Saver({"v": v, "big": big})
        with tf.compat.v1.Session() as sess:
            sess.run(tf.compat.v1.global_variables_initializer())
            saver.save(sess, os.path.join(folder, "model"))
            plain.save(sess, os.path.join(folder, "plain"), write_meta_graph=False)
            tf.io.write_graph(graph.as_graph_def(), folder, "graph.pbtxt")
            tf.io.write_graph(graph.as_graph_def(), folder, "graph.pb", as_text=False)
            tf.compat.v1.saved_model.simple_save(sess, os.path.join(folder, "saved"), {"x": x}, {"y": y, "z": z})
    np.save(os.path.join(folder, "x.npy"), numbers(2, 3))


# Command lines; OUT is a file that both write. "native": `weft tools`, `weft py -m` is compared as well where TensorFlow has the module.
PROGRAM_CASES = [
    "freeze_graph --input_graph=graph.pbtxt --input_checkpoint=plain --output_graph=OUT --output_node_names=z",
    "freeze_graph --input_graph=graph.pb --input_binary=true --input_checkpoint=plain --output_graph=OUT --output_node_names=z --clear_devices=false",
    "freeze_graph --input_meta_graph=model.meta --input_binary --input_checkpoint=model --output_graph=OUT --output_node_names=y,z",
    "freeze_graph --input_meta_graph=model.meta --input_binary --input_checkpoint=model --output_graph=OUT --output_node_names=y,z --variable_names_blacklist=big",
    "freeze_graph --input_meta_graph=model.meta --input_binary --input_checkpoint=model --output_graph=OUT --output_node_names=y,z --variable_names_whitelist=v,r",
    "freeze_graph --input_saved_model_dir=saved --output_graph=OUT --output_node_names=y",
    "freeze_graph --input_graph=graph.pbtxt --input_checkpoint=absent --output_graph=OUT --output_node_names=z",
    "freeze_graph --input_graph=graph.pbtxt --input_checkpoint=plain --output_graph=OUT",
    "freeze_graph --input_graph=absent.pb --input_checkpoint=plain --output_graph=OUT --output_node_names=z",
    "freeze_graph --input_graph=graph.pbtxt --input_checkpoint=plain --output_graph=OUT --output_node_names=absent",
    "freeze_graph --input_graph=graph.pbtxt --input_checkpoint=plain --output_graph=OUT --output_node_names=z --checkpoint_version=3",
    "freeze_graph --input_saved_model_dir=saved --saved_model_tags=absent --output_graph=OUT --output_node_names=y",
    "strip_unused --input_graph=graph.pbtxt --output_graph=OUT --input_node_names=x --output_node_names=y",
    "strip_unused --input_graph=absent.pb --output_graph=OUT --input_node_names=x --output_node_names=y",
    "import_pb_to_tensorboard --model_dir=graph.pb --log_dir=LOG",
    "inspect_checkpoint --file_name=model", "inspect_checkpoint --file_name=model --all_tensors", "inspect_checkpoint --file_name=model --all_tensor_names",
    "inspect_checkpoint --file_name=model --tensor_name=v", "inspect_checkpoint --file_name=model --all_tensors --printoptions threshold=5 precision=3",
    "inspect_checkpoint --file_name=model --count_exclude_pattern=big", "inspect_checkpoint --file_name=absent", "inspect_checkpoint",
    "saved_model_cli show --dir saved", "saved_model_cli show --dir saved --tag_set serve", "saved_model_cli show --dir saved --tag_set serve --signature_def serving_default",
    "saved_model_cli show --dir saved --all", "saved_model_cli scan --dir saved", "saved_model_cli scan --dir saved --tag_set serve",
    "saved_model_cli run --dir saved --tag_set serve --signature_def serving_default --inputs x=x.npy",
    "saved_model_cli run --dir saved --tag_set serve --signature_def serving_default --input_exprs x=np.ones((2,3))",
    "saved_model_cli run --dir saved --tag_set serve --signature_def serving_default --input_exprs q=1", "saved_model_cli show --dir absent", "saved_model_cli",
    "saved_model_cli show --dir saved --tag_set absent",
    "saved_model_cli run --dir saved --tag_set serve --signature_def serving_default",
]


def program_run(command, folder, out):
    words = [w.replace("OUT", out).replace("LOG", out + "_log") for w in command]
    if os.path.exists(os.path.join(folder, out)):
        os.remove(os.path.join(folder, out))
    run = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    made = None
    path = os.path.join(folder, out)
    if os.path.isfile(path):
        with open(path, "rb") as f:
            made = tf.compat.v1.GraphDef.FromString(f.read())
    return run.returncode, run.stdout.decode().replace(out, "OUT"), made, run.stderr.decode().strip().split("\n")[-1]


def without_versions(graph_def):
    """Without the versions, which TensorFlow's freezing drops and Weft's keeps, and an empty library."""
    if graph_def is not None:
        graph_def.ClearField("versions")
        if not graph_def.library.function and not graph_def.library.gradient:
            graph_def.ClearField("library")
    return graph_def


def program_verdict(ours, theirs):
    """What differs between two runs of a program."""
    found = []
    if ours[0] != theirs[0]:
        found.append("exit status %d, TensorFlow's %d" % (ours[0], theirs[0]))
    if ours[1] != theirs[1]:
        found.append("prints %r, TensorFlow %r" % (ours[1][:80], theirs[1][:80]))
    if (ours[2] is None) != (theirs[2] is None):
        found.append("writes %s file" % ("no" if ours[2] is None else "a"))
    elif ours[2] is not None:
        unlike = difference(without_versions(ours[2]), without_versions(theirs[2]))
        if unlike:
            found.append("file: " + unlike.split("\n")[0])
    if theirs[0] and ours[0]:
        message = theirs[3].partition(": ")[2] or theirs[3]
        found.append("same message" if message.strip("\"'") in ours[3] else "message %r, TensorFlow's %r" % (ours[3], theirs[3]))
    return "; ".join(found) or "equal"


def compare_programs(weft):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        make_model(folder)
        for line in PROGRAM_CASES:
            name, *words = line.split(" ")
            start = time.time()
            theirs = program_run([sys.executable, "-m", "tensorflow.python.tools." + name] + words, folder, "theirs")
            middle = time.time()
            ours = program_run([weft, "tools", name] + words, folder, "ours")
            end = time.time()
            python = program_run([weft, "py", "-m", "tensorflow.python.tools." + name] + words, folder, "python")
            rows.append((line, program_verdict(ours, theirs), program_verdict(python, theirs), end - middle, middle - start))
            print(line + "\n    tools: " + rows[-1][1] + "\n    py -m: " + rows[-1][2])
    return rows


def write_table(path, transforms, libraries, programs):
    with open(path, "w") as f:
        f.write("# TensorFlow's tools beside Weft's\n\nMade by `tools.py --table`, with TensorFlow %s. Node by node: names, ops, inputs, attributes and their bytes, order.\n\n" % tf.__version__)
        rows = transforms + libraries
        f.write("%d of %d transforms and library calls are equal, or fail with the same message.\n\n| graph | call | inputs | outputs | result |\n|---|---|---|---|---|\n"
                % (sum(r[4] in ("equal", "both fail") for r in rows), len(rows)))
        for name, inputs, outputs, what, verdict in rows:
            f.write("| %s | `%s` | %s | %s | %s |\n" % (name, what.replace("|", "\\|"), inputs, outputs, verdict.split("\n")[0]))
        f.write("\n## Programs\n\nExit status, output and files of `weft tools` and `weft py -m`, against `python -m tensorflow.python.tools.NAME`. Seconds are of one run each, the start included, on a machine busy with other work.\n"
                "A graph's versions are left out of the comparison: TensorFlow's freezing drops them.\n\n"
                "| command | `weft tools` | `weft py -m` | s | TensorFlow: s |\n|---|---|---|---:|---:|\n")
        for line, native, python, ours, theirs in programs:
            f.write("| `%s` | %s | %s | %.2f | %.1f |\n" % (line, native.replace("|", "\\|"), python.replace("|", "\\|"), ours, theirs))


def main():
    if sys.argv[1:2] == ["--transform"]:
        return transform_main(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", default="build/release/bin/weft")
    parser.add_argument("--goldens")
    parser.add_argument("--table")
    parser.add_argument("--only", default="", help="part of a transform's or tool's name")
    options = parser.parse_args()
    if options.goldens:
        os.makedirs(options.goldens, exist_ok=True)
    if options.only:
        CASES[:] = [c for c in CASES if options.only in c[3]]
    graphs = {b.__name__: built(b) for b in BUILDERS}
    rows = compare_transforms(options.weft, graphs, options.goldens)
    libraries = [] if options.only else compare_libraries(options.weft, graphs, options.goldens)
    for name, inputs, outputs, transforms, verdict in rows + libraries:
        print("%-10s %s: %s" % (name, transforms, verdict))
    if options.table:
        write_table(options.table, rows, libraries, compare_programs(os.path.abspath(options.weft)))
    rows += libraries
    print("%d of %d equal" % (sum(r[4] in ("equal", "both fail") for r in rows), len(rows)))
    unexpected = [r for r in rows if r[4] not in ("equal", "both fail") and not r[4].startswith(DIFFERENCES.get((r[0], r[3]), "unlisted"))]
    for name, _, _, transforms, verdict in unexpected:
        print("not among the known differences: %s %s: %s" % (name, transforms, verdict))
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
