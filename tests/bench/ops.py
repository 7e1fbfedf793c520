"""Single ops on TensorFlow and on Weft, in turn: medians, ratios, and which ops are slower.

    python ops.py --weft PATH/weft --tensorflow PATH/python [--types f32,f64,f16,i32] [--sizes 1024,4096,262144,1048576] [--ops WORD,…] [--seconds 0.04] [--out FILE]

--tensorflow is a Python with TensorFlow 2.21. Both engines run ops_cases.py: the same ops on variables of the same values, as targets of Session.run. Each op is
measured on one engine and then on the other, --rounds times; the ratio is TensorFlow's median time over Weft's (above 1: Weft is faster). Writes a table to --out
(default: OPS.md in the folder of this script) and all times to --json. --ops: only ops whose name contains one of the words.
"""
import argparse
import datetime
import json
import math
import os
import subprocess
import sys
import time

AT_ONCE = 40  # ops whose plans and memory a session holds


def serve():
    """Reads commands from standard input, one JSON list a line, and answers each with a line of JSON."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import ops_cases
    from ops_cases import CASES, TYPES, tf
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    threads = os.cpu_count()
    config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
    session, runs = None, {}

    def listed(dtype, words, once):
        kind = "f" if TYPES[dtype].is_floating else "i" if TYPES[dtype].is_integer else ""
        return [name for name, (kinds, _) in CASES.items()
                if (not words or any(w in name for w in words)) and ("a" in kinds or kind and kind in kinds or once and "o" in kinds)]

    def build(dtype, n, names):
        """A new session with the ops. Errors of graphs as a whole, such as kernels that do not exist, are raised."""
        nonlocal session
        runs.clear()
        if session:
            session.close()
        tf.reset_default_graph()
        inputs, built, failed = ops_cases.Inputs(dtype, n), {}, {}
        for name in names:
            try:
                result = CASES[name][1](inputs)
                if result is not None:
                    built[name] = getattr(result, "op", result)
            except Exception as e:
                failed[name] = repr(e)[:200]
        session = tf.Session(config=config)
        for initializer, place, value in inputs.starts:
            session.run(initializer, {place: value})
        session.run([v.initializer for v in tf.global_variables() if not any(v is made for made in inputs.made.values())])
        for name, op in built.items():
            try:
                run = session.make_callable(op)
                for _ in range(3):
                    run()
                runs[name] = run
            except Exception as e:
                failed[name] = repr(e)[:200]
        return failed

    def prepare(dtype, n, names):
        failed = {}
        try:
            failed = build(dtype, n, names)
        except Exception:
            for name in names:
                try:
                    failed.update(build(dtype, n, [name]))
                except Exception as e:
                    failed[name] = repr(e)[:200]
            failed.update(build(dtype, n, [name for name in names if name not in failed]))
        return {"ops": list(runs), "failed": failed}

    for line in sys.stdin:
        command, *rest = json.loads(line)
        if command == "list":
            answer = listed(*rest)
        elif command == "prepare":
            answer = prepare(*rest)
        else:
            name, seconds = rest
            run, times, end = runs[name], [], time.perf_counter() + seconds
            run()
            while len(times) < 5 or time.perf_counter() < end:
                begin = time.perf_counter()
                run()
                times.append(time.perf_counter() - begin)
            answer = sorted(t * 1e6 for t in times)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Engine:
    """One engine's process."""

    def __init__(self, command):
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, stderr=subprocess.DEVNULL)

    def ask(self, *command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("an engine ended during %s" % json.dumps(command))
        return json.loads(line)


def median(values):
    return sorted(values)[len(values) // 2]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--tensorflow", required=True)
    parser.add_argument("--types", default="f32,f64,f16,i32")
    parser.add_argument("--sizes", default="1024,4096,262144,1048576")
    parser.add_argument("--ops", default="")
    parser.add_argument("--seconds", type=float, default=0.04)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", default=os.path.join(here, "OPS.md"))
    parser.add_argument("--json")
    args = parser.parse_args()
    script = os.path.abspath(__file__)
    engines = {"tf": Engine([args.tensorflow, script, "--serve"]), "weft": Engine([args.weft, "py", script, "--serve"])}
    words = [w for w in args.ops.split(",") if w]
    results, failures = {}, {}
    for n in map(int, args.sizes.split(",")):
        for k, dtype in enumerate(args.types.split(",")):
            names = engines["tf"].ask("list", dtype, words, k == 0)
            for first in range(0, len(names), AT_ONCE):
                measure(engines, dtype, n, names[first:first + AT_ONCE], args, results, failures)
            print("%s, %d elements: %d ops" % (dtype, n, len([1 for key in results if key[1:] == (dtype, n)])), flush=True)
            write(args, results, failures)
    summarize(results, failures)


def measure(engines, dtype, n, names, args, results, failures):
    found = {e: engine.ask("prepare", dtype, n, names) for e, engine in engines.items()}
    for name, message in found["weft"]["failed"].items():
        if name in found["tf"]["ops"]:
            failures[name, dtype, n] = message
    for name in found["tf"]["ops"]:
        if name not in found["weft"]["ops"]:
            continue
        times = {e: [] for e in engines}
        for _ in range(args.rounds):
            for e, engine in engines.items():
                times[e] += engine.ask("time", name, args.seconds)
        results[name, dtype, n] = [median(times["tf"]), median(times["weft"])]


def slow_ones(results):
    return sorted((t / w, key) for key, (t, w) in results.items() if t / w < 0.9)


def write(args, results, failures):
    if args.json:
        with open(args.json, "w") as f:
            json.dump([[*key, *times] for key, times in results.items()], f)
    ratios = {key: t / w for key, (t, w) in results.items()}
    slow = slow_ones(results)
    import measuring
    lines = ["# Single ops", "",
             "Median times of single ops on TensorFlow 2.21 and on Weft, measured in turn, and the ratio (above 1: Weft is faster). Made by `ops.py`.", "",
             "- %s, %d cores, %s, load average %.1f (about one of it is this script's)" % (
                 datetime.date.today(), os.cpu_count(), measuring.processor(), os.getloadavg()[2]), "- `ops.py %s`" % " ".join(
                 "--%s %s" % (k, getattr(args, k)) for k in ("types", "sizes", "seconds", "rounds") + (("ops",) if args.ops else ())), "",
             "## Geometric means", "", "| type | " + " | ".join("{:,}".format(int(n)) for n in args.sizes.split(",")) + " | all |",
             "|---|" + "---|" * (len(args.sizes.split(",")) + 1)]
    for dtype in args.types.split(",") + ["all"]:
        cells = []
        for n in [int(n) for n in args.sizes.split(",")] + [None]:
            cells.append([r for (_, d, m), r in ratios.items() if dtype in (d, "all") and n in (m, None)])
        lines.append("| %s | %s |" % (dtype, " | ".join("%.2f of %d" % (geometric_mean(c), len(c)) for c in cells)))
    lines += ["", "%d of %d are below 1, %d below 0.9." % (sum(r < 1 for r in ratios.values()), len(ratios), len(slow)), "", "## Below 0.9", "",
              "| op | type | elements | TensorFlow µs | Weft µs | ratio |", "|---|---|---|---|---|---|"]
    for ratio, (name, dtype, n) in slow:
        lines.append("| %s | %s | %s | %.1f | %.1f | %.2f |" % (name, dtype, "{:,}".format(n), *results[name, dtype, n], ratio))
    if failures:
        lines += ["", "## Only on TensorFlow", ""] + ["- %s, %s, %d: %s" % (*key, message) for key, message in failures.items()]
    lines += ["", "## All", "", "µs on TensorFlow / µs on Weft = ratio.", ""]
    columns = [(d, int(n)) for d in args.types.split(",") for n in args.sizes.split(",")]
    lines += ["| op | " + " | ".join("%s %s" % (d, "{:,}".format(n)) for d, n in columns) + " |", "|---|" + "---|" * len(columns)]
    for name in dict.fromkeys(key[0] for key in results):
        cells = ["%.3g / %.3g = %.2f" % (*results[name, d, n], ratios[name, d, n]) if (name, d, n) in results else "" for d, n in columns]
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")


def summarize(results, failures):
    slow = slow_ones(results)
    ratios = [t / w for t, w in results.values()]
    for ratio, (name, dtype, n) in slow:
        print("%5.2f  %-34s %-5s %8d  %10.1f %10.1f" % (ratio, name, dtype, n, *results[name, dtype, n]))
    print("%d ops, geometric mean %.2f, below 1: %d, below 0.9: %d, only on TensorFlow: %d" % (
        len(ratios), geometric_mean(ratios), sum(r < 1 for r in ratios), len(slow), len(failures)))
    for key, message in failures.items():
        print("only on TensorFlow:", *key, message)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main()
