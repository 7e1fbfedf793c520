#!/usr/bin/env python3
"""Kills `weft` (SIGKILL) at random moments while it replaces a file: the old file or the new one must be there, whole. With --full the disk is full
instead (no file may grow beyond a limit, of which there are so many): the command must end with status 1 and one line, and the old file stays, with
nothing beside it.

    python3 killed_writers.py WEFT [--kills 100] [--full 20] [--seed N] [--only FORMAT…]

One row for each format that Weft writes: files; checkpoints, which are several files and are compared with the old and the new one; folders, which
are whole as soon as the file is there that makes them what they are; and streams, of which the whole records so far must be readable. Outputs of
several megabytes, so that moments inside of writing are hit. Exit status 1 if something is neither the old nor the new one.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GRAPH = """
import sys
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_io
np.random.seed(0)
x = tf.placeholder(tf.float32, [4, 512], name="x")
y = x
for i in range(8):
    y = tf.nn.relu(tf.matmul(y, tf.constant(np.random.rand(512, 512).astype(np.float32))) + tf.constant(np.random.rand(512).astype(np.float32)))
y = tf.identity(y, name="y")
graph_io.write_graph(tf.get_default_graph(), sys.argv[1], "g.pb", as_text=False)
np.save(sys.argv[1] + "/a.npy", (np.random.rand(1000000, 2) * 1000).astype(np.int16))
np.save(sys.argv[1] + "/x.npy", np.random.rand(4, 512).astype(np.float32))
v = [tf.get_variable("v%d" % i, initializer=np.random.rand(512, 512).astype(np.float32)) for i in range(8)]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    init = tf.group(tf.global_variables_initializer(), name="init_all")
    tf.train.Saver().save(session, sys.argv[1] + "/model")
with open(sys.argv[1] + "/c.bin", "wb") as batch:
    for i in range(2000):
        batch.write(bytes(bytearray([i % 10])) + np.random.bytes(3072))
