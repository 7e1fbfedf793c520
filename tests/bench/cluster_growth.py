#!/usr/bin/env python3
"""How a cluster grows with its number of tasks: the time until all processes listen, until a session has run its first step, the time of a step that needs a
tensor of every task, and memory. One process per task, all on this machine.

    cluster_growth.py --weft PATH/weft [--tasks 2 4 8 16 32] [--out FOLDER]

Writes CLUSTER_GROWTH.md and cluster_growth_*.svg. Run by `weft py`, with a target and a number of tasks, it is the session that is measured.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import measuring

HERE = os.path.dirname(os.path.abspath(__file__))


def session(target, tasks):
    """Of each task a variable of 1,000 floats; the step adds them up on task 0."""
    import tensorflow as tf
    parts = []
    for task in range(tasks):
        with tf.device("/job:worker/task:%d" % task):
            parts.append(tf.Variable(tf.ones([1000]), name="part%d" % task) * 1.0)
    with tf.device("/job:worker/task:0"):
        total = tf.reduce_sum(tf.add_n(parts))
    begin = time.perf_counter()
    s = tf.Session(target)
    s.run(tf.global_variables_initializer())
    assert s.run(total) == 1000 * tasks
    ready = time.perf_counter() - begin
    times, end = [], time.perf_counter() + 3
    while time.perf_counter() < end:
        begin = time.perf_counter()
        s.run(total)
        times.append(time.perf_counter() - begin)
    return {"ready": ready, "step": statistics.median(times)}


def resident(pid):
    """MB that the process alone holds, and of shared pages its share."""
    with open("/proc/%d/smaps_rollup" % pid) as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def measure(weft, tasks):
    cluster = "worker=" + ",".join("localhost:%d" % p for p in measuring.free_ports(tasks))
    begin = time.perf_counter()
    servers = [subprocess.Popen([weft, "server", "--cluster", cluster, "--job", "worker", "--task", str(task)], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True) for task in range(tasks)]
    try:
        for server in servers:
            if not server.stdout.readline():
                raise RuntimeError("a server ended")
        started = time.perf_counter() - begin
        target = "grpc://" + cluster.split("=")[1].split(",")[0]
        done = subprocess.run([weft, "py", os.path.abspath(__file__), "--session", target, str(tasks)], stdout=subprocess.PIPE, check=True, text=True)
        found = json.loads(done.stdout.strip().splitlines()[-1])
        found.update(started=started, memory=sum(resident(s.pid) for s in servers), master=resident(servers[0].pid))
        return found
    finally:
        for server in servers:
            server.kill()
            server.wait()


def main():
    if sys.argv[1] == "--session":
        print(json.dumps(session(sys.argv[2], int(sys.argv[3]))))
        return
    sys.path.insert(0, HERE)
    import svg_plot
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tasks", type=int, nargs="*", default=[2, 4, 8, 16, 32])
    parser.add_argument("--out", default=HERE)
    args = parser.parse_args()
    rows = {n: measure(os.path.abspath(args.weft), n) for n in args.tasks}
    times = {"all processes listen": "started", "session ready (first step done)": "ready", "one step": "step"}
    series = {title: [(n, rows[n][key] * 1e3) for n in args.tasks] for title, key in times.items()}
    memory = {"all tasks": [(n, rows[n]["memory"]) for n in args.tasks], "the master's": [(n, rows[n]["master"]) for n in args.tasks]}
    svg_plot.plot(os.path.join(args.out, "cluster_growth_time.svg"), "Time over the number of tasks", "tasks", "ms", series)
    svg_plot.plot(os.path.join(args.out, "cluster_growth_memory.svg"), "Memory over the number of tasks", "tasks", "MB", memory)
    head = ["# Growth of a cluster", "",
            "One process of `weft server` per task, all on this machine (%d processors, load %.1f). Each task has a variable of 1,000 floats; a step adds them up on task 0,"
            % (len(os.sched_getaffinity(0)), os.getloadavg()[0]),
            "so that the master calls every worker and receives a tensor of each. The exponent is the slope of log(value) over log(tasks) in the larger half: 1 is",
            "proportional. Memory is what a process holds alone, and of shared pages its share. Made by `cluster_growth.py`.", "",
            "![Time over the number of tasks](cluster_growth_time.svg)", "", "![Memory over the number of tasks](cluster_growth_memory.svg)", ""]
    lines = ["| | " + " | ".join(str(n) for n in args.tasks) + " | exponent |", "|---" * (len(args.tasks) + 2) + "|"]
    for unit, group in (("ms", series), ("MB", memory)):
        for title, points in group.items():
            lines.append("| %s, %s | %s | %.2f |" % (title, unit, " | ".join("%.3g" % y for _, y in points), svg_plot.exponent(points)))
    most = args.tasks[-1]
    lines += ["", "## On paper", "", "The same lines drawn on, with all tasks on this machine; on machines of their own, the tasks' shares of time and memory run side by side.", "",
              "| | 1,000 tasks | 10,000 tasks |", "|---|---|---|"]
    for unit, group in (("ms", series), ("MB", memory)):
        for title, points in group.items():
            slope = svg_plot.exponent(points)
            lines.append("| %s, %s | %s |" % (title, unit, " | ".join("%.2g" % (points[-1][1] * (n / most) ** slope) for n in (1000, 10000))))
    per_task = rows[most]["step"] / most * 1e6
    least = args.tasks[len(args.tasks) // 2]
    kilobytes = (rows[most]["master"] - rows[least]["master"]) / (most - least) * 1024
    lines += ["", "What the master itself does per task and step (one message out, two in, %.0f µs here with the worker's part) stays proportional. It makes the sessions of the workers and" % per_task,
              "registers their graphs one after another, which on a network costs two round trips per task: 1 s for 1,000 tasks at 0.5 ms each, 10 s for 10,000; sent at once they would take",
              "one. The master's memory grew by %.0f kB per task here, graphs and connections together. 1,000 connections are near the usual limit of 1,024 open files, 10,000 beyond it. Before" % kilobytes,
              "that, TensorFlow's protocol itself is the limit: a step that needs all tasks waits for the slowest."]
    print("\n".join(lines))
    with open(os.path.join(args.out, "CLUSTER_GROWTH.md"), "w") as out:
        out.write("\n".join(head + lines) + "\n")


main()
