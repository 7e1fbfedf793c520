#!/usr/bin/env python3
"""Compares the predictions of `weft profile --what-if` with steps that were really changed.

    what_if.py [--weft WEFT] [--rounds N] [--steps N]

Three branches of MatMul, Tanh and Sum from one input are added up. Predicted from a trace of the whole: the second branch twice as fast, four times as fast, and gone. Measured: the same
graph with a second matrix of half and a quarter of the columns, and without the branch. Each prediction and its measurement are made in turn, several times; medians are compared."""

import argparse
import array
import json
import os
import statistics
import struct
import subprocess
import tempfile

SIZE = 768


def node(name, op, inputs=(), attrs=""):
    return "node { name: '%s' op: '%s' %s %s }\n" % (name, op, " ".join("input: '%s'" % i for i in inputs), attrs)


def branches(columns):
    """The graph; columns: of each branch's matrix."""
    shape = "attr { key: 'shape' value { shape { dim { size: %d } dim { size: %d } } } }"
    floats = "attr { key: 'T' value { type: DT_FLOAT } }"
    out = node("x", "Placeholder", (), "attr { key: 'dtype' value { type: DT_FLOAT } }" + shape % (SIZE, SIZE))
    out += node("axes", "Const", (), "attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { tensor { dtype: DT_INT32 "
                "tensor_shape { dim { size: 2 } } int_val: 0 int_val: 1 } } }")
    for i, width in columns.items():
        out += node("branch%d/w" % i, "Placeholder", (), "attr { key: 'dtype' value { type: DT_FLOAT } }" + shape % (SIZE, width))
        out += node("branch%d/y" % i, "MatMul", ("x", "branch%d/w" % i), floats)
        out += node("branch%d/t" % i, "Tanh", ("branch%d/y" % i,), floats)
        out += node("branch%d/s" % i, "Sum", ("branch%d/t" % i, "axes"), floats + "attr { key: 'Tidx' value { type: DT_INT32 } }")
    sums = ["branch%d/s" % i for i in columns]
    return out + node("all", "AddN", sums, floats + "attr { key: 'N' value { i: %d } }" % len(sums))


def save(path, rows, columns):
    values = array.array("f", (((i * 7919) % 1000) / 1000 - 0.5 for i in range(rows * columns)))
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, columns)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + values.tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", default=os.path.join(os.path.dirname(__file__), "../../build/release/bin/weft"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        def profile(name, columns, threads, *more):
            graph = os.path.join(folder, name + ".pbtxt")
            with open(graph, "w", encoding="utf-8") as file:
                file.write(branches(columns))
            feeds = ["--feed", "x:0=" + matrix(SIZE)]
            for i, width in columns.items():
                feeds += ["--feed", "branch%d/w:0=%s" % (i, matrix(width))]
            text = subprocess.run([args.weft, "profile", graph, *feeds, "--fetch", "all:0", "--steps", str(args.steps), "--warmup", "20", "--threads", str(threads), "--json", *more],
                                  check=True, capture_output=True, text=True).stdout
            return json.loads(text)

        def matrix(columns):
            path = os.path.join(folder, "m%d.npy" % columns)
            if not os.path.exists(path):
                save(path, SIZE, columns)
            return path

        whole = {1: SIZE, 2: SIZE, 3: SIZE}
        cases = (("branch2/=2x", {**whole, 2: SIZE // 2}), ("branch2/=4x", {**whole, 2: SIZE // 4}), ("branch2/=gone", {1: SIZE, 3: SIZE}))
        print("| threads | change | measured before | predicted | measured after | error |\n|---|---|---|---|---|---|")
        for threads in (1, 2):
            for change, columns in cases:
                before, predicted, after = [], [], []
                for _ in range(args.rounds):
                    answer = profile("whole", whole, threads, "--what-if", change)["what_if"]
                    before.append(answer["measured_us"])
                    predicted.append(answer["predicted_us"])
                    after.append(profile("changed", columns, threads)["step_us"]["mean"])
                b, p, a = (statistics.median(v) / 1000 for v in (before, predicted, after))
                error = statistics.median(x / y - 1 for x, y in zip(predicted, after))  # within a round, so that a busy machine slows both
                print("| %d | `%s` | %.2f ms | %.2f ms | %.2f ms | %+.1f %% |" % (threads, change, b, p, a, error * 100), flush=True)


if __name__ == "__main__":
    main()
