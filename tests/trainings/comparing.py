"""Compares two runs of one program: graphs node by node, values step by step within rounding errors."""

import collections
import json
import os
import subprocess

import numpy as np

Difference = collections.namedtuple("Difference", "plan step name size allowed")


class Worker:
    """A worker process that trains programs."""

    def __init__(self, command, log, environment=None):
        self._command, self._log, self._environment, self._process, self._trained = command, log, dict(os.environ, **(environment or {})), None, 0

    def ask(self, **request):
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(self._log, "ab"), env=self._environment)
        self._process.stdin.write((json.dumps(request) + "\n").encode())
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        self._trained += 1
        if not line:
            code = self._process.wait()
            self._process = None
            return {"error": ["crash", "ended with %d" % code, ""]}
        if self._trained % 100 == 0:  # restart the process to free its memory
            self.close()
        return json.loads(line)

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process = None


def graph_differences(want, got):
    """Lines that say where two described graphs differ."""
    lines = []
    ours = {n[0]: n for n in got}
    theirs = {n[0] for n in want}
    for name, op, inputs, device, attributes in want:
        node = ours.get(name)
        if node is None:
            lines.append("missing node %s (%s)" % (name, op))
            continue
        if node[1] != op:
            lines.append("%s: op %s, want %s" % (name, node[1], op))
        if node[2] != inputs:
            lines.append("%s (%s): inputs %s, want %s" % (name, op, node[2], inputs))
        if node[3] != device:
            lines.append("%s (%s): device %s, want %s" % (name, op, node[3], device))
        for a in sorted(set(attributes) | set(node[4])):
            if attributes.get(a) != node[4].get(a) and (a in attributes and a in node[4] or a == "_class"):
                lines.append("%s (%s): attribute %s = %s, want %s" % (name, op, a, node[4].get(a), attributes.get(a)))
    lines += ["extra node %s (%s)" % (n[0], n[1]) for n in got if n[0] not in theirs]
    if not lines and [n[0] for n in want] != [n[0] for n in got]:
        first = next(i for i, (a, b) in enumerate(zip(want, got)) if a[0] != b[0])
        lines.append("the order of nodes differs from node %d on: %s, want %s" % (first, got[first][0], want[first][0]))
    return lines


def _distance(a, b, scale):
    """The largest difference relative to a scale; infinite if non-finite values differ."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    finite = np.isfinite(a)
    if not np.array_equal(finite, np.isfinite(b)) or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return np.inf
    return float(np.max(np.abs(a - b)[finite]) / scale) if finite.any() else 0.0


def _greatest(a):
    finite = np.abs(np.asarray(a, np.float64)[np.isfinite(a)])
    return float(finite.max()) if finite.size else 0.0


def compare(want, got, asides, base, factor=40.0):
    """The differences between two files of values, earliest first.

    Differences are relative to the largest value that the variable has had (at least 1e-3). `base` is allowed after the first step and grows with the steps.
    `asides` are runs whose start was moved by rounding errors: a plan may differ `factor` times as much as these differ from `want` in any of its variables
    up to then. What follows an overflow is not compared."""
    if set(want.keys()) != set(got.keys()):
        return [Difference(-1, 0, "other names: %s" % sorted(set(want.keys()) ^ set(got.keys()))[:4], np.inf, 0)]
    by_step = collections.defaultdict(list)
    for key in want.keys():
        plan, step, name = key.split("/", 2)
        by_step[int(plan), int(step)].append((name, key))
    differences, scale, sensitivity, blown = [], {}, collections.defaultdict(float), set()
    for (plan, step), values in sorted(by_step.items()):
        if plan in blown:
            continue
        arrays = [(name, key, want[key], got[key]) for name, key in values]
        for name, key, a, b in arrays:
            if a.dtype.kind == "f":
                scale[plan, name] = max(_greatest(a), scale.get((plan, name), 1e-3))
                for other in asides:
                    if key in other:
                        sensitivity[plan] = max(sensitivity[plan], _distance(a, other[key], scale[plan, name]))
        allowed = base * (1 + step / 4) + factor * sensitivity[plan]
        for name, key, a, b in arrays:
            if a.shape != b.shape or a.dtype != b.dtype:
                differences.append(Difference(plan, step, "%s is %s %s, want %s %s" % (name, b.dtype, b.shape, a.dtype, a.shape), np.inf, 0))
            elif a.dtype.kind != "f":
                if not np.array_equal(a, b):
                    differences.append(Difference(plan, step, name, np.inf, 0))
            else:
                size = _distance(a, b, scale[plan, name])
                if not size <= allowed:
                    differences.append(Difference(plan, step, name, size, allowed))
                if not np.isfinite(a).all() or _greatest(a) > 1e12:
                    blown.add(plan)
    return differences
