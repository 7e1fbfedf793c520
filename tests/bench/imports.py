"""Reads and imports a graph of 63,000 nodes and runs it for the first time, in a fresh process each time, compared with TensorFlow.

    python imports.py --bench PATH/weft-bench-cold [--out IMPORTS.md] [--rounds 7] [--side 8]

Run it with a Python that has TensorFlow 2.21. The graph is a chain of 9,000 blocks of MatMul, Add, Relu, two constants, and an Identity of each constant.
"""
import argparse
import datetime
import json
import os
import statistics
import sys
import tempfile
import time

import measuring

BLOCKS = 9000


def write(path, side):
    import numpy as np
    from tensorflow.core.framework import graph_pb2, types_pb2
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 134
    random = np.random.RandomState(0)

    def node(name, op, *inputs, **attrs):
        n = graph.node.add(name=name, op=op, input=inputs)
        n.attr["dtype" if op == "Const" else "T"].type = types_pb2.DT_FLOAT
        for key, value in attrs.items():
            n.attr[key].b = value
        return n

    def constant(name, values):
        tensor = node(name, "Const").attr["value"].tensor
        tensor.dtype = types_pb2.DT_FLOAT
        for size in values.shape:
            tensor.tensor_shape.dim.add(size=size)
        tensor.tensor_content = values.astype(np.float32).tobytes()

    constant("x", random.randn(1, side))
    last = "x"
    for i in range(BLOCKS):
        scope = "block_%d/" % i
        constant(scope + "weights", random.randn(side, side) * side ** -0.5)
        constant(scope + "bias", random.randn(side) * 0.1)
        node(scope + "weights/read", "Identity", scope + "weights")
        node(scope + "bias/read", "Identity", scope + "bias")
        node(scope + "MatMul", "MatMul", last, scope + "weights/read", transpose_a=False, transpose_b=False)
        node(scope + "add", "Add", scope + "MatMul", scope + "bias/read")
        node(scope + "Relu", "Relu", scope + "add")
        last = scope + "Relu"
    with open(path, "wb") as f:
        f.write(graph.SerializeToString())
    print(json.dumps({"nodes": len(graph.node), "last": last + ":0"}))


def tensorflow_times(path, fetch):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow.compat.v1 as tf
    tf.disable_eager_execution()
    start = time.perf_counter()
    graph = tf.GraphDef()
    with open(path, "rb") as f:
        graph.ParseFromString(f.read())
    tf.import_graph_def(graph, name="")
    middle = time.perf_counter()
    with tf.Session() as session:
        session.run(fetch)
        print(json.dumps({"import_s": middle - start, "first_run_s": time.perf_counter() - middle, "version": tf.__version__}))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench")
    parser.add_argument("--out", default=os.path.join(here, "IMPORTS.md"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--side", type=int, default=8)
    parser.add_argument("--part", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        return write(args.part[1], args.side) if args.part[0] == "write" else tensorflow_times(*args.part[1:])
    if not args.bench:
        parser.error("--bench is needed")
    me = [sys.executable, os.path.abspath(__file__)]
    with tempfile.TemporaryDirectory(prefix="weft-imports-") as folder:
        path = os.path.join(folder, "graph.pb")
        made = measuring.found(me + ["--side", str(args.side), "--part", "write", path])
        time.sleep(2)  # until the system has written the graph to disk
        ours = [measuring.found([args.bench, "import", path, made["last"]]) for _ in range(args.rounds)]
        theirs = measuring.found(me + ["--part", "run", path, made["last"]])
        megabytes = os.path.getsize(path) * 1e-6
    lines = ["# Import of a large graph", "",
             "Seconds for a graph of %d nodes (%.1f MB: %d blocks of MatMul, Add, Relu with their constants) in a fresh process: reading and importing the"
             % (made["nodes"], megabytes, BLOCKS),
             "file, and the first run, which plans. Of Weft the median (lowest to highest) of %d processes, of TensorFlow one. Made by `imports.py`." % args.rounds, "",
             "- %s, %d cores, TensorFlow %s" % (datetime.date.today(), os.cpu_count(), theirs["version"]), "", "| | parse and import | first run | second run |",
             "|---|---|---|---|", "| TensorFlow | %.2f | %.2f | |" % (theirs["import_s"], theirs["first_run_s"])]
    cells = ["%.3f (%.3f to %.3f)" % (statistics.median(v), min(v), max(v)) for v in ([o[k] for o in ours] for k in ("import_s", "first_run_s", "second_run_s"))]
    lines.append("| Weft | %s |" % " | ".join(cells))
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")
    print("\n".join(lines[-2:]))


if __name__ == "__main__":
    main()
