"""Saving and restoring 64 variables of 4 MB in Weft and in TensorFlow, alternately, with the same graph and the same saver ops.

    python checkpoints.py --bench PATH/weft-bench-cold [--out CHECKPOINTS.md] [--rounds 3] [--saves 5]

Run it with a Python that has TensorFlow 2.21. Files go to a temporary folder and are read back from the page cache; each save has a new name.
"""
import argparse
import datetime
import json
import os
import statistics
import sys
import tempfile
import time

import measuring

VARIABLES, SIDE = 64, 1024


def build(tf):
    for i in range(VARIABLES):
        tf.get_variable("v%02d" % i, [SIDE, SIDE], initializer=tf.random_normal_initializer(seed=i))
    return tf.train.Saver(max_to_keep=1)


def tensorflow_rates(prefix, saves):
    """Measures TensorFlow in a separate process."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow.compat.v1 as tf
    tf.disable_eager_execution()
    tf.disable_resource_variables()
    saver = build(tf).as_saver_def()
    found = {"save_gbs": [], "restore_gbs": []}
    amount = VARIABLES * SIDE * SIDE * 4e-9
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in range(saves):
            at = "%s-%d" % (prefix, i)
            start = time.perf_counter()
            session.run(saver.save_tensor_name, {saver.filename_tensor_name: at})
            middle = time.perf_counter()
            session.run(saver.restore_op_name, {saver.filename_tensor_name: at})
            found["save_gbs"].append(amount / (middle - start))
            found["restore_gbs"].append(amount / (time.perf_counter() - middle))
            for end in (".index", ".data-00000-of-00001"):
                os.remove(at + end)
    print(json.dumps(found))


def export(path):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow.compat.v1 as tf
    tf.disable_eager_execution()
    tf.disable_resource_variables()
    saver = build(tf)
    tf.global_variables_initializer()
    saver.export_meta_graph(path)
    print(tf.__version__)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench")
    parser.add_argument("--out", default=os.path.join(here, "CHECKPOINTS.md"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--saves", type=int, default=5)
    parser.add_argument("--part", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part:
        return export(args.part[1]) if args.part[0] == "export" else tensorflow_rates(args.part[1], args.saves)
    if not args.bench:
        parser.error("--bench is needed")
    rates = {side: {"save_gbs": [], "restore_gbs": []} for side in ("TensorFlow", "Weft")}
    with tempfile.TemporaryDirectory(prefix="weft-checkpoints-") as folder:
        meta, prefix = os.path.join(folder, "graph.meta"), os.path.join(folder, "model")
        version = measuring.said([sys.executable, os.path.abspath(__file__), "--part", "export", meta]).strip().splitlines()[-1]
        for _ in range(args.rounds):
            for side, command in (("TensorFlow", [sys.executable, os.path.abspath(__file__), "--saves", str(args.saves), "--part", "run", prefix]),
                                  ("Weft", [args.bench, "checkpoint", meta, prefix, str(args.saves)])):
                found = measuring.found(command)
                for key, values in rates[side].items():
                    values += found[key]
                print(side, {k: ["%.2f" % v for v in found[k]] for k in rates[side]}, flush=True)
    lines = ["# Checkpoints", "",
             "GB/s of saving and restoring %d variables of %d MB each by the same graph's saver, files in the page cache, checksums compared. Median (lowest to"
             % (VARIABLES, SIDE * SIDE * 4 >> 20),
             "highest) of %d saves in %d processes of each side, in turn. The slowest are first saves, for which the machine has to find memory that nobody had"
             % (args.rounds * args.saves, args.rounds), "yet. Made by `checkpoints.py`.", "",
             "- %s, %d cores, TensorFlow %s" % (datetime.date.today(), os.cpu_count(), version), "", "| | save | restore |", "|---|---|---|"]
    for side, found in rates.items():
        cells = ["%.2f (%.2f to %.2f)" % (statistics.median(v), min(v), max(v)) for v in (found["save_gbs"], found["restore_gbs"])]
        lines.append("| %s | %s | %s |" % (side, *cells))
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")
    print("\n".join(lines[-2:]))


if __name__ == "__main__":
    main()
