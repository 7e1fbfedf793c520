#!/usr/bin/env python3
"""Training steps beside another program: each workload on TensorFlow and on Weft, with the machine idle and with busy processes beside it.

    busy.py --weft PATH/weft --reference FOLDER --python PYTHON [--busy 1] [--rounds 3] [--seconds 2] WORKLOADS [NAME ...]

FOLDER holds the reference's run_tf.py, WORKLOADS is the output of its make_bench.py, PYTHON one with TensorFlow. A busy process computes in a loop, like a
compiler or a browser. Both engines run in turn. What counts is steps per second, not the median of a step, because a step that stands still for milliseconds
is what such neighbours cause. Writes BUSY.md to the folder of this script (or --out).
"""
import argparse
import contextlib
import datetime
import math
import os
import statistics
import subprocess
import sys
import time

import measuring


@contextlib.contextmanager
def neighbours(count):
    """Processes that compute until the block is left."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        time.sleep(0.3)
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def rate(found, seconds):
    """Steps per second of one run; TensorFlow's script counts the steps alone."""
    return found.get("steps_per_second") or found["steps"] / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--weft", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--busy", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--out", default=os.path.join(here, "BUSY.md"))
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = measuring.workloads(args.folder, args.names)
    seconds = ["--seconds", str(args.seconds)]
    rows = []
    for name in names:
        spec = os.path.join(args.folder, name)
        tensorflow = [args.python, os.path.join(args.reference, "run_tf.py"), spec, *seconds]
        weft = [args.weft, "bench", os.path.join(spec, "bench.json"), *seconds, "--json"]
        rates = {key: [] for key in ("tf idle", "weft idle", "tf busy", "weft busy")}
        for _ in range(args.rounds):
            for state, count in (("idle", 0), ("busy", args.busy)):
                with neighbours(count):
                    rates["tf " + state].append(rate(measuring.found(tensorflow), args.seconds))
                    rates["weft " + state].append(rate(measuring.found(weft), args.seconds))
        rows.append((name, *(statistics.median(values) for values in rates.values())))
        print("%-18s %9.1f %9.1f %6.2f   %9.1f %9.1f %6.2f" % (name, *rows[-1][1:3], rows[-1][2] / rows[-1][1], *rows[-1][3:], rows[-1][4] / rows[-1][3]), flush=True)
    with open(args.out, "w") as out:
        out.write("# Beside another program\n\nSteps per second of TensorFlow and of Weft, alone on the machine and beside %d busy process%s. Medians of %d rounds in turn, %g s each.\n"
                  "Made by `busy.py`.\n\n" % (args.busy, "" if args.busy == 1 else "es", args.rounds, args.seconds))
        out.write("- %s, %s, %d cores; %s\n\n" % (datetime.date.today(), measuring.processor(), len(os.sched_getaffinity(0)), measuring.said([args.weft, "--version"]).strip()))
        out.write("| workload | TensorFlow, alone | Weft, alone | ratio | TensorFlow, beside | Weft, beside | ratio |\n|---|---|---|---|---|---|---|\n")
        for name, tf_idle, weft_idle, tf_busy, weft_busy in rows:
            out.write("| %s | %.4g | %.4g | %.2f | %.4g | %.4g | %.2f |\n" % (name, tf_idle, weft_idle, weft_idle / tf_idle, tf_busy, weft_busy, weft_busy / tf_busy))
        means = [math.exp(statistics.fmean(math.log(row[at + 1] / row[at]) for row in rows)) for at in (1, 3)]
        out.write("\nGeometric means of the ratios: %.2f alone, %.2f beside.\n" % tuple(means))


if __name__ == "__main__":
    main()
