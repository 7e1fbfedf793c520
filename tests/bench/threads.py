#!/usr/bin/env python3
"""The gain from the engine's threads: steps with all threads and with one, and several concurrent sessions compared with one session.

    threads.py --weft PATH/weft WORKLOADS [NAME ...]

WORKLOADS is the output folder of make_bench.py. Each workload runs alternately, so that drift of the machine affects all alike: in one session with one
thread, in one with all threads, and in --sessions concurrent sessions, each with all threads. Writes THREADS.md to the folder of this script (or --out).
"""
import argparse
import os
import statistics

import measuring


def bench(weft, spec, seconds, *options):
    command = [weft, "bench", os.path.join(spec, "bench.json"), "--seconds", str(seconds), "--json", *options]
    return measuring.found(command)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--weft", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--out", default=os.path.join(here, "THREADS.md"))
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = measuring.workloads(args.folder, args.names)
    cores = len(os.sched_getaffinity(0))
    rows = []
    print("%-18s %10s %10s %8s %12s %12s %8s" % ("workload", "1 thread", "%d threads" % cores, "gain", "1 session/s", "%d together/s" % args.sessions, "ratio"))
    for name in names:
        spec = os.path.join(args.folder, name)
        one, all_, rate, together = [], [], [], []
        for _ in range(args.rounds):
            one.append(bench(args.weft, spec, args.seconds, "--threads", "1")["step_ms_median"])
            alone = bench(args.weft, spec, args.seconds)
            all_.append(alone["step_ms_median"])
            rate.append(alone["steps_per_second"])
            together.append(bench(args.weft, spec, args.seconds, "--sessions", str(args.sessions))["steps_per_second"])
        one, all_, rate, together = (statistics.median(values) for values in (one, all_, rate, together))
        rows.append((name, one, all_, one / all_, rate, together, together / rate))
        print("%-18s %10.4f %10.4f %8.2f %12.1f %12.1f %8.2f" % rows[-1], flush=True)
    with open(args.out, "w") as out:
        out.write("# Threads\n\nA step of each workload with one thread and with %d; and the steps that one session takes in a second, against those of %d sessions of the\n"
                  "same process together, each allowed %d threads. Medians of %d rounds in turn. Made by `threads.py`.\n\n" % (cores, args.sessions, cores, args.rounds))
        version = measuring.said([args.weft, "--version"]).strip()
        out.write("- %s, %d cores, %s\n\n" % (measuring.processor(), cores, version))
        out.write("| workload | 1 thread, ms | %d threads, ms | gain | 1 session, steps/s | %d sessions, steps/s | ratio |\n|---|---|---|---|---|---|---|\n" % (cores, args.sessions))
        for row in rows:
            out.write("| %s | %.4g | %.4g | %.2f | %.4g | %.4g | %.2f |\n" % row)


if __name__ == "__main__":
    main()
