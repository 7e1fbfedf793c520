#!/usr/bin/env python3
"""Training steps under a memory limit: what values computed again cost and save, beside TensorFlow 2.x, which keeps everything.

    memory_limit.py write FOLDER --reference BENCH [NAME ...]     # by a Python with TensorFlow: the networks with large batches, for `weft bench`
    memory_limit.py table FOLDER --weft PATH/weft --python PYTHON --reference BENCH [--rows ROWS.json] [--out MEMORY_LIMIT.md] [NAME ...]
    memory_limit.py fit FOLDER --weft PATH/weft --python PYTHON --reference BENCH --room 1500M NAME   # address spaces limited by the system
    memory_limit.py sweep FOLDER --weft PATH/weft NAME            # twenty limits: each trains with the same losses or is refused

BENCH: the folder of workloads.py and run_tf.py; PYTHON: one with TensorFlow 2.x. Peaks of a process are its largest resident memory less that of the same
program on a network of three nodes. --rows keeps the measured rows in a file: a later call measures its NAMEs again and writes the table of all.
"""
import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PERCENT = (80, 60, 50, 40)
# Module and function of each network, and its arguments.
CASES = {
    "resnet20": ("workloads", "resnet20", dict(batch=256)),
    "conv_autoencoder": ("workloads", "conv_autoencoder", dict(batch=4096)),
    "lstm_unrolled": ("workloads", "lstm_unrolled", dict(batch=1024)),
    "attention": ("workloads", "attention", dict(batch=256)),
    "transformer": ("family_nets", "transformer", dict(batch=64, blocks=6)),
    "unet": ("family_nets", "unet", dict(batch=16, size=128)),
    "tiny_session": ("workloads", "tiny_session", {}),
}


def write(args):
    sys.path[:0] = [args.reference, HERE]
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import importlib
    import make_bench

    for name in args.names or CASES:
        module, function, arguments = CASES[name]
        make_bench.export(name, lambda: getattr(importlib.import_module(module), function)(**arguments), args.folder)


def run(command, limit=None):
    """Standard output and standard error of a program, with its address space limited to `limit` bytes."""
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    return done.returncode, done.stdout, done.stderr


def weft(args, name, limit=0):
    command = [args.weft, "bench", os.path.join(args.folder, name, "bench.json"), "--seconds", str(args.seconds), "--json"]
    code, out, err = run(command + (["--memory-limit", str(limit)] if limit else []))
    if code:
        return {"error": err.strip()}
    return json.loads(out)


def tensorflow(args, name):
    code, out, err = run([args.python, os.path.join(args.reference, "run_tf.py"), os.path.join(args.folder, name), "--seconds", str(args.seconds)])
    if code:
        return {"error": err.strip().splitlines()[-1] if err.strip() else "status %d" % code}
    return json.loads(out.splitlines()[-1])


def measured(args, name, bases):
    free = weft(args, name)
    if "error" in free:
        sys.exit(free["error"])
    row = {"name": name, "planned": free["planned_bytes"], "free_ms": free["step_ms_median"], "free_rss": free["peak_rss_mb"] - bases[0], "limits": []}
    other = tensorflow(args, name)
    row["tf_ms"], row["tf_rss"] = other.get("step_ms_median"), other["peak_rss_mb"] - bases[1] if "error" not in other else None
    for percent in PERCENT:
        limit = row["planned"] * percent // 100
        got = weft(args, name, limit)
        if "error" in got:
            row["limits"].append({"percent": percent, "error": got["error"]})
            continue
        row["limits"].append({"percent": percent, "planned": got["planned_bytes"], "ms": got["step_ms_median"], "again": got["computed_again"],
                              "rss": got["peak_rss_mb"] - bases[0], "same": got["first_losses"] == free["first_losses"]})
        print(name, row["limits"][-1], flush=True)
    return row


def mb(value):
    return "–" if value is None else "%.0f" % value


