"""weft py oracles.py [--seed N] [--seconds S] [--count N] [--without PASS]: checks properties of all trainings without TensorFlow.

Each generated network is trained unchanged, without any rewrite, without native loops, on two threads, saved and restored halfway, and with its graph written
and read halfway; all of these must train alike. Each step must increment global_step, and a variable with a nonzero gradient must change. The first seed is
taken from the clock unless given, and printed.
"""

import argparse
import collections
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np

import worker
from comparing import compare

# What is varied; whether values may differ by the order of sums ("exact": compared with the variation of that name), or not at all.
# native_loops sums in node order, and a graph that was read has another one: single roundings. Without it that graph trains alike, bit for bit.
VARIATIONS = [
    ("no rewrites", {"without": ["all"]}, True),
    ("no native loops", {"without": ["native_loops"]}, True),
    ("two threads", {"threads": 2}, True),
    ("saved and restored", {"interrupted": "session"}, False),
    ("graph written and read", {"interrupted": "graph"}, True),
    ("graph written and read, no native loops", {"interrupted": "graph", "without": ["native_loops"]}, "no native loops"),
]


def steps_counted(values, plans, refused, counter):
    """Whether each step of each plan moved global_step by one."""
    for plan in range(len(plans)):
        if str(plan) in refused:
            continue
        steps = [int(values["%d/%d/%s" % (plan, s, counter)]) for s in range(worker.STEPS + 1)]
        if steps != list(range(worker.STEPS + 1)):
            yield "plan %d (%s): global_step goes %s" % (plan, plans[plan], steps)


# Optimizers that change every variable with a gradient; others have thresholds.
EAGER = ("GradientDescent", "Momentum", "Nesterov", "Adam", "Adagrad", "RMSProp", "Adadelta")


def unlearned(values, plans):
    """Variables that have a gradient but do not change."""
    for key, size in values.items():
        plan, step, name = key.split("/", 2)
        if not name.startswith("gradient ") or plans[int(plan)] not in EAGER:
            continue
        name = name[len("gradient "):]
        if np.isfinite(size) and size > 1e-2 and np.array_equal(values["%s/0/%s" % (plan, name)], values["%s/1/%s" % (plan, name)]):
            yield "plan %s (%s): %s has a gradient of %.3g and does not change" % (plan, plans[int(plan)], name, size)


def has_random_state(used):
    """Whether random streams continue from step to step, as these are not part of a checkpoint."""
    return any(u.startswith(("dropout", "cell wrapper dropout", "loss nce", "loss sampled", "cell layer norm")) for u in used)


def check(seed, totals, without=()):
    """(the errors of a seed as lines, the features that it uses)"""
    request = {"seed": seed, "dtype": "float64" if seed % 2 else "float32", "plan_count": 4, "gradients": True, "interrupted": "session"}
    graph, facts = worker.built(request)
    plans = facts["plans"]
    values, refused = worker.train(graph, facts, {"gradients": True, "without": list(without)})
    totals["trainings"] += len(plans)
    found = list(steps_counted(values, plans, refused, facts["counter"])) + list(unlearned(values, plans))
    found += ["plan %s is refused: %s" % r for r in refused.items()]
    plain = {k: v for k, v in values.items() if "/gradient " not in k}
    base = 3e-6 if facts["single"] else 1e-11
    asides, runs = None, {}
    for name, change, rounds in VARIATIONS:
        if change.get("interrupted") and has_random_state(facts["used"]):
            continue
        left_out = list(without) + [w for w in change.get("without", []) if w not in without]
        other, other_refused = worker.train(graph, facts, dict(change, without=left_out))
        runs[name] = other
        totals["trainings"] += len(plans)
        if other_refused != refused:
            found.append("%s: refused %s, not %s" % (name, other_refused, refused))
            continue
        alike = rounds in runs
        differences = compare(runs[rounds] if alike else plain, other, [], base if rounds and not alike else 0)
        if differences and rounds and not alike:
            if asides is None:
                asides = [worker.train(graph, facts, {"perturb": k})[0] for k in (1, 2, 3)]
            differences = compare(plain, other, asides, base)
        found += ["%s: plan %d (%s) step %d %s: %.3g, allowed %.3g" % ((name, d.plan, plans[d.plan]) + d[1:]) for d in differences[:3]]
    return found, facts["used"]


def is_known_refusal(e):
    """TensorFlow refuses functions whose rates or probabilities are always float32 in float64 networks."""
    return "float32" in str(e) and "float64" in str(e) or "DataType float64 not in list" in str(e)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10 ** 8)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--count", type=int, default=10 ** 9)
    parser.add_argument("--without", action="append", default=[], help="a rewrite that is left out always")
    a = parser.parse_args()
    print("first seed %d" % a.seed, flush=True)
    start, totals, seen, bad, told = time.time(), collections.Counter(), collections.Counter(), 0, 0

    def tell():
        print("%d networks (%d refused), %d trainings of %d steps, %d features in %.0f s: %d networks with findings" %
              (totals["networks"], totals["refused"], totals["trainings"], worker.STEPS, len(seen), time.time() - start, bad), flush=True)

    for seed in range(a.seed, a.seed + a.count):
        if time.time() - start > a.seconds:
            break
        try:
            found, used = check(seed, totals, a.without)
            seen.update(used)
        except (TypeError, ValueError) as e:
            found = [] if is_known_refusal(e) else ["%s: %s" % (type(e).__name__, e)]
            totals["refused"] += 1
        except Exception:  # any other exception of a seed is a finding and must not end the run
            found = [traceback.format_exc()]
        totals["networks"] += 1
        for line in found:
            print("seed %d: %s" % (seed, line), flush=True)
        bad += bool(found)
        if time.time() - told > 60:  # report progress regularly, in case the run is stopped
            told = time.time()
            tell()
    tell()
    return 1 if bad or not totals["networks"] else 0


sys.exit(main())
