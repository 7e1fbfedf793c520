#!/usr/bin/env python3
"""Has everything that Weft writes read by its owner, and writes OWNERS.md.

    python3 owners.py --weft build/release/bin/weft [--tf1 PYTHON] [--tf2 PYTHON] [--onnx PYTHON] [--scipy PYTHON] [--go GO] [--out OWNERS.md]

--tf1: a Python with TensorFlow 1.15 (and TensorBoard), --tf2: 2.x, --onnx: onnx and onnxruntime, --scipy: scipy; --go has `tool pprof`. An owner that is not named
is not asked, and the table says so. Exit status 1 if one of them refuses a file or reads other values. Needs NumPy.
`--installed PYTHON` asks that one instead of all: checks whose packages it lacks are left out. So the test of ctest asks what Debian has.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 1e-5
FROZEN = ["--input", "x=images:0", "--output", "logits=logits/BiasAdd:0"]


class Maker:
    """Writes each kind into one folder, from a network that Weft trained there."""

    def __init__(self, weft, folder):
        self.weft, self.folder = weft, folder
        subprocess.run([os.path.join(os.path.dirname(weft), "weft-examples"), self.path("examples")], check=True, capture_output=True)
        self.document = self.path("examples", "mlp.weft")
        self.call("train", self.document, "--steps", "30", "--checkpoint", self.path("ckpt"), "--logdir", self.path("log"))
        self.prefix = self.path("ckpt", "model.ckpt-30")
        np.save(self.path("x.npy"), np.random.RandomState(0).uniform(0, 1, (8, 64)).astype(np.float32))
        self.convert(self.prefix + ".meta", "frozen.pb", "--to", "frozen", "--restore", self.prefix, "--outputs", "logits/BiasAdd")
        self.call("run", self.path("frozen.pb"), "--feed", "images:0=" + self.path("x.npy"), "--fetch", "logits/BiasAdd:0", "--out", self.path("y.npz"))
        np.savez(self.path("values.npz"), x=np.load(self.path("x.npy")), y=np.load(self.path("y.npz"))["logits/BiasAdd:0"])
        self.call("convert", self.prefix, self.path("all.npz"))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def call(self, *words):
        done = subprocess.run([self.weft, *words], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("weft %s: %s" % (" ".join(words), (done.stderr or done.stdout).strip()))

    def convert(self, source, name, *options):
        self.call("convert", source, self.path(name), *options)
        return self.path(name)

    def profile(self, name):
        self.call("profile", self.document, "--steps", "2", "--out", self.path(name))
        return self.path(name)

    def python(self, name, program):
        with open(self.path("program.py"), "w") as file:
            file.write(program)
        self.call("py", self.path("program.py"), self.path(name))
        return self.path(name)

    def dump(self):
        self.call("run", self.path("frozen.pb"), "--feed", "images:0=" + self.path("x.npy"), "--fetch", "logits/BiasAdd:0", "--out", self.path("z.npz"), "--dump", self.path("dump"))
        return self.path("dump")

    def sound(self):
        samples = np.random.RandomState(1).randint(-32768, 32768, (1000, 2)).astype(np.int16)
        np.save(self.path("samples.npy"), samples)
        np.savez(self.path("sound.npz"), samples=samples, rate=np.int64(8000))
        return self.convert(self.path("samples.npy"), "sound.wav", "--rate", "8000")


RECORDS = """
import sys
import tensorflow as tf
packed = {"gz": "GZIP", "zlib": "ZLIB"}.get(sys.argv[1].rsplit(".", 1)[-1], "")
with tf.python_io.TFRecordWriter(sys.argv[1], tf.python_io.TFRecordOptions(getattr(tf.python_io.TFRecordCompressionType, packed or "NONE"))) as out:
    for i in range(5):
        out.write(tf.train.Example(features=tf.train.Features(feature={"i": tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))})).SerializeToString())
