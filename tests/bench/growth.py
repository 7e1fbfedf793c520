"""How step times grow with batch, threads, concurrent sessions, depth and loop length: plots as SVG, and the fitted exponents.

    python growth.py --weft PATH/weft --reference DIR [--out DIR] [--seconds 0.5] [--work DIR]

Run it with a Python that has TensorFlow 2.21, which only writes the graphs. --reference is the folder of make_bench.py and workloads.py. Writes
growth_batch.svg, growth_sessions.svg, growth_depth.svg, growth_loop.svg and GROWTH.md to --out (default: the folder of this script).
"""
import argparse
import datetime
import os
import sys
import tempfile

import svg_plot

import measuring

BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
SESSIONS = [1, 2, 3, 4, 6, 8]
DEPTHS = [10, 30, 100, 300, 1000]
LENGTHS = [10, 30, 100, 300, 1000, 3000, 10000]


def builders(reference):
    sys.path.insert(0, reference)
    import make_bench
    import numpy as np
    import tensorflow.compat.v1 as tf
    import workloads

    def deep(layers):
        """A chain of dense layers of 32 units on 16 rows, with its training step."""
        def build():
            x = tf.placeholder(tf.float32, [16, 32], "x")
            h = x
            for i in range(layers):
                w = tf.get_variable("w%d" % i, [32, 32], initializer=tf.orthogonal_initializer(seed=i))
                h = tf.tanh(tf.nn.bias_add(tf.matmul(h, w), tf.get_variable("b%d" % i, [32], initializer=tf.zeros_initializer())))
            loss = tf.reduce_mean(tf.square(h))
            return {x: np.random.RandomState(0).randn(16, 32).astype(np.float32)}, tf.train.GradientDescentOptimizer(0.1).minimize(loss), loss
        return build

    def looped(length):
        """A recurrent cell of 32 units in a while loop, with its gradient."""
        def build():
            x = tf.placeholder(tf.float32, [8, 32], "x")
            w = tf.get_variable("w", [32, 32], initializer=tf.orthogonal_initializer(seed=1))
            _, h = tf.while_loop(lambda t, h: t < length, lambda t, h: (t + 1, tf.tanh(tf.matmul(h, w) + x)), [tf.constant(0), x])
            loss = tf.reduce_mean(tf.square(h))
            return {x: np.random.RandomState(0).randn(8, 32).astype(np.float32)}, tf.train.GradientDescentOptimizer(0.01).minimize(loss), loss
        return build

    def batches(net, threads):
        return [(b, "%s_%d" % (net, b), lambda b=b: getattr(workloads, net)(batch=b), ["--threads", str(threads)]) for b in BATCHES]

    def sessions(net):
        return [(n, net + "_32", lambda: getattr(workloads, net)(batch=32), ["--sessions", str(n)]) for n in SESSIONS]

    cores = len(os.sched_getaffinity(0))
    nets = ("mlp", "lenet")
    curves = {"batch": ("Step time over batch", "batch", {"%s, %d thread%s" % (n, t, "s"[:t > 1]): batches(n, t) for n in nets for t in sorted({1, cores})}),
              "sessions": ("Step time over concurrent sessions, batch 32", "sessions", {n: sessions(n) for n in nets}),
              "depth": ("Step time over depth", "layers", {"dense layers": [(d, "deep_%d" % d, deep(d), []) for d in DEPTHS]}),
              "loop": ("Step time over loop length", "rounds",
                       {"counter": [(n, "counter_%d" % n, lambda n=n: workloads.while_scalar(steps=n), []) for n in LENGTHS],
                        "recurrent cell and gradient": [(n, "cell_%d" % n, looped(n), []) for n in LENGTHS]})}
    return curves, make_bench.export


def milliseconds(weft, folder, seconds, options):
    """The median step; with --sessions N, the mean time between two steps of one of them."""
    found = measuring.found([weft, "bench", os.path.join(folder, "bench.json"), "--seconds", str(seconds), "--json", *options])
    return 1e3 * int(options[1]) / found["steps_per_second"] if "--sessions" in options else found["step_ms_median"]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--out", default=here)
    parser.add_argument("--work")
    parser.add_argument("--seconds", type=float, default=0.5)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    work = args.work or tempfile.mkdtemp(prefix="weft-growth-")
    curves, export = builders(os.path.abspath(args.reference))
    lines = ["# Growth of step times", "",
             "Median step times (ms) of training steps that grow in one direction, and the slope of log(time) over log(size) in the larger half of the sizes:",
             "1 is proportional. Over depth the slope is above 1 where a step's weights, activations and gradients (some 20 kB a layer) leave the second-level",
             "cache: the same ops take longer there. Of several sessions it is the mean time between two steps of one of them: 1 is a fair share of a machine that one session fills.",
             "Made by `growth.py`.", "", "- %s, %s, %d cores" % (datetime.date.today(), measuring.processor(), os.cpu_count()), ""]
    for key, (title, unit, series) in curves.items():
        measured = {}
        for name, points in series.items():
            measured[name] = []
            for size, label, build, options in points:
                if not os.path.exists(os.path.join(work, label, "bench.json")):
                    export(label, build, work)
                measured[name].append((size, milliseconds(args.weft, os.path.join(work, label), args.seconds, options)))
                print(title, name, *measured[name][-1], flush=True)
        svg_plot.plot(os.path.join(args.out, "growth_%s.svg" % key), title, unit, "ms per step", measured)
        lines += ["## " + title, "", "![%s](growth_%s.svg)" % (title, key), "", "| | " + " | ".join(str(p[0]) for p in next(iter(series.values()))) + " | exponent |",
                  "|---|" + "---|" * (len(next(iter(series.values()))) + 1)]
        lines += ["| %s | %s | %.2f |" % (name, " | ".join("%.3g" % y for _, y in values), svg_plot.exponent(values)) for name, values in measured.items()]
        lines.append("")
    with open(os.path.join(args.out, "GROWTH.md"), "w") as f:
        f.write("\n".join(lines))


if __name__ == "__main__":
    main()
