#!/usr/bin/env python3
"""What a real GPU says, in one run: golden cases, programs, compute-sanitizer, and training steps beside PyTorch and JAX. Writes GPU.md.

    gpu.py --weft PATH/weft [--minutes 25] [--bench FOLDER] [--python torch=PATH] [--python jax=PATH] [--out GPU.md]
    gpu.py --weft PATH/weft --dry-run          # the same steps on the host build of the device code; prints the table, and writes nothing

FOLDER is the output of make_bench.py: one folder per workload with its bench.json. Each step has a share of the time and is ended when it has used it; what it had found until then is in the
table.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

import measuring

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Run:
    """Runs commands within the time that is left, and keeps what they say."""

    def __init__(self, args):
        self.args = args
        self.ends = time.monotonic() + args.minutes * 60
        self.device = "gpu:host" if args.dry_run else "gpu"
        self.environment = dict(os.environ, WEFT_GPU="host") if args.dry_run else dict(os.environ)
        self.lines = []

    def left(self):
        return self.ends - time.monotonic()

    def command(self, command, share):
        """The last line and all lines of what the command prints, and how it ended."""
        limit = max(5.0, min(share * self.args.minutes * 60, self.left()))
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment, start_new_session=True)
        try:
            out, _ = process.communicate(timeout=limit)
            ended = "" if process.returncode == 0 else "exit status %d" % process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, _ = process.communicate()
            ended = "ended after %.0f s" % limit
        said = [line for line in out.splitlines() if line.strip()]
        return said, ended, time.monotonic() - began

    def check(self, title, command, share, counts):
        said, ended, seconds = self.command(command, share)
        summary = next((line for line in reversed(said) if counts in line), said[-1] if said else "said nothing")
        self.lines.append("| %s | %s | %s | %.0f |" % (title, summary, ended or "done", seconds))
        print(self.lines[-1], flush=True)
        return said


def checks(run):
    weft, golden = run.args.weft, os.path.join(TOP, "tests", "golden")
    few = ["--only", "MatMul,Conv2D,Softmax,Sum,ConcatV2,Transpose"] if run.args.dry_run else []
    failing = []
    for title, what in (("golden cases of ops", ["ops", os.path.join(golden, "ops")]), ("ops with state", ["ops", os.path.join(golden, "stateful")]),
                        ("programs of TensorFlow", ["programs", os.path.join(golden, "programs")])):
        if few and title != "golden cases of ops":
            continue
        said = run.check(title, [weft, "selftest", *what, "--device", run.device, *few], 0.15, " passed, ")
        failing += [line for line in said if ": skipped" not in line and " passed, " not in line][:20]
    programs = ["EX_00*"] if run.args.dry_run else []
    run.check("tests/programs", [weft, "py", os.path.join(TOP, "tests", "programs", "run_all.py"), "-j", "4", *programs], 0.1, "programs,")
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer and not run.args.dry_run:
        for tool in ("memcheck", "racecheck", "initcheck"):
            said = run.check("compute-sanitizer %s" % tool, [sanitizer, "--tool", tool, "--error-exitcode", "9", weft, "selftest", "ops", os.path.join(golden, "ops"), "--here",
                                                             "--device", run.device, "--shard", "0/8", "--quiet"], 0.08, "ERROR SUMMARY")
            failing += [line for line in said if line.startswith("=========") and "ERROR SUMMARY" not in line][:20]
    else:
        run.lines.append("| compute-sanitizer | %s | | |" % ("not on the host build" if sanitizer else "not installed"))
    return failing


def benchmarks(run):
    """Rows of the table of training steps: Weft alone, then beside each other engine."""
    args, rows = run.args, []
    engines = measuring.pythons(args)
    names = measuring.workloads(args.bench, []) if args.bench else []
    for name in names:
        spec = os.path.join(args.bench, name, "bench.json")
        seconds = "0.01" if args.dry_run else str(args.seconds)
        said, ended, _ = run.command([args.weft, "bench", spec, "--device", run.device, "--seconds", seconds, "--json"], 0.03)
        try:
            mine = json.loads(said[-1])
        except (IndexError, ValueError):
            rows.append("| %s | %s | |" % (name, (said[-1] if said else ended).replace("|", "/")[:160]))
            continue
        with open(spec, encoding="utf-8") as f:
            wanted = json.load(f)["first_losses"]
        off = max(abs(a - b) / max(1e-12, abs(b)) for a, b in zip(mine["first_losses"], wanted))
        cells = []
        for engine, python in engines.items():
            if run.left() < 20:
                cells.append("no time left")
                continue
            pair = measuring.against(args.weft, spec, engine, python, args.rounds, args.seconds, ["--device", run.device])
            cells.append(pair["error"] if "error" in pair else "%s: %.3g ms / %.3g ms = %.2f" % (engine, pair["ms"], pair["weft_ms"], pair["ms"] / pair["weft_ms"]))
        rows.append("| %s | %.3g ms; losses within %.1e | %s |" % (name, mine["step_ms_median"], off, "; ".join(cells) or "–"))
        print(rows[-1], flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measuring.pairing_arguments(parser, "GPU.md")
    parser.add_argument("--bench", help="folder of workloads")
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--dry-run", action="store_true")
    args = parser.parse_args()
    run = Run(args)
    failing = checks(run)
    rows = benchmarks(run)
    device = subprocess.run([args.weft, "py", "-c", "from tensorflow.python.client import device_lib\nprint([d.physical_device_desc for d in device_lib.list_local_devices() if d.device_type == 'GPU'])"],
                            env=run.environment, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    text = ["# On a GPU", "", "Written by `gpu.py` in %.0f minutes on %s, %s." % ((args.minutes * 60 - run.left()) / 60, device or "no GPU", measuring.processor()), "",
            "| check | result | ended | seconds |", "|---|---|---|---|", *run.lines, "", "What failed first:" if failing else "Nothing failed.", ""]
    text += ["- %s" % line[:300] for line in failing]
    if rows:
        text += ["", "A step: the median; how far the first five losses are from TensorFlow's; another engine's milliseconds / Weft's in the same run = ratio.", "",
                 "| workload | Weft | beside |", "|---|---|---|", *rows]
    text = "\n".join(text) + "\n"
    if args.dry_run:
        print(text)
    else:
        with open(args.out, "w", encoding="utf-8") as f:
            f.write(text)
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
