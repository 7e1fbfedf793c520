#!/usr/bin/env python3
"""Training steps of twelve networks of other families (family_nets.py) on TensorFlow 2.x and on Weft, in turn, by the same program.

    families.py table --weft PATH/weft --python PYTHON [--rounds 3] [--seconds 2] [--rows ROWS.json] [--out FAMILIES.md] [NAME ...]
    families.py step NAME [--seconds 2]     # by TensorFlow's Python or by `weft py`: builds and times one network, prints one JSON line
    families.py write FOLDER [NAME ...]     # NAME/graph.meta, init (checkpoint), feeds.npz, bench.json, for `weft bench` and `weft profile`

PYTHON is one with TensorFlow 2.x. The first five losses of both engines must agree (relative 1e-3), otherwise the row tells the difference and has no ratio.
A third column measures the written graph by `weft bench`: the step without Python. --rows keeps the measured rows in a file: a later call measures its
NAMEs again and writes the table of all rows.
"""
import argparse
import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

FIRST_STEPS = 5


def tensorflow():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    tf.disable_control_flow_v2()
    return tf


def peak_megabytes():
    """Peak memory of this process; getrusage() would also count the process before exec."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def step(args):
    tf = tensorflow()
    import family_nets
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1234)
        feeds, train, loss = family_nets.NETWORKS[args.name]()
        session.run(tf.global_variables_initializer())
        # The cheapest way that TensorFlow offers to run the same step again and again.
        run = session.make_callable([loss, train], feed_list=list(feeds))
        values = list(feeds.values())
        losses = [float(run(*values)[0]) for _ in range(FIRST_STEPS)]
        times, end = [], time.perf_counter() + args.seconds
        while time.perf_counter() < end or len(times) < 5:
            start = time.perf_counter()
            run(*values)
            times.append(1e3 * (time.perf_counter() - start))
    print(json.dumps({"name": args.name, "engine": tf.__version__, "steps": len(times), "step_ms_median": statistics.median(times),
                      "step_ms_min": min(times), "first_losses": losses, "peak_rss_mb": peak_megabytes()}))


def write(args):
    tf = tensorflow()
    import family_nets
    import numpy as np
    for name in args.names or family_nets.NETWORKS:
        folder = os.path.join(args.folder, name)
        os.makedirs(folder, exist_ok=True)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1234)
            feeds, train, loss = family_nets.NETWORKS[name]()
            init, saver = tf.global_variables_initializer(), tf.train.Saver(tf.global_variables())
            with open(os.path.join(folder, "graph.meta"), "wb") as f:
                f.write(tf.train.export_meta_graph(saver_def=saver.as_saver_def()).SerializeToString())
            session.run(init)
            saver.save(session, os.path.join(folder, "init"), write_meta_graph=False, write_state=False)
        np.savez(os.path.join(folder, "feeds.npz"), **{k.name: v for k, v in feeds.items()})
        with open(os.path.join(folder, "bench.json"), "w") as f:
            json.dump({"name": name, "graph": "graph.meta", "restore": "init", "feeds": "feeds.npz", "target": train.name, "fetch": loss.name}, f, indent=1)


def last_json(command):
    """The JSON line that a command prints, or {"error": …} with the last line of what it said."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 0 and lines:
        return json.loads(lines[-1])
    said = (done.stderr or done.stdout).strip().splitlines()
    return {"error": said[-1][:200] if said else "exit status %d" % done.returncode}


def agree(a, b):
    return len(a) == len(b) and all(math.isclose(p, q, rel_tol=1e-3, abs_tol=1e-6) for p, q in zip(a, b))


