"""Finds calls with odd arguments that Weft accepts and TensorFlow 1.15.5 refuses: the same calls in both, one after another.

    TF115 accepted.py plan PLAN.json                      # for each public function, arguments that TensorFlow accepts
    weft py accepted.py try PLAN.json OURS.tsv            # each parameter in turn set to 38 odd values; resumable, because a call may end the process
    TF115 accepted.py check PLAN.json OURS.tsv BOTH.tsv   # the accepted calls, in TensorFlow
    weft py accepted.py report BOTH.tsv                   # by function and parameter

TF115: a Python with TensorFlow 1.15.5. Calls only build graphs; functions that block, read files or end the process are left out.
"""
import inspect
import json
import os
import random
import re
import signal
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.filterwarnings("ignore")
import numpy as np
import tensorflow as tf

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "app", "python", "tests"))
from bad_values import plausible


class Odd:
    """An object of a type unknown to TensorFlow."""


ODD = {
    "None": lambda: None, "text": lambda: "text", "''": lambda: "", "bytes": lambda: b"\xff", "0": lambda: 0, "1": lambda: 1, "-1": lambda: -1, "3": lambda: 3, "2**40": lambda: 2 ** 40,
    "0.5": lambda: 0.5, "2.5": lambda: 2.5, "nan": lambda: float("nan"), "True": lambda: True, "[]": lambda: [], "{}": lambda: {}, "mixed": lambda: [1, "a", None], "ragged": lambda: [[1, 2], [3]],
    "[None]": lambda: [None], "[-1,-1]": lambda: [-1, -1], "[2.5]": lambda: [2.5], "['a']": lambda: ["a"], "range": lambda: range(3), "np.float32": lambda: np.float32(3),
    "np texts": lambda: np.array(["a", "b"]), "texts": lambda: tf.constant(["a"]), "int32": lambda: tf.constant(3), "matrix": lambda: tf.constant([[1.0, 2.0]]), "bool": lambda: tf.constant([True]),
    "unknown": lambda: tf.placeholder(tf.float32), "[?,3]": lambda: tf.placeholder(tf.int32, [None, 3]), "dtype": lambda: tf.float32, "shape": lambda: tf.TensorShape(None), "object": Odd,
    "sparse": lambda: tf.SparseTensor([[0, 1]], [1.0], [2, 2]), "function": lambda: (lambda *a: a[0] if a else tf.constant(1.0)), "operation": tf.no_op, "no values": lambda: tf.zeros([0]),
    "picture": lambda: tf.zeros([1, 4, 4, 3]), "complex": lambda: tf.constant([1j])}
LEFT = ("app", "autograph", "compat", "config", "contrib", "datasets", "device", "disable_", "distribut", "enable_", "estimator", "experimental", "flags", "get_default", "gfile", "graph_util",
        "initializers", "InteractiveSession", "io.", "keras", "lite", "load_", "logging", "_loop", "mixed", "name_scope", "nest", "op_scope", "profiler", "python_io", "quantization", "raw_ops", "reset_default",
        "resource_loader", "saved_model", "set_", "Start", "summary.FileWriter", "sysconfig", "test.", "test.main", "tools", "tpu", "train.checkpoint", "train.export", "train.get_checkpoint",
        "train.import", "train.latest", "train.list", "train.load", "train.MonitoredTraining", "train.Server", "train.summary_iterator", "train.update", "train.write", "user_ops", "variable_scope", "wait", "xla")


class Slow(BaseException):
    pass


def _late(*unused):
    raise Slow()


def _names():
    with open(os.path.join(TOP, "app", "python", "api_names.txt"), encoding="utf-8") as f:
        return sorted({line.split("\t")[0].strip() for line in f if line.strip() and not line.startswith("#")}, key=lambda n: (n.count("."), len(n), n))


def _found(name):
    what = tf
    for part in name.split("."):
        what = getattr(what, part, None)
    return what


def _made(plan):
    return {name: plausible(name)[i] for name, i in plan.items()}


def _shown(value):
    if isinstance(value, tf.Tensor):
        return "Tensor %s %s" % (value.dtype.name, value.shape)
    return "[%s]" % ", ".join(_shown(v) for v in value[:4]) if isinstance(value, (list, tuple)) else type(value).__name__


def _call(name, makers):
    """ "ok" and the result, or the exception."""
    tf.reset_default_graph()  # fails if the function called before left its graph as the default
    signal.setitimer(signal.ITIMER_REAL, 4)
    try:
        said = "ok " + _shown(_found(name)(**{k: make() for k, make in makers.items()}))
    except Slow:
        said = "E slow"
    except BaseException as e:  # of any kind
        said = "E %s: %s" % (type(e).__name__, str(e).split("\n")[0][:140])
    signal.setitimer(signal.ITIMER_REAL, 0)
    return re.sub("0x[0-9a-f]+", "0x", said).replace("\t", " ").replace("\n", " ")


def plan(path):
    plans, seen = [], set()
    for name in _names():
        function = _found(name)
        if any(part in name for part in LEFT) or inspect.isclass(function) or not callable(function) or id(function) in seen:
            continue
        seen.add(id(function))
        try:
            parameters = [p for p in inspect.signature(function).parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        except (TypeError, ValueError):
            continue
        for attempt in range(14):
            dice = random.Random(name + str(attempt))
            given = {p.name: dice.randrange(len(plausible(p.name))) for p in parameters if p.default is p.empty}
            if parameters and _call(name, _made(given)).startswith("ok"):
                plans.append([name, given, [p.name for p in parameters if p.name != "name"]])
                break
    with open(path, "w") as f:
        json.dump(plans, f)
    print(len(plans), "functions")


def _rows(path):
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f]


def _each(rows, out_path):
    """Makes the calls that are not in the file yet. Each call is recorded before it starts: one that ends the process is left out next time."""
    done = {tuple(r[:3]) for r in _rows(out_path)} if os.path.exists(out_path) else set()
    with open(out_path, "a", encoding="utf-8", buffering=1) as out:
        for name, given, parameter, odd, before in rows:
            if (name, parameter, odd) in done or _found(name) is None:
                continue
            out.write("%s\t%s\t%s\tbegun\n" % (name, parameter, odd))
            out.write("\t".join([name, parameter, odd, _call(name, dict(_made(given), **{parameter: ODD[odd]})), before]) + "\n")


def main():
    verb, path = sys.argv[1], sys.argv[2]
    signal.signal(signal.SIGALRM, _late)
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
    if verb == "plan":
        return plan(path)
    if verb == "report":
        found = {}
        for r in _rows(path):
            if len(r) == 5 and r[3].startswith("E "):
                found.setdefault((r[0], r[1]), []).append(r)
        for (name, parameter), rows in found.items():
            print(name, parameter, "|", " ".join(r[2] for r in rows), "|", rows[0][3][2:100], "|", rows[0][4])
        return print(sum(map(len, found.values())), "calls of", len(found), "parameters")
    with open(path) as f:
        plans = {name: (given, parameters) for name, given, parameters in json.load(f)}
    if verb == "try":
        return _each(((name, given, p, odd, "") for name, (given, parameters) in plans.items() for p in parameters for odd in ODD), sys.argv[3])
    _each(((r[0], plans[r[0]][0], r[1], r[2], r[3]) for r in _rows(sys.argv[3]) if len(r) == 5 and r[3].startswith("ok")), sys.argv[4])


main()
