#!/usr/bin/env python3
"""Writes networks as ONNX by `weft convert`, checks them with onnx.checker, and compares what ONNX Runtime computes with TensorFlow 1.15's values.

    PYTHON_WITH_TF115 tests/interop/onnx_networks.py FOLDER
    PYTHON_WITH_ONNX tests/interop/onnx_export.py FOLDER [--weft build/release/bin/weft] [--opsets 13,18,21] [--corpus FOLDER] [--table FILE]

Each model is then read back by `weft run` and must give the same values. --corpus: a folder with public graphs (.pb), which are written too; each one either runs in ONNX
Runtime with the values of `weft run` or Weft names a node and an op. Exit status 1 if anything differs. Needs the packages onnx, onnxruntime and numpy."""

import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

TOLERANCE = 1e-5


def call(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def difference(got, want):
    """The largest difference, relative to values over 1; NaN where only one of the values is a number; None if type or shape differ."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return None
    if got.size == 0:
        return 0.0
    a, b = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        gap = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b) / np.maximum(1, np.abs(b)))
    return float(np.max(gap))


def run_onnx(path, feeds):
    onnx.checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = {i.name: i for i in session.get_inputs()}
    return session.run(None, {name: value for name, value in feeds.items() if name in names})


def check_network(path, opset, weft, folder):
    """(largest difference of ONNX Runtime, of Weft reading the model back) or an error's text."""
    with open(path + ".txt", encoding="utf-8") as file:
        inputs, outputs = (line.split() for line in file.read().splitlines())
    values = np.load(path + ".npz")
    model = os.path.join(folder, "%s_%d.onnx" % (os.path.basename(path), opset))
    command = [weft, "convert", path + ".pb", model, "--opset", str(opset)]
    for tensor in inputs:
        command += ["--input", tensor]
    for tensor in outputs:
        command += ["--output", tensor]
    done = call(command)
    if done.returncode != 0:
        return done.stderr.strip()
    feeds = {t[:-2] if t.endswith(":0") else t: values[t] for t in inputs}
    try:
        got = run_onnx(model, feeds)
    except Exception as e:  # the checker and the runtime have many kinds
        return "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:300])
    worst = 0.0
    for tensor, value in zip(outputs, got):
        gap = difference(value, values[tensor])
        if gap is None:
            return "%s is %s %s instead of %s %s" % (tensor, value.dtype, value.shape, values[tensor].dtype, values[tensor].shape)
        if not gap <= TOLERANCE:
            return "%s differs by %g" % (tensor, gap)
        worst = max(worst, gap)
    out = os.path.join(folder, "back.npz")
    command = [weft, "run", model, "--out", out]
    for name, value in feeds.items():
        np.save(os.path.join(folder, "feed_%s.npy" % name), value)
        command += ["--feed", "%s=%s" % (name, os.path.join(folder, "feed_%s.npy" % name))]
    done = call(command)
    if done.returncode != 0 or done.stderr:
        return "read back: " + done.stderr.strip()
    again = np.load(out)
    back = 0.0
    for tensor in outputs:
        gap = difference(again[tensor[:-2] if tensor.endswith(":0") else tensor], values[tensor])
        if gap is None or not gap <= TOLERANCE:
            return "read back: %s differs by %s" % (tensor, gap)
        back = max(back, gap)
    return worst, back


def feeds_of(session):
    random = np.random.RandomState(5)
    feeds = {}
    for info in session.get_inputs():
        # An image of unknown size gets a common one.
        shape = [d if isinstance(d, int) else 224 if len(info.shape) == 4 and i in (1, 2) else 1 for i, d in enumerate(info.shape)]
        if "float" in info.type:
            feeds[info.name] = random.uniform(0, 1, shape).astype(np.float32)
        else:
            kind = {"tensor(int32)": np.int32, "tensor(int64)": np.int64, "tensor(uint8)": np.uint8, "tensor(bool)": np.bool_}[info.type]
            feeds[info.name] = random.randint(0, 2, shape).astype(kind)
    return feeds


def check_public(path, weft, folder):
    """("same", difference), ("named", op) or ("wrong", why)."""
    model = os.path.join(folder, "public.onnx")
    done = call([weft, "convert", path, model, "--opset", "17"])
    if done.returncode != 0:
        said = done.stderr.strip()
        found = re.search(r"node '([^']+)' \(([^)]+)\) cannot be written", said)
        return ("named", found.group(2)) if found else ("refused", said[:200])
    try:
        onnx.checker.check_model(model)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        feeds = feeds_of(session)
        names = [o.name for o in session.get_outputs()]
        want = session.run(None, feeds)
    except Exception as e:
        return "wrong", "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:300])
    command = [weft, "run", path, "--out", os.path.join(folder, "public.npz")]
    for name, value in feeds.items():
        feed = os.path.join(folder, "public_%d.npy" % len(command))
        np.save(feed, value)
        command += ["--feed", "%s:0=%s" % (name, feed)]
    for name in names:
        command += ["--fetch", name if re.search(r":\d+$", name) else name + ":0"]
    done = call(command)
    if done.returncode != 0:
        return "wrong", "weft run: " + done.stderr.strip()[:200]
    got = np.load(os.path.join(folder, "public.npz"))
    worst = 0.0
    for name, value in zip(names, want):
        gap = difference(got[name if name in got else name + ":0"], value)
        # Deep networks add up rounding.
        if gap is None or not gap <= 1e-3:
            return "wrong", "%s differs by %s" % (name, gap)
        worst = max(worst, gap)
    return "same", worst


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("--weft", default="build/release/bin/weft")
    options.add_argument("--opsets", default="13,18,21")
    options.add_argument("--corpus")
    options.add_argument("--table")
    given = options.parse_args()
    bad = 0
    lines = ["| network | operator set | ONNX Runtime against TensorFlow 1.15 | read back by Weft |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(os.path.join(given.folder, "*.pb"))):
            for opset in (int(o) for o in given.opsets.split(",")):
                result = check_network(path[:-3], opset, given.weft, folder)
                name = os.path.basename(path)[:-3]
                if isinstance(result, str):
                    bad += 1
                    print("WRONG", name, opset, result)
                    result = ("wrong", "")
                lines.append("| %s | %d | %s | %s |" % ((name, opset) + tuple("%.1e" % r if isinstance(r, float) else r for r in result)))
        if given.corpus:
            counts, ops = collections.Counter(), collections.Counter()
            for path in sorted(glob.glob(os.path.join(given.corpus, "**", "*.pb"), recursive=True)):
                if call([given.weft, "inspect", "--json", path]).stdout.find('"kind":"graphdef"') < 0 or os.path.getsize(path) > 120 << 20:
                    continue
                what, why = check_public(path, given.weft, folder)
                counts[what] += 1
                if what == "named":
                    ops[why] += 1
                else:
                    print(what.upper(), os.path.relpath(path, given.corpus), why)
                bad += what == "wrong"
            lines += ["", "Public graphs: " + ", ".join("%d %s" % (n, what) for what, n in sorted(counts.items())) + ". Ops named: " + ", ".join("%s %d" % x for x in ops.most_common())]
    text = "\n".join(lines) + "\n"
    if given.table:
        with open(given.table, "w", encoding="utf-8") as file:
            file.write(text)
    print(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
