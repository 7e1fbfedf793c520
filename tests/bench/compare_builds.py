"""Compares two builds of Weft on exported workloads, alternately, and confirms a slowdown before reporting it.

    python compare_builds.py --before PATH/weft --after PATH/weft [--rounds 7] [--seconds 0.5] [--threads N] WORKLOADS [NAME ...]

Each round runs both builds, in alternating order, and gives one ratio of median step times; the result is the median of the ratios. A workload that appears
slower by more than --tolerance is measured again with twice as many rounds. It counts as slower only if both measurements say so.
Exit status: 0 if none is slower, 1 if one is, 2 if something did not run.
"""
import argparse
import math
import os
import statistics
import sys

import measuring


def median_step(weft, spec, args):
    command = [weft, "bench", spec, "--seconds", str(args.seconds), "--json"] + (["--threads", str(args.threads)] if args.threads else [])
    return measuring.found(command, status=2)["step_ms_median"]


def ratios(spec, rounds, args):
    """(after / before of each round, all times of both builds)."""
    found, times = [], ([], [])
    for r in range(rounds):
        order = (0, 1) if r % 2 == 0 else (1, 0)
        step = {}
        for side in order:
            step[side] = median_step((args.before, args.after)[side], spec, args)
            times[side].append(step[side])
        found.append(step[1] / step[0])
    return found, times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--tolerance", type=float, default=0.03)
    parser.add_argument("workloads")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = measuring.workloads(args.workloads, args.names)
    slower, logs = [], []
    print("%-18s %12s %12s %14s" % ("workload", "before ms", "after ms", "after/before"))
    for name in names:
        spec = os.path.join(args.workloads, name, "bench.json")
        found, times = ratios(spec, args.rounds, args)
        ratio, note = statistics.median(found), ""
        if ratio > 1 + args.tolerance:
            again, _ = ratios(spec, 2 * args.rounds, args)
            confirmed = statistics.median(again)
            note = "slower, confirmed: %.3f" % confirmed if confirmed > 1 + args.tolerance else "not confirmed: %.3f" % confirmed
            if confirmed > 1 + args.tolerance:
                slower.append(name)
            ratio = confirmed
        logs.append(math.log(ratio))
        print("%-18s %12.4f %12.4f %14.3f  %s" % (name, statistics.median(times[0]), statistics.median(times[1]), ratio, note), flush=True)
    print("geometric mean of after/before: %.3f%s" % (math.exp(statistics.mean(logs)), "; slower: " + ", ".join(slower) if slower else ""))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
