#!/usr/bin/env python3
"""Runs the node tests of the onnx package through `weft run MODEL.onnx` and compares the outputs.

    PYTHON_WITH_ONNX tests/interop/onnx_nodes.py [--weft build/release/bin/weft] [--only NAME] [--jobs 2] [--table FILE] [--work FOLDER]

A test passes, is unsupported (Weft says which node it cannot import or run), or is wrong (other values, or an error that is no such statement). Exit status 1 if any is
wrong. Needs the packages onnx, numpy and ml_dtypes."""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

# Outputs that are drawn at random, and so only their shape and type are compared.
RANDOM = re.compile(r"^test_(bernoulli|randomuniform|randomnormal|multinomial)")
UNSUPPORTED = re.compile(r"cannot run|does not have|do not have|is a sequence|expected a tensor|No OpKernel|no kernel|not registered|is of type \S+, which TensorFlow's graphs do not have|UNIMPLEMENTED|expected dense tensors")


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def fed(value, path):
    """The text that --feed takes for a value: a file, or the value itself where NumPy files cannot hold it."""
    value = np.asarray(value)
    if value.dtype.name == "bfloat16":
        return json.dumps(value.astype(np.float32).tolist())
    if value.dtype == object or value.dtype.kind in "US":
        return json.dumps(value.tolist()) if value.ndim else str(value)
    np.save(path, value)
    return path


def agree(got, want, rtol, atol):
    want = np.asarray(want)
    if got.shape != want.shape:
        return "shape %s instead of %s" % (got.shape, want.shape)
    if want.dtype == object or want.dtype.kind in "US":
        clean = [x.decode() if isinstance(x, bytes) else str(x) for x in got.ravel()]
        return None if clean == [str(x) for x in want.ravel()] else "other texts: %s instead of %s" % (clean[:4], list(want.ravel()[:4]))
    if want.dtype.name == "bfloat16" or got.dtype.name == "bfloat16":
        rtol, atol = max(rtol, 1e-2), max(atol, 1e-2)
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


def read_json(path):
    """bfloat16 as float32."""
    with open(path, encoding="utf-8") as file:
        values = json.load(file)
    types = {"bfloat16": ml_dtypes.bfloat16}
    return {name: np.array([float(x) for x in v["data"]], np.float64).astype(types.get(v["dtype"], v["dtype"])).reshape(v["shape"]) for name, v in values.items()}


def load(case):
    """The model, and its pairs of inputs and outputs."""
    if case.model is not None:
        return case.model, case.data_sets
    model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
    sets = []
    for folder in sorted(glob.glob(os.path.join(case.model_dir, "test_data_set_*"))):
        pair = []
        for kind, infos in (("input", model.graph.input), ("output", model.graph.output)):
            values = []
            for index in range(len(glob.glob(os.path.join(folder, kind + "_*.pb")))):
                if not infos[index].type.HasField("tensor_type"):
                    values.append(None)
                    continue
                tensor = onnx.TensorProto()
                with open(os.path.join(folder, "%s_%d.pb" % (kind, index)), "rb") as file:
                    tensor.ParseFromString(file.read())
                values.append(numpy_helper.to_array(tensor))
            pair.append(values)
        sets.append(pair)
    return model, sets


