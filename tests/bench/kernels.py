"""Single ops compared with direct oneDNN calls, and element-wise fusion compared with the triad, as a table.

    python kernels.py --bench PATH/weft-bench-kernels [--out KERNELS.md]
"""
import argparse
import datetime
import json
import os
import statistics

import measuring


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--out", default=os.path.join(here, "KERNELS.md"))
    args = parser.parse_args()
    found = [json.loads(line) for line in measuring.said([args.bench]).splitlines()]
    kernels, triad = found[:-1], found[-1]
    ratios = [f["ratio"] for f in kernels]
    lines = ["# Kernels", "",
             "Single ops in a session beside direct oneDNN calls on the same tensors in the same layouts, both in turn: medians of 30 pairs. A ratio above 1 means",
             "that the session is faster. What oneDNN is given: images as NHWC, filters as HWIO, reordered if it wants them otherwise; the gradient of a maximum has",
             "its places from a forward pass, which a session has to find. Made by `kernels.py`.", "", "- %s, %d cores" % (datetime.date.today(), os.cpu_count()),
             "- median of %d ratios %.3f, lowest %.3f, %d below 0.95" % (len(ratios), statistics.median(ratios), min(ratios), sum(r < 0.95 for r in ratios)),
             "- relu(a * x + y) in one pass: %.0f %% of the bandwidth of the triad (%s)" % (100 * triad["ratio"], triad["name"].replace("triad of ", "")), "",
             "| op | Weft µs | oneDNN µs | ratio |", "|---|---|---|---|"]
    lines += ["| %s | %.1f | %.1f | %.3f |" % (f["name"], f["weft_us"], f["direct_us"], f["ratio"]) for f in kernels]
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")
    print("\n".join(lines[6:9]))


if __name__ == "__main__":
    main()
