"""against_tensorflow.py WEFT TF_PYTHON [--first SEED] [--count N] [--seconds S] [--folder F] [--built K] [--dtype D]: trains generated networks in both.

Weft builds and trains each network, and TensorFlow trains the same graph. TensorFlow also builds every K-th network from the same program, and the two graphs
are compared. Prints the differences. FOLDER/log.txt has a line for each network; FOLDER/seen.json counts the features that the programs used.
"""

import argparse
import collections
import json
import os
import sys
import time

import numpy as np

from comparing import Worker, compare, graph_differences

HERE = os.path.dirname(os.path.abspath(__file__))


class Judge:
    def __init__(self, weft, python, folder, without=()):
        self.without = list(without)
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        worker = os.path.join(HERE, "worker.py")
        self.weft = Worker([weft, "py", worker], self.path("weft.err"), {"PYTHONDONTWRITEBYTECODE": "1"})
        self.tensorflow = Worker([python, "-B", worker], self.path("tensorflow.err"), {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"})

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, seed, dtype, built, **more):
        """Compares both on a seed: a dictionary with `differences`, a list of strings."""
        graph = self.path("graph.pickle")
        ours = self.weft.ask(seed=seed, dtype=dtype, out=self.path("weft.npz"), graph=graph, without=self.without, **more)
        if built or "error" in ours:
            theirs = self.tensorflow.ask(seed=seed, dtype=dtype, out=self.path("tensorflow.npz"), graph=self.path("graph.tf.pickle"), **more)
        else:
            theirs = self.tensorflow.ask(seed=seed, dtype=dtype, out=self.path("tensorflow.npz"), given=graph, **more)
        result = {"seed": seed, "dtype": dtype, "differences": [], "ours": ours, "theirs": theirs, "s": [ours.get("s"), theirs.get("s")]}
        differences = result["differences"]
        if "error" in ours or "error" in theirs:
            kinds = [r["error"][0] if "error" in r else None for r in (theirs, ours)]
            result["refused"] = kinds
            if kinds[0] != kinds[1]:
                differences.append("TensorFlow: %s\n  Weft: %s" % (theirs.get("error", ["builds it"])[:2], ours.get("error", ["builds it"])[:2]))
                result["trace"] = (theirs if "error" in theirs else ours)["error"][2]
            return result
        if built:
            differences += graph_differences(theirs["nodes"], ours["nodes"])[:40]
        refused = [{k: v[0] for k, v in r.get("refused", {}).items()} for r in (theirs, ours)]
        if refused[0] != refused[1]:
            differences.append("refused by TensorFlow: %s\n  by Weft: %s" % (theirs.get("refused"), ours.get("refused")))
            return result
        want, got = np.load(self.path("tensorflow.npz")), np.load(self.path("weft.npz"))
        base = 3e-6 if ours["single"] else 1e-11
        found = compare(want, got, [], base)
        if found:
            asides = []
            source = {"given": self.path("graph.tf.pickle") if built else graph}
            for k in (1, 2, 3):
                self.tensorflow.ask(seed=seed, dtype=dtype, out=self.path("aside%d.npz" % k), perturb=k, only=sorted({d.plan for d in found}), **source, **more)
                asides.append(np.load(self.path("aside%d.npz" % k)))
            found = compare(want, got, asides, base)
            result["sensitive"] = True
        result["differences"] += ["plan %d (%s) step %d %s: %.3g, allowed %.3g" % (d.plan, ours["plans"][d.plan], d.step, d.name, d.size, d.allowed) for d in found[:6]]
        return result

    def close(self):
        self.weft.close()
        self.tensorflow.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("python")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10 ** 9)
    parser.add_argument("--seconds", type=float, default=10 ** 9)
    parser.add_argument("--folder", default="/tmp/trainings/against")
    parser.add_argument("--built", type=int, default=5)
    parser.add_argument("--dtype")
    parser.add_argument("--without", action="append", default=[], help="a pass that Weft leaves out")
    a = parser.parse_args()
    judge = Judge(a.weft, a.python, a.folder, a.without)
    start, totals, seen = time.time(), collections.Counter(), collections.Counter()
    for seed in range(a.first, a.first + a.count):
        if time.time() - start > a.seconds:
            break
        dtype = a.dtype or ("float64" if seed % 2 else "float32")
        built = a.built and seed % a.built == 0
        result = judge.check(seed, dtype, built)
        totals["networks"] += 1
        if "refused" in result:
            totals["refused by both" if not result["differences"] else "refused by one"] += 1
        else:
            totals["trainings"] += len(result["ours"]["plans"])
            totals["graphs compared"] += bool(built)
            totals["sensitive"] += bool(result.get("sensitive"))
            seen.update(result["ours"]["used"])
        totals["differing"] += bool(result["differences"])
        with open(judge.path("log.txt"), "a") as log:
            log.write(json.dumps({k: result.get(k) for k in ("seed", "dtype", "refused", "differences", "sensitive", "s", "trace")}) + "\n")
            if result.get("refused"):
                log.write("  %s\n" % result["theirs"].get("error"))
        for d in result["differences"]:
            print("seed %d %s: %s" % (seed, dtype, d), flush=True)
        with open(judge.path("seen.json"), "w") as f:
            json.dump({"totals": totals, "seen": dict(sorted(seen.items())), "seconds": time.time() - start}, f, indent=1)
    judge.close()
    print(dict(totals), "in %.0f s" % (time.time() - start))
    return 1 if totals["differing"] else 0


if __name__ == "__main__":
    sys.exit(main())