def with_constants(model, values):
    """A copy of the model in which all inputs but the first are constants, as models from exporters have them."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for info, value in list(zip(model.graph.input, values))[1:]:
        if value is None:
            continue
        tensor = numpy_helper.from_array(np.asarray(value), info.name)
        copy.graph.initializer.append(tensor)
        for index, other in enumerate(copy.graph.input):
            if other.name == info.name:
                del copy.graph.input[index]
                break
    return copy


def run_case(case, weft, folder):
    """("passed" | "constants" | "unsupported" | "wrong", why). constants: passed with its parameters as constants."""
    where = os.path.join(folder, case.name)
    os.makedirs(where, exist_ok=True)
    model, sets = load(case)
    result = run_sets(case, model, sets, weft, where)
    if result[0] == "unsupported" and all(value is None or not isinstance(value, (list, dict)) for inputs, _ in sets for value in inputs) and len(model.graph.input) > 1:
        for inputs, outputs in sets:
            values = [as_array(v) for v in inputs]
            again = run_sets(case, with_constants(model, values), [(inputs[:1], outputs)], weft, where)
            if again[0] != "passed":
                return result if again[0] == "unsupported" else again
        return "constants", ""
    return result


def run_sets(case, loaded, sets, weft, where):
    model = os.path.join(where, "model.onnx")
    with open(model, "wb") as file:
        file.write(loaded.SerializeToString())
    initialized = {t.name for t in loaded.graph.initializer}
    names = [i.name for i in loaded.graph.input if i.name not in initialized]
    for inputs, outputs in sets:
        wide = any(info.type.tensor_type.elem_type == onnx.TensorProto.BFLOAT16 for info in loaded.graph.output)
        out = os.path.join(where, "out.json" if wide else "out.npz")
        command = [weft, "run", model, "--out", out]
        for index, value in enumerate(inputs):
            value = as_array(value)
            if value is None or isinstance(value, (list, dict)):
                return "unsupported", "an input that is no tensor"
            if index < len(names):
                command += ["--feed", "%s=%s" % (names[index], fed(value, os.path.join(where, "in%d.npy" % index)))]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "wrong", "no end after 120 s"
        said = done.stderr.strip().replace(model + ": ", "")
        if done.returncode != 0:
            known = UNSUPPORTED.search(said) and done.returncode > 0
            return ("unsupported" if known else "wrong"), said.split("\n")[0][:300]
        got = read_json(out) if wide else read_npz(out)
        for info, want in zip(loaded.graph.output, outputs):
            want = as_array(want)
            if info.name not in got:
                return "wrong", "no output " + info.name
            value = got[info.name]
            if RANDOM.match(case.name):
                drawn, stated = "%s %s" % (value.dtype, value.shape), "%s %s" % (np.asarray(want).dtype, np.asarray(want).shape)
                why = None if drawn == stated else "%s instead of %s" % (drawn, stated)
            else:
                why = agree(value, want, case.rtol, max(case.atol, 1e-7) if np.asarray(want).dtype != np.float16 else 1e-3)
            if why:
                return "wrong", "%s: %s" % (info.name, why)
    return "passed", ""


def op_of(case):
    if case.model is None:
        return "(%s)" % case.kind
    ops = [n.op_type for n in case.model.graph.node]
    if "expanded" in case.name:
        return re.sub(r"^test_|_expanded.*$", "", case.name).split("_")[0] + " (expanded)"
    return ops[-1]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--weft", default="build/release/bin/weft")
    options.add_argument("--only")
    options.add_argument("--kinds", default="node,simple,pytorch-converted,pytorch-operator")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--table")
    options.add_argument("--work")
    given = options.parse_args()
    cases = [c for kind in given.kinds.split(",") for c in load_model_tests(kind=kind) if not given.only or re.search(given.only, c.name)]
    folder = given.work or tempfile.mkdtemp()
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.defaultdict(set)
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for case, (what, why) in zip(cases, pool.map(lambda c: run_case(c, given.weft, folder), cases)):
            counts[op_of(case)][what] += 1
            total[what] += 1
            if what == "wrong" or (given.only and what == "unsupported"):
                print(what.upper(), case.name, why)
            if what == "unsupported":
                reasons[op_of(case)].add(re.sub(r"^.*?cannot run: ", "", why)[:110])
    lines = ["| op | passed | passed with constant parameters | unsupported | wrong | why unsupported |", "|---|---|---|---|---|---|"]
    for op in sorted(counts):
        c = counts[op]
        why = "; ".join(sorted(reasons[op])[:2]).replace("|", "/")
        lines.append("| %s | %d | %d | %d | %d | %s |" % (op, c["passed"], c["constants"], c["unsupported"], c["wrong"], why))
    lines.append("| all | %d | %d | %d | %d | |" % (total["passed"], total["constants"], total["unsupported"], total["wrong"]))
    if given.table:
        with open(given.table, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    numbers = (len(cases), total["passed"], total["constants"], total["unsupported"], total["wrong"])
    print("%d tests: %d passed, %d passed with constant parameters, %d unsupported, %d wrong" % numbers)
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
