#!/usr/bin/env python3
"""Runs the node tests of the onnx package through `weft run MODEL.onnx` and compares the outputs.

    /root/judges/onnx/bin/python tests/interop/onnx_nodes.py [--weft build/release/bin/weft] [--only NAME] [--jobs 2] [--table FILE] [--work FOLDER]

A test passes, is unsupported (Weft says which node it cannot import or run), or is wrong (other values, or an error that is no such statement). Exit status 1 if any is
wrong. Needs the packages onnx, numpy and ml_dtypes."""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

# Outputs that are drawn at random, and so only their shape and type are compared.
RANDOM = re.compile(r"^test_(bernoulli|randomuniform|randomnormal|multinomial)")
UNSUPPORTED = re.compile(r"cannot run|does not have|do not have|is a sequence|expected a tensor|No OpKernel|no kernel|not registered|is of type|UNIMPLEMENTED|expected dense tensors")


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def storable(value):
    """NumPy files hold no bfloat16: its bits go as float32."""
    value = np.asarray(value)
    if value.dtype.name == "bfloat16":
        return value.astype(np.float32)
    if value.dtype == object:
        return value
    return value


def agree(got, want, rtol, atol):
    want = np.asarray(want)
    if got.shape != want.shape:
        return "shape %s instead of %s" % (got.shape, want.shape)
    if want.dtype == object or want.dtype.kind in "US":
        clean = [x.decode() if isinstance(x, bytes) else str(x) for x in got.ravel()]
        return None if clean == [str(x) for x in want.ravel()] else "other texts: %s instead of %s" % (clean[:4], list(want.ravel()[:4]))
    if want.dtype.name == "bfloat16" or got.dtype.name == "bfloat16":
        rtol = max(rtol, 1e-2)
        got, want = got.astype(np.float32), want.astype(np.float32)
    if got.dtype != want.dtype:
        return "type %s instead of %s" % (got.dtype, want.dtype)
    if want.dtype.kind in "biu":
        return None if np.array_equal(got, want) else "other numbers: %s instead of %s" % (got.ravel()[:6], want.ravel()[:6])
    if np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True):
        return None
    return "largest difference %g" % np.nanmax(np.abs(got.astype(np.float64) - want.astype(np.float64)))


def read_npz(path):
    with np.load(path, allow_pickle=True) as file:
        return {name: file[name] for name in file.files}


def run_case(case, weft, folder):
    """("passed" | "unsupported" | "wrong", why)."""
    where = os.path.join(folder, case.name)
    os.makedirs(where, exist_ok=True)
    model = os.path.join(where, "model.onnx")
    if case.model is not None:
        with open(model, "wb") as file:
            file.write(case.model.SerializeToString())
    loaded = case.model
    for inputs, outputs in case.data_sets:
        command = [weft, "run", model, "--out", os.path.join(where, "out.npz")]
        names = [i.name for i in loaded.graph.input]
        for index, value in enumerate(inputs):
            value = as_array(value)
            if value is None or isinstance(value, (list, dict)):
                return "unsupported", "an input that is no tensor"
            array = storable(value)
            text_like = array.dtype == object or array.dtype.kind in "US"
            path = os.path.join(where, "in%d.npy" % index)
            if text_like:
                import json
                command += ["--feed", "%s=%s" % (names[index], json.dumps(array.tolist()) if array.ndim else str(array))]
            else:
                np.save(path, array)
                command += ["--feed", "%s=%s" % (names[index], path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "wrong", "no end after 120 s"
        said = done.stderr.strip().replace(model + ": ", "")
        if done.returncode != 0:
            known = UNSUPPORTED.search(said) and done.returncode > 0
            return ("unsupported" if known else "wrong"), said.split("\n")[0][:300]
        got = read_npz(os.path.join(where, "out.npz"))
        for info, want in zip(loaded.graph.output, outputs):
            want = as_array(want)
            if info.name not in got:
                return "wrong", "no output " + info.name
            value = got[info.name]
            if RANDOM.match(case.name) and "expanded" not in case.name:
                why = None if value.shape == np.asarray(want).shape else "another shape"
            else:
                why = agree(value, want, case.rtol, max(case.atol, 1e-7) if np.asarray(want).dtype != np.float16 else 1e-3)
            if why:
                return "wrong", "%s: %s" % (info.name, why)
    return "passed", ""


def op_of(case):
    ops = [n.op_type for n in case.model.graph.node]
    if "expanded" in case.name:
        return re.sub(r"^test_|_expanded.*$", "", case.name).split("_")[0] + " (expanded)"
    return ops[-1] if len(ops) == 1 else "+".join(sorted(set(ops))) if len(set(ops)) <= 2 else ops[-1]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--weft", default="build/release/bin/weft")
    options.add_argument("--only")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--table")
    options.add_argument("--work")
    given = options.parse_args()
    cases = [c for c in load_model_tests(kind="node") if not given.only or re.search(given.only, c.name)]
    folder = given.work or tempfile.mkdtemp()
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.defaultdict(set)
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for case, (what, why) in zip(cases, pool.map(lambda c: run_case(c, given.weft, folder), cases)):
            counts[op_of(case)][what] += 1
            total[what] += 1
            if what == "wrong" or (given.only and what != "passed"):
                print(what.upper(), case.name, why)
            if what == "unsupported":
                reasons[op_of(case)].add(re.sub(r"^.*?cannot run: ", "", why)[:110])
    lines = ["| op | passed | unsupported | wrong | why unsupported |", "|---|---|---|---|---|"]
    for op in sorted(counts):
        c = counts[op]
        lines.append("| %s | %d | %d | %d | %s |" % (op, c["passed"], c["unsupported"], c["wrong"], "; ".join(sorted(reasons[op])[:2]).replace("|", "/")))
    lines.append("| all | %d | %d | %d | |" % (total["passed"], total["unsupported"], total["wrong"]))
    if given.table:
        with open(given.table, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print("%d tests: %d passed, %d unsupported, %d wrong" % (len(cases), total["passed"], total["unsupported"], total["wrong"]))
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
