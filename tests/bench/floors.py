"""For each workload: FLOPs, bytes, the minimum time on this machine, our time and where the rest is spent, and a step's memory compared with its bound.

    python floors.py --weft PATH/weft [--out FLOORS.md] [--threads N] [--seconds 1] WORKLOADS [NAME ...]

WORKLOADS is the output folder of make_bench.py. The machine's limits are measured with the engine itself: a large matrix product, and a pass over memory
larger than any cache. An op's floor is the longer of its arithmetic and its memory traffic at these limits, as if nothing were in a cache, so an op with
cached operands can be faster than its floor. Needs a Python with numpy.
"""
import argparse
import datetime
import json
import os
import tempfile

import numpy as np

import measuring

ROOFS = {"flops": ("MatMul", 1536), "bytes": ("Neg", 8192)}


def profile(weft, graph, options, threads):
    extra = ["--threads", str(threads)] if threads else []
    text = measuring.said([weft, "profile", graph, *options, "--steps", "20", "--top", "0", "--explain", "--json", *extra])
    return json.loads(text[text.index("{"):])


def limits(weft, folder, threads):
    """FLOP/s and bytes/s of this machine, measured with large ops of the engine."""
    found = {}
    for kind, (op, n) in ROOFS.items():
        text = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: %d } dim '
                '{ size: %d } } } } }\nnode { name: "y" op: "%s" input: "x"%s attr { key: "T" value { type: DT_FLOAT } } }\n'
                % (n, n, op, ' input: "x"' if op == "MatMul" else ""))
        path = os.path.join(folder, kind + ".pbtxt")
        with open(path, "w") as f:
            f.write(text)
        np.save(os.path.join(folder, "x.npy"), np.ones((n, n), np.float32))
        data = profile(weft, path, ["--feed", "x:0=" + os.path.join(folder, "x.npy"), "--target", "y"], threads)
        amount = 2.0 * n ** 3 if kind == "flops" else 2.0 * 4 * n * n
        found[kind] = amount / (min(s["duration_us"] for s in data["steps"]) * 1e-6)
    return found


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--out", default=os.path.join(here, "FLOORS.md"))
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("workloads")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    names = measuring.workloads(args.workloads, args.names)
    with tempfile.TemporaryDirectory(prefix="weft-floors-") as folder:
        roof = limits(args.weft, folder, args.threads)
        lines = ["# Floors", "",
                 "What each workload's ops need at least on the machine they were measured on, and what a step takes. An op's floor is the longer of its",
                 "arithmetic and its memory traffic at the measured limits, as if nothing were in a cache; a fused group is one op. The arena is what a step",
                 "takes beside variables, feeds and what is fetched; its bound is the most that is needed at one time. An op that reads some rows of a table is",
                 "counted with all of it (embedding). Made by `floors.py`.", "",
                 "- %s, %d threads; %.0f GFLOP/s (matrix product), %.1f GB/s (pass over memory)"
                 % (datetime.date.today(), args.threads or os.cpu_count(), roof["flops"] * 1e-9, roof["bytes"] * 1e-9), "",
                 "| workload | MFLOP | MB moved | floor ms | step ms | step / floor | arena MB | arena / bound | most over their floors |",
                 "|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            where = os.path.join(args.workloads, name)
            with open(os.path.join(where, "bench.json")) as f:
                spec = json.load(f)
            options = ["--fetch", spec["fetch"], "--target", spec["target"]]
            feeds = np.load(os.path.join(where, spec["feeds"]))
            for k, tensor in enumerate(feeds.files):
                path = os.path.join(folder, "%s_%d.npy" % (name, k))
                np.save(path, feeds[tensor])
                options += ["--feed", "%s=%s" % (tensor, path)]
            if spec["restore"]:
                options += ["--restore", os.path.join(where, spec["restore"])]
            data = profile(args.weft, os.path.join(where, spec["graph"]), options, args.threads)
            plan, floor, by_op = data["explained"], 0.0, {}
            for node in plan["nodes"]:
                least = 1e3 * max(node["float_ops"] / roof["flops"], node["moved_bytes"] / roof["bytes"])
                floor += least
                by_op[node["op"]] = by_op.get(node["op"], 0.0) + node["us"] * 1e-3 - least
            over = [(ms, op) for op, ms in by_op.items()]
            memory = "%.3g | %.3f" % (plan["arena_bytes"] * 1e-6, plan["arena_bytes"] / plan["least_bytes"]) if plan.get("least_bytes") else "- | -"
            extra = ["--threads", str(args.threads)] if args.threads else []
            text = measuring.said([args.weft, "bench", os.path.join(where, "bench.json"), "--seconds", str(args.seconds), "--json", *extra])
            step = json.loads(text.strip().splitlines()[-1])["step_ms_median"]
            top = ", ".join("%s %.2f ms" % (op, ms) for ms, op in sorted(over, reverse=True)[:3] if ms > 0)
            flops, moved = (sum(node[key] for node in plan["nodes"]) * 1e-6 for key in ("float_ops", "moved_bytes"))
            lines.append("| %s | %.4g | %.4g | %.3g | %.3g | %.2f | %s | %s |" % (name, flops, moved, floor, step, step / floor if floor else float("inf"), memory, top))
            print(lines[-1], flush=True)
    with open(args.out, "w") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
