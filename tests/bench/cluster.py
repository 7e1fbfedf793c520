#!/usr/bin/env python3
"""Steps of sessions on servers, by Weft and by TensorFlow 1.15, alternately on this machine.

    cluster.py --weft PATH/weft --tensorflow PYTHON [--rounds N] [--out CLUSTER.md]

Each figure is measured in a Python program (cluster_steps.py) with processes for the servers, all on loopback: a session's step of one addition, the same with
a small tensor from a second process, a step that needs 16 MB from a second process, and an asynchronous training with one parameter server and two workers.
"""
import argparse
import json
import os
import statistics
import subprocess

import measuring

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "cluster_steps.py")
LARGE = 16 << 20


class Processes:
    """Processes of one engine, ended together."""

    def __init__(self, command):
        self._command, self._open = command, []

    def start(self, *words):
        process = subprocess.Popen(self._command + [PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._open.append(process)
        return process

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for process in self._open:
            process.kill()
            process.wait()


def wait_ready(process):
    for line in process.stdout:
        if line.strip() == "ready":
            return
    raise RuntimeError("a process ended before it was ready")


def value(process):
    for line in process.stdout:
        if line.startswith("{"):
            return json.loads(line)
    raise RuntimeError("a process ended without a result")


def measure_steps(command):
    ports = measuring.free_ports(2)
    cluster = json.dumps({"ps": ["localhost:%d" % ports[0]], "worker": ["localhost:%d" % ports[1]]})
    with Processes(command) as processes:
        for job in ("ps", "worker"):
            wait_ready(processes.start("serve", cluster, job, "0"))
        return value(processes.start("steps", "grpc://localhost:%d" % ports[1]))


def measure_training(command, seconds):
    ports = measuring.free_ports(3)
    cluster = json.dumps({"ps": ["localhost:%d" % ports[0]], "worker": ["localhost:%d" % p for p in ports[1:]]})
    with Processes(command) as processes:
        wait_ready(processes.start("serve", cluster, "ps", "0"))
        workers = [processes.start("train", cluster, str(task), str(seconds)) for task in (0, 1)]
        for worker in workers:
            wait_ready(worker)
        for worker in workers:
            worker.stdin.write("go\n")
            worker.stdin.flush()
        results = [value(worker) for worker in workers]
        return sum(r["steps"] for r in results), max(r["loss"] for r in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tensorflow", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each training")
    parser.add_argument("--out", default=os.path.join(HERE, "CLUSTER.md"))
    args = parser.parse_args()
    engines = {"TensorFlow 1.15": [args.tensorflow], "Weft": [os.path.abspath(args.weft), "py"]}
    found = {name: {"add": [], "far": [], "large": [], "train": [], "best add": [], "best far": [], "loss": []} for name in engines}
    for _ in range(args.rounds):
        for name, command in engines.items():
            mine = found[name]
            for step, times in measure_steps(command).items():
                mine[step].append(times["median"])
                if step != "large":
                    mine["best " + step].append(times["best"])
            speed, loss = measure_training(command, args.seconds)
            mine["train"].append(speed)
            mine["loss"].append(loss)
            print(name, {k: v[-1] for k, v in mine.items()}, flush=True)

    def median(name, what):
        return statistics.median(found[name][what])

    rows = [("a step of one addition, µs", "add", lambda v: v * 1e6, "%.0f"), ("the same, shortest, µs", "best add", lambda v: v * 1e6, "%.0f"),
            ("with 48 bytes from a second process, µs", "far", lambda v: v * 1e6, "%.0f"), ("the same, shortest, µs", "best far", lambda v: v * 1e6, "%.0f"),
            ("with 16 MB from a second process, GB/s", "large", lambda v: LARGE / v / 1e9, "%.2f"),
            ("training, 1 ps and 2 workers, steps/s of both", "train", lambda v: v, "%.0f")]
    lines = ["# Steps on servers", "", "On %s, %d processors, load %.1f, medians of %d rounds in which the engines take turns." %
             (measuring.processor(), len(os.sched_getaffinity(0)), os.getloadavg()[0], args.rounds), "",
             "    python3 tests/bench/cluster.py --weft build/release/bin/weft --tensorflow JUDGES/tf115/bin/python", "",
             "| what | TensorFlow 1.15.5 | Weft | ratio |", "|---|---|---|---|"]
    for title, key, unit, form in rows:
        theirs, ours = (unit(median(name, key)) for name in engines)
        ratio = ours / theirs if key in ("large", "train") else theirs / ours
        lines.append("| %s | %s | %s | %.1f× |" % (title, form % theirs, form % ours, ratio))
    losses = [max(found[name]["loss"]) for name in engines]
    lines += ["", "The training (784–100–10, batches of 64, variables on the parameter server) ends with a loss of %.3g (TensorFlow) and %.3g (Weft)." % tuple(losses)]
    with open(args.out, "w") as out:
        out.write("\n".join(lines) + "\n")
    print("\n".join(lines))


main()