"""

# Kind, how it is made, the check of owners_check.py, its further arguments, and who is asked.
TF, LITE, KERAS = ("tf1", "tf2"), ("tf1", "tf2"), ("tf1", "tf2")
KINDS = [
    ("GraphDef, binary", lambda m: m.convert(m.prefix + ".meta", "graph.pb", "--to", "graph.pb"), "graph", [], TF),
    ("GraphDef, text", lambda m: m.convert(m.prefix + ".meta", "graph.pbtxt", "--to", "graph.pbtxt"), "graph", [], TF),
    ("meta graph, binary", lambda m: m.prefix + ".meta", "meta", [], TF),
    ("meta graph, text", lambda m: m.convert(m.prefix + ".meta", "model.meta.pbtxt", "--to", "meta.pbtxt"), "meta", [], TF),
    ("frozen graph", lambda m: m.path("frozen.pb"), "frozen", ["values.npz"], TF),
    ("SavedModel", lambda m: m.convert(m.prefix + ".meta", "saved", "--to", "savedmodel", "--restore", m.prefix, *FROZEN), "savedmodel", ["values.npz"], TF),
    ("checkpoint V2", lambda m: m.prefix, "checkpoint", ["all.npz"], TF),
    ("checkpoint V1", lambda m: m.convert(m.prefix, "v1", "--to", "v1"), "checkpoint", ["all.npz"], TF),
    ("event files of a training", lambda m: m.path("log"), "events", [], TF),
    ("TFRecord", lambda m: m.python("r.tfrecord", RECORDS), "records", ["5"], TF),
    ("TFRecord, GZIP", lambda m: m.python("r.tfrecord.gz", RECORDS), "records", ["5"], TF),
    ("TFRecord, ZLIB", lambda m: m.python("r.tfrecord.zlib", RECORDS), "records", ["5"], TF),
    ("TensorFlow Lite", lambda m: m.convert(m.path("frozen.pb"), "m.tflite", *FROZEN), "tflite", ["values.npz"], LITE),
    ("Keras HDF5", lambda m: m.convert(m.document, "m.h5", "--to", "keras_h5", "--restore", m.prefix), "keras", ["values.npz"], KERAS),
    ("ONNX", lambda m: m.convert(m.path("frozen.pb"), "m.onnx", *FROZEN), "onnx", ["values.npz"], ("onnx",)),
    ("npz", lambda m: m.convert(m.prefix, "again.npz"), "arrays", ["all.npz"], ("tf1", "tf2")),
    ("npy", lambda m: m.convert(m.path("y.npz"), "one.npy"), "arrays", ["y.npz"], ("tf1", "tf2")),
    ("WAV", lambda m: m.sound(), "sound", ["sound.npz"], ("scipy",)),
    ("RunMetadata", lambda m: m.profile("t.pb"), "run_metadata", [], TF),
    ("Chrome's trace format", lambda m: m.profile("t.json"), "chrome", [], ("tf1",)),
    ("tfprof's profile", lambda m: m.profile("t.profile"), "tfprof", [], TF),
    ("tfprof's op log", lambda m: m.profile("t.op_log"), "op_log", [], TF),
    ("pprof", lambda m: m.profile("t.pb.gz"), None, [], ("go",)),
    ("dump of the debugger", lambda m: m.dump(), "dump", [], TF),
]


def verdict(asked, check, path, arguments, folder):
    if check is None:
        command = [asked, "tool", "pprof", "-top", "-nodecount=3", path]
    else:
        command = [asked, os.path.join(HERE, "owners_check.py"), check, path] + [os.path.join(folder, a) if a.endswith(".npz") else a for a in arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if "ModuleNotFoundError" in done.stderr:
        return None, done.stderr.strip().splitlines()[-1]
    lines = [line for line in (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() if line.strip()]
    if done.returncode or not lines:
        return False, lines[-1].strip() if lines else "exit status %d" % done.returncode
    said = next((line for line in lines if line.startswith("Showing nodes")), lines[-1]).strip()
    return not (said.startswith("difference") and float(said.split()[1]) > TOLERANCE), said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weft", required=True)
    for owner in ("tf1", "tf2", "onnx", "scipy", "go"):
        parser.add_argument("--" + owner)
    parser.add_argument("--installed")
    parser.add_argument("--out")
    given = parser.parse_args()
    if given.installed:
        given.tf1 = given.onnx = given.scipy = given.installed
        given.go = given.go or shutil.which("go")
    bad = 0
    lines = ["# What Weft writes, read by its owners", "", "Made by `owners.py`. tf1: TensorFlow 1.15 and its TensorBoard, tf2: TensorFlow 2 and its own; onnx: onnx.checker and ONNX Runtime.",
             "Differences: the largest one from the values that Weft computes or holds; %g is allowed." % TOLERANCE, "", "| kind | owner | accepted | what it found |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(os.path.abspath(given.weft), folder)
        for kind, make, check, arguments, owners in KINDS:
            try:
                path = make(maker)
            except (RuntimeError, OSError) as error:
                bad += 1
                lines.append("| %s | | not written | %s |" % (kind, error))
                print(lines[-1], flush=True)
                continue
            for owner in owners:
                asked = getattr(given, owner)
                ok, said = verdict(asked, check, path, arguments, folder) if asked else (None, "not asked")
                bad += ok is False
                lines.append("| %s | %s | %s | %s |" % (kind, owner, {True: "yes", False: "NO", None: "-"}[ok], said.replace("|", "/")))
                print(lines[-1], flush=True)
    if given.out:
        with open(given.out, "w") as file:
            file.write("\n".join(lines) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
