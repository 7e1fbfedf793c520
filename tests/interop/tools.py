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
from google.protobuf import text_format  # noqa: E402
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
    """Makes the batch norms the ops of TensorFlow before 0.9, which its Python no longer builds."""
    for node in graph_def.node:
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


def built(builder):
    with tf.Graph().as_default() as graph:
        builder()
    return old_ops(graph.as_graph_def()) if builder is old_norm else graph.as_graph_def()


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
    path = os.path.join(goldens or "", "cases.json")
    for record in json.load(open(path)) if os.path.exists(path) else ():
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
    for name, inputs, outputs, transforms, verdict in rows:
        print("%-10s %s: %s" % (name, transforms, verdict))
    print("%d of %d equal" % (sum(r[4] in ("equal", "both fail") for r in rows), len(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