with open(sys.argv[1] + "/records.py", "w") as program:
    program.write('''
import sys
import tensorflow as tf
kind = tf.python_io.TFRecordCompressionType
options = tf.python_io.TFRecordOptions(kind.GZIP if sys.argv[2] == "gzip" else kind.ZLIB)
with open(sys.argv[3], "rb") as batch, tf.python_io.TFRecordWriter(sys.argv[1], options) as writer:
    for i in range(2000):
        writer.write(batch.read(3073))
''')
"""

# Format: the command with @ for the folder and OUT for the file.
FILES = {
    "pbtxt": "convert @g.pb OUT.pbtxt",
    "pb": "convert @g.pb OUT.pb",
    "meta": "convert @g.pb OUT.meta",
    "graph.pb": "convert @model.meta OUT.graph.pb",
    "dot": "convert @g.pb OUT.dot",
    "python": "convert @g.pb OUT.py",
    "svg": "convert @g.pb OUT.svg",
    "frozen": "convert @model.meta OUT.pb --to frozen --restore @model --outputs v0/read,v1/read,v2/read",
    "tflite": "convert @g.pb OUT.tflite --input x --output y",
    "onnx": "convert @g.pb OUT.onnx --input x --output y",
    "keras_h5": "convert @model.h5 OUT.h5",
    "npz": "convert @model OUT.npz",
    "npy": "convert @a.npy OUT.npy",
    "wav": "convert @a.npy OUT.wav --rate 8000",
    "tfrecord": "convert @c.bin OUT.tfrecord",
    "v1": "convert @model OUT.v1 --to v1",
    "tools": "tools transform_graph --in_graph=@g.pb --out_graph=OUT.pb --inputs=x --outputs=y --transforms=quantize_weights",
    "freeze_graph": "tools freeze_graph --input_meta_graph=@model.meta --input_checkpoint=@model --output_graph=OUT.pb --output_node_names=v0/read,v1/read",
    "optimize_for_inference": "tools optimize_for_inference --input=@g.pb --output=OUT.pb --input_names=x --output_names=y",
    "strip_unused": "tools strip_unused --input_graph=@g.pb --output_graph=OUT.pb --input_node_names=x --output_node_names=y",
    "run npz": "run @g.pb --feed x:0=@x.npy --fetch y:0 --out OUT.npz",
    "run json": "run @g.pb --feed x:0=@x.npy --fetch y:0 --out OUT.json",
    "trace pb": "run @g.pb --feed x:0=@x.npy --fetch y:0 --trace OUT.pb --out @y.npz",
    "trace json": "run @g.pb --feed x:0=@x.npy --fetch y:0 --trace OUT.json --out @y.npz",
    "pprof": "profile @t.pb --out OUT.pprof",
    "tfprof": "profile @t.pb --out OUT.profile",
    "op_log": "profile @t.pb --graph @g.pb --out OUT.op_log",
}
CHECKPOINTS = {
    "v2": "convert @model OUT.v2 --to v2",
    "cast": "checkpoint @model OUT.cast --cast float16",
    "shards": "checkpoint @model OUT.shards --shards 4",
    "sliced": "checkpoint @model OUT.sliced --partition .*=>4",
    "save": "run @model.meta --init init_all --save OUT.save",
}
# And the file that is there when the folder is whole.
FOLDERS = {
    "savedmodel": ("convert @model.meta OUT.folder --to savedmodel --restore @model", "saved_model.pb"),
    "projector": ("convert @model OUT.folder --to projector --array v0", "projector_config.pbtxt"),
}
# And what is inspected: a file of the folder whose name begins so, or the folder itself.
STREAMS = {
    "dump": ("run @g.pb --feed x:0=@x.npy --fetch y:0 --dump OUT.folder --out @y.npz", ""),
    "events": ("tools import_pb_to_tensorboard --model_dir=@g.pb --log_dir=OUT.folder", "events"),
    "train": ("train @mlp.weft --steps 300 --logdir OUT.folder --checkpoint OUT.folder --threads 1", "events"),
    "gzip": ("py @records.py OUT.folder/r.gz gzip @c.bin", "r.gz"),
    "zlib": ("py @records.py OUT.folder/r.zlib zlib @c.bin", "r.zlib"),
}
OLD = b"the old file\n"


class Writer:
    """A command, what it replaces, and what may be there afterwards."""

    def __init__(self, weft, folder, name, command):
        self.weft, self.folder, self.name = weft, folder, name
        self.words = [w.replace("@", folder + "/").replace("OUT", folder + "/out") for w in command.split()]
        self.out = next(w.split("=", 1)[-1] for w in self.words if "/out." in w)
        self.new = 0  # bytes of what it writes

    def begin(self):
        """What is there before."""
        with open(self.out, "wb") as file:
            file.write(OLD)

    def size(self):
        return os.path.getsize(self.out)

    def learn(self):
        self.new = self.size()

    def found(self):
        """ "old", "new", or words that say what is wrong."""
        with open(self.out, "rb") as file:
            found = file.read()
        if found == OLD:
            return "old"
        # Times differ from run to run.
        whole = len(found) == self.new or (self.name.startswith("trace") and len(found) > 1000)
        return "new" if whole else "%d bytes, neither the old file nor the new one of %d" % (len(found), self.new)

    def inspect(self, path):
        done = subprocess.run([self.weft, "inspect", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        report = json.loads(done.stdout.decode())
        return done.returncode, report, report.get("error", {}).get("kind", "")

    def left(self):
        """Files that are not part of the output, removed with it."""
        names = [f for f in os.listdir(self.folder) if f.startswith("out")]
        left = [f for f in names if not self.belongs(f)]
        for f in names:
            path = os.path.join(self.folder, f)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return left

    def belongs(self, name):
        return name == os.path.basename(self.out)


class CheckpointWriter(Writer):
    def begin(self):
        for old in os.listdir(self.folder):
            if old.startswith("old."):
                shutil.copy(os.path.join(self.folder, old), self.out + old[3:])

    def size(self):
        return max(os.path.getsize(os.path.join(self.folder, f)) for f in os.listdir(self.folder) if f.startswith(os.path.basename(self.out) + ".data"))

    def learn(self):
        super().learn()
        for f in os.listdir(self.folder):
            if self.belongs(f):
                shutil.copy(os.path.join(self.folder, f), os.path.join(self.folder, "new" + f[len(os.path.basename(self.out)) :]))

    def found(self):
        for which in ("new", "old"):
            if (
                subprocess.run([self.weft, "diff", self.out, os.path.join(self.folder, which)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
                == 0
            ):
                return which
        return "neither the old checkpoint nor the new one: %s" % self.inspect(self.out + ".index")[2]

    def belongs(self, name):
        start = os.path.basename(self.out)
        return name == start + ".index" or (name.startswith(start + ".data-") and name.rsplit("-of-")[-1].isdigit())


class FolderWriter(Writer):
    def __init__(self, weft, folder, name, command, last):
        super().__init__(weft, folder, name, command)
        self.last = last

    def begin(self):
        shutil.rmtree(self.out, ignore_errors=True)

    def size(self):
        return max(os.path.getsize(os.path.join(at, f)) for at, _, names in os.walk(self.out) for f in names)

    def found(self):
        if not os.path.exists(os.path.join(self.out, self.last)):
            return "old"
        status, report, kind = self.inspect(self.out if self.name == "savedmodel" else os.path.join(self.out, self.last))
        return "new" if status == 0 and not report.get("problems") else "not whole: %s %s" % (kind, report.get("problems"))


class StreamWriter(FolderWriter):
    def begin(self):
        super().begin()
        if self.name in ("gzip", "zlib"):
            os.makedirs(self.out)

    def __init__(self, weft, folder, name, command, last):
        super().__init__(weft, folder, name, command, last)
        self.out = os.path.join(folder, "out.folder")

    def found(self):
        for name in sorted(os.listdir(self.out)) if os.path.isdir(self.out) else []:
            path = os.path.join(self.out, name)
            if name.startswith("model.ckpt") and name.endswith(".index"):
                status, _, kind = self.inspect(path)
                if status:
                    return "%s: %s" % (name, kind)
            if self.last and name.startswith(self.last) and os.path.getsize(path):
                status, report, kind = self.inspect(path)
                kinds = [kind] + [p["kind"] for p in report.get("problems", [])]
                if status not in (0, 1) or [k for k in kinds if k not in ("", "truncated")]:
                    return "%s: %s" % (name, kinds)
        if not self.last and os.path.isdir(self.out) and any(name.startswith("_tfdbg_") for name in os.listdir(self.out)):
            status, report, kind = self.inspect(self.out)
            if status not in (0, 1) or kind not in ("", "truncated"):
                return "the dump: %s" % kind
        return "new"


def run(weft, words, kill_after=None, limit=None):
    """Exit status and what was said; the process is killed after that many seconds, or no file of it may be larger than the limit."""

    def before():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    process = subprocess.Popen(
        [weft] + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, restore_signals=limit is None, preexec_fn=before if limit is not None else None
    )
    try:
        _, said = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None, ""
    said = said.decode(errors="replace").strip()
    if process.returncode and limit is None:
        raise RuntimeError("%s: %s" % (" ".join(words), said))
    return process.returncode, said


def kill(writer, kills, moments, seconds):
    """Findings, and words for the row."""
    bad, killed, replaced = [], 0, 0
    for _ in range(kills):
        writer.begin()
        if run(writer.weft, writer.words, moments.uniform(0.2, 1.05) * seconds)[0] is None:
            killed += 1
        found = writer.found()
        replaced += found == "new"
        if found not in ("old", "new"):
            bad.append(found)
    return bad, "%d killed, %d replaced, %d temporary files of killed processes" % (killed, replaced, len(writer.left()))


def fill(writer, times):
    """The same for a disk that is full after a part of the output."""
    bad, refused = [], 0
    for i in range(times):
        writer.begin()
        status, said = run(writer.weft, writer.words, limit=writer.new * i // times)
        lines = [line for line in said.splitlines() if line.startswith("weft: ") and " warning: " not in line]
        if writer.words[0] == "py":
            lines = said.splitlines()[-1:]  # a program's traceback
        found = writer.found()
        if isinstance(writer, StreamWriter) and status == 0:
            bad.append("status 0")
        if status not in (0, 1) or (status == 1) != (len(lines) == 1):
            bad.append("status %s: %s" % (status, said[-200:]))
        elif found != ("old" if status == 1 else "new") and not isinstance(writer, StreamWriter):
            bad.append("status %d, %s: %s" % (status, found, said[-200:]))
        refused += status == 1
        left = writer.left()
        if left:
            bad.append("left: %s" % left)
    return bad, "%d of %d refused on a full disk" % (refused, times)


def prepare(weft, folder):
    with open(os.path.join(folder, "make.py"), "w") as file:
        file.write(GRAPH)
    run(weft, ["py", os.path.join(folder, "make.py"), folder])
    run(weft, ["run", folder + "/g.pb", "--feed", "x:0=%s/x.npy" % folder, "--fetch", "y:0", "--trace", folder + "/t.pb", "--out", folder + "/y.npz"])
    run(weft, ["checkpoint", folder + "/model", folder + "/old", "--keep", "v0"])
    keras = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "keras")
    models = sorted((f for f in os.listdir(keras) if f.endswith(".h5")), key=lambda f: -os.path.getsize(os.path.join(keras, f)))
    shutil.copy(os.path.join(keras, models[0]), folder + "/model.h5")
    shutil.copy(os.path.join(os.path.dirname(os.path.dirname(weft)), "share/weft/examples/mlp.weft"), folder)


def writers(weft, folder):
    for name, command in FILES.items():
        yield Writer(weft, folder, name, command)
    for name, command in CHECKPOINTS.items():
        yield CheckpointWriter(weft, folder, name, command)
    for name, (command, last) in FOLDERS.items():
        yield FolderWriter(weft, folder, name, command, last)
    for name, (command, last) in STREAMS.items():
        yield StreamWriter(weft, folder, name, command, last)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--full", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+")
    given = parser.parse_args()
    weft, bad = os.path.abspath(given.weft), 0
    moments = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        prepare(weft, folder)
        for writer in writers(weft, folder):
            if given.only and writer.name not in given.only:
                continue
            writer.begin()
            start = time.monotonic()
            run(weft, writer.words)
            seconds = time.monotonic() - start
            writer.learn()
            results = [kill(writer, given.kills, moments, seconds)] if given.kills else []
            results += [fill(writer, given.full)] if given.full else []
            for findings, words in results:
                for finding in findings:
                    print("%s: %s" % (writer.name, finding))
                bad += len(findings)
                print("%-12s %8d bytes, %.2f s: %s" % (writer.name, writer.new, seconds, words), flush=True)
            writer.left()
            for f in os.listdir(folder):
                if f.startswith("new"):
                    os.remove(os.path.join(folder, f))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
