"""Kills and pauses the tasks of a training (cluster_counted_training.py; a parameter server and two workers, each a process) at random moments, and says what became
of it. A killed task is started again, a paused one goes on, both after a random time. Then both workers must make steps again within a limit, and no step may be
lost that came after the restored checkpoint, or applied twice. A worker that ends with an error is counted under the error's name, and started again.

    python3 tests/interop/cluster_failures.py --weft build/release/bin/weft [--tensorflow PYTHON] [--events 100] [--seed N] [--table FILE]

With --tensorflow all processes but the one that checks are TensorFlow's. Exit status 1 if a task hung or a step was lost or applied twice."""

import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))
import measuring  # noqa: E402

TASKS = [("ps", 0), ("worker", 0), ("worker", 1)]
KIND = {("ps", 0): "parameter server", ("worker", 0): "chief", ("worker", 1): "other worker"}


class Training:
    def __init__(self, args, folder):
        ports = measuring.free_ports(3)
        self.args, self.folder = args, folder
        self.cluster = {"ps": ["localhost:%d" % ports[0]], "worker": ["localhost:%d" % p for p in ports[1:]]}
        self.running = {}
        for task in TASKS:
            self.start(task)
        self.checker = subprocess.Popen(self.command("check", 0, True), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=open(os.path.join(folder, "check.log"), "a"))

    def command(self, job, task, weft):
        script = [os.path.join(HERE, "cluster_counted_training.py"), job, str(task), json.dumps(self.cluster), self.folder]
        return ([self.args.weft, "py"] if weft else [self.args.tensorflow]) + script

    def log(self, task):
        return os.path.join(self.folder, "%s.%d.log" % task)

    def start(self, task):
        self.running[task] = subprocess.Popen(self.command(task[0], task[1], not self.args.tensorflow), stdout=subprocess.DEVNULL, stderr=open(self.log(task), "a"),
                                              start_new_session=True)

    def signal(self, task, number):
        os.kill(self.running[task].pid, number)

    def confirmed(self, worker):
        """How many bytes a worker has written about confirmed steps."""
        path = os.path.join(self.folder, "confirmed.%d" % worker)
        return os.path.getsize(path) if os.path.exists(path) else 0

    def ended(self):
        """[(task, the name of its error)] of tasks that have ended by themselves."""
        out = []
        for task, process in self.running.items():
            if process.poll() is not None:
                with open(self.log(task)) as f:
                    said = re.findall(r"^(?:[\w.]+\.)?(\w+(?:Error|Exception|Interrupt)\b)", f.read(), re.M)
                out.append((task, said[-1] if said else "status %d" % process.returncode))
        return out

    def goes_on(self, limit):
        """Waits until both workers have made ten steps. Returns seconds, or None after the limit; and the names of errors with which tasks ended meanwhile."""
        begin, errors, from_here = time.time(), [], [self.confirmed(i) for i in (0, 1)]
        while time.time() - begin < limit:
            for task, name in self.ended():
                errors.append(name)
                self.start(task)
            if all(self.confirmed(i) > from_here[i] + 250 for i in (0, 1)):
                return time.time() - begin, errors
            time.sleep(0.02)
        return None, errors

    def check(self, command=""):
        """[what is wrong], number of steps applied"""
        self.checker.stdin.write(command + "\n")
        self.checker.stdin.flush()
        for line in self.checker.stdout:
            if line.startswith("CHECK "):
                return json.loads(line[6:])
        return [["the checking process ended"], 0]

    def stop(self):
        self.checker.kill()
        for process in self.running.values():
            process.kill()
            process.send_signal(signal.SIGCONT)
        for process in list(self.running.values()) + [self.checker]:
            process.wait()


def plan(dice, events):
    """[(task, "killed" or "paused")]: each of them equally often, in random order."""
    kinds, out = [(task, what) for task in TASKS for what in ("killed", "paused")], []
    while len(out) < events:
        out += dice.sample(kinds, len(kinds))
    return out[:events]


def event(training, dice, task, what, limit):
    """(task, what, outcome, seconds to recover)"""
    time.sleep(dice.uniform(0.2, 2.5))
    training.signal(task, signal.SIGKILL if what == "killed" else signal.SIGSTOP)
    if what == "killed":
        training.running[task].wait()
    time.sleep(dice.uniform(0.05, 2.0 if what == "killed" else 4.0))
    if what == "killed":
        training.start(task)
    else:
        training.signal(task, signal.SIGCONT)
    seconds, errors = training.goes_on(limit)
    if seconds is None:
        return task, what, "HANGS", None
    wrong, applied = training.check()
    if wrong:
        return task, what, "WRONG: " + "; ".join(wrong), seconds
    return task, what, errors[0] if errors else "recovered", seconds


def table(events):
    rows = ["| task | what | times | recovered | ended with an error | hung or wrong | median s | longest s |", "|---|---|---|---|---|---|---|---|"]
    for task in TASKS:
        for what in ("killed", "paused"):
            mine = [e for e in events if e[0] == task and e[1] == what]
            if not mine:
                continue
            bad = [e for e in mine if e[2] == "HANGS" or e[2].startswith("WRONG")]
            named = [e[2] for e in mine if e not in bad and e[2] != "recovered"]
            said = ", ".join("%d %s" % (named.count(n), n) for n in sorted(set(named))) or "0"
            times = [e[3] for e in mine if e[3] is not None] or [0]
            rows.append("| %s | %s | %d | %d | %s | %d | %.1f | %.1f |" % (KIND[task], what, len(mine), len(mine) - len(bad) - len(named), said, len(bad),
                                                                         statistics.median(times), max(times)))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tensorflow")
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--limit", type=float, default=60, help="seconds within which the workers must go on")
    parser.add_argument("--table")
    parser.add_argument("--keep", help="a folder for logs and checkpoints")
    args = parser.parse_args()
    args.weft = os.path.abspath(args.weft)
    print("seed %d" % args.seed, flush=True)
    folder = args.keep or tempfile.mkdtemp(prefix="weft-failures-")
    os.makedirs(os.path.join(folder, "checkpoints"), exist_ok=True)
    dice, begin, events = random.Random(args.seed), time.time(), []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no task stays behind
    training = Training(args, folder)
    try:
        seconds, errors = training.goes_on(args.limit)
        if seconds is None or errors:
            print("The training does not start: %s" % (errors or "no steps"))
            return 1
        for i, (task, what) in enumerate(plan(dice, args.events)):
            events.append(event(training, dice, task, what, args.limit))
            task, what, outcome, seconds = events[-1]
            print("%3d  %5.0f s  %-16s %s  %s%s" % (i + 1, time.time() - begin, KIND[task], what, outcome, "" if seconds is None else " after %.1f s" % seconds), flush=True)
            if outcome == "HANGS":
                break
        if events[-1][2] != "HANGS":
            print("%d events in %.0f s; %d steps applied, each once" % (len(events), time.time() - begin, training.check()[1]))
            # The check must see it if a step is lost and another one applied twice.
            found = training.check("plant")[0]
            if len(found) != 2:
                events.append((TASKS[0], "killed", "WRONG: the check overlooks %s" % found, None))
    finally:
        training.stop()
        bad = not events or any(e[2] == "HANGS" or e[2].startswith("WRONG") for e in events)
        if not bad and not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print("logs in %s" % folder)
    rows = table(events)
    print("\n".join(rows))
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(rows) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
