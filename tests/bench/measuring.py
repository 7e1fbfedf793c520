"""Shared by the scripts here and of tests/interop: runs processes and reads their output; free ports; the processor's name."""
import datetime
import json
import os
import platform
import socket
import statistics
import subprocess
import sys


def said(command, status=1):
    """The output of `command`; if it fails, prints its output and exits with `status`."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print("%s: %s" % (" ".join(command), (done.stderr or done.stdout).strip()), file=sys.stderr)
        sys.exit(status)
    return done.stdout


def found(command, status=1):
    """The JSON value in the last output line of `command`."""
    return json.loads(said(command, status).strip().splitlines()[-1])


def free_ports(count):
    """Ports of the loopback interface that nothing listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def workloads(folder, chosen):
    """The chosen names, or those of all workloads that make_bench.py wrote to the folder."""
    return chosen or sorted(name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "bench.json")))


def processor():
    """The processor's name, as the kernel says it."""
    with open("/proc/cpuinfo") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def pairing_arguments(parser, table):
    """The options of the scripts that measure pairs; `table`: the file that they write to the folder of the scripts."""
    parser.add_argument("--weft", required=True)
    parser.add_argument("--python", action="append", default=[], metavar="ENGINE=PATH")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rows")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), table))


def pythons(args):
    """Engine -> the Python that has it."""
    return dict(word.split("=", 1) for word in args.python)


def kept_rows(args):
    """The rows that an earlier call measured."""
    if not args.rows or not os.path.exists(args.rows):
        return {}
    with open(args.rows) as f:
        return json.load(f)


def keep_rows(args, rows):
    if args.rows:
        with open(args.rows, "w") as f:
            json.dump(rows, f, indent=1)


def where_measured(args, pairs):
    """The lines of a table that name the day, the machine and the engines."""
    engines = sorted({p["engine"] for p in pairs if "error" not in p})
    return ["- %s, %s, %d cores" % (datetime.date.today().isoformat(), processor(), os.cpu_count()),
            "- %s, %s" % (said([args.weft, "--version"]).strip().splitlines()[0], ", ".join(engines)), ""]


def write_table(path, lines, ratios, failures):
    """Writes a table, with the mean of its ratios and what could not be measured below it."""
    if ratios:
        lines = lines + ["", "Geometric mean of the last column %.2f, lowest %.2f." % (statistics.geometric_mean(ratios), min(ratios))]
    if failures:
        lines = lines + ["", "Not measured:", ""] + failures
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


def against(weft, file, engine, python, rounds, seconds, options=()):
    """One pair of `weft bench FILE --against ENGINE`: the engine's name, medians and first results in ms of both, or {"error": why not}."""
    command = [weft, "bench", file, *options, "--against", engine, "--python", python, "--rounds", str(rounds), "--seconds", str(seconds), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1]}
    pair = json.loads(done.stdout)
    return {"engine": pair["other"]["engine"], "ms": pair["other"]["step_ms_median"], "first_ms": pair["other"]["first_result_ms"],
            "weft_ms": pair["weft"]["step_ms_median"], "weft_first_ms": pair["weft"]["first_result_ms"]}


def fastest(pairs):
    """Of what against() found, the pair with the smallest ratio, other engine / Weft. Both halves of a pair ran in turn, so that a drifting machine changes both."""
    return min((p for p in pairs if "error" not in p), key=lambda p: p["ms"] / p["weft_ms"], default=None)
