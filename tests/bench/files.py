#!/usr/bin/env python3
"""Opens large files with Weft and with their owners, in turn, and writes FILES.md.

    python3 files.py --weft build/release/bin/weft --tf1 PYTHON [--tf2 PYTHON] [--onnx PYTHON] [--rounds 5] [--folder FOLDER] [--out FILES.md]

--tf1: a Python with TensorFlow 1.15, which makes the files too; --tf2: TensorFlow 2 with Keras and tf.lite; --onnx: the onnx package. --folder keeps the files.
Weft's times are those of whole processes, from their start to their end; a first picture is what `weft-studio --bench canvas --open` says, from the beginning of
reading to the end of painting. Owners are measured in a running process with their packages loaded. The smallest of the rounds counts.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time

import measuring

MAKE = r"""
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import graph_pb2, types_pb2
from tensorflow.python.ops import io_ops
folder = sys.argv[1]

def network(blocks):
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 134
    def node(name, op, *inputs, **flags):
        n = graph.node.add(name=name, op=op, input=inputs)
        n.attr["dtype" if op == "Const" else "T"].type = types_pb2.DT_FLOAT
        for key, value in flags.items():
            n.attr[key].b = value
        return n
    def constant(name, values):
        node(name, "Const").attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.float32(values)))
    constant("x", np.zeros((1, 4)))
    last = "x"
    for i in range(blocks):
        scope = "stage_%d/block_%d/" % (i // 100, i % 100)
        constant(scope + "weights", np.full((4, 4), i))
        constant(scope + "bias", np.full(4, i))
        node(scope + "weights/read", "Identity", scope + "weights")
        node(scope + "bias/read", "Identity", scope + "bias")
        node(scope + "MatMul", "MatMul", last, scope + "weights/read", transpose_a=False, transpose_b=False)
        node(scope + "add", "Add", scope + "MatMul", scope + "bias/read")
        node(scope + "Relu", "Relu", scope + "add")
        last = scope + "Relu"
    return graph

open(folder + "/graph.pb", "wb").write(network(12858).SerializeToString())
open(folder + "/graph.pbtxt", "w").write(text_format.MessageToString(network(22000)))
names = ["layer_%d/block_%d/weights_%d" % (i // 100, i // 10 % 10, i % 10) for i in range(100000)]
with tf.Graph().as_default(), tf.Session() as session:
    session.run(io_ops.save_v2(folder + "/model", names, [""] * len(names), [tf.constant(np.ones(16, np.float32))] * len(names)))
noise = np.random.RandomState(0).bytes(100000)
with tf.python_io.TFRecordWriter(folder + "/large.tfrecord") as out:
    for i in range(10000):
        out.write(noise)
with tf.python_io.TFRecordWriter(folder + "/small.tfrecord") as out:
    for i in range(2000000):
        out.write(noise[i % 5000:i % 5000 + 300])
"""

MODELS = r"""
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from tensorflow import keras
model = keras.Sequential([keras.layers.Input((512,))] + [keras.layers.Dense(1024, activation="relu") for _ in range(25)] + [keras.layers.Dense(10)])
model.compile("adam", "mse")
model.save(sys.argv[1] + "/model.h5", include_optimizer=False)
open(sys.argv[1] + "/model.tflite", "wb").write(tf.lite.TFLiteConverter.from_keras_model(model).convert())
"""

OWN = r"""
import os, sys, time, warnings
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
warnings.filterwarnings("ignore")
what, path, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
if what == "onnx":
    import onnx
else:
    import tensorflow as tf
    tf.get_logger().setLevel("ERROR")
    from google.protobuf import text_format
def parsed():
    return tf.compat.v1.GraphDef.FromString(open(path, "rb").read())
def imported():
    with tf.Graph().as_default():
        tf.import_graph_def(parsed(), name="")
def text():
    text_format.Parse(open(path).read(), tf.compat.v1.GraphDef())
def names():
    tf.train.load_checkpoint(path).get_variable_to_shape_map()
def records():
    for _ in tf.compat.v1.io.tf_record_iterator(path):
        pass
def lite():
    tf.lite.Interpreter(path).allocate_tensors()
def keras():
    tf.keras.models.load_model(path, compile=False)
def onnx_load():
    onnx.load(path)
run = {"onnx": onnx_load}.get(what) or globals()[what]
best = 1e9
for _ in range(rounds):
    start = time.perf_counter()
    run()
    best = min(best, time.perf_counter() - start)
print(best)
"""


class Bench:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.lines = []

    def weft(self, *words):
        """Seconds of a process that must succeed."""
        best = 1e9
        for _ in range(self.given.rounds):
            start = time.perf_counter()
            subprocess.run([self.given.weft, *words], check=True, stdout=subprocess.DEVNULL)
            best = min(best, time.perf_counter() - start)
        return best

    def picture(self, name):
        """Seconds until the window has painted a file's graph."""
        studio = os.path.join(os.path.dirname(self.given.weft), "weft-studio")
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_DATA_HOME=self.folder, XDG_CONFIG_HOME=self.folder)
        best = 1e9
        for _ in range(self.given.rounds):
            done = subprocess.run([studio, "--bench", "canvas", "--open", self.path(name), "--json"], check=True, capture_output=True, text=True, env=environment)
            best = min(best, json.loads(done.stdout)["first_picture_ms"] * 1e-3)
        return best

    def owner(self, python, what, name, rounds=None):
        if not python:
            return None
        return float(measuring.said([python, "-c", OWN, what, self.path(name), str(rounds or self.given.rounds)]).strip().splitlines()[-1])

    def path(self, name):
        return os.path.join(self.folder, name)

    def row(self, what, ours, wanted, theirs, owner, note=""):
        ratio = "%.1f" % (theirs / ours) if theirs else "-"
        self.lines.append("| %s | %.3f s | %s | %s | %s | %s |" % (what, ours, wanted, "%.3f s: %s" % (theirs, owner) if theirs else "-", ratio, note))
        print(self.lines[-1], flush=True)

    def run(self):
        given = self.given
        self.row("90,007-node GraphDef: `weft inspect`", self.weft("inspect", self.path("graph.pb")), "", self.owner(given.tf1, "parsed", "graph.pb"), "parsed, not checked")
        self.row("the same, drawn: `weft convert` to SVG", self.weft("convert", self.path("graph.pb"), self.path("graph.svg")), "0.5", self.owner(given.tf1, "imported", "graph.pb", 1), "import_graph_def, not drawn")
        self.row("the same, first picture in the window", self.picture("graph.pb"), "0.5", None, "")
        size = os.path.getsize(self.path("graph.pbtxt")) * 1e-6
        self.row("pbtxt of %.0f MB: `weft inspect`" % size, self.weft("inspect", self.path("graph.pbtxt")), "0.6", self.owner(given.tf1, "text", "graph.pbtxt", 1), "text_format, in Python")
        self.row("checkpoint of 100,000 tensors: `weft inspect`", self.weft("inspect", self.path("model")), "0.2", self.owner(given.tf1, "names", "model"), "names and shapes, no values", "all checksums compared")
        for name in ("large", "small"):
            size = os.path.getsize(self.path(name + ".tfrecord")) * 1e-9
            ours = self.weft("inspect", "--verify", self.path(name + ".tfrecord"))
            self.row("TFRecord of %.1f GB, %s records: `weft inspect`" % (size, name), ours, "%.2f" % (size / 1.5), self.owner(given.tf1, "records", name + ".tfrecord", 1), "tf_record_iterator",
                     "%.1f GB/s" % (size / ours))
        if given.tf2:
            self.row("TFLite of 103 MB, first picture", self.picture("model.tflite"), "0.3", self.owner(given.tf2, "lite", "model.tflite"), "Interpreter, allocated")
            self.row("Keras HDF5 of 103 MB, first picture", self.picture("model.h5"), "0.3", self.owner(given.tf2, "keras", "model.h5"), "load_model")
            self.row("ONNX of 103 MB, first picture", self.picture("model.onnx"), "0.3", self.owner(given.onnx, "onnx", "model.onnx"), "onnx.load")


def main():
    parser = argparse.ArgumentParser()
    for name in ("weft", "tf1"):
        parser.add_argument("--" + name, required=True)
    for name in ("tf2", "onnx", "folder", "out"):
        parser.add_argument("--" + name)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    given.weft = os.path.abspath(given.weft)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or temporary
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "small.tfrecord")):
            measuring.said([given.tf1, "-c", MAKE, folder])
        if given.tf2 and not os.path.exists(os.path.join(folder, "model.onnx")):
            measuring.said([given.tf2, "-c", MODELS, folder])
            subprocess.run([given.weft, "convert", os.path.join(folder, "model.tflite"), os.path.join(folder, "model.onnx")], check=True)
        bench = Bench(given, folder)
        load = os.getloadavg()[0]
        bench.run()
        if given.out:
            with open(given.out, "w") as file:
                file.write("# Large files\n\nMade by `files.py`, %s, on %s, %d processors; load at the start %.1f, at the end %.1f. Smallest of %d rounds.\n\n"
                           "| what | Weft | wanted (s) | owner | owner / Weft | |\n|---|---|---|---|---|---|\n%s\n"
                           % (datetime.date.today(), measuring.processor(), os.cpu_count(), load, os.getloadavg()[0], given.rounds, "\n".join(bench.lines)))


if __name__ == "__main__":
    sys.exit(main())
