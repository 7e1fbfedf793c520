#!/usr/bin/env python3
"""TensorFlow's own tests on Weft: run them, and say how many of those that pass in TensorFlow 1.15.5 pass here.

    tensorflow_tests.py run [--contrib] [--jobs N] [--only TEXT]… [--files LIST] [--test-seconds 30] [--file-seconds 300] CHECKOUT OUT.jsonl COMMAND…
    tensorflow_tests.py table JUDGE.jsonl[.gz] OUT.jsonl [--reasons N] [--out TENSORFLOW_TESTS.md]

CHECKOUT is the r1.15 branch of a TensorFlow repository (NVIDIA/tensorflow has it); nothing of it comes into this project. COMMAND is a Python: `weft py` for Weft, that
of an environment with TensorFlow 1.15.5 for the judge. Both need absl-py. Files that OUT has whole are passed over: call it again to go on. With GRAPH_ONLY=1 the tests
of both modes run in graphs only. --contrib: the tests of those parts of tensorflow/contrib that Weft has. Where a helper or a test imports a name that Weft lacks, the tests that use the name fail by it and the others run.
"""
import argparse
import collections
import concurrent.futures
import datetime
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# What asks for other hardware, several processes or other builds.
NOT_HERE = re.compile(r"gpu|tpu|xla|nccl|cudnn|distribute/|mlir|tensorrt|/integration_testing/|_benchmark|compiler/")


CONTRIB = ["contrib/" + part for part in "crf feature_column framework layers legacy_seq2seq losses metrics opt rnn seq2seq slim summary training".split()]


def test_files(root, parts):
    found = []
    for part in parts:
        for folder, _, names in os.walk(os.path.join(root, "tensorflow", part)):
            found += [os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith("_test.py")]
    return sorted(f for f in found if not NOT_HERE.search(f))


def folder_of(file):
    """framework, or contrib/layers."""
    parts = file.split("/")
    return parts[2] if parts[1] == "python" else "/".join(parts[1:3])


def lines(path):
    if not os.path.exists(path):
        return
    with gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace") as f:
        for line in f:
            try:
                yield json.loads(line)
            except ValueError:  # a process died while it wrote
                pass


def run_file(args, file):
    """The lines of one file, its last one "*end*"."""
    with tempfile.TemporaryDirectory(prefix="weft-tf-tests-") as work:
        out = os.path.join(work, "out.jsonl")
        command = args.command + [os.path.join(HERE, "tensorflow_tests", "run_file.py"), args.checkout, file, out, str(args.test_seconds)]
        with open(os.path.join(work, "err"), "w+b") as err:
            try:
                status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, timeout=args.file_seconds, cwd=work).returncode
            except subprocess.TimeoutExpired:
                status = "longer than %d s" % args.file_seconds
            err.seek(0, 2)
            err.seek(max(0, err.tell() - 300))
            said = err.read().decode(errors="replace")
        rows = list(lines(out))
    if status not in (0, 1):
        rows.append(dict(file=file, test="*file*", outcome="died", why="%s: %s" % (status, said)))
    return rows + [dict(file=file, test="*end*", outcome="end")]


def run(args):
    whole = {row["file"] for row in lines(args.out) if row["test"] == "*end*"}
    if args.files:
        with open(args.files) as f:
            files = f.read().split()
    else:
        files = test_files(args.checkout, CONTRIB if args.contrib else ["python"])
    files = [f for f in files if f not in whole and (not args.only or any(o in f for o in args.only))]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, open(args.out, "a") as out:
        for done, (file, rows) in enumerate(zip(files, pool.map(lambda f: run_file(args, f), files)), 1):
            out.writelines(json.dumps(row) + "\n" for row in rows)
            out.flush()
            print("%d of %d  %s: %d passed" % (done, len(files), file, sum(row["outcome"] == "passed" for row in rows)), flush=True)


def outcomes(path):
    """(file, test) -> its last row; a test that only began died. Names of tests with objects as parameters hold addresses and modules, which differ between engines."""
    found = {}
    for row in lines(path):
        test = re.sub(r"0x[0-9a-f]+", "0x", row["test"])
        key = (row["file"], re.sub(r"<(class ')?(?:\w+\.)+(\w+)", r"<\1\2", test))
        found[key] = dict(row, outcome="died", why="the process ended") if row["outcome"] == "begun" else row
    return found


def reason(row):
    last = (row.get("why") or "").strip().split("\n")[-1]
    absent = re.search(r"absent: tensorflow\.python\.([\w.]+)", last)
    return "absent: " + absent.group(1) if absent else row["outcome"] + ": " + re.sub(r"0x[0-9a-f]+|\d+", "N", last)[:140]


def table(args):
    judge, ours = outcomes(args.judge), outcomes(args.ours)
    files = {file for file, _ in ours}
    folders, whys = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    for key, row in judge.items():
        if row["outcome"] != "passed" or key[0] not in files:
            continue
        found = ours.get(key) or ours.get((key[0], "*import*")) or dict(outcome="absent", why="no such test")
        folder = folders[folder_of(key[0])]
        folder[1] += 1
        if found["outcome"] == "passed":
            folder[0] += 1
        else:
            whys[reason(found)] += 1
    passed, of = (sum(f[k] for f in folders.values()) for k in (0, 1))
    text = ["# TensorFlow's own tests", "",
            "Test methods of TensorFlow r1.15 that pass in TensorFlow 1.15.5, and how many of them pass on Weft. Made by `tensorflow_tests.py` on %s."
            % datetime.date.today().isoformat(), "", "| folder | passed | of | |", "|---|---|---|---|"]
    text += ["| %s | %d | %d | %.0f %% |" % (name, n, m, 100.0 * n / m) for name, (n, m) in sorted(folders.items())]
    text += ["| **all** | %d | %d | %.1f %% |" % (passed, of, 100.0 * passed / max(of, 1)), "", "Most frequent reasons of the others:", "", "| methods | reason |", "|---|---|"]
    text += ["| %d | %s |" % (count, why.replace("|", "\\|")) for why, count in whys.most_common(args.reasons)]
    result = "\n".join(text) + "\n"
    if args.out:
        with open(args.out, "w") as f:
            f.write(result)
    else:
        print(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="what", required=True)
    one = parts.add_parser("run")
    one.add_argument("checkout", type=os.path.abspath)
    one.add_argument("out")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--only", action="append", default=[])
    one.add_argument("--files")
    one.add_argument("--contrib", action="store_true")
    one.add_argument("--test-seconds", type=int, default=30)
    one.add_argument("--file-seconds", type=int, default=300)
    one.add_argument("command", nargs=argparse.REMAINDER)
    two = parts.add_parser("table")
    two.add_argument("judge")
    two.add_argument("ours")
    two.add_argument("--reasons", type=int, default=40)
    two.add_argument("--out")
    args = parser.parse_args()
    if args.what == "run" and not args.command:
        parser.error("run: a COMMAND is missing, e.g. build/release/bin/weft py")
    if args.what == "run" and not os.path.isdir(os.path.join(args.checkout, "tensorflow", "python")):
        parser.error("run: %s holds no tensorflow/python: give a checkout of TensorFlow's r1.15" % args.checkout)
    run(args) if args.what == "run" else table(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
