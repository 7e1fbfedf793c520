#!/usr/bin/env python3
"""Training steps by Weft, TensorFlow 2.x, JAX and PyTorch, the latter two compiled, on the same graphs.

    frameworks.py --weft PATH/weft --python tf=PATH --python jax=PATH --python torch=PATH [--rounds 3] [--seconds 0.5] [--rows ROWS.json] [--out FRAMEWORKS.md] FOLDER…

A FOLDER is the output of make_bench.py or of `families.py write`, or one workload in it. Each pair is measured by `weft bench … --against ENGINE`, in turn, after the
values of the first steps were compared. --rows keeps measured rows in a file: a later call measures its FOLDERs again and writes the table of all.
"""
import argparse
import json
import os
import sys

import measuring

ENGINES = {"tf": "TensorFlow", "jax": "JAX", "torch": "PyTorch"}


def specs(folders):
    """The name and the bench.json of each workload in the folders."""
    for folder in folders:
        names = [""] if os.path.exists(os.path.join(folder, "bench.json")) else measuring.workloads(folder, [])
        for name in names:
            path = os.path.normpath(os.path.join(folder, name))
            yield os.path.basename(path), os.path.join(path, "bench.json")


def cell(pair):
    return "–" if pair is None or "error" in pair else "%.3g / %.3g = %.2f" % (pair["ms"], pair["weft_ms"], pair["ms"] / pair["weft_ms"])


def write(args, rows):
    lines = ["# Training beside other frameworks", "",
             "The same training step, fed from host memory, all threads. TensorFlow runs the graph as it is; for JAX and PyTorch it is translated and compiled (jit, torch.compile).",
             "In each pair both engines run in turn, in processes of their own, and the values of their first five steps agree to 0.1 %. A cell: the other engine's median step in",
             "milliseconds / Weft's beside it = ratio. The last column is the smallest ratio: above 1 Weft is the fastest. Made by `frameworks.py`.", "",
             *measuring.where_measured(args, [p for row in rows.values() for p in row.values()]),
             "| network | %s | best of the others / Weft |" % " | ".join(ENGINES.values()), "|---|%s---|" % ("---|" * len(ENGINES))]
    ratios, failures = [], []
    for name, row in sorted(rows.items()):
        best = measuring.fastest(row.values())
        if best:
            ratios.append(best["ms"] / best["weft_ms"])
        lines.append("| %s | %s | %s |" % (name, " | ".join(cell(row.get(e)) for e in ENGINES), "%.2f (%s)" % (ratios[-1], best["engine"].split()[0]) if best else "–"))
        failures += ["- %s, %s: %s" % (name, ENGINES[e], p["error"].replace("weft: ", "", 1)) for e, p in row.items() if "error" in p]
    measuring.write_table(args.out, lines, ratios, failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measuring.pairing_arguments(parser, "FRAMEWORKS.md")
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    rows = measuring.kept_rows(args)
    for name, spec in specs(args.folders):
        rows[name] = dict(rows.get(name, {}))
        for engine, python in measuring.pythons(args).items():
            rows[name][engine] = measuring.against(args.weft, spec, engine, python, args.rounds, args.seconds)
            print(name, engine, json.dumps(rows[name][engine]), flush=True)
            measuring.keep_rows(args, rows)
    write(args, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