def row(name, theirs, ours, bare):
    error = next((r["error"] for r in theirs + ours + bare if "error" in r), None)
    if not error:
        for other in (ours, bare):
            if not agree(theirs[0]["first_losses"], other[0]["first_losses"]):
                error = "losses differ: %s, %s" % (theirs[0]["first_losses"], other[0]["first_losses"])
    if error:
        return {"name": name, "error": error}
    tf_ms, weft_ms, bare_ms = (statistics.median(r["step_ms_median"] for r in side) for side in (theirs, ours, bare))
    return {"name": name, "tf_ms": tf_ms, "weft_ms": weft_ms, "bare_ms": bare_ms, "ratio": tf_ms / weft_ms,
            "tf_mb": theirs[-1]["peak_rss_mb"], "weft_mb": ours[-1]["peak_rss_mb"], "bare_mb": bare[-1]["peak_rss_mb"]}


def measure(args, names):
    import measuring
    script, seconds = os.path.abspath(__file__), ["--seconds", str(args.seconds)]
    with tempfile.TemporaryDirectory() as folder:
        measuring.said([args.weft, "py", script, "write", folder, *names])
        for name in names or sorted(os.listdir(folder)):
            theirs, ours, bare = [], [], []
            for _ in range(args.rounds):
                theirs.append(last_json([args.python, script, "step", name, *seconds]))
                ours.append(last_json([args.weft, "py", script, "step", name, *seconds]))
                bare.append(last_json([args.weft, "bench", os.path.join(folder, name, "bench.json"), *seconds, "--json"]))
            found = row(name, theirs, ours, bare)
            print(json.dumps(found), flush=True)
            yield name, found


def table(args):
    import measuring
    kept = {}
    if args.rows and os.path.exists(args.rows):
        with open(args.rows) as f:
            kept = json.load(f)
    kept.update(measure(args, args.names))
    if args.rows:
        with open(args.rows, "w") as f:
            json.dump(kept, f, indent=1)
    rows = [kept[name] for name in sorted(kept)]
    good = [r for r in rows if "error" not in r]
    version = measuring.said([args.python, "-c", "import os; os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'; import tensorflow as t; print(t.__version__)"])
    lines = ["# Twelve networks of other families beside TensorFlow", "",
             "The networks of `family_nets.py`: a training step (forward, backward, update) fed from host memory, by the same program on both engines in turn",
             "(T W T W …), the median of the rounds' median step times. *Without Python*: the written graph by `weft bench`. Memory is the peak of the process.",
             "Made by `families.py`.", "",
             "- %s, %s, %d cores" % (datetime.date.today().isoformat(), measuring.processor(), os.cpu_count()),
             "- TensorFlow %s, %s" % (version.strip(), measuring.said([args.weft, "--version"]).strip().splitlines()[0]), "",
             "| network | TensorFlow ms | Weft ms | TensorFlow / Weft | without Python ms | TensorFlow MB | Weft MB | without Python MB |", "|---|---|---|---|---|---|---|---|"]
    for r in rows:
        lines.append("| %s | failed: %s |||||||" % (r["name"], r["error"]) if "error" in r else
                     "| %s | %.3f | %.3f | %.2f | %.3f | %.0f | %.0f | %.0f |" %
                     tuple(r[k] for k in ("name", "tf_ms", "weft_ms", "ratio", "bare_ms", "tf_mb", "weft_mb", "bare_mb")))
    if good:
        least = min(good, key=lambda r: r["ratio"])
        lines += ["", "Geometric mean %.2f, lowest %.2f (%s), %d failed." % (math.exp(statistics.mean(math.log(r["ratio"]) for r in good)), least["ratio"],
                                                                           least["name"], len(rows) - len(good))]
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")
    return 0 if len(good) == len(rows) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("step")
    one.add_argument("name")
    one.add_argument("--seconds", type=float, default=2.0)
    files = commands.add_parser("write")
    files.add_argument("folder")
    files.add_argument("names", nargs="*")
    whole = commands.add_parser("table")
    whole.add_argument("--weft", required=True)
    whole.add_argument("--python", required=True)
    whole.add_argument("--rounds", type=int, default=3)
    whole.add_argument("--seconds", type=float, default=2.0)
    whole.add_argument("--rows")
    whole.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "FAMILIES.md"))
    whole.add_argument("names", nargs="*")
    args = parser.parse_args()
    return {"step": step, "write": write, "table": table}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
