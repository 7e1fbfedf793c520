"""Weft and TensorFlow in every role of a cluster: who is the client, who serves the master's task, who the other tasks. Every program runs on every mixture
and must give what it gives where all roles are TensorFlow's.

    python3 tests/interop/cluster.py --weft build/release/bin/weft --tensorflow JUDGES/tf115/bin/python [--tensorflow2 JUDGES/tf2/bin/python] [PROGRAM…]
        [--mixtures wtt,tww] [--table FILE]

A mixture names client, master and workers, each w (Weft), t (TensorFlow 1.15) or 2 (TensorFlow 2, as tensorflow.compat.v1). Mixtures with a 2 are compared with
222, the others with ttt. Without TensorFlow, `--recorded cluster_results.json` takes what ttt gave, which `--record FILE` wrote."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))
import measuring  # noqa: E402

SERVER = """
import sys, json, tensorflow as tf
if not tf.__version__.startswith("1."):
    tf = tf.compat.v1
spec, job, task = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
server = tf.train.Server(tf.train.ClusterSpec(spec), job_name=job, task_index=task)
print("serving", flush=True)
server.join()
"""


def python_of(args, kind):
    return args.tensorflow if kind == "t" else args.tensorflow2


def reference_of(mixture):
    return "222" if "2" in mixture else "ttt"


class Cluster:
    """A ps, a worker that is master, and a worker, each a process of its own."""

    def __init__(self, args, master, workers):
        ports = measuring.free_ports(3)
        spec = {"ps": ["localhost:%d" % ports[0]], "worker": ["localhost:%d" % p for p in ports[1:]]}
        self.target = "grpc://" + spec["worker"][0]
        self.commands, self.processes = {}, {}
        for job, task, kind in (("ps", 0, workers), ("worker", 1, workers), ("worker", 0, master)):
            if kind != "w":
                command = [python_of(args, kind), "-c", SERVER, json.dumps(spec), job, str(task)]
            else:
                command = [args.weft, "server", "--job", job, "--task", str(task)]
                for name, addresses in spec.items():
                    command += ["--cluster", "%s=%s" % (name, ",".join(addresses))]
            self.commands["%s %d" % (job, task)] = command
        for name in self.commands:
            self.start(name)
        for p in self.processes.values():
            p.stdout.readline()

    def start(self, name):
        self.processes[name] = subprocess.Popen(self.commands[name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def restart(self, name):
        """Kills a task and starts it again on its port."""
        self.processes[name].kill()
        self.processes[name].wait()
        self.start(name)
        self.processes[name].stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for p in self.processes.values():
            p.kill()
        for p in self.processes.values():
            p.wait()


def run(args, client, program, cluster):
    script = os.path.join(HERE, "cluster_programs.py")
    command = [args.weft, "py", script] if client == "w" else [python_of(args, client), script]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command + [program, cluster.target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
        hangs = threading.Timer(120, process.kill)
        hangs.start()
        for line in process.stdout:
            if line.startswith("RESTART "):
                cluster.restart(line[8:].strip())
                process.stdin.write("\n")
                process.stdin.flush()
            if line.startswith("RESULT "):
                hangs.cancel()
                process.communicate()
                return json.loads(line[7:])
        hangs.cancel()
        if process.wait() == -9:
            return "hangs"
        said.seek(0)
        return "failed: " + " | ".join(said.read().strip().splitlines()[-3:])[-400:]


def classes(value):
    """Errors by class only: the texts are TensorFlow's own, and differ between its versions."""
    if isinstance(value, list):
        return value[0] if len(value) == 2 and isinstance(value[0], str) and value[0].endswith("Error") else [classes(v) for v in value]
    return value


def verdict(wanted, got, mixture):
    if "2" in mixture:
        wanted, got = classes(wanted), classes(got)
    if got == wanted:
        return "same"
    try:
        flat = lambda v: [x for y in v for x in flat(y)] if isinstance(v, list) else [v]
        pairs = list(zip(flat(wanted), flat(got)))
        if len(flat(wanted)) == len(flat(got)) and all(isinstance(a, (int, float)) and abs(a - b) <= 1e-6 * max(1, abs(a)) for a, b in pairs):
            return "within %.1e" % max(abs(a - b) for a, b in pairs)
    except TypeError:
        pass
    return "DIFFERS"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tensorflow")
    parser.add_argument("--tensorflow2")
    parser.add_argument("--record")
    parser.add_argument("--recorded")
    parser.add_argument("--mixtures", default="ttt,wtt,twt,ttw,tww,wwt,wtw,www")
    parser.add_argument("--table")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    sys.path.insert(0, HERE)
    with open(os.path.join(HERE, "cluster_programs.py")) as f:
        lines = f.read().splitlines()
    known = [line[4:line.index("(")] for before, line in zip(lines, lines[1:]) if before == "@program"]
    programs, mixtures = args.programs or known, args.mixtures.split(",")
    begin, rows, bad = time.time(), [], 0
    results = {p: {} for p in programs}
    if args.recorded:
        with open(args.recorded) as f:
            recorded = json.load(f)
        for program in programs:
            results[program]["ttt"] = recorded[program]
    else:
        needed = {reference_of(m) for m in mixtures}
        mixtures = sorted(needed) + [m for m in mixtures if m not in needed]
    for mixture in mixtures:
        for program in programs:
            with Cluster(args, mixture[1], mixture[2]) as cluster:
                results[program][mixture] = run(args, mixture[0], program, cluster)
            wanted, got = results[program][reference_of(mixture)], results[program][mixture]
            said = verdict(wanted, got, mixture) if mixture != reference_of(mixture) else "reference"
            bad += said == "DIFFERS"
            print("%-24s %s  %s" % (program, mixture, said), *(("\n   wanted", wanted, "\n   got   ", got) if said == "DIFFERS" else ()), flush=True)
    if args.record:
        with open(args.record, "w") as f:
            json.dump({p: r["ttt"] for p, r in results.items()}, f, indent=0, sort_keys=True)
            f.write("\n")
    others = [m for m in mixtures if m != reference_of(m)]
    for program in programs:
        rows.append("| %s | %s |" % (program, " | ".join(verdict(results[program][reference_of(m)], results[program][m], m) for m in others)))
    table = ["| program | %s |" % " | ".join(others), "|---" * (len(others) + 1) + "|"] + rows
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(table) + "\n")
    print("\n".join(table))
    print("%d programs, %d mixtures, %d differ, %.0f s" % (len(programs), len(mixtures), bad, time.time() - begin))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
