"""Distributed programs as they are written for TensorFlow (distributed/), each as real processes on this machine: all of TensorFlow 1.15, all of Weft, and mixed. Their
results must be equal.

    python3 tests/interop/distributed.py --weft build/release/bin/weft --tensorflow JUDGES/tf115/bin/python [PROGRAM…] [--record FILE] [--table FILE]

Without TensorFlow, `--recorded distributed_results.json` takes what it gave."""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = """
import sys, json, tensorflow as tf
tf.train.Server(tf.train.ClusterSpec(json.loads(sys.argv[1])), job_name=sys.argv[2], task_index=int(sys.argv[3])).join()
"""
LIMIT = 150


def free_addresses(n):
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("localhost", 0))
    addresses = ["localhost:%d" % s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return addresses


class Process:
    """One process of a program, whose result is a line on its standard output."""

    def __init__(self, python, arguments, environment=None):
        self.log, self.weft = tempfile.TemporaryFile("w+"), python[-1] == "py"
        self.process = subprocess.Popen(python + arguments, stdout=subprocess.PIPE, stderr=self.log, text=True, env=dict(os.environ, **(environment or {})))

    def result(self, limit):
        hangs = threading.Timer(limit, self.process.kill)
        hangs.start()
        result = None
        for line in self.process.stdout:
            if line.startswith("RESULT "):
                result = json.loads(line[7:])
                break
        hangs.cancel()
        try:
            if result is not None:
                self.process.wait(10)
                return result
        except subprocess.TimeoutExpired:
            # TensorFlow's sessions close for ever if another task of theirs has gone before.
            self.process.kill()
            self.process.wait()
            return "hangs at its end" if self.weft else result
        self.process.wait()
        self.log.seek(0)
        return "%s: %s" % ("hangs" if self.process.returncode == -9 else "failed", " | ".join(self.log.read().strip().splitlines()[-3:])[-400:])

    def blocks(self):
        """Whether it runs still; then it is ended."""
        alive = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        return alive


class Mixture:
    """Who runs the processes of a program: in turn one of these letters."""

    def __init__(self, args, letters):
        self.args, self.letters, self.next = args, letters, 0

    def start(self, arguments, environment=None):
        letter = self.letters[self.next % len(self.letters)]
        self.next += 1
        return Process([self.args.weft, "py"] if letter == "w" else [self.args.tensorflow], arguments, environment)


def script(name):
    return os.path.join(HERE, "distributed", name)


def one_process(name):
    def program(mixture, folder):
        return [mixture.start([script(name)]).result(LIMIT)]
    return program


def four_processes(name, steps, ps=2, workers=2, folder_of=lambda folder: folder):
    """The four commands of the notes."""
    def program(mixture, folder):
        addresses = free_addresses(ps + workers)
        flags = ["--ps_hosts=" + ",".join(addresses[:ps]), "--worker_hosts=" + ",".join(addresses[ps:]), "--logdir=" + folder, "--steps=%d" % steps]
        servers = [mixture.start([script(name)] + flags + ["--job_name=ps", "--task_index=%d" % i]) for i in range(ps)]
        clients = [mixture.start([script(name)] + flags + ["--job_name=worker", "--task_index=%d" % i]) for i in range(workers)]
        results = [c.result(LIMIT) for c in clients]
        return results + [["parameter server %d waits" % i, s.blocks()] for i, s in enumerate(servers)]
    return program


def resumed(mixture, folder):
    """The trainer with one worker, twice with the same folder."""
    return [four_processes("trainer.py", steps, 1, 1)(mixture, folder) for steps in (50, 80)]


def with_servers(name):
    def program(mixture, folder):
        addresses = free_addresses(4)
        spec = {"ps": addresses[:2], "worker": addresses[2:]}
        path = os.path.join(folder, "server.py")
        with open(path, "w") as f:
            f.write(SERVER)
        servers = [mixture.start([path, json.dumps(spec), job, str(i)]) for job in ("ps", "worker") for i in range(2)]
        result = mixture.start([script(name), "grpc://" + spec["worker"][0]]).result(LIMIT)
        return [result] + [s.blocks() for s in servers]
    return program


def estimator(mixture, folder):
    addresses = free_addresses(3)
    cluster = {"chief": addresses[:1], "ps": addresses[1:2], "worker": addresses[2:]}
    started = {}
    for job in ("ps", "chief", "worker", "evaluator"):
        told = {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": job, "index": 0}})}
        started[job] = mixture.start([script("estimator_trainer.py"), os.path.join(folder, "model")], told)
    results = [started[job].result(LIMIT) for job in ("chief", "worker", "evaluator")]
    return results + [["parameter server waits", started["ps"].blocks()]]


PROGRAMS = {
    "rows": one_process("rows.py"),
    "towers": one_process("towers.py"),
    "towers_on_servers": with_servers("towers.py"),
    "in_graph": with_servers("in_graph.py"),
    "trainer": four_processes("trainer.py", 400),
    "trainer_resumed": resumed,
    "trainer_sync": four_processes("trainer_sync.py", 80),
    "estimator": estimator,
}


def same(wanted, got):
    if isinstance(wanted, dict) and isinstance(got, dict):
        return wanted.keys() == got.keys() and all(same(v, got[k]) for k, v in wanted.items())
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(same, wanted, got))
    if isinstance(wanted, float) and isinstance(got, float):
        return abs(wanted - got) <= 1e-5 * max(1, abs(wanted))
    return wanted == got


def differences(wanted, got, where=""):
    if isinstance(wanted, dict) and isinstance(got, dict):
        for k in sorted(set(wanted) | set(got)):
            yield from differences(wanted.get(k), got.get(k), where + "/" + str(k))
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for i, (a, b) in enumerate(zip(wanted, got)):
            yield from differences(a, b, where + "/" + str(i))
    elif not same(wanted, got):
        yield "%s: %s is %s" % (where, json.dumps(wanted), json.dumps(got))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tensorflow")
    parser.add_argument("--record")
    parser.add_argument("--recorded")
    parser.add_argument("--mixtures", default="w,wt,tw")
    parser.add_argument("--table")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    args.weft = os.path.abspath(args.weft)
    programs, wanted, bad, rows = args.programs or list(PROGRAMS), {}, 0, []
    if args.recorded:
        with open(args.recorded) as f:
            wanted = json.load(f)
    for name in programs:
        said = []
        for letters in ([] if args.recorded else ["t"]) + args.mixtures.split(","):
            folder, begin = tempfile.mkdtemp(prefix="weft-distributed-"), time.time()
            got = PROGRAMS[name](Mixture(args, letters), folder)
            shutil.rmtree(folder, ignore_errors=True)
            if name not in wanted:
                wanted[name] = got
            found = list(differences(wanted[name], got))
            said.append("same" if not found else "differs")
            print("%-18s %-3s %s, %.0f s" % (name, letters, said[-1], time.time() - begin), *("\n   " + f[:500] for f in found[:8]), flush=True)
            if not args.recorded and letters == "t" and ("failed" in str(got) or "hangs" in str(got)):
                print("   TensorFlow: %s" % str(got)[:1500])
            bad += bool(found)
        rows.append("| %s | %s |" % (name, " | ".join(said if args.recorded else said[1:])))
    if args.record:
        with open(args.record, "w") as f:
            json.dump(wanted, f, indent=0, sort_keys=True)
            f.write("\n")
    table = ["| program | %s |" % args.mixtures.replace(",", " | "), "|---" * (len(args.mixtures.split(",")) + 1) + "|"] + rows
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(table) + "\n")
    print("\n".join(table))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
