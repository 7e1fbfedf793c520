#!/usr/bin/env python3
"""Reads every file of a folder with Weft, writes it again, reads that, and compares. Writes ROUND_TRIPS.md.

    python3 round_trips.py WEFT FOLDER [--out ROUND_TRIPS.md]

Graphs, meta graphs, SavedModels and RunMetadata are written in their own form and in the other one and back; checkpoints in their own version; records through
Weft's reader and writer; traces as a trace; TensorFlow Lite models as graphs and as models again, which must compute the same from random inputs. "bytes": the
file that is written is the one that was read; "equal": the same messages, tensors, records, slices or values. Exit status 1 if something differs.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

COPY = """
import sys
import tensorflow as tf
packed = {"gz": "GZIP", "zlib": "ZLIB"}.get(sys.argv[3], "")
option = tf.python_io.TFRecordOptions(getattr(tf.python_io.TFRecordCompressionType, packed or "NONE"))
read = list(tf.python_io.tf_record_iterator(sys.argv[1], option))
with tf.python_io.TFRecordWriter(sys.argv[2], option) as out:
    for record in read:
        out.write(record)
assert list(tf.python_io.tf_record_iterator(sys.argv[2], option)) == read
"""


class Trip:
    def __init__(self, weft, work):
        self.weft, self.work = weft, work

    def call(self, *words):
        done = subprocess.run([self.weft, *words], capture_output=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace").strip().splitlines()[-1])
        return done.stdout

    def path(self, name):
        return os.path.join(self.work, name)

    def message(self, path, report):
        own = "pbtxt" if report.get("encoding") == "text" else "pb"
        other = "pb" if own == "pbtxt" else "pbtxt"
        self.call("convert", path, self.path("own"), "--to", own)
        binary = self.call("convert", path, "-", "--to", "pb")
        try:
            self.call("convert", path, self.path("other"), "--to", other)
        except RuntimeError as error:
            if "unknown" not in str(error):
                raise
            return self.same(path, "own"), "own form only: " + str(error).split(": ")[-1]
        back = self.call("convert", self.path("other"), "-", "--to", "pb")
        if self.call("convert", self.path("own"), "-", "--to", "pb") != binary:
            raise AssertionError("the written file is another message")
        if back != binary and self.canonical(back) != self.canonical(binary):
            raise AssertionError("another message by way of ." + other)
        return self.same(path, "own"), ""

    def canonical(self, binary):
        """The text of a message: map entries sorted."""
        with open(self.path("m.pb"), "wb") as file:
            file.write(binary)
        return self.call("convert", self.path("m.pb"), "-", "--to", "pbtxt")

    def checkpoint(self, prefix, report):
        version = report["format"].lower()
        self.call("convert", prefix, self.path("again"), "--to", version)
        if json.loads(self.call("diff", prefix, self.path("again"), "--json")).get("differences", 0):
            raise AssertionError("weft diff finds differences")
        ends = [""] if version == "v1" else [".index"] + [".data-00000-of-00001"]
        pairs = [(prefix + e, self.path("again") + e) for e in ends]
        return all(os.path.isfile(a) and os.path.isfile(b) and open(a, "rb").read() == open(b, "rb").read() for a, b in pairs), ""

    def records(self, path, report):
        with open(self.path("copy.py"), "w") as file:
            file.write(COPY)
        head = open(path, "rb").read(2)
        self.call("py", self.path("copy.py"), path, self.path("records"), "gz" if head == b"\x1f\x8b" else "zlib" if head[:1] == b"\x78" else "")
        return self.same(path, "records"), ""

    def trace(self, path, report):
        name = "t.json" if report["kind"] != "run_metadata" else "t.pb"
        self.call("profile", path, "--out", self.path(name))
        facts = [json.loads(self.call("profile", p, "--json", "--view", "timeline", "--top", "0")) for p in (path, self.path(name))]
        for f in facts:
            f.pop("title")  # the name of the file
        if facts[0] != facts[1]:
            raise AssertionError("other slices")
        return self.same(path, name), ""

    def model(self, path, report):
        self.call("convert", path, self.path("again.tflite"), "--to", "tflite")
        inputs = self.inputs(path)
        feeds = []
        import numpy as np
        random = np.random.RandomState(0)
        for i, x in enumerate(inputs):
            if x["dtype"] == "string":
                raise RuntimeError("takes texts: not tried")
            shape = [n if n > 0 else 1 for n in x.get("shape") or []]
            values = random.uniform(-1, 1, shape).astype(x["dtype"]) if x["dtype"].startswith("float") else random.randint(0, 2, shape).astype(x["dtype"])
            np.save(self.path("x%d.npy" % i), values)
            feeds.append(self.path("x%d.npy" % i))
        both = []
        for p in (path, self.path("again.tflite")):
            words = sum((["--feed", "%s=%s" % (x["name"], f)] for x, f in zip(self.inputs(p), feeds)), [])
            self.call("run", p, *words, "--out", self.path("y.npz"))
            with np.load(self.path("y.npz")) as got:
                both.append([got[k] for k in got.files])
        for a, b in zip(*both):
            if a.shape != b.shape or not np.allclose(a, b, rtol=1e-5, atol=1e-6, equal_nan=True):
                raise AssertionError("other values")
        return self.same(path, "again.tflite"), ""

    def inputs(self, path):
        return json.loads(self.call("inspect", path, "--json"))["subgraphs"][0]["inputs"]

    def same(self, path, name):
        return os.path.isfile(path) and open(path, "rb").read() == open(self.path(name), "rb").read()


TRIPS = {"graphdef": Trip.message, "metagraph": Trip.message, "savedmodel": Trip.message, "run_metadata": Trip.message, "checkpoint": Trip.checkpoint,
         "tfrecord": Trip.records, "events": Trip.records, "trace": Trip.trace, "chrome_trace": Trip.trace, "timeline": Trip.trace, "tflite": Trip.model}


def files_below(folder):
    for at, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            yield os.path.join(at, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("folder")
    parser.add_argument("--out")
    given = parser.parse_args()
    weft = os.path.abspath(given.weft)
    counts, lines, seen = collections.defaultdict(collections.Counter), [], set()
    for path in files_below(given.folder):
        done = subprocess.run([weft, "inspect", path, "--json"], capture_output=True, timeout=120)
        report = json.loads(done.stdout or b"{}")
        kind = report.get("kind")
        name = os.path.relpath(path, given.folder)
        if kind not in TRIPS:
            counts[kind or "of no known kind"]["not written alone"] += 1
            continue
        if report.get("error") or not report.get("complete", True):
            counts[kind]["damaged"] += 1
            lines.append("| %s | %s | damaged: %s |" % (name, kind, (report.get("error") or {"message": "data files are missing"})["message"]))
            continue
        if kind == "checkpoint":
            path = path[:-6] if path.endswith(".index") else path.split(".data-")[0]
            if path in seen:
                continue
            seen.add(path)
        with tempfile.TemporaryDirectory() as work:
            try:
                same, note = TRIPS[kind](Trip(weft, work), path, report)
                counts[kind]["bytes" if same else "equal"] += 1
                if note:
                    lines.append("| %s | %s | %s |" % (name, kind, note))
            except (RuntimeError, AssertionError, KeyError, subprocess.TimeoutExpired) as error:
                refused = isinstance(error, RuntimeError)
                counts[kind]["refused" if refused else "DIFFERENT"] += 1
                lines.append("| %s | %s | %s: %s |" % (name, kind, "refused" if refused else "DIFFERENT", str(error).replace("|", "/").replace(work, "").replace(given.folder + "/", "")))
                print(lines[-1], flush=True)
    columns = ["bytes", "equal", "DIFFERENT", "refused", "damaged", "not written alone"]
    table = ["| kind | byte for byte | equal | different | refused by name | damaged already | not written alone |", "|---|---|---|---|---|---|---|"]
    table += ["| %s | %s |" % (kind, " | ".join(str(counts[kind][c]) for c in columns)) for kind in sorted(counts)]
    print("\n".join(table))
    if given.out:
        with open(given.out, "w") as file:
            file.write("# Files read, written and read again\n\nMade by `round_trips.py` over the public files (a folder with MANIFEST.jsonl).\n\n%s\n\n| file | kind | |\n|---|---|---|\n%s\n"
                       % ("\n".join(table), "\n".join(lines)))
    return 1 if any(c["DIFFERENT"] for c in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