def table(args):
    rows = {}
    if args.rows and os.path.exists(args.rows):
        with open(args.rows) as f:
            rows = {r["name"]: r for r in json.load(f)}
    bases = [weft(args, "tiny_session")["peak_rss_mb"], tensorflow(args, "tiny_session")["peak_rss_mb"]]
    for name in args.names or [n for n in CASES if n != "tiny_session"]:
        rows[name] = measured(args, name, bases)
        if args.rows:
            with open(args.rows, "w") as f:
                json.dump(list(rows.values()), f, indent=1)
    ordered = [rows[n] for n in CASES if n in rows]
    lines = ["# Training steps under a memory limit", "",
             "Each network's planned memory without a limit (tensors of the step, variables, constants and fed values) is 100 %. Under a smaller limit Weft computes values",
             "a second time instead of keeping them; the losses of the first five steps are the same bits. Planned: what the plan needs; resident: the largest resident memory",
             "of the process less that of the same program on a network of three nodes, first step and restoring included. Made by `memory_limit.py`.", "",
             "- %s, %s, %d cores" % (datetime.date.today(), processor(), os.cpu_count()), "",
             "| network | limit | planned MB | resident MB | step ms | time | nodes again | losses |", "|---|---|---|---|---|---|---|---|"]
    for row in ordered:
        lines.append("| %s | none | %s | %s | %.1f | 1.00 | | |" % (row["name"], mb(row["planned"] / 2**20), mb(row["free_rss"]), row["free_ms"]))
        for r in row["limits"]:
            if "error" in r:
                lines.append("| | %d %% | refused: %s |||||| " % (r["percent"], short(r["error"])))
                continue
            lines.append("| | %d %% | %s | %s | %.1f | %.2f | %d | %s |" % (r["percent"], mb(r["planned"] / 2**20), mb(r["rss"]), r["ms"], r["ms"] / row["free_ms"],
                                                                        r["again"], "the same" if r["same"] else "DIFFERENT"))
        if row.get("tf_ms"):
            lines.append("| | TensorFlow | | %s | %.1f | %.2f | | |" % (mb(row["tf_rss"]), row["tf_ms"], row["tf_ms"] / row["free_ms"]))
    text = "\n".join(lines) + "\n"
    if args.out:
        old = ""
        if os.path.exists(args.out):
            with open(args.out) as f:
                old = f.read()
        by_hand = old[old.index("\n## "):] if "\n## " in old else ""
        with open(args.out, "w") as f:
            f.write(text + by_hand)
    print(text)


def address_space(command):
    """The largest address space of a process, in bytes."""
    most = 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            with open("/proc/%d/status" % process.pid) as lines:
                most = max([most] + [int(line.split()[1]) << 10 for line in lines if line.startswith("VmPeak")])
        except (OSError, ValueError):
            pass
        time.sleep(0.01)
    return most


def fit(args):
    """Each engine gets the address space of its own program, measured on three nodes, and the same room on top."""
    name, room = args.names[0], int(args.room[:-1]) << {"M": 20, "G": 30}[args.room[-1]]
    def commands(of):
        return {"TensorFlow": [args.python, os.path.join(args.reference, "run_tf.py"), os.path.join(args.folder, of), "--seconds", str(args.seconds)],
                "Weft": [args.weft, "bench", os.path.join(args.folder, of, "bench.json"), "--seconds", str(args.seconds), "--json"]}

    for engine, command in commands(name).items():
        base = address_space(commands("tiny_session")[engine])
        tries = [("", command)]
        if engine == "Weft":
            tries.append((" --memory-limit %dM" % ((room >> 20) * 85 // 100), command + ["--memory-limit", "%dM" % ((room >> 20) * 85 // 100)]))
        for options, tried in tries:
            code, out, err = run(tried, base + room)
            if code == 0:
                found = json.loads(out.splitlines()[-1])
                result = "losses %s, step %.0f ms, resident %.0f MB" % (found["first_losses"][:2], found["step_ms_median"], found["peak_rss_mb"])
            else:
                lines = [line for line in err.splitlines() if "Error" in line or "OOM" in line or "weft:" in line or "alloc" in line]
                result = "status %d: %s" % (code, (lines or ["no message"])[-1][:300])
            print("%s%s, %d + %d MB: %s" % (engine, options, base >> 20, room >> 20, result), flush=True)


def short(error):
    return error.split(";")[0].replace("weft: ", "")


def processor():
    with open("/proc/cpuinfo") as lines:
        return next((line.split(": ")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def sweep(args):
    args.seconds = 0
    name = args.names[0]
    free = weft(args, name)
    bad = 0
    for k in range(1, 21):
        limit = free["planned_bytes"] * k // 20
        got = weft(args, name, limit)
        if "error" in got:
            fine = "memory limit" in got["error"] and got["error"].count("\n") == 0
            print("%3d %%: %s" % (5 * k, got["error"]))
        else:
            fine = got["first_losses"] == free["first_losses"] and got["planned_bytes"] <= limit
            print("%3d %%: %d MB planned, %d nodes again, resident %.0f MB, losses %s" %
                  (5 * k, got["planned_bytes"] >> 20, got["computed_again"], got["peak_rss_mb"], "the same" if fine else "DIFFERENT"))
        bad += not fine
    sys.exit("%d of 20 are wrong" % bad if bad else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("write", "table", "fit", "sweep"))
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--reference")
    parser.add_argument("--weft")
    parser.add_argument("--python")
    parser.add_argument("--rows")
    parser.add_argument("--room")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=3)
    args = parser.parse_args()
    {"write": write, "table": table, "fit": fit, "sweep": sweep}[args.command](args)


if __name__ == "__main__":
    main()
