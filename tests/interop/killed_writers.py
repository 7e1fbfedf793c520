#!/usr/bin/env python3
"""Kills `weft` (SIGKILL) at random moments while it replaces a file: the old file or the new one must be there, whole.

    python3 killed_writers.py WEFT [--kills 100] [--seed N] [--only FORMAT]

One row for each format that Weft writes. Outputs of several megabytes, so that moments inside of writing are hit. Exit status 1 if a file is neither.
"""
import argparse
import os
import random
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
    tf.train.Saver().save(session, sys.argv[1] + "/model")
"""

# Format: the command with @ for the folder and OUT for the file.
WRITERS = {
    "pbtxt": "convert @g.pb OUT.pbtxt",
    "pb": "convert @g.pb OUT.pb",
    "meta": "convert @g.pb OUT.meta",
    "tflite": "convert @g.pb OUT.tflite --input x --output y",
    "onnx": "convert @g.pb OUT.onnx --input x --output y",
    "keras_h5": "convert @model.h5 OUT.h5",
    "npz": "convert @model OUT.npz",
    "npy": "convert @a.npy OUT.npy",
    "wav": "convert @a.npy OUT.wav --rate 8000",
    "tools": "tools transform_graph --in_graph=@g.pb --out_graph=OUT.pb --inputs=x --outputs=y --transforms=quantize_weights",
    "trace pb": "run @g.pb --feed x:0=@x.npy --fetch y:0 --trace OUT.pb --out @y.npz",
    "trace json": "run @g.pb --feed x:0=@x.npy --fetch y:0 --trace OUT.json --out @y.npz",
    "pprof": "profile @t.pb --out OUT.pprof",
    "tfprof": "profile @t.pb --out OUT.profile",
    "op_log": "profile @t.pb --graph @g.pb --out OUT.op_log",
}


def run(weft, words, kill_after=None):
    """Exit status; the process is killed after that many seconds."""
    process = subprocess.Popen([weft] + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, said = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None
    if process.returncode:
        raise RuntimeError("%s: %s" % (" ".join(words), said.decode(errors="replace").strip()))
    return process.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    given = parser.parse_args()
    weft, bad = os.path.abspath(given.weft), 0
    moments = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "make.py"), "w") as file:
            file.write(GRAPH)
        run(weft, ["py", os.path.join(folder, "make.py"), folder])
        run(weft, ["run", folder + "/g.pb", "--feed", "x:0=%s/x.npy" % folder, "--fetch", "y:0", "--trace", folder + "/t.pb", "--out", folder + "/y.npz"])
        keras = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "keras")
        models = sorted((f for f in os.listdir(keras) if f.endswith(".h5")), key=lambda f: -os.path.getsize(os.path.join(keras, f)))
        with open(os.path.join(keras, models[0]), "rb") as one, open(folder + "/model.h5", "wb") as other:
            other.write(one.read())
        for name, command in WRITERS.items():
            if given.only not in (None, name):
                continue
            words = [w.replace("@", folder + "/").replace("OUT", folder + "/out") for w in command.split()]
            out = next(w.split("=", 1)[-1] for w in words if "/out." in w)
            start = time.monotonic()
            run(weft, words)
            seconds = time.monotonic() - start
            with open(out, "rb") as file:
                new = file.read()
            old, killed, replaced = b"the old file\n", 0, 0
            for _ in range(given.kills):
                with open(out, "wb") as file:
                    file.write(old)
                if run(weft, words, moments.uniform(0.2, 1.05) * seconds) is None:
                    killed += 1
                with open(out, "rb") as file:
                    found = file.read()
                whole = found == old or len(found) == len(new) or ("trace" in name and len(found) > 1000)  # times differ from run to run
                replaced += found != old
                if not whole:
                    bad += 1
                    print("%s: %d bytes, neither the old file nor the new one of %d" % (name, len(found), len(new)))
            os.remove(out)
            left = [f for f in os.listdir(folder) if f.startswith("out") or "tmp" in f]
            for f in left:
                os.remove(os.path.join(folder, f))
            print("%-10s %8d bytes, %.2f s: %d killed, %d replaced, %d temporary files of killed processes" % (name, len(new), seconds, killed, replaced, len(left)), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
