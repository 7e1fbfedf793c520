"""Graphs and values of tf.contrib: the cases of contrib_cases.py against those of TensorFlow 1.15.5 (contrib_graphs.json).

weft py contrib_graphs_test.py [CASE…]; `contrib_graphs_test.py --write` with the Python of TensorFlow 1.15.5 writes the file anew."""

import hashlib
import json
import os
import sys
import unittest
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import tensorflow as tf

import contrib_cases

tf.logging.set_verbosity(tf.logging.ERROR)
_GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contrib_graphs.json")


def _nodes(graph):
    """Each node as a line with name, op and inputs, sorted. For constants only the name."""
    lines = []
    for node in graph.as_graph_def().node:
        inputs = list(node.input)
        plain = [i for i in inputs if not i.startswith("^")]
        lines.append("%s %s %s" % (node.name, node.op, " ".join(plain + sorted(i for i in inputs if i.startswith("^")))))
    return sorted(lines)


def _filled(session):
    """Assigns to each variable numbers that do not depend on random initializers."""
    for v in tf.global_variables():
        if v.dtype.base_dtype.is_floating and v.get_shape().is_fully_defined() and "/reparam_" not in v.name:
            size = v.get_shape().num_elements()
            value = (0.3 * np.sin(np.arange(size) * 0.7 + len(v.op.name)) + 0.05).reshape(v.get_shape().as_list())
            if "variance" in v.name or "period" in v.name or "ratio_on" in v.name:
                value = np.abs(value) + 0.5
            v.load(value, session)


def _run(session, made):
    """The values of a case in a session; the update of a metric runs before its value."""
    if isinstance(made, dict) and sorted(made) == ["update", "value"]:
        return [session.run(made["update"]), session.run(made["value"])]
    return session.run(made)


def _plain(value):
    if value is None:
        return "None"
    if hasattr(value, "_asdict"):
        return [_plain(v) for v in value]
    if isinstance(value, tf.SparseTensorValue):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in sorted(value.items(), key=lambda p: str(p[0]))}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    value = np.asarray(value)
    if value.dtype.kind in "SOU":
        return [x.decode("latin-1") if isinstance(x, bytes) else str(x) for x in value.reshape(-1).tolist()]
    if value.size > 40:
        flat = value.astype(np.float64).reshape(-1)
        value = np.concatenate([flat[:20], [flat.sum(), np.abs(flat).max()]])
    return [round(float(x), 5) if np.isfinite(x) else str(float(x)) for x in value.astype(np.float64).reshape(-1)]


def measured(name):
    """The graph and values of a case."""
    case = contrib_cases.CASES[name]
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        try:
            made = case()
        except Exception as e:
            return {"error": "%s: %s" % (type(e).__name__, str(e).replace("\n", " ")[:200])}
        lines = _nodes(graph)
        found = {"nodes": len(lines), "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]}
        if os.environ.get("CONTRIB_SHOW"):
            with open(os.path.join(os.environ["CONTRIB_SHOW"], name + ".txt"), "w") as f:
                f.write("\n".join(lines) + "\n")
        if case.shown is not None:
            found["values"] = _plain(case.shown(made))
        elif case.runs:
            with tf.Session() as session:
                session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
                if case.fill:
                    _filled(session)
                found["values"] = [_plain(_run(session, made)) for _ in range(case.runs)]
        return found


def _close(a, b):
    if isinstance(a, dict) or isinstance(b, dict):
        return isinstance(a, dict) and isinstance(b, dict) and sorted(a) == sorted(b) and all(_close(a[k], b[k]) for k in a)
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(_close(x, y) for x, y in zip(a, b))
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= 2e-4 * max(1.0, abs(a), abs(b))


class ContribGraphs(unittest.TestCase):
    """One test for each case."""

    maxDiff = None


def _test(name, expected):
    def test(self):
        found = measured(name)
        if "error" in expected or "error" in found:
            self.assertEqual(found, expected)
            return
        if not contrib_cases.CASES[name].names:
            found.pop("digest")
            expected.pop("digest")
            found.pop("nodes")
            expected.pop("nodes")
        self.assertEqual((found.get("nodes"), found.get("digest")), (expected.get("nodes"), expected.get("digest")))
        if not _close(found.get("values", []), expected.get("values", [])):
            self.assertEqual(found.get("values"), expected.get("values"))

    return test


def _load():
    with open(_GOLDEN) as f:
        golden = json.load(f)
    for name in contrib_cases.CASES:
        if name in golden:
            setattr(ContribGraphs, "test_" + name, _test(name, golden[name]))
    missing = [] if os.environ.get("CONTRIB_SHOW") else sorted(set(contrib_cases.CASES) ^ set(golden))
    if missing:
        raise AssertionError("cases without golden values, or the other way round: %s" % missing)


if __name__ == "__main__":
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    if "--write" in sys.argv:
        golden = {}
        if names and os.path.exists(_GOLDEN):
            with open(_GOLDEN) as f:
                golden = json.load(f)
        for n in names or contrib_cases.CASES:
            try:
                golden[n] = measured(n)
            except Exception as e:
                golden[n] = {"error": "%s: %s" % (type(e).__name__, str(e)[:300])}
            if "error" in golden[n]:
                print(n, golden[n]["error"])
        with open(_GOLDEN, "w") as f:
            json.dump(golden, f, indent=0, sort_keys=True)
            f.write("\n")
    else:
        _load()
        unittest.main(argv=[sys.argv[0]] + ["ContribGraphs.test_" + n for n in names])
else:
    _load()
